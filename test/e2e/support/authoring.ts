import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Locator } from "playwright-core";

import { SAMPLES } from "../../../scripts/lib/paths.mts";
import { activeEditor } from "./editor.ts";
import { openFile } from "./palette.ts";
import type { Workbench } from "./workbench.ts";

/** A sandbox, a compiler or VS Code's own TypeScript may have to start first; a minute was seen where ten processes wanted the two cores. */
export const LOADED = 90_000;

/** The skill that a person works on. */
export const FOLDER = "skills/web-search/repeated-query";

export interface CommittedSamples {
  readonly folder: string;
  readonly remove: () => void;
}

/** A copy of the sample workspace as a git repository with one commit, so that there is something to compare with. */
export function committedSamples(): CommittedSamples {
  const parent = mkdtempSync(join(tmpdir(), "hasp-committed-"));
  const folder = join(parent, "samples");
  cpSync(SAMPLES, folder, { recursive: true });
  const who = ["-c", "user.name=A person", "-c", "user.email=person@example.org"];
  for (const command of [
    ["init", "-q"],
    ["add", "."],
    [...who, "commit", "-q", "-m", "First"],
  ])
    execFileSync("git", command, { cwd: folder });
  return { folder, remove: () => rmSync(parent, { recursive: true, force: true }) };
}

/** The text of a file of the skill, as it is on the disk. */
export const onDisk = (workbench: Workbench, name: string, folder = FOLDER): Promise<string> =>
  readFile(join(workbench.folder, folder, name), "utf8");

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** The lines in view of the active editor that show this text. */
export const line = (workbench: Workbench, text: string | RegExp): Locator =>
  activeEditor(workbench).locator(".view-line", { hasText: text }).first();

/** Opens a file of the skill with the cursor behind a text of it as it is on the disk; the editor has the keyboard then. */
export async function behind(workbench: Workbench, name: string, text: string): Promise<void> {
  const before = await onDisk(workbench, name);
  const at = before.indexOf(text);
  if (at === -1) throw new Error(`${text} does not stand in ${name}`);
  const lines = before.slice(0, at + text.length).split("\n");
  const [row, column] = [lines.length, (lines.at(-1)?.length ?? 0) + 1];
  await openFile(workbench, `${FOLDER}/${name}`, row, column);
  const { page } = workbench;
  await page.locator(".editor-group-container.active .monaco-editor.focused").first().waitFor();
  await page.locator("[id='status.editor.selection']", { hasText: `Ln ${row}, Col ${column}` }).waitFor();
}

/** The row of the open list of completions with exactly this label. */
function completion({ page }: Workbench, label: string): Locator {
  const name = page.locator(".label-name", { hasText: new RegExp(`^${escaped(label)}$`) });
  return page.locator(".suggest-widget.visible .monaco-list-row").filter({ has: name }).first();
}

/** How long a person waits for a list to open by itself before asking for it. */
const BY_ITSELF = 4_000;

/** Waits until a completion is offered: by itself as one types, else on Ctrl+Space, as where the extension has only just started. */
export async function offered(workbench: Workbench, label: string): Promise<Locator> {
  const { page } = workbench;
  const row = completion(workbench, label);
  const end = Date.now() + LOADED;
  for (;;) {
    const isThere = await row.waitFor({ timeout: BY_ITSELF }).then(
      () => true,
      () => false,
    );
    if (isThere) return row;
    if (Date.now() > end) throw new Error(`No completion "${label}" within ${LOADED / 1000} s`);
    // A list that is open would answer Ctrl+Space by showing what it knows of the row.
    if (await page.locator(".suggest-widget.visible").isVisible()) await page.keyboard.press("Escape");
    await page.keyboard.press("ControlOrMeta+Space");
  }
}

/** Takes a completion as a person does: the arrows lead to it, Enter takes it. */
export async function take(workbench: Workbench, label: string): Promise<void> {
  const row = await offered(workbench, label);
  const focused = row.and(workbench.page.locator(".focused"));
  for (let moves = 0; moves < 30 && (await focused.count()) === 0; moves++)
    await workbench.page.keyboard.press("ArrowDown");
  await workbench.page.keyboard.press("Enter");
  await row.waitFor({ state: "detached" });
}

/** Rests the mouse on the end of a word of the active editor and returns the text of the hover that opens, once it says `text`. */
export async function hoverWord(workbench: Workbench, word: string, text: string): Promise<string> {
  const span = activeEditor(workbench)
    .locator(".view-line > span > span", { hasText: new RegExp(`^\\s*${escaped(word)}$`) })
    .first();
  const box = await span.boundingBox();
  if (box === null) throw new Error(`${word} is not in view`);
  await workbench.page.mouse.move(box.x + box.width - 5, box.y + box.height / 2, { steps: 3 });
  const hover = workbench.page.locator(".monaco-hover:visible", { hasText: text }).first();
  await hover.waitFor({ timeout: LOADED });
  return hover.innerText();
}

/** The rows of a view of the side bar. */
export const rowsOf = ({ page }: Workbench, view: string): Locator =>
  page.locator(".pane", { hasText: view }).first().locator(".monaco-list-row");
