import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect } from "vitest";

import { openContainment } from "../../src/platform/containment/open-containment.ts";
import { isContainment } from "../../src/scoring/containment.ts";
import { type LoopbackModel, loopbackModel } from "../support/loopback-model.ts";
import { CODE_TASKS } from "./support/code-tasks.ts";
import { LOADED } from "./support/authoring.ts";
import { configureModel } from "./support/configure-model.ts";
import { notice } from "./support/notices.ts";
import { answer, pick, runCommand, screenshotInBoth } from "./support/palette.ts";
import { judged, openRun, OPENED, replay } from "./support/replay.ts";
import { story } from "./support/story.ts";
import { openWorkbench, screenshot, type Workbench } from "./support/workbench.ts";

/** Programs are run, each test in an interpreter. */
const RAN = 120_000;

/** A workspace with ten tasks for programs, each with its tests. */
function workspaceWithTasks(): string {
  const folder = join(mkdtempSync(join(tmpdir(), "hasp-code-")), "code");
  mkdirSync(folder);
  writeFileSync(join(folder, "hasp.yaml"), "libraries:\n  - builtin:code\n");
  const rows = CODE_TASKS.map(({ id, question, material }) => JSON.stringify({ id, question, material }));
  writeFileSync(join(folder, "questions.jsonl"), `${rows.join("\n")}\n`);
  return folder;
}

story("A person has ten programs written and tested, and looks at what failed", (chapter) => {
  let folder: string;
  let workbench: Workbench;
  let server: LoopbackModel;
  let missing: string | undefined;

  beforeAll(async () => {
    const containment = await openContainment(1);
    if (isContainment(containment)) await containment.close();
    else missing = containment.why;
    folder = workspaceWithTasks();
    server = await loopbackModel(({ url, request }) => {
      if (url === "/v1/models") return { kind: "raw", type: "application/json", body: '{"data":[]}' };
      const told = request.messages.map(({ content }) => content);
      const task = CODE_TASKS.find(({ question }) => told.some((text) => text.includes(question)));
      const isHeldBack = told.length > 2;
      return { kind: "text", text: (isHeldBack ? task?.revision : undefined) ?? task?.draft ?? "" };
    });
    workbench = await openWorkbench({ workspace: folder, theme: "dark" });
  });
  afterAll(async () => {
    await workbench.close();
    await server.close();
    rmSync(join(folder, ".."), { recursive: true });
  });

  chapter("has a model answer ten tasks, and their tests run", async () => {
    await configureModel(workbench, { role: "Policy", url: server.url, model: "loopback", price: "1/2" });
    await runCommand(workbench, "HASP: Run Questions");
    await pick(workbench, "Domain: the kind of task", "code");
    await pick(workbench, "File with the questions", "questions.jsonl");
    await pick(workbench, "Policy: the model that works", "#loopback");
    await pick(workbench, "Setting: parts of the harness", "pf-only");
    await answer(workbench, "How many", "10");
    const done = await notice(workbench, "10 episodes:", RAN);
    expect(await done.innerText()).toMatch(/2 wrong · 8 correct/);
  });

  const open = async (words: string): Promise<void> => {
    await replay(workbench).locator("hasp-episode-list .row", { hasText: words }).click();
    await replay(workbench).locator(".episode-header h1", { hasText: words }).waitFor({ timeout: OPENED });
    await judged(workbench);
  };

  chapter("reads a program with the test that it fails beside it", async () => {
    await openRun(workbench, "questions");
    await open("each run of equal beads");
    const view = replay(workbench);
    const program = view.locator(".row.proposed .program-source").last();
    await program.locator(".code-keyword").first().waitFor({ timeout: LOADED });
    expect(await program.textContent()).toContain("            else:\n                runs.append(0)");
    const values = view.locator(".row.proposed .test-values").last();
    await expect.poll(() => values.locator("dt").allTextContents()).toEqual(["Input", "Expected", "Actual"]);
    const told = async (): Promise<readonly string[]> => values.locator(".text").allTextContents();
    await expect.poll(told).toEqual([expect.stringContaining("[7, 7, 1]"), "[2, 1]", "[1, 0]"]);
    await screenshotInBoth(workbench, "code-failing-test");
  });

  chapter("sees what a revision changed, and that it passes", async () => {
    await open("how many trips it takes");
    const view = replay(workbench);
    await expect
      .poll(() => view.locator(".row.revised del code").allTextContents(), { timeout: LOADED })
      .toEqual(["    return full + (1 if remainder else 0)"]);
    expect(await view.locator(".row.revised ins code").allTextContents()).toEqual([
      "    return full + (1 if rest else 0)",
    ]);
    expect(await view.locator(".both-verdicts").innerText()).toMatch(/draft.*wrong.*revision.*right/);
    await view.locator(".both-verdicts").getByText("fixed").waitFor();
    await screenshotInBoth(workbench, "code-revised");
    await screenshot(workbench, "code-revised");
  });

  chapter("is told which tests an answer could forge", async () => {
    await open("Write tiles(width, height)");
    await replay(workbench).locator(".row.proposed .can-be-forged").first().waitFor({ timeout: LOADED });
  });

  return {
    name: "code",
    workbench: () => workbench,
    skipped: () => (missing === undefined ? undefined : `No program can be run here: ${missing}.`),
  };
});
