import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import type { Page } from "playwright-core";

import { openBrowser } from "../../scripts/lib/browser.mts";
import { ensureServerHost } from "../../scripts/lib/code-server-host.mts";
import { TEST_OUTPUT } from "../../scripts/lib/paths.mts";
import { stop } from "../../scripts/lib/report.mts";
import { type Server, startServer } from "../../scripts/lib/start-server.mts";
import { addStyle, STILL } from "../support/page-style.mts";
import { consoleLog } from "./console-log.mts";
import { type Place, SUITE_TIMEOUT } from "./place.mts";

/** Nobody looks at the window: it keeps its sizes, and nothing of it is drawn. */
const UNDRAWN = "html { content-visibility: hidden !important; }";

/** Runs the suite in VS Code's server with Chromium as its window, and returns the exit code. */
export async function runInServer(place: Place, env: Record<string, string>): Promise<number> {
  const host = await ensureServerHost();
  const server = await startServer(host, {
    folders: {
      data: join(place.folder, "data"),
      user: join(place.folder, "user"),
      extensions: join(place.folder, "extensions"),
    },
    smokeTest: true,
    workspaceTrust: place.run.workspaceTrust,
    env,
    log: join(TEST_OUTPUT, "host-server.log"),
  });
  try {
    return await runInBrowser(server, place);
  } finally {
    await server.stop();
  }
}

async function runInBrowser(server: Server, place: Place): Promise<number> {
  const browser = await openBrowser(join(place.folder, "chromium"), { width: 1280, height: 800 });
  try {
    await addStyle(browser, STILL + UNDRAWN);
    return await suiteExit(await browser.newPage(), server, place);
  } finally {
    await browser.close();
  }
}

async function suiteExit(page: Page, server: Server, place: Place): Promise<number> {
  const log = consoleLog();
  await page.exposeFunction("codeAutomationLog", (type: string, args: unknown[]) =>
    log(type, args.map(textOf).join(" ")),
  );
  const exited = Promise.withResolvers<number>();
  await page.exposeFunction("codeAutomationExit", (code: number) => exited.resolve(code));
  await page.goto(suiteUrl(server.authority, place));
  return await Promise.race([exited.promise, serverEnded(server), tooLate()]);
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

function suiteUrl(authority: string, { run, workspace }: Place): string {
  const remote = `vscode-remote://${authority}`;
  const payload = [
    ["extensionDevelopmentPath", remote + run.extension],
    ["extensionTestsPath", `${remote}${run.suite}/index.js`],
    ["skipWelcome", "true"],
  ];
  const query = new URLSearchParams({ folder: workspace, payload: JSON.stringify(payload) });
  return `http://${authority}/?${query.toString()}`;
}

async function serverEnded(server: Server): Promise<never> {
  await server.ended;
  throw stop("VS Code's server ended while the suite ran; its log is test-output/host-server.log.");
}

async function tooLate(): Promise<never> {
  await delay(SUITE_TIMEOUT, undefined, { ref: false });
  throw stop("The in-host suite did not report in time; test-output/host-console.log may say why.");
}
