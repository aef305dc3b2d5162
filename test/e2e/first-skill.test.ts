import { afterAll, beforeAll, expect } from "vitest";

import { behind, LOADED, onDisk } from "./support/authoring.ts";
import {
  activeEditor,
  hoverSquiggle,
  problems,
  replaceText,
  save,
  squiggles,
  waitForSquiggles,
} from "./support/editor.ts";
import { answer, openFile, pick, quickInput, quickInputText, runCommand } from "./support/palette.ts";
import { story } from "./support/story.ts";
import { openWorkbench, screenshot, webview, type Workbench } from "./support/workbench.ts";

const NAME = "answer-needs-reading";
const FOLDER = `skills/web-search/${NAME}`;
/** A person's condition, reminder and reason. */
const OWN_TEXTS = [
  'actionType === "FINAL" && !ctx.hasRead',
  "Open a source before you answer.",
  "an answer without a source",
];
const SHOULD_ACTIVATE = /(shouldActivate\([^)]*\): boolean \{\n)/;

/** The first backtest compiles the skill and starts a sandbox: 1–8 s on two cores. */
const FIRST_BACKTEST = 60_000;

story("A person writes a skill, and finds out what it would have done", (chapter) => {
  let workbench: Workbench;
  /** The PF as the wizard wrote it. */
  let written: string;

  beforeAll(async () => {
    // Text goes in as one paste, which automatic indentation would push ever further to the right.
    const settings = {
      "editor.autoIndent": "none",
      // A Tab that comes after the list of completions would take one of them, and not go to the next tab stop.
      "editor.quickSuggestions": { other: "off", comments: "off", strings: "off" },
      "editor.suggestOnTriggerCharacters": false,
    };
    workbench = await openWorkbench({ workspace: "samples", theme: "light", settings });
  });
  afterAll(async () => workbench.close());

  chapter(
    "makes it with the wizard, which takes a name in any spelling, and says where nothing is left of one",
    async () => {
      await runCommand(workbench, "HASP: New Skill");
      await pick(workbench, "Domain", "web-search");
      await answer(workbench, "Name of the skill", "读");
      await expect.poll(() => quickInputText(workbench)).toContain("leaves no name");
      await screenshot(workbench, "wizard-no-name");
      await quickInput(workbench).fill("Answer needs Reading!");
      await workbench.page.locator(".quick-input-message", { hasText: `Will be ${NAME}` }).waitFor();
      await screenshot(workbench, "wizard-name");
      await workbench.page.keyboard.press("Enter");
      await answer(
        workbench,
        "When is the skill to be used",
        "Use when an answer is given before anything was read.",
      );
      await pick(workbench, "Kind of skill", "Inject a context");
      await workbench.page.locator(".tab", { hasText: "pf.ts" }).first().waitFor();
      await workbench.page.locator(".tab", { hasText: "SKILL.md" }).first().waitFor();
      // Condition, reminder and reason are the template's, and say so.
      await waitForSquiggles(workbench, "info", 3);
      await workbench.page
        .locator(".codelens-decoration", { hasText: "still the template" })
        .first()
        .waitFor();
      await screenshot(workbench, "new-skill");
    },
  );

  chapter("writes over the template's texts from one tab stop to the next", async () => {
    const { keyboard } = workbench.page;
    for (const text of [...OWN_TEXTS, ""]) {
      if (text !== "") await keyboard.insertText(text);
      await keyboard.press("Tab");
    }
    await waitForSquiggles(workbench, "info", 0);
    await save(workbench);
    const saved = (): Promise<string> => onDisk(workbench, "pf.ts", FOLDER);
    await expect.poll(saved, { timeout: 10_000 }).not.toContain("TODO");
    written = await saved();
    for (const text of OWN_TEXTS) expect(written).toContain(text);
    expect(await squiggles(workbench, "error").count()).toBe(0);
    await screenshot(workbench, "new-skill-edited");
  });

  chapter("types a type error and sees it once, fixes it and sees it no more", async () => {
    const broken = written.replace(
      SHOULD_ACTIVATE,
      `$1    const words: number = "two";\n    if (words > 2) return false;\n`,
    );
    expect(broken).not.toBe(written);
    await replaceText(workbench, broken);
    await waitForSquiggles(workbench, "error", 1);
    expect(await squiggles(workbench, "error").count()).toBe(1);
    const rows = await problems(workbench);
    expect(rows.filter((row) => row.includes("not assignable"))).toHaveLength(1);
    await screenshot(workbench, "type-error");
    await activeEditor(workbench).click();
    await replaceText(workbench, written);
    await waitForSquiggles(workbench, "error", 0);
  });

  chapter("has a PF that reads the clock refused, with the reason", async () => {
    await replaceText(
      workbench,
      written.replace(SHOULD_ACTIVATE, "$1    if (Date.now() < 0) return false;\n"),
    );
    // Diagnostics of the previous text may still arrive, and disappear.
    await expect
      .poll(() => problems(workbench), { timeout: LOADED })
      .toContainEqual(expect.stringContaining("reads the clock"));
    await waitForSquiggles(workbench, "error", 1);
    expect(await squiggles(workbench, "error").count()).toBe(1);
    expect(await hoverSquiggle(workbench, "error")).toContain("reads the clock");
    await screenshot(workbench, "clock-refused");
    await replaceText(workbench, written);
    await waitForSquiggles(workbench, "error", 0);
    await save(workbench);
  });

  chapter("sees a misspelt key of SKILL.md underlined, and Ctrl+. fixes it", async () => {
    const { page } = workbench;
    await behind(workbench, "SKILL.md", "    priority");
    await page.keyboard.press("Backspace");
    await waitForSquiggles(workbench, "warning", 1);
    await page.keyboard.press("ControlOrMeta+.");
    await page.locator(".action-widget", { hasText: "Write priority" }).waitFor({ timeout: LOADED });
    await screenshot(workbench, "authoring-quick-fix");
    await page.keyboard.press("Enter");
    await waitForSquiggles(workbench, "warning", 0);
    await save(workbench);
    const saved = (): Promise<string> => onDisk(workbench, "SKILL.md");
    await expect.poll(saved, { timeout: LOADED }).toContain("    priority: 0.6\n");
  });

  chapter("backtests it, and follows a result to the step in the episode", async () => {
    await openFile(workbench, `${FOLDER}/pf.ts`, 1);
    await workbench.page.locator(".codelens-decoration a", { hasText: "Backtest" }).first().click();
    const rows = workbench.page.locator(".pane", { hasText: "Backtest" }).last().locator(".monaco-list-row");
    await rows
      .filter({ hasText: NAME.replaceAll("-", "_") })
      .first()
      .waitFor({ timeout: FIRST_BACKTEST });
    const wrong = rows.filter({ hasText: /^wrong/ }).first();
    expect(await wrong.innerText()).toMatch(/fired [1-9]\d* of \d+/);
    await wrong.click();
    const hit = rows.filter({ hasText: /· step \d+/ }).first();
    const [, step = "?"] = /· step (\d+)/.exec(await hit.innerText()) ?? [];
    await screenshot(workbench, "backtest");
    await hit.click();
    const replay = webview(workbench).locator("hasp-replay");
    await replay.getByText(`Step ${step} of`).first().waitFor();
    await replay.getByText("Asking the library").first().waitFor({ state: "detached" });
    await screenshot(workbench, "backtest-step");
  });

  return { name: "first-skill", workbench: () => workbench };
});
