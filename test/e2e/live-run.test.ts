import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import { afterAll, beforeAll, expect } from "vitest";

import {
  type Behaviour,
  type LoopbackCall,
  type LoopbackModel,
  loopbackModel,
} from "../support/loopback-model.ts";
import { configureModel } from "./support/configure-model.ts";
import { clearNotices, notice } from "./support/notices.ts";
import { accept, answer, pick, runCommand } from "./support/palette.ts";
import { furtherStory } from "./support/story.ts";
import { openWorkbench, screenshot, webview, type Workbench } from "./support/workbench.ts";

/** Long enough to be seen arriving. Milliseconds. */
const THINKS = 800;
/** A second call of a question: four are worked on at once, after the question for the models. */
const PONDERED_CALL = 6;
/** Starting a sandbox and loading six skills, on two busy cores. */
const STARTED = 60_000;

/** Holds the answer to one question of the first run, so that the test sees the run in its middle. */
const firstSeen = Promise.withResolvers<void>();
/** Holds all answers of the second run, so that the test cancels it in its middle. */
let mayAnswer: Promise<void> | undefined;

/** The policy searches once, opens the first result and answers. */
function behave({ index, request, url }: LoopbackCall): Behaviour {
  // It names no models, so that the person types the name.
  if (url === "/v1/models") return { kind: "raw", type: "application/json", body: '{"data":[]}' };
  // The system text has an example with a search of its own.
  const text = request.messages
    .filter(({ role }) => role !== "system")
    .map(({ content }) => content)
    .join("\n");
  const action = text.includes("doc_0 ") ? "FINAL[Sam Walton]" : "SEARCH[Walton family]";
  return {
    kind: "text",
    text: `Thought: one thing after the other.\nAction: ${action}`,
    wait: THINKS,
    until: index === PONDERED_CALL ? firstSeen.promise : mayAnswer,
  };
}

async function questionIds(workbench: Workbench, run: string): Promise<string[]> {
  const text = await readFile(join(workbench.folder, ".hasp/runs", run, "episodes.jsonl"), "utf8");
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => (JSON.parse(line) as { questionId: string }).questionId);
}

furtherStory("A person runs an agent live", (chapter) => {
  let workbench: Workbench;
  let server: LoopbackModel;

  beforeAll(async () => {
    server = await loopbackModel(behave);
    const settings = { "editor.autoIndent": "none" };
    workbench = await openWorkbench({ workspace: "samples", theme: "light", settings });
  });
  afterAll(async () => {
    await workbench.close();
    await server.close();
  });

  chapter("configures a policy", async () => {
    await configureModel(workbench, { role: "Policy", url: server.url, model: "loopback", price: "1/2" });
  });

  async function startRun(count: string): Promise<void> {
    await runCommand(workbench, "HASP: Run Questions");
    await accept(workbench, "Domain: the kind of task");
    await pick(workbench, "File with the questions", "questions.jsonl");
    await pick(workbench, "Corpus to search", "corpus/passages.jsonl");
    await pick(workbench, "Policy: the model that works", "#loopback");
    await pick(workbench, "Setting: parts of the harness", "full");
    await pick(workbench, "Teacher for Program Functions", "No teacher");
    await answer(workbench, "How many of the 12 questions", count);
  }

  chapter("runs five questions, and watches them arrive in the replay", async () => {
    await startRun("5");
    await notice(workbench, /[1-4] of 5 questions/, STARTED);
    const replay = webview(workbench).locator("hasp-replay");
    await replay.getByText("walton family", { exact: false }).first().waitFor({ timeout: STARTED });
    await screenshot(workbench, "run-growing");
    firstSeen.resolve();
    const done = await notice(workbench, "5 episodes:", STARTED);
    expect(await done.innerText()).toMatch(/1 correct.*Cost \$/s);
    // One that was shown while it ran stays at the step it was shown at; the first of the list is opened at its first.
    const listed = replay.locator("hasp-episode-list .row");
    await expect.poll(() => listed.count(), { timeout: STARTED }).toBe(5);
    await listed.first().click();
    await replay.getByText("Step 1 of").first().waitFor({ timeout: STARTED });
    await screenshot(workbench, "run-done");
    await clearNotices(workbench);
  });

  chapter("cancels a run in the middle, and goes on with it later", async () => {
    const cancelledByNow = Promise.withResolvers<void>();
    mayAnswer = cancelledByNow.promise;
    // The replies to the first five questions are known by now, and come at once.
    await startRun("8");
    const running = await notice(workbench, "5 of 8 questions", STARTED);
    await screenshot(workbench, "run-progress");
    await running.locator(".monaco-button", { hasText: "Cancel" }).click();
    const cancelled = await notice(workbench, "Cancelled.", STARTED);
    await screenshot(workbench, "run-cancelled");
    mayAnswer = undefined;
    cancelledByNow.resolve();
    await cancelled.locator(".monaco-button", { hasText: "Resume Run" }).click();
    await notice(workbench, "had their episode already", STARTED);
    const runs = (await readdir(join(workbench.folder, ".hasp/runs"))).filter((name) =>
      name.startsWith("questions-"),
    );
    const ids = await questionIds(workbench, runs.toSorted().at(-1) ?? "");
    expect(ids).toHaveLength(8);
    expect(new Set(ids).size).toBe(8);
    await clearNotices(workbench);
  });

  return { name: "live-run", workbench: () => workbench };
});
