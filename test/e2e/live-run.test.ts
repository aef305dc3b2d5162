import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";

import {
  type Behaviour,
  type LoopbackCall,
  type LoopbackModel,
  loopbackModel,
} from "../support/loopback-model.ts";
import { replaceText } from "./support/editor.ts";
import { clearNotices, notice } from "./support/notices.ts";
import { answer, openFile, pick, quickInputText, runCommand, screenshotInAll } from "./support/palette.ts";
import { story } from "./support/story.ts";
import { openWorkbench, screenshot, viewWith, webview, type Workbench } from "./support/workbench.ts";

const KEY = "sk-e2e-0123456789abcdef";
const PF = "skills/web-search/repeated-query/pf.ts";

const REVIEW = `CONCEPT: 0.80
CONCEPT WHY: Agents repeat a search whenever its results were unclear, and nothing else in the library says so.
TRIGGER: 0.75
TRIGGER WHY: Comparing sorted words is cheap and exact; a reworded search slips through.
INTERVENE: 0.70
INTERVENE WHY: The advice costs one line, and leaves the search standing.
EXEC: 0.95
EXEC WHY: Every path returns the right type.
VAL: 0.60
VAL WHY: Two of the wrong episodes repeat a search, and would at least be warned.
SUGGESTIONS:
- Compare the results as well: another wording with the same results is a repetition too.
DECISION: ACCEPT
`;

/** Long enough to be seen arriving. Milliseconds. */
const THINKS = 800;
/** A second call of a question: four are worked on at once, after the test call and two questions for the models. */
const PONDERED_CALL = 8;
/** Starting a sandbox and loading six skills, on two busy cores. */
const STARTED = 60_000;

/** Holds the answer to one question of the first run, so that the test sees the run in its middle. */
const firstSeen = Promise.withResolvers<void>();
/** Holds all answers of the second run, so that the test cancels it in its middle. */
let mayAnswer: Promise<void> | undefined;

/** One server is policy and teacher. As a policy it searches once, opens the first result and answers. */
function behave({ index, request, url }: LoopbackCall): Behaviour {
  // It names no models, so that the person types the name.
  if (url === "/v1/models") return { kind: "raw", type: "application/json", body: '{"data":[]}' };
  const text = request.messages.map(({ content }) => content).join("\n");
  if (text.includes("This is a test.")) return { kind: "text", text: "ready" };
  if (text.includes("Review the skill")) return { kind: "text", text: REVIEW, pieces: 40, everyMs: 60 };
  const action = text.includes("doc_0 ") ? "FINAL[Sam Walton]" : "SEARCH[Walton family]";
  return {
    kind: "text",
    text: `Thought: one thing after the other.\nAction: ${action}`,
    wait: THINKS,
    until: index === PONDERED_CALL ? firstSeen.promise : mayAnswer,
  };
}

/** Rows of the Skills or Runs view. */
const rows = ({ page }: Workbench, view: string): Locator =>
  page.locator(".pane", { has: page.locator(".pane-header", { hasText: view }) }).locator(".monaco-list-row");

async function questionIds(workbench: Workbench, run: string): Promise<string[]> {
  const text = await readFile(join(workbench.folder, ".hasp/runs", run, "episodes.jsonl"), "utf8");
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => (JSON.parse(line) as { questionId: string }).questionId);
}

story("A person runs an agent live, and asks a teacher", (chapter) => {
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

  chapter(
    "configures a policy, is told what an address must be, and sees the test call and its cost",
    async () => {
      await runCommand(workbench, "HASP: Configure Model");
      await pick(workbench, "Role of the model", "Policy");
      await pick(workbench, "Endpoint or chat model that answers", "Another endpoint");
      await answer(workbench, "Address of the endpoint", "http://models.example/v1");
      await expect.poll(() => quickInputText(workbench)).toContain("Use https");
      await screenshot(workbench, "configure-address");
      await answer(workbench, "Configure Model", server.url);
      await answer(workbench, `Key for ${server.origin}`, KEY);
      await answer(workbench, "Model, as the endpoint calls it", "loopback");
      await answer(workbench, "Dollars for a million tokens", "1/2");
      await screenshot(workbench, "configure-test");
      await pick(workbench, "Use http", "Send a test message");
      const said = await notice(workbench, "The policy is");
      expect(await said.innerText()).toMatch(/said "ready": \d+ \+ \d+ tokens, \$[\d.e-]+, \d+ ms/);
      await screenshot(workbench, "configure-done");
      expect(server.calls.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
      await clearNotices(workbench);
    },
  );

  chapter("configures the teacher at the same endpoint, whose key is known by now", async () => {
    await runCommand(workbench, "HASP: Configure Model");
    await pick(workbench, "Role of the model", "Teacher");
    await pick(workbench, "Endpoint or chat model that answers", "Another endpoint");
    await answer(workbench, "Address of the endpoint", server.url);
    await pick(workbench, "is stored", "Use the stored key");
    await answer(workbench, "Model, as the endpoint calls it", "teacher");
    await answer(workbench, "Dollars for a million tokens", "2.5/10");
    await pick(workbench, "Use http", "Keep it without a test");
    await notice(workbench, "The teacher is");
    expect(server.calls.filter(({ url }) => url !== "/v1/models")).toHaveLength(1);
    await clearNotices(workbench);
  });

  async function startRun(count: string): Promise<void> {
    await runCommand(workbench, "HASP: Run Questions");
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

  chapter("has a skill reviewed from its CodeLens, reads along, and sees the scores", async () => {
    await openFile(workbench, PF, 1);
    await workbench.page.locator(".codelens-decoration a", { hasText: "Teacher review" }).first().click();
    const review = await viewWith(workbench, "hasp-review");
    await review.getByText("TRIGGER WHY").first().waitFor({ timeout: STARTED });
    await screenshot(workbench, "review-streaming");
    await review.locator(".decision", { hasText: "Accept" }).waitFor({ timeout: STARTED });
    await notice(workbench, "accept, Q_skill 0.77");
    await runCommand(workbench, "View: Show HASP");
    const skill = rows(workbench, "Skills").filter({ hasText: "repeated_query" }).first();
    await skill.filter({ hasText: "accept" }).waitFor();
    await skill.click();
    // The tree is read anew as the review arrives, and may take the click back or show an open row without what is below it.
    const reviewRow = rows(workbench, "Skills").filter({ hasText: "Review" }).first();
    const isListed = async (): Promise<boolean> => {
      if (await reviewRow.isVisible()) return true;
      for (const key of ["ArrowLeft", "ArrowRight"]) await workbench.page.keyboard.press(key);
      return false;
    };
    await expect.poll(isListed, { timeout: STARTED, interval: 1_000 }).toBe(true);
    await screenshot(workbench, "review-done");
    await clearNotices(workbench);
  });

  chapter("sees the review marked as stale after an edit", async () => {
    await openFile(workbench, PF, 1);
    const before = await readFile(join(workbench.folder, PF), "utf8");
    await replaceText(workbench, before.replace("override maxFires = 2;", "override maxFires = 1;"));
    const skill = rows(workbench, "Skills").filter({ hasText: "repeated_query" }).first();
    await skill.filter({ hasText: "stale" }).waitFor({ timeout: STARTED });
    const review = await viewWith(workbench, "hasp-review");
    await review.locator(".badge", { hasText: "stale: pf.ts changed since" }).waitFor({ timeout: STARTED });
    await screenshotInAll(workbench, "review-stale");
  });

  return { name: "live-run", workbench: () => workbench };
});
