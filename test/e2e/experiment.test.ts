import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";

import { ROOT } from "../../scripts/lib/paths.mts";
import {
  CORPUS,
  COUNTRIES,
  SMALL_CONFIG,
  writeCountries,
  writeScriptedPython,
} from "../support/experiment-world.ts";
import { clearNotices, notice } from "./support/notices.ts";
import { accept, fromMenu, pick, runCommand, screenshotInBoth } from "./support/palette.ts";
import { furtherStory } from "./support/story.ts";
import { openWorkbench, screenshot, type Workbench } from "./support/workbench.ts";

const ENDS = 240_000;
/** Slow enough that a training is seen at work. */
const SLOW = { steps: 120, stepMs: 250 };

furtherStory("A person trains a student, and uses its adapter as the policy", (chapter) => {
  let workbench: Workbench;
  let workspace: string;

  beforeAll(async () => {
    workspace = mkdtempSync(join(tmpdir(), "hasp-experiment-"));
    cpSync(join(ROOT, "samples"), workspace, { recursive: true });
    writeCountries(workspace);
    writeFileSync(join(workspace, "small.yaml"), SMALL_CONFIG);
    const python = writeScriptedPython(
      join(workspace, "trainer"),
      join(ROOT, "test/support/scripted-trainer.ts"),
      SLOW,
    );
    workbench = await openWorkbench({
      workspace,
      theme: "dark",
      size: { width: 1500, height: 950 },
      env: { HASP_TRAINER_PYTHON: python },
    });
  });
  afterAll(async () => {
    await workbench.close();
    rmSync(workspace, { recursive: true, force: true });
  });

  const row = (text: string | RegExp): Locator =>
    workbench.page
      .locator(".pane", { has: workbench.page.locator('.pane-header[aria-label^="Experiments"]') })
      .locator(".monaco-list-row", { hasText: text })
      .first();

  /** Makes room for the view of experiments. */
  async function collapseOthers(): Promise<void> {
    for (const name of ["Skills", "Runs", "Failures", "Backtest", "Evolutions"]) {
      const header = workbench.page.locator(`.pane-header[aria-label^="${name}"]`);
      await header.waitFor();
      if ((await header.getAttribute("aria-expanded")) === "true") await header.click();
    }
  }

  chapter("finds the view with the button that starts one", async () => {
    await runCommand(workbench, "HASP: Focus on Experiments View");
    await collapseOthers();
    await workbench.page.locator(".monaco-button", { hasText: "Run Experiment" }).waitFor();
    await screenshotInBoth(workbench, "experiment-empty");
  });

  chapter(
    "chooses the experiment, its settings and means, and sees the jobs before anything runs",
    async () => {
      await runCommand(workbench, "HASP: Run Experiment");
      await workbench.page.locator('.quick-input-widget input[placeholder="Experiment"]').waitFor();
      await screenshot(workbench, "experiment-choice-dark");
      await accept(workbench, "Experiment");
      await accept(workbench, "Settings of the experiment");
      await pick(workbench, "Student: the model that is trained", "models/student");
      await accept(workbench, "Domain: the kind of task");
      await pick(workbench, "Questions: the train split trains", COUNTRIES);
      await pick(workbench, "Text that searches find", CORPUS);
      await accept(workbench, "Teacher for Program Functions");
      await accept(workbench, "Name of the experiment");
      await workbench.page.locator(".quick-input-list .monaco-list-row", { hasText: "Start" }).waitFor();
      await screenshot(workbench, "experiment-preview-dark");
      expect(existsSync(join(workbench.folder, ".hasp/experiments"))).toBe(false);
      await accept(workbench, "Start the experiment");
    },
  );

  chapter("watches the training, and stops it at a checkpoint", async () => {
    await row("Training").filter({ hasText: "running" }).waitFor({ timeout: ENDS });
    await row("Training").filter({ hasText: "loss" }).waitFor({ timeout: ENDS });
    await screenshotInBoth(workbench, "experiment-running");
    await fromMenu(workbench, row("e1-1"), "Stop Experiment");
    await notice(workbench, /Stopped at a clean boundary/, ENDS);
    await clearNotices(workbench);
    await row("e1-1").filter({ hasText: "not finished" }).waitFor();
    await screenshot(workbench, "experiment-stopped-dark");
  });

  chapter("resumes it, reloads the window meanwhile, and finds it followed again", async () => {
    await fromMenu(workbench, row("e1-1"), "Resume Experiment");
    await row("Training").filter({ hasText: "running" }).waitFor({ timeout: ENDS });
    await workbench.page.reload();
    await workbench.page.locator(".monaco-workbench .part.statusbar").waitFor({ timeout: 60_000 });
    await runCommand(workbench, "HASP: Focus on Experiments View");
    await row("e1-1").filter({ hasText: "running" }).waitFor({ timeout: ENDS });
    await screenshot(workbench, "experiment-reloaded-dark");
    await row("e1-1").filter({ hasText: "done" }).waitFor({ timeout: ENDS });
    await row("After · PFs off").waitFor();
    await screenshotInBoth(workbench, "experiment-done");
    await clearNotices(workbench);
  });

  chapter("reads the report", async () => {
    await runCommand(workbench, "HASP: Show Experiment Report");
    const page = workbench.page.frameLocator("iframe.webview").frameLocator("iframe#active-frame");
    await page.locator("h1", { hasText: "Experiment e1-1" }).waitFor();
    await screenshotInBoth(workbench, "experiment-report");
  });

  chapter("uses the adapter as the policy, until the window is reloaded", async () => {
    await fromMenu(workbench, row(/^Adapter/), "Use Adapter as Policy");
    await notice(workbench, /The adapter of e1-1 is the policy/, ENDS);
    await screenshotInBoth(workbench, "experiment-served");
    await clearNotices(workbench);
    await workbench.page.reload();
    await workbench.page.locator(".monaco-workbench .part.statusbar").waitFor({ timeout: 60_000 });
    await workbench.page
      .locator(".statusbar-item", { hasText: "e1-1: not running" })
      .waitFor({ timeout: ENDS });
    await runCommand(workbench, "HASP: Focus on Experiments View");
    await row("Policy").filter({ hasText: "its server is not running" }).waitFor();
    await screenshotInBoth(workbench, "experiment-not-running");
    await workbench.page.locator(".statusbar-item", { hasText: "e1-1: not running" }).click();
    await notice(workbench, /The adapter of e1-1 is the policy/, ENDS);
    await runCommand(workbench, "HASP: Stop Serving");
    await notice(workbench, /no longer served/, ENDS);
  });

  return { name: "experiment", workbench: () => workbench };
});
