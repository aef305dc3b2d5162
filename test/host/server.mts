import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import type { Browser } from "playwright-core";

import { launchBrowser } from "../../scripts/lib/browser.mts";
import { ensureServerHost } from "../../scripts/lib/code-server-host.mts";
import { TEST_OUTPUT } from "../../scripts/lib/paths.mts";
import { stop } from "../../scripts/lib/report.mts";
import { type Server, startServer } from "../../scripts/lib/start-server.mts";
import { STILL, styleScript } from "../support/page-style.mts";
import { consoleLog } from "./console-log.mts";
import { type Place, SUITE_TIMEOUT } from "./place.mts";
import { openQuietPage } from "./quiet-page.mts";

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
  const browser = await launchBrowser();
  try {
    return await suiteExit(browser, server, place);
  } finally {
    await browser.close();
  }
}

/** What VS Code calls when tests run in its window. */
const AUTOMATION = `
  const text = (value) =>
    typeof value === "string" ? value : value instanceof Error ? value.stack : JSON.stringify(value);
  globalThis.codeAutomationLog = (type, args) => tell(JSON.stringify({ type, text: args.map(text).join(" ") }));
  globalThis.codeAutomationExit = (code) => tell(JSON.stringify({ code }));
`;

async function suiteExit(browser: Browser, server: Server, place: Place): Promise<number> {
  const log = consoleLog();
  const exited = Promise.withResolvers<number>();
  await openQuietPage(browser, {
    url: suiteUrl(server.authority, place),
    size: { width: 1280, height: 800 },
    script: styleScript(STILL + UNDRAWN) + AUTOMATION,
    on: (told) => {
      const { type, text, code } = JSON.parse(told) as Told;
      if (code === undefined) log(type, text);
      else exited.resolve(code);
    },
  });
  return await Promise.race([exited.promise, serverEnded(server), tooLate()]);
}

type Told =
  | { type: string; text: string; code?: undefined }
  | { code: number; type?: undefined; text?: undefined };

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
