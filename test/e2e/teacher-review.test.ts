import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";

import {
  type Behaviour,
  type LoopbackCall,
  type LoopbackModel,
  loopbackModel,
} from "../support/loopback-model.ts";
import { rowsOf } from "./support/authoring.ts";
import { replaceText } from "./support/editor.ts";
import { clearNotices, notice } from "./support/notices.ts";
import { answer, openFile, pick, quickInputText, runCommand, screenshotInAll } from "./support/palette.ts";
import { story } from "./support/story.ts";
import { openWorkbench, screenshot, viewWith, type Workbench } from "./support/workbench.ts";

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

/** Starting a sandbox and loading six skills, on two busy cores. */
const STARTED = 60_000;

function behave({ request, url }: LoopbackCall): Behaviour {
  // It names no models, so that the person types the name.
  if (url === "/v1/models") return { kind: "raw", type: "application/json", body: '{"data":[]}' };
  const text = request.messages.map(({ content }) => content).join("\n");
  if (text.includes("This is a test.")) return { kind: "text", text: "ready" };
  return { kind: "text", text: REVIEW, pieces: 40, everyMs: 60 };
}

story("A person asks a teacher", (chapter) => {
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

  const skills = (): Locator => rowsOf(workbench, "Skills");

  chapter(
    "configures the teacher, is told what an address must be, and sees the test call and its cost",
    async () => {
      await runCommand(workbench, "HASP: Configure Model");
      await pick(workbench, "Role of the model", "Teacher");
      await pick(workbench, "Endpoint or chat model that answers", "Another endpoint");
      await answer(workbench, "Address of the endpoint", "http://models.example/v1");
      await expect.poll(() => quickInputText(workbench)).toContain("Use https");
      await screenshot(workbench, "configure-address");
      await answer(workbench, "Configure Model", server.url);
      await answer(workbench, `Key for ${server.origin}`, KEY);
      await answer(workbench, "Model, as the endpoint calls it", "teacher");
      await answer(workbench, "Dollars for a million tokens", "2.5/10");
      await screenshot(workbench, "configure-test");
      await pick(workbench, "Use http", "Send a test message");
      const said = await notice(workbench, "The teacher is");
      expect(await said.innerText()).toMatch(/said "ready": \d+ \+ \d+ tokens, \$[\d.e-]+, \d+ ms/);
      await screenshot(workbench, "configure-done");
      expect(server.calls.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
      await clearNotices(workbench);
    },
  );

  chapter("has the skill in front reviewed from the palette, reads along, and sees the scores", async () => {
    await openFile(workbench, PF, 1);
    await runCommand(workbench, "HASP: Teacher Review");
    // It is ticked already; a list of ticks has no highlighted row.
    await answer(workbench, "Skills to review", "");
    const review = await viewWith(workbench, "hasp-review");
    await review.getByText("TRIGGER WHY").first().waitFor({ timeout: STARTED });
    await screenshot(workbench, "review-streaming");
    await review.locator(".decision", { hasText: "Accept" }).waitFor({ timeout: STARTED });
    await notice(workbench, "accept, Q_skill 0.77");
    await runCommand(workbench, "View: Show HASP");
    const skill = skills().filter({ hasText: "repeated_query" }).first();
    await skill.filter({ hasText: "accept" }).waitFor();
    await skill.click();
    // The tree is read anew as the review arrives, and may take the click back or show an open row without what is below it.
    const reviewRow = skills().filter({ hasText: "Review" }).first();
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
    const skill = skills().filter({ hasText: "repeated_query" }).first();
    await skill.filter({ hasText: "stale" }).waitFor({ timeout: STARTED });
    const review = await viewWith(workbench, "hasp-review");
    await review.locator(".badge", { hasText: "stale: pf.ts changed since" }).waitFor({ timeout: STARTED });
    await screenshotInAll(workbench, "review-stale");
  });

  return { name: "teacher-review", workbench: () => workbench };
});
