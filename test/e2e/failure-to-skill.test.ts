import process from "node:process";

import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";

import { ROOT } from "../../scripts/lib/paths.mts";
import { choose } from "../support/choose.ts";
import { problems, save } from "./support/editor.ts";
import { openFile, pick, quickInput, runCommand } from "./support/palette.ts";
import { NO_REAL_RUN, realRunAlone, type RealWorkspace } from "./support/real-run.ts";
import { atStep, judged, OPENED, openRun, replay } from "./support/replay.ts";
import { furtherStory } from "./support/story.ts";
import { openWorkbench, screenshot, type Workbench } from "./support/workbench.ts";

const SKILL = "repeated_search";
const PF = "skills/web-search/repeated-search/pf.ts";

/** A debugger starts a Node and loads its maps; 25 s were seen on two busy cores. */
const STOPPED = 90_000;

async function closePanel({ page }: Workbench): Promise<void> {
  await page.keyboard.press("ControlOrMeta+j");
  await page.locator(".part.panel").waitFor({ state: "hidden" });
}

furtherStory("A person makes a skill of a failure", (chapter) => {
  let workspace: RealWorkspace | undefined;
  let opened: Workbench | undefined;
  let workbench: Workbench;
  let view: Locator;

  beforeAll(async () => {
    workspace = await realRunAlone();
    if (workspace === undefined) return;
    // Only a terminal that is drawn without a canvas can be read.
    const settings = { "files.autoSave": "off", "terminal.integrated.gpuAcceleration": "off" };
    opened = await openWorkbench({ workspace: workspace.folder, theme: "dark", settings });
    workbench = opened;
    view = replay(workbench);
  });
  afterAll(async () => {
    await opened?.close();
    await workspace?.remove();
  });

  chapter("filters 527 episodes to those that failed and never finished", async () => {
    await openRun(workbench, "342 wrong");
    await choose(replay(workbench), "Outcome", /Failed/);
    await choose(replay(workbench), "Failure pattern", /never finished/);
    await view.locator(".total", { hasText: "98 of 527" }).waitFor({ timeout: OPENED });
    await screenshot(workbench, "path-1-filtered");
  });

  chapter("finds the step that repeats, and labels it", async () => {
    await view.locator("vscode-textfield input").fill("You're Next");
    await view.locator("hasp-episode-list .row").first().click();
    await view.locator("[data-pattern=repeated_search] .link").first().click();
    await atStep(workbench, "Step 3 of 6");
    await workbench.page.keyboard.press("Shift+W");
    await view.locator(".note-line", { hasText: "went wrong here" }).waitFor();
    await screenshot(workbench, "path-2-labelled");
  });

  chapter("makes a skill of it, which acts on the step once its reminder is the person's", async () => {
    const { page } = workbench;
    await page.keyboard.press("Shift+S");
    await pick(workbench, "Domain", "web-search");
    await page.locator(".quick-input-message", { hasText: "Name of the skill" }).waitFor();
    expect(await quickInput(workbench).inputValue()).toBe("repeated-search");
    await quickInput(workbench).press("Enter");
    await page.locator(".quick-input-message", { hasText: "When is the skill to be used" }).waitFor();
    await screenshot(workbench, "path-3-wizard");
    await quickInput(workbench).press("Enter");
    await pick(workbench, "Kind of skill", "Inject a context");
    // The tab stop is selected: typing replaces it.
    await page.locator(".snippet-placeholder").first().waitFor();
    await page.keyboard.insertText("You have searched for this before. Search for something else.");
    await save(workbench);
    const card = view.locator(`.pf:not([data-of=recorded])[data-skill=${SKILL}]`);
    await card.filter({ hasText: "applied" }).waitFor({ timeout: OPENED });
    await screenshot(workbench, "path-4-skill");
  });

  chapter(
    "edits its Program Function, and sees which decisions change, before and after saving",
    async () => {
      const { page } = workbench;
      await page.locator(".view-line", { hasText: "maxFires = 1" }).first().click();
      await page.keyboard.press("End");
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("Shift+ArrowLeft");
      await page.keyboard.type("3");
      const banner = view.locator(".what-if");
      await banner.filter({ hasText: "not saved yet" }).waitFor({ timeout: OPENED });
      await save(workbench);
      await banner
        .filter({ hasText: "saved edit changes the decisions of 2 steps" })
        .waitFor({ timeout: OPENED });
      await banner.locator(".link").first().click();
      await atStep(workbench, "Step 4 of 6");
      await judged(workbench);
      const change = await view.locator(".your-change").innerText();
      expect(change).toContain("the same action would run, with a context added");
      expect(change).toMatch(/limited\s*→\s*applied/);
      await screenshot(workbench, "path-5-what-if");
    },
  );

  chapter("adds the step as a case, and runs the cases in the terminal", async () => {
    const { page } = workbench;
    await page.keyboard.press("Shift+A");
    await pick(workbench, "Skill to add the case to", SKILL);
    await pick(workbench, "should do on this step", "It fires");
    await page.locator(".tab.active.dirty", { hasText: "cases.yaml" }).waitFor();
    await save(workbench);
    await screenshot(workbench, "path-6-case");
    expect(await view.locator(".what-if").innerText()).toContain("step 4");
    await runCommand(workbench, "Terminal: Create New Terminal");
    const terminal = page.locator(".terminal-wrapper.active");
    await terminal.locator(".xterm-rows", { hasText: /[#$]/ }).waitFor();
    await page.keyboard.insertText(`"${process.execPath}" "${ROOT}/dist/hasp.cjs" test`);
    await page.keyboard.press("Enter");
    await terminal.locator(".xterm-rows", { hasText: "3 cases hold, 0 do not" }).waitFor({ timeout: OPENED });
    await screenshot(workbench, "path-7-cases");
    expect(await problems(workbench)).toEqual([]);
    await closePanel(workbench);
  });

  chapter("stops at a breakpoint in pf.ts with the recorded context", async () => {
    const { page } = workbench;
    await openFile(workbench, PF, 12);
    await page.keyboard.press("F9");
    await page.locator(".codicon-debug-breakpoint").first().waitFor();
    await view.locator(".step-count").click();
    await page.keyboard.press("Shift+D");
    await pick(workbench, "Program Function to debug", SKILL);
    await quickInput(workbench)
      .and(page.getByPlaceholder("outside of the sandbox"))
      .waitFor({ timeout: OPENED });
    await screenshot(workbench, "path-8-consent");
    await pick(workbench, "outside of the sandbox", "Debug Once");
    const stopped = page.locator(".debug-top-stack-frame-line").first();
    await stopped.waitFor({ state: "attached", timeout: STOPPED });
    // VS Code shows the debugger's view by itself when it stops.
    const variables = page.locator(".pane", { hasText: "Variables" }).first();
    await variables.locator(".monaco-list-row", { hasText: "Local: shouldActivate" }).click();
    await variables.locator(".monaco-list-row", { hasText: /actionType.*SEARCH/ }).waitFor();
    await screenshot(workbench, "path-8-breakpoint");
    await page.keyboard.press("F5");
    await stopped.waitFor({ state: "detached" });
    await page.locator(".repl", { hasText: "INJECT_CONTEXT" }).first().waitFor({ timeout: OPENED });
    await screenshot(workbench, "path-9-decided");
    await closePanel(workbench);
  });

  chapter("backtests the skill on the whole run, and goes from a row to the step", async () => {
    const { page } = workbench;
    await openFile(workbench, PF, 12);
    await page.locator(".codelens-decoration a", { hasText: "Backtest" }).first().click();
    const rows = page.locator(".pane", { hasText: "Backtest" }).last().locator(".monaco-list-row");
    const halted = rows.filter({ hasText: /^halted/ }).first();
    await halted.waitFor({ timeout: OPENED });
    expect(await halted.innerText()).toMatch(/fired [1-9]\d* of 98/);
    await halted.click();
    const hit = rows.filter({ hasText: /· step \d+/ }).first();
    const [, step = "?"] = /· step (\d+)/.exec(await hit.innerText()) ?? [];
    await hit.click();
    await atStep(workbench, `Step ${step} of`);
    await judged(workbench);
    await screenshot(workbench, "path-10-backtest");
  });

  return {
    name: "path",
    workbench: () => opened,
    skipped: () => (opened === undefined ? NO_REAL_RUN : undefined),
  };
});
