import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  activeEditor,
  hoverSquiggle,
  problems,
  replaceText,
  save,
  squiggles,
  waitForSquiggles,
} from "./support/editor.ts";
import { answer, openFile, pick, quickInputText, runCommand, setTheme } from "./support/palette.ts";
import { openWorkbench, screenshot, type Theme, webview, type Workbench } from "./support/workbench.ts";

const NAME = "answer-needs-reading";
const FOLDER = `skills/web-search/${NAME}`;
const THEMES: readonly Theme[] = ["light", "dark", "highContrast"];

/** Longer than our checker and VS Code's own TypeScript take for an edit, so that a double would stand by then. */
const SETTLED = 4_000;

async function inAllThemes(workbench: Workbench, name: string): Promise<void> {
  for (const theme of THEMES) {
    await setTheme(workbench, theme);
    await screenshot(workbench, `${name}-${theme}`);
  }
}

describe("A person writes a skill, and finds out what it would have done", () => {
  let workbench: Workbench;
  /** The PF as the wizard wrote it. */
  let written: string;

  beforeAll(async () => {
    workbench = await openWorkbench({ workspace: "samples", theme: "light" });
  });
  afterAll(async () => workbench.close());

  it("makes it with the wizard, which says at once what a name must be", async () => {
    await runCommand(workbench, "HASP: New Skill");
    await pick(workbench, "Domain", "web-search");
    await answer(workbench, "Name of the skill", "Not Kebab");
    expect(await quickInputText(workbench)).toContain("kebab-case");
    await screenshot(workbench, "wizard-validation");
    await answer(workbench, "kebab-case", NAME);
    await answer(workbench, "When is the skill to be used", "Use when an answer is given before anything was read.");
    await pick(workbench, "What its Program Function does", "Inject a context");
    await workbench.page.locator(".tab", { hasText: "pf.ts" }).first().waitFor();
    await workbench.page.locator(".tab", { hasText: "SKILL.md" }).first().waitFor();
    written = await readFile(join(workbench.folder, FOLDER, "pf.ts"), "utf8");
    await openFile(workbench, `${FOLDER}/pf.ts`, 1);
    await delay(SETTLED);
    expect(await squiggles(workbench, "error").count()).toBe(0);
    await screenshot(workbench, "new-skill");
  });

  it("types a type error and sees it once, mends it and sees it no more", async () => {
    const broken = written.replace(/(shouldActivate\([^)]*\): boolean \{\n)/, `$1    const words: number = "two";\n    if (words > 2) return false;\n`);
    expect(broken).not.toBe(written);
    await replaceText(workbench, broken);
    await waitForSquiggles(workbench, "error", 1);
    await delay(SETTLED);
    expect(await squiggles(workbench, "error").count()).toBe(1);
    const rows = await problems(workbench);
    expect(rows.filter((row) => row.includes("not assignable"))).toHaveLength(1);
    await screenshot(workbench, "type-error");
    await activeEditor(workbench).click();
    await replaceText(workbench, written);
    await waitForSquiggles(workbench, "error", 0);
  });

  it("has a PF that reads the clock refused, with the reason", async () => {
    const clock = written.replace(/(shouldActivate\([^)]*\): boolean \{\n)/, "$1    if (Date.now() < 0) return false;\n");
    await replaceText(workbench, clock);
    await waitForSquiggles(workbench, "error", 1);
    await delay(SETTLED);
    expect(await squiggles(workbench, "error").count()).toBe(1);
    expect(await hoverSquiggle(workbench, "error")).toContain("clock");
    await screenshot(workbench, "clock-refused");
    await replaceText(workbench, written);
    await waitForSquiggles(workbench, "error", 0);
    await save(workbench);
  });

  it("backtests it, and follows a result to the step in the episode", async () => {
    await openFile(workbench, `${FOLDER}/pf.ts`, 1);
    await workbench.page.locator(".codelens-decoration a", { hasText: "Backtest" }).first().click();
    const view = workbench.page.locator(".pane", { hasText: "Backtest" }).last();
    const skill = view.locator(".monaco-list-row", { hasText: NAME.replaceAll("-", "_") }).first();
    // The first backtest compiles the skill and starts a sandbox.
    await skill.waitFor({ timeout: 60_000 });
    await screenshot(workbench, "backtest");
  });
});

describe("A person finds out why an episode failed", () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await openWorkbench({ workspace: "samples", theme: "dark" });
  });
  afterAll(async () => workbench.close());

  it("opens a failed episode and steps through it by keyboard", async () => {
    await runCommand(workbench, "HASP: Open Run");
    await pick(workbench, "Run to open", "wrong");
    const view = webview(workbench).locator("hasp-replay");
    await view.getByText("Step 1 of").first().waitFor({ timeout: 30_000 });
    await workbench.page.keyboard.press("ArrowRight");
    await view.getByText("Step 2 of").first().waitFor();
    await workbench.page.keyboard.press("End");
    await workbench.page.keyboard.press("ArrowLeft");
    await workbench.page.keyboard.press("j");
    await view.getByText("Step 1 of").first().waitFor();
    await inAllThemes(workbench, "replay");
  });
});
