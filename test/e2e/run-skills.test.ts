import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { afterAll, beforeAll, expect } from "vitest";

import { ROOT, SAMPLES } from "../../scripts/lib/paths.mts";
import { clearNotices, notice } from "./support/notices.ts";
import { answer, pick, quickInputText, runCommand, screenshotInBoth } from "./support/palette.ts";
import { judged, openRun, OPENED, replay } from "./support/replay.ts";
import { furtherStory } from "./support/story.ts";
import { openWorkbench, screenshot, type Workbench } from "./support/workbench.ts";

const RUN = ".hasp/runs/kept";

/** The sample with a run in it that was made by `hasp run`: its folder keeps the skills that acted. */
async function sampleWithRun(): Promise<string> {
  const folder = join(mkdtempSync(join(tmpdir(), "hasp-kept-")), "samples");
  cpSync(SAMPLES, folder, { recursive: true });
  const files = ["--questions", "questions.jsonl", "--corpus", "corpus/passages.jsonl"];
  const run = ["run", ...files, "--policy", "recorded:.hasp/runs/first-look", "-o", RUN];
  await promisify(execFile)(process.execPath, [join(ROOT, "dist/hasp.cjs"), ...run], { cwd: folder });
  // A run that somebody else sent would say what it is called.
  const file = join(folder, RUN, "run.json");
  const settings = JSON.parse(readFileSync(file, "utf8")) as object;
  writeFileSync(file, JSON.stringify({ ...settings, title: "sent by a colleague" }));
  return folder;
}

furtherStory("A person judges a run that somebody else sent", (chapter) => {
  let sample: string;
  let workbench: Workbench;

  beforeAll(async () => {
    sample = await sampleWithRun();
    workbench = await openWorkbench({ workspace: sample, theme: "dark" });
  });
  afterAll(async () => {
    await workbench.close();
    rmSync(join(sample, ".."), { recursive: true });
  });

  chapter("with the skills that it had, once their code is allowed", async () => {
    await openRun(workbench, "sent by a colleague");
    await judged(workbench);
    await replay(workbench).getByText("Judge with the skills of the run").first().click();
    const asked = workbench.page.locator(".quick-input-list .monaco-list-row", {
      hasText: "Judge with the skills of the run",
    });
    await asked.waitFor({ timeout: OPENED });
    expect(await quickInputText(workbench)).toMatch(/Load the code of \d+ skills? from the run's folder\?/);
    await screenshot(workbench, "run-skills-asked");
    await pick(workbench, "Load the code of", "Judge with the skills of the run");
    const bar = replay(workbench).getByText("The skills that this run had judge its steps, not today's.");
    await bar.waitFor({ timeout: OPENED });
    await screenshotInBoth(workbench, "run-skills-judging");
  });

  chapter("reads the code that the run keeps, and cannot change it", async () => {
    const { page } = workbench;
    await replay(workbench).getByText("Program Functions skipped").click();
    const source = replay(workbench).locator("button.source").first();
    await source.click({ timeout: OPENED });
    const editor = page.locator(".part.editor .editor-group-container.active .monaco-editor").first();
    await editor.locator(".view-line", { hasText: "return" }).first().waitFor({ timeout: OPENED });
    await page.keyboard.type("x");
    await page.getByText("Cannot edit in read-only editor").first().waitFor({ timeout: OPENED });
    await page.keyboard.press("Escape");
    await screenshotInBoth(workbench, "run-skills-source");
  });

  chapter("has another judge look at its answers", async () => {
    await runCommand(workbench, "HASP: Judge Answers Again");
    const f1 = workbench.page.locator(".quick-input-list .monaco-list-row", { hasText: "Another F1…" });
    await f1.waitFor({ timeout: OPENED });
    await screenshot(workbench, "run-skills-judges");
    await pick(workbench, "Judge of the answers", "Another F1…");
    await answer(workbench, "Least F1 of a right answer", "0.8");
    await notice(workbench, /f1>=0\.8: \d+ verdicts added/, OPENED);
    await replay(workbench)
      .locator(".episode-header .verdicts", { hasText: "f1>=0.8" })
      .waitFor({ timeout: OPENED });
    await clearNotices(workbench);
    await screenshotInBoth(workbench, "run-skills-judged");
  });

  return { name: "run-skills", workbench: () => workbench };
});
