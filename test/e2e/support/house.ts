import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";

import type { BrowserContext } from "playwright-core";
import { inject } from "vitest";

import { openBrowser } from "../../../scripts/lib/browser.mts";
import { ensureServerHost } from "../../../scripts/lib/code-server-host.mts";
import { TEST_OUTPUT } from "../../../scripts/lib/paths.mts";
import { exitOnSignals } from "../../../scripts/lib/processes.mts";
import { installExtension, startServer } from "../../../scripts/lib/start-server.mts";
import { addStyle, STILL } from "../../support/page-style.mts";

/** What no two windows of one server can have each in its own way. */
export interface OwnHouse {
  /** Keeps workspace trust on, so that a folder opens untrusted. Default: off. */
  workspaceTrust?: boolean;
  /** Installs this package, as a person does, and loads no extension under development. */
  vsix?: string;
  /** Added to the environment of the extension host. */
  env?: Record<string, string>;
}

/** VS Code's server, and a browser for its windows. */
export interface House {
  /** `127.0.0.1:<port>` */
  readonly authority: string;
  readonly browser: BrowserContext;
  /** Forgets what people did in earlier windows; answers the folder of the user's settings, which is gone. */
  emptied(): Promise<string>;
  close(): Promise<void>;
}

let shared: Promise<House> | undefined;

/**
 * The server and the browser of all stories but a few, each of which has a window of its own. They end with this process. A browser
 * that has compiled the workbench once opens it in half the processor time.
 */
export function sharedHouse(): Promise<House> {
  return (shared ??= openHouse({}));
}

export async function openHouse(options: OwnHouse): Promise<House> {
  exitOnSignals();
  const host = await ensureServerHost();
  const state = mkdtempSync(join(inject("house"), "one-"));
  const folders = { data: join(state, "data"), user: join(state, "user"), extensions: join(state, "ext") };
  if (options.vsix !== undefined) await installExtension(host, folders, options.vsix);
  const server = await startServer(host, {
    folders,
    smokeTest: true,
    workspaceTrust: options.workspaceTrust ?? false,
    env: options.env ?? {},
    log: join(TEST_OUTPUT, "e2e-server.log"),
  });
  const browser = await openBrowser(join(state, "chromium"), { width: 1600, height: 1000 }).catch(
    async (error: unknown) => {
      await server.stop();
      throw error;
    },
  );
  await addStyle(browser, STILL);
  return {
    authority: server.authority,
    browser,
    async emptied() {
      await forgetWindows(browser, `http://${server.authority}`);
      const user = join(folders.user, "User");
      // Settings that are a machine's stand beside the user's.
      for (const settings of [user, join(folders.user, "Machine")])
        rmSync(settings, { recursive: true, force: true, maxRetries: 5 });
      return user;
    },
    async close() {
      await browser.close();
      await server.stop();
      rmSync(state, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Removes all that windows have stored in the browser, but for the code of the workbench. */
async function forgetWindows(browser: BrowserContext, origin: string): Promise<void> {
  const [blank = await browser.newPage()] = browser.pages();
  const session = await browser.newCDPSession(blank);
  const storageTypes = "cookies,file_systems,indexeddb,local_storage,websql,service_workers";
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes });
  await session.detach();
}
