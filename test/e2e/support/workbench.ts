import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";

import type { FrameLocator, Locator, Page } from "playwright-core";

import type { WindowSize } from "../../../scripts/lib/browser.mts";
import { ROOT, TEST_OUTPUT } from "../../../scripts/lib/paths.mts";
import { onExit } from "../../../scripts/lib/processes.mts";
import { THOROUGH } from "../../support/thorough.ts";
import { type House, openHouse, type OwnHouse, sharedHouse } from "./house.ts";

export type Theme = "light" | "dark" | "highContrast";

/** The themes a person may work in: the setting's value, the label in the list of themes, the class of the window. */
export const THEMES: Record<Theme, { setting: string; label: string; shown: string }> = {
  light: { setting: "Default Light Modern", label: "Light Modern", shown: "vs" },
  dark: { setting: "Default Dark Modern", label: "Dark Modern", shown: "vs-dark" },
  highContrast: { setting: "Default High Contrast", label: "Dark High Contrast", shown: "hc-black" },
};

/** With an option of `OwnHouse` it has a server and a browser of its own. */
export interface WorkbenchOptions extends OwnHouse {
  /** Folder to open, absolute or below the repository's root; a fresh copy of it is opened. Null: an empty window. */
  workspace: string | null;
  /** Default: dark. */
  theme?: Theme;
  /** Default: 1600 × 1000. */
  size?: WindowSize;
  /** User settings beside the theme's. */
  settings?: Record<string, unknown>;
  /** The window believes to be on Windows, with the keys that VS Code has there. */
  asOnWindows?: boolean;
}

/** A VS Code with the extension, open on a copy of a workspace in a real browser. */
export interface Workbench {
  page: Page;
  /** The opened copy; of an empty window, a folder that nothing has opened. */
  folder: string;
  /** Closes the browser, ends the server and removes the copy. */
  close(): Promise<void>;
}

/** Starting takes 5–8 s on two idle cores; a full minute only where all cores are busy. */
const START = 60_000;

const SIZE: WindowSize = { width: 1600, height: 1000 };

/** Opens VS Code on a copy of the workspace and waits until it is ready for a person. */
export async function openWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  const state = mkdtempSync(join(tmpdir(), "hasp-e2e-"));
  const closers = [removal(state)];
  const close = async (): Promise<void> => {
    for (const undo of closers.splice(0).toReversed()) await undo();
  };
  try {
    const folder = options.workspace === null ? state : copyWorkspace(options.workspace, state);
    const isOwn = [options.env, options.vsix, options.workspaceTrust].some((one) => one !== undefined);
    const house = isOwn ? await openHouse(options) : await sharedHouse();
    if (isOwn) closers.push(async () => await house.close());
    writeSettings(await house.emptied(), options);
    const page = await house.browser.newPage();
    closers.push(async () => await page.close());
    await load(page, house, folder, options);
    return { page, folder, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** How to remove the state of a run; it also happens if this process ends before. */
function removal(state: string): () => Promise<void> {
  const remove = (): void => rmSync(state, { recursive: true, force: true, maxRetries: 5 });
  const forget = onExit(remove);
  return async () => {
    remove();
    forget();
  };
}

function copyWorkspace(workspace: string, state: string): string {
  const source = resolve(ROOT, workspace);
  const folder = join(state, basename(source));
  cpSync(source, folder, { recursive: true });
  return folder;
}

function writeSettings(user: string, options: WorkbenchOptions): void {
  const settings = {
    "workbench.colorTheme": THEMES[options.theme ?? "dark"].setting,
    "workbench.startupEditor": "none",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    // Chromium draws on the processor here, which the tests need.
    "workbench.reduceMotion": "on",
    "editor.cursorBlinking": "solid",
    "security.workspace.trust.startupPrompt": "never",
    "extensions.ignoreRecommendations": true,
    ...options.settings,
  };
  mkdirSync(user, { recursive: true });
  writeFileSync(join(user, "settings.json"), JSON.stringify(settings));
}

async function load(page: Page, house: House, folder: string, options: WorkbenchOptions): Promise<void> {
  // A click or key answers within a second or two; over ten were seen where eight processes wanted the two cores.
  page.setDefaultTimeout(30_000);
  await page.setViewportSize(options.size ?? SIZE);
  if (options.asOnWindows === true) await pretendWindows(page);
  await page.goto(workbenchUrl(house.authority, folder, options), { timeout: START });
  await page.locator(".monaco-workbench .part.statusbar").waitFor({ timeout: START });
  // The explorer shows files only once the connection to the server stands, and commands need that too.
  const ready =
    options.workspace === null ? ".activitybar .action-item" : ".explorer-folders-view .monaco-list-row";
  await page.locator(ready).first().waitFor({ timeout: START });
}

/** VS Code takes its default keys from what the browser says of its system. */
async function pretendWindows(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const userAgent =
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36";
  await session.send("Emulation.setUserAgentOverride", { userAgent, platform: "Win32" });
}

function workbenchUrl(authority: string, folder: string, options: WorkbenchOptions): string {
  const extension = `vscode-remote://${authority}${ROOT}`;
  const payload = [
    ...(options.vsix === undefined ? [["extensionDevelopmentPath", extension]] : []),
    ["skipWelcome", "true"],
  ];
  const opened = options.workspace === null ? { ew: "true" } : { folder };
  const query = new URLSearchParams({ ...opened, payload: JSON.stringify(payload) });
  return `http://${authority}/?${query.toString()}`;
}

/** Sets the size of the window in CSS pixels. */
export async function resize({ page }: Workbench, size: WindowSize): Promise<void> {
  await page.setViewportSize(size);
}

/** A picture of the window for a person to look at, test-output/<name>.png, where pictures are wanted. */
export async function screenshot(workbench: Workbench, name: string): Promise<void> {
  if (THOROUGH) await screenshotAlways(workbench, name);
}

/** Saves what the window shows as test-output/<name>.png. */
export async function screenshotAlways({ page }: Workbench, name: string): Promise<void> {
  await page.screenshot({ path: join(TEST_OUTPUT, `${name}.png`), animations: "disabled" });
}

/** How often these look again. Milliseconds. */
const LOOK_AGAIN = 250;

/** Whether the browser has stored an editor with this text in its state: what VS Code lists as open after a reload. */
const STORED = (text: string): string => `(async () => {
  const settled = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  for (const { name } of await indexedDB.databases()) {
    if (!name.startsWith("vscode-web-state-db")) continue;
    const db = await settled(indexedDB.open(name));
    try {
      if (!db.objectStoreNames.contains("ItemTable")) continue;
      const items = db.transaction("ItemTable").objectStore("ItemTable");
      const parts = await settled(items.get("memento/workbench.parts.editor"));
      if (String(parts).includes(${JSON.stringify(text)})) return true;
    } finally {
      db.close();
    }
  }
  return false;
})()`;

/** Waits until an editor, named by its type, comes back after a reload: in a browser VS Code stores its state every few seconds alone. */
export async function untilStored({ page }: Workbench, type: string): Promise<void> {
  for (const end = Date.now() + START; !(await page.evaluate(STORED(type)));) {
    if (Date.now() > end) throw new Error(`The browser did not store an editor of the type ${type}`);
    await page.waitForTimeout(LOOK_AGAIN);
  }
}

/** The document inside the webview that is shown. */
export function webview({ page }: Workbench): FrameLocator {
  return page.frameLocator("iframe.webview").frameLocator("iframe#active-frame");
}

/** The element of one of several webviews that are open, once it is there; rejects after `START`. */
export async function viewWith({ page }: Workbench, element: string): Promise<Locator> {
  const end = Date.now() + START;
  for (;;) {
    for (const frame of page.frames()) {
      const found = frame.locator(element);
      if ((await found.count().catch(() => 0)) > 0) return found;
    }
    if (Date.now() > end) throw new Error(`No view has a ${element}`);
    await page.waitForTimeout(LOOK_AGAIN);
  }
}
