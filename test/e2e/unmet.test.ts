import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Locator } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { SAMPLES } from "../../scripts/lib/paths.mts";
import { accept, openPalette, runCommand } from "./support/palette.ts";
import { openWorkbench, screenshot, type Workbench } from "./support/workbench.ts";

/** How long one command is waited for; what comes later is met by the next one's palette, or by the look at the end. Milliseconds. */
const ASKS = 1_000;
/** What the last commands may still take to say something. Milliseconds. */
const LAST = 4_000;
/** Steps of the longest wizard. */
const ESCAPES = 4;
/** Fifty commands, one to two seconds each, four times that on busy cores. Milliseconds. */
const ALL = 400_000;

const widget = ({ page }: Workbench): Locator => page.locator(".quick-input-widget");
const bell = ({ page }: Workbench): Locator => page.locator('[id="status.notifications"]');
/** How often a command is looked after. Milliseconds. */
const LOOK_AGAIN = 50;

/** Changes with each notification: "3 New Notifications". */
const news = async (workbench: Workbench): Promise<string> =>
  (await bell(workbench).locator("a").first().getAttribute("aria-label")) ?? "";

const items = ({ page }: Workbench): Locator => page.locator(".notifications-center .notification-list-item");

/** Our commands that the palette offers, by title. */
async function offered(workbench: Workbench): Promise<string[]> {
  const { page } = workbench;
  await openPalette(workbench, "F1", ">HASP: ");
  const rows = widget(workbench).locator(".monaco-list-row");
  await rows.filter({ hasText: "HASP: " }).first().waitFor();
  const count = Number(await rows.first().getAttribute("aria-setsize"));
  const titles = new Set<string>();
  // The list draws the rows in sight alone.
  for (let row = 0; row < count; row++) {
    const focused = widget(workbench).locator(`.monaco-list-row.focused[data-index="${row}"]`);
    titles.add((await focused.locator(".label-name").first().innerText()).trim());
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Escape");
  await widget(workbench).waitFor({ state: "hidden" });
  return [...titles]
    .filter((title) => title.startsWith("HASP: ") && !/Focus on|Help on/.test(title))
    .toSorted();
}

/** Runs a command, waits until it asks or says something, and leaves its questions. */
async function tryOut(workbench: Workbench, title: string): Promise<void> {
  const { page } = workbench;
  const before = await news(workbench);
  await runCommand(workbench, title);
  const end = Date.now() + ASKS;
  while (Date.now() < end) {
    if (await widget(workbench).locator(".quick-input-title").isVisible()) break;
    if ((await news(workbench)) !== before) break;
    await page.waitForTimeout(LOOK_AGAIN);
  }
  for (let i = 0; i < ESCAPES && (await widget(workbench).isVisible()); i++)
    await page.keyboard.press("Escape");
}

/** The texts of all errors that were shown; they stay listed until somebody clears them. */
async function shownErrors(workbench: Workbench): Promise<string[]> {
  const { page } = workbench;
  if (!(await page.locator(".notifications-center").isVisible())) await bell(workbench).click();
  const errors = items(workbench).filter({ has: page.locator(".codicon-error") });
  return await errors.locator(".notification-list-item-message").allInnerTexts();
}

describe.each([
  { name: "a folder without skills and runs", isTrusted: true },
  { name: "a sample that nobody trusts", isTrusted: false },
])("A person tries each command in $name", ({ isTrusted }) => {
  const folder = mkdtempSync(join(tmpdir(), "hasp-empty-"));
  let workbench: Workbench;
  beforeAll(async () => {
    // The window is ready once the explorer shows a file.
    writeFileSync(join(folder, "notes.txt"), "");
    const size = { width: 1400, height: 900 };
    const workspace = isTrusted ? folder : SAMPLES;
    workbench = await openWorkbench({ workspace, workspaceTrust: !isTrusted, size });
  });
  beforeEach(({ onTestFailed }) => {
    onTestFailed(async () => void (await screenshot(workbench, `unmet-failed-${isTrusted}`)));
  });
  afterAll(async () => {
    await workbench.close();
    rmSync(folder, { recursive: true });
  });

  it("is asked, or told what is missing with the way to it; none fails", { timeout: ALL }, async () => {
    // The palette lists our commands once the extension is known, and its list does not grow while it is open.
    await runCommand(workbench, "HASP: Help");
    await accept(workbench, "Page to open");
    await workbench.page.locator(".tab.active", { hasText: "replay" }).waitFor();
    const titles = await offered(workbench);
    expect(titles).toContain("HASP: Open Sample");
    for (const title of titles) await tryOut(workbench, title);
    // An error that comes late is one, too.
    await workbench.page.waitForTimeout(LAST);
    expect(await shownErrors(workbench)).toEqual([]);
    // Nobody has agreed to a download.
    expect(await workbench.page.locator('[id="status.runningTasks"]').count()).toBe(0);
  });
});
