import { errors, type Locator } from "playwright-core";

import { THOROUGH } from "../../support/thorough.ts";
import { resize, screenshot, type Theme, THEMES, type Workbench } from "./workbench.ts";

const widget = ({ page }: Workbench): Locator => page.locator(".quick-input-widget");

const rows = (workbench: Workbench): Locator =>
  widget(workbench).locator(".quick-input-list .monaco-list-row");

/** How long an extension's commands may take to appear after the window did: its host starts in 2–4 s, ten times that on busy cores. */
const COMMANDS_APPEAR = 40_000;

/** How long one opening of the palette waits for a command before it looks anew: its list does not grow while it is open. */
const LOOK_AGAIN = 2000;

/** How long a command may take to ask its question before it is run again. */
const ASKS_SOON = 15_000;

/** How long quick open may look for a file before it is opened anew. */
const FILE_APPEARS = 10_000;

/** Time for a row to take a click, and for its menu to show, before the menu is opened again. Milliseconds. */
const MENU_APPEARS = 5000;

/** Runs a command by its title, such as `HASP: New Skill`, through F1. */
export async function runCommand(workbench: Workbench, title: string): Promise<void> {
  const row = rows(workbench).filter({ hasText: title }).first();
  const opened = { key: "F1", text: `>${title}`, row, appears: LOOK_AGAIN };
  await choose(workbench, opened, async () => clickRow(workbench, row, LOOK_AGAIN));
}

/**
 * Runs a command until the quick input that it opens asks this: a view that has just loaded takes the focus, and the input closes before
 * anyone sees it. A person would run the command again. Seen once on busy cores.
 */
export async function runAsking(workbench: Workbench, title: string, asking: string): Promise<void> {
  const attempt = async (): Promise<void> => {
    await runCommand(workbench, title);
    await asks(workbench, asking, ASKS_SOON);
  };
  await retry(attempt, `"${title}" did not ask for "${asking}" within 40 s`);
}

/** Opens a file by quick open, at a 1-based line and column where they are given, and puts the cursor into it. */
export async function openFile(
  workbench: Workbench,
  path: string,
  line?: number,
  column?: number,
): Promise<void> {
  const place = line === undefined ? "" : `:${line}:${column ?? 1}`;
  const [name = path, ...folders] = path.split("/").toReversed();
  // Enter takes the first row, which for a moment is still that of the files opened last.
  const first = rows(workbench).first().filter({ hasText: name });
  const row = first.filter({ hasText: folders.toReversed().join("/") });
  const opened = { key: "ControlOrMeta+p", text: path + place, row, appears: FILE_APPEARS };
  await choose(workbench, opened, async () => quickInput(workbench).press("Enter", { timeout: LOOK_AGAIN }));
  const tab = workbench.page.locator(".editor-group-container.active .tab.active");
  await tab.filter({ hasText: name }).waitFor();
}

interface Opened {
  readonly key: string;
  readonly text: string;
  readonly row: Locator;
  /** How long the row may take. Milliseconds. */
  readonly appears: number;
}

/** Opens a quick input and takes a row of it; opens it again if the row is not there yet, or if something else takes the focus and closes it. */
async function choose(workbench: Workbench, opened: Opened, take: () => Promise<void>): Promise<void> {
  const attempt = async (): Promise<void> => {
    await openPalette(workbench, opened.key, opened.text);
    await opened.row.waitFor({ timeout: opened.appears });
    await take();
  };
  await retry(attempt, `No row for "${opened.text}" after 40 s`, async () =>
    workbench.page.keyboard.press("Escape"),
  );
}

/** Repeats an attempt as long as it times out, with `reset` in between; throws `failure` after 40 s. */
export async function retry(
  attempt: () => Promise<void>,
  failure: string,
  reset?: () => Promise<void>,
): Promise<void> {
  for (const end = Date.now() + COMMANDS_APPEAR; ;) {
    if (await inTime(attempt)) return;
    await reset?.();
    if (Date.now() > end) throw new Error(failure);
  }
}

/** Whether an attempt ended without a timeout. */
async function inTime(attempt: () => Promise<void>): Promise<boolean> {
  try {
    await attempt();
    return true;
  } catch (error) {
    if (error instanceof errors.TimeoutError) return false;
    throw error;
  }
}

/** Opens a quick input by its key, and types into it. */
export async function openPalette(workbench: Workbench, key: string, text: string): Promise<void> {
  // A view that is just loading takes the focus, and a key with it; an input that is open closes then.
  await retry(async () => {
    await workbench.page.keyboard.press(key);
    await quickInput(workbench).fill(text, { timeout: LOOK_AGAIN });
  }, `${key} opened no quick input within 40 s`);
}

/** The text field of the quick input that is open. */
export function quickInput(workbench: Workbench): Locator {
  return widget(workbench).locator(".quick-input-box input");
}

/** What the open quick input says about itself: its title, the hint in the empty field, and the message below. */
export async function quickInputText(workbench: Workbench): Promise<string> {
  const title = await widget(workbench).locator(".quick-input-title").innerText();
  const hint = (await quickInput(workbench).getAttribute("placeholder")) ?? "";
  const message = await widget(workbench).locator(".quick-input-message").allInnerTexts();
  return [title, hint, ...message].join("\n").trim();
}

/** Types an answer into the quick input that asks for it (`asking`: a part of its title or hint) and accepts it. */
export async function answer(workbench: Workbench, asking: string, text: string): Promise<void> {
  await asks(workbench, asking);
  await quickInput(workbench).fill(text);
  await quickInput(workbench).press("Enter");
}

/** Accepts the highlighted row, or the text that is there, of the quick input that asks for it, by one Enter as soon as it shows. */
export async function accept(workbench: Workbench, asking: string): Promise<void> {
  await asks(workbench, asking);
  // A person sees a highlighted row before the key; a question for a text has no list.
  const list = widget(workbench).locator(".quick-input-list");
  if (await list.isVisible()) await list.locator(".monaco-list-row.focused").first().waitFor();
  // A view that is still loading takes the focus, and a key that goes to the page with it.
  await quickInput(workbench).press("Enter");
}

/** Chooses the row that shows `label` in the quick input that asks for it (`asking`: a part of its title or hint). */
export async function pick(workbench: Workbench, asking: string, label: string): Promise<void> {
  await asks(workbench, asking);
  await clickRow(workbench, rows(workbench).filter({ hasText: label }).first());
}

/** Clicks a row of the quick input. The pointer rests where it last clicked, and what it makes another row tell would lie over this one. */
async function clickRow({ page }: Workbench, row: Locator, timeout?: number): Promise<void> {
  await page.mouse.move(0, 0);
  await row.click(timeout === undefined ? {} : { timeout });
}

/** Waits for the quick input that asks this, so that a slow wizard never gets the answer to its next question. */
async function asks(workbench: Workbench, asking: string, timeout?: number): Promise<void> {
  const byTitle = widget(workbench).filter({
    has: workbench.page.locator(".quick-input-title", { hasText: asking }),
  });
  const byHint = widget(workbench).filter({
    has: workbench.page.locator(`input[placeholder*=${JSON.stringify(asking)}]`),
  });
  const byMessage = widget(workbench).filter({
    has: workbench.page.locator(".quick-input-message", { hasText: asking }),
  });
  const asked = byTitle.or(byHint).or(byMessage).first();
  await asked.waitFor(timeout === undefined ? {} : { timeout });
}

/** Changes the color theme as a person does, by the list of themes, and waits until it shows. */
async function setTheme(workbench: Workbench, theme: Theme): Promise<void> {
  const { label, shown } = THEMES[theme];
  await runCommand(workbench, "Preferences: Color Theme");
  await answer(workbench, "Color Theme", label);
  await workbench.page.locator(`.monaco-workbench.${shown}`).first().waitFor();
}

/** Pictures of the window in dark and in light, `<name>-dark` and `<name>-light`, where pictures are wanted. It is dark then. */
export async function screenshotInBoth(workbench: Workbench, name: string): Promise<void> {
  if (!THOROUGH) return;
  for (const theme of ["light", "dark"] as const) {
    await setTheme(workbench, theme);
    await screenshot(workbench, `${name}-${theme}`);
  }
}

/** The same, and in high contrast in a narrow window, `<name>-contrast-800`. */
export async function screenshotInAll(workbench: Workbench, name: string): Promise<void> {
  if (!THOROUGH) return;
  await setTheme(workbench, "highContrast");
  await resize(workbench, { width: 800, height: 1000 });
  await screenshot(workbench, `${name}-contrast-800`);
  await resize(workbench, { width: 1600, height: 1000 });
  await screenshotInBoth(workbench, name);
}

/**
 * Chooses an entry of the context menu of a row, by the keyboard: VS Code takes a click right after the menu opens for the end of the
 * right click. Opens the menu again if it does not show or closes, as seen on busy cores for an unknown cause. The key goes to the entry
 * itself: with the menu gone, a key of the page would choose nothing, and nobody would know.
 */
export async function fromMenu({ page }: Workbench, row: Locator, title: string): Promise<void> {
  const item = page.locator(".monaco-menu .action-item", { hasText: title }).first();
  const attempt = async (): Promise<void> => {
    await row.click({ button: "right", timeout: MENU_APPEARS });
    await item.hover({ timeout: MENU_APPEARS });
    await item.and(page.locator(".focused")).press("Enter", { timeout: LOOK_AGAIN });
  };
  await retry(attempt, `No "${title}" in the menu of a row after 40 s`, async () =>
    page.keyboard.press("Escape"),
  );
  await item.waitFor({ state: "detached" });
}
