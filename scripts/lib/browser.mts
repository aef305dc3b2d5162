import { randomUUID } from "node:crypto";

import { type Browser, type BrowserContext, chromium, type LaunchOptions } from "playwright-core";

import { killMarked, MARK, onExit } from "./processes.mts";
import { stop } from "./report.mts";
import { findChromium } from "./system-packages.mts";

export interface WindowSize {
  width: number;
  height: number;
}

/** What every Chromium of ours is started with. */
export const SWITCHES = [
  "--no-sandbox", // root and most containers cannot use Chromium's own sandbox; it opens our loopback pages only
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Opens a headless Chromium (`CHROME_PATH`, else the system's) on a fresh profile; closing the context ends it. */
export async function openBrowser(profile: string, size: WindowSize): Promise<BrowserContext> {
  return await ours(
    async (options) => await chromium.launchPersistentContext(profile, { ...options, viewport: size }),
    (browser, forget) => browser.once("close", forget),
  );
}

/** Starts a headless Chromium (as above) without a page; closing it ends it. */
export async function launchBrowser(): Promise<Browser> {
  return await ours(
    async (options) => await chromium.launch(options),
    (browser, forget) => browser.once("disconnected", forget),
  );
}

/** A browser that ends with this process, however that ends. */
async function ours<B>(
  launch: (options: LaunchOptions) => Promise<B>,
  whenEnded: (browser: B, forget: () => void) => void,
): Promise<B> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    throw stop("No Chromium found. Run `npm run setup`, or set CHROME_PATH to a Chromium or Chrome.");
  }
  const mark = randomUUID();
  const forget = onExit(() => killMarked(mark));
  const browser = await launch({
    env: { ...definedVariables(), [MARK]: mark },
    executablePath,
    args: SWITCHES,
    headless: true,
    // Our own listeners end the browser together with the server (processes.mts); playwright's would end this process first.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  whenEnded(browser, forget);
  return browser;
}

function definedVariables(): Record<string, string> {
  const entries = Object.entries(process.env).filter((entry) => entry[1] !== undefined);
  return Object.fromEntries(entries as [string, string][]);
}
