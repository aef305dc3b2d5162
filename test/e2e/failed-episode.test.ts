import { setTimeout as delay } from "node:timers/promises";

import { afterAll, beforeAll, expect } from "vitest";

import { choose } from "../support/choose.ts";
import { openFile, pick, runCommand, screenshotInAll } from "./support/palette.ts";
import { NO_REAL_RUN, realWorkspace, type RealWorkspace } from "./support/real-run.ts";
import { atStep, judged, OPENED, openRun, replay } from "./support/replay.ts";
import { furtherStory, story } from "./support/story.ts";
import { openWorkbench, screenshot, type Workbench } from "./support/workbench.ts";

/** VS Code writes an extension's workspace state within a second or two. */
const REMEMBERED = 3_000;

story("A person finds out why an episode failed", (chapter) => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await openWorkbench({ workspace: "samples", theme: "dark" });
  });
  afterAll(async () => workbench.close());

  chapter("opens it where it went wrong, and steps through it by keyboard", async () => {
    await runCommand(workbench, "HASP: Open Run");
    await pick(workbench, "Run to open", "5 wrong");
    await atStep(workbench, "Step 3 of 4");
    const patterns = replay(workbench).locator(".patterns").first();
    await patterns.getByText("repeated search").waitFor();
    const { keyboard } = workbench.page;
    await keyboard.press("Home");
    await atStep(workbench, "Step 1 of 4");
    expect(await replay(workbench).getByText("wrong").count()).toBeGreaterThan(0);
    await keyboard.press("ArrowRight");
    await atStep(workbench, "Step 2 of 4");
    await keyboard.press("End");
    await atStep(workbench, "Step 4 of 4");
    await keyboard.press("ArrowLeft");
    await atStep(workbench, "Step 3 of 4");
  });

  chapter("reads which skill acted, which did not, and the deciding value", async () => {
    await replay(workbench).locator("hasp-episode-list .row").filter({ hasText: "correct" }).first().click();
    await atStep(workbench, "Step 1 of");
    await replay(workbench).locator(".expression .inline-value").first().waitFor({ timeout: OPENED });
    await screenshotInAll(workbench, "replay");
  });

  chapter("comes back to the same step after the window was reloaded", async () => {
    await replay(workbench).getByText("Thought").first().click();
    await workbench.page.keyboard.press("ArrowRight");
    await atStep(workbench, "Step 2 of");
    await delay(REMEMBERED);
    await workbench.page.reload();
    await atStep(workbench, "Step 2 of");
  });

  chapter(
    "finds words with Ctrl+F in the view's own bar, in both modes; neither VS Code nor the browser opens another",
    async () => {
      const { page } = workbench;
      await replay(workbench).getByText("Thought").first().click();
      await page.keyboard.press("e");
      const view = replay(workbench);
      await view.getByRole("feed", { name: "Transcript" }).waitFor({ timeout: OPENED });
      await page.keyboard.press("Control+f");
      const field = view.getByRole("textbox", { name: "Find in the episode" });
      await field.waitFor({ timeout: OPENED });
      await page.keyboard.type("walton");
      const count = view.locator(".find-count");
      await count.filter({ hasText: " of " }).waitFor();
      expect(await field.inputValue()).toBe("walton");
      await screenshot(workbench, "replay-find");
      const first = await count.innerText();
      await page.keyboard.press("Enter");
      await expect.poll(() => count.innerText()).not.toBe(first);
      expect(await page.locator(".find-widget.visible, .simple-find-part.visible").count()).toBe(0);
      expect(await page.locator(".quick-input-widget").isVisible()).toBe(false);
      await page.keyboard.press("Escape");
      await field.waitFor({ state: "detached" });
      await page.keyboard.press("e");
      await atStep(workbench, "Step ");
    },
  );

  return { name: "why-failed", workbench: () => workbench };
});

furtherStory("A person goes back and forth, where Alt with an arrow is a key of VS Code's own", (chapter) => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await openWorkbench({ workspace: "samples", theme: "dark", asOnWindows: true });
  });
  afterAll(async () => workbench.close());

  chapter("stays in the run editor and goes along its own history", async () => {
    await openFile(workbench, "skills/web-search/repeated-query/SKILL.md", 1);
    await openRun(workbench, "5 wrong");
    const { keyboard } = workbench.page;
    await keyboard.press("End");
    await atStep(workbench, "Step 4 of 4");
    await keyboard.press("Alt+ArrowLeft");
    await atStep(workbench, "Step 1 of 4");
    await keyboard.press("Alt+ArrowRight");
    await atStep(workbench, "Step 4 of 4");
    expect(await workbench.page.locator(".tab.active").innerText()).toContain("First look");
  });

  chapter("leaves the keys to VS Code in other editors", async () => {
    await openFile(workbench, "skills/web-search/repeated-query/SKILL.md", 1);
    await workbench.page.keyboard.press("Alt+ArrowLeft");
    await workbench.page.locator(".tab.active").filter({ hasText: "First look" }).waitFor();
  });

  return { name: "history", workbench: () => workbench };
});

furtherStory("A person opens a run of 527 real episodes", (chapter) => {
  let workbench: Workbench;
  let opened: Workbench | undefined;
  let workspace: RealWorkspace | undefined;

  beforeAll(async () => {
    workspace = await realWorkspace();
    if (workspace === undefined) return;
    opened = await openWorkbench({ workspace: workspace.folder, theme: "light" });
    workbench = opened;
  });
  afterAll(async () => {
    await opened?.close();
    await workspace?.remove();
  });

  chapter("steps through a failed one by keyboard", async () => {
    await openRun(workbench, "342 wrong");
    await choose(replay(workbench), "Outcome", /Wrong \(342\)/);
    await workbench.page.keyboard.press("j");
    await replay(workbench).locator(".main").getByText("wrong").first().waitFor();
    await workbench.page.keyboard.press("ArrowRight");
    await atStep(workbench, "Step 2 of");
    await judged(workbench);
    await screenshot(workbench, "replay-real");
  });

  chapter("backtests the whole library on it in seconds", async () => {
    await runCommand(workbench, "HASP: Backtest Skill");
    await pickAll(workbench, "Skills to backtest");
    await pickAll(workbench, "Runs to backtest on");
    const message = workbench.page.locator(".pane", { hasText: "Backtest" }).last().getByText("539 episodes");
    await message.first().waitFor({ timeout: 120_000 });
    await screenshot(workbench, "backtest-real");
  });

  return {
    name: "real-run",
    workbench: () => opened,
    skipped: () => (opened === undefined ? NO_REAL_RUN : undefined),
  };
});

/**
 * Accepts a list with everything ticked, as soon as it has its rows. The key goes to the list's own field: as the question before closes,
 * VS Code gives the focus back to the run editor, maybe after this list has shown.
 */
async function pickAll({ page }: Workbench, asking: string): Promise<void> {
  const question = page.locator(".quick-input-widget", {
    has: page.locator(`input[placeholder*="${asking}"]`),
  });
  await question.locator(".quick-input-list .monaco-list-row").first().waitFor();
  await question.locator(".quick-input-box input").press("Enter");
  await question.waitFor({ state: "hidden" });
}
