import type { Locator } from "playwright-core";

import { retry } from "./palette.ts";
import type { Workbench } from "./workbench.ts";

export type Severity = "error" | "warning" | "info" | "hint";

/**
 * How long diagnostics may take: a check takes well under a second once its worker runs, but the first one loads TypeScript
 * twice (ours and VS Code's own), seen at 6 s on two busy cores.
 */
const DIAGNOSTICS = 30_000;

/** How long a hover may take once the mouse rests, before the mouse moves again. */
const HOVER_OPENS = 5000;

/** The editor that has the focus or had it last. */
export const activeEditor = ({ page }: Workbench): Locator =>
  page.locator(".editor-group-container.active .editor-instance .monaco-editor").first();

/** The squiggles of one severity in the active editor's visible lines. */
export const squiggles = (workbench: Workbench, severity: Severity): Locator =>
  activeEditor(workbench).locator(`.squiggly-${severity}`);

/** Waits until the active editor shows exactly `count` squiggles of one severity. */
export async function waitForSquiggles(
  workbench: Workbench,
  severity: Severity,
  count: number,
): Promise<void> {
  const marks = squiggles(workbench, severity);
  if (count > 0) await marks.nth(count - 1).waitFor({ state: "attached", timeout: DIAGNOSTICS });
  await marks.nth(count).waitFor({ state: "detached", timeout: DIAGNOSTICS });
}

/**
 * Rests the mouse on the first squiggle of a severity and returns the text of the hover that opens. Where the text still scrolls, the mouse
 * ends beside the squiggle: a person would move it again.
 */
export async function hoverSquiggle(workbench: Workbench, severity: Severity): Promise<string> {
  const { page } = workbench;
  const hover = page.locator(
    ".monaco-hover:visible .hover-contents, .monaco-hover:visible .monaco-hover-content",
  );
  const rest = async (): Promise<void> => {
    const box = await squiggles(workbench, severity).first().boundingBox();
    if (box === null) throw new Error(`No ${severity} squiggle is in view`);
    // The text lies over the squiggle and takes the mouse, so the place is aimed at and not the element.
    await page.mouse.move(box.x + Math.min(4, box.width / 2), box.y + box.height / 2);
    await hover.first().waitFor({ timeout: HOVER_OPENS });
  };
  await retry(rest, `No hover on a squiggle of severity ${severity} after 40 s`, async () =>
    page.mouse.move(0, 0),
  );
  return (await hover.allInnerTexts()).join("\n");
}

/** Replaces all text of the active editor by typing over it, as one paste: no auto-closed brackets. */
export async function replaceText({ page }: Workbench, text: string): Promise<void> {
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}

/** Saves the active editor and waits until its tab shows it saved. */
export async function save({ page }: Workbench): Promise<void> {
  // An editor that has just come has its text before it has the keyboard.
  await page.locator(".monaco-editor.focused").first().waitFor();
  await page.keyboard.press("ControlOrMeta+s");
  await page.locator(".tab.active.dirty").waitFor({ state: "detached" });
}

/** The rows of the Problems panel below their files, each as its text (message, source, code, place). */
export async function problems(workbench: Workbench): Promise<string[]> {
  await openProblems(workbench);
  const rows = workbench.page.locator(".markers-panel .monaco-list-row[aria-level='2']");
  return (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ").trim());
}

async function openProblems({ page }: Workbench): Promise<void> {
  const panel = page.locator(".markers-panel");
  if (!(await panel.isVisible())) await page.keyboard.press("ControlOrMeta+Shift+m");
  await panel.waitFor();
}
