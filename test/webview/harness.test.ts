import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { CONTROL_PARTS } from "../../src/model/control-parts.ts";
import { eventually, shows } from "./support/eventually.ts";
import type { ReplayPage } from "./support/replay-page.ts";
import { replayTests } from "./support/replay-tests.ts";

const tests = replayTests();

/** The harbour episode, in which every part of the harness decides something. */
async function openHarbour(width = 1600): Promise<ReplayPage> {
  const replay = await tests.open("", width);
  await replay.press("j", "j", "j", "j", "j", "j");
  await shows(replay.question, "harbour office of Sundvik");
  return replay;
}

const summaryOf = (section: Locator): Locator => section.locator("> summary");

async function openHarness(replay: ReplayPage): Promise<Locator> {
  const harness = replay.section("harness");
  await summaryOf(harness).click();
  await harness.locator(".decisions").waitFor();
  return harness;
}

test("the header names the setting; episodes without one say nothing of it", async () => {
  const replay = await openHarbour();
  await shows(tests.page.locator(".figures"), "correct setting full 5 steps $0.0093");
  await tests.page.locator(".about > summary").click();
  await shows(tests.page.locator(".about"), 'Settings policy "http://127.0.0.1:8000/v1#small"');
  await replay.press("k");
  await eventually(() => tests.page.locator(".figures .setting").count(), 0);
});

test("the section is folded, names its parts, and shows each decision with who made it and why", async () => {
  const replay = await openHarbour();
  const harness = replay.section("harness");
  await shows(harness, "Harness switches, difficulty gate, skill selector, PF selector");
  await openHarness(replay);
  await shows(
    harness.locator("[data-part=difficulty_gate]"),
    /difficulty gate by teacher Difficulty 3 of 5, .* Asked the teacher at difficulty_gate · 310 tokens in/,
  );
  const selector = harness.locator("[data-part=skill_selector]");
  await shows(
    selector,
    "by code 4 of 12 summaries fit into the prompt. kept 4: answer_confidence_guard answer_completeness",
  );
  await shows(selector, "8 skills left out");
  await selector.getByText("8 skills left out").click();
  await shows(selector, "retrieval_failure no room: 4 summaries");
});

test("each part of the harness has its place at a step", async () => {
  const replay = await openHarbour();
  const seen = new Set<string>();
  for (let step = 0; step < 5; step += 1) {
    await shows(replay.stepCount, `Step ${step + 1} of 5`);
    const parts = await replay
      .section("harness")
      .locator("[data-part]")
      .evaluateAll((rows) => rows.map((row) => row.getAttribute("data-part") ?? ""));
    for (const part of parts) seen.add(part);
    await replay.press("ArrowRight");
  }
  expect([...seen].toSorted()).toEqual([...CONTROL_PARTS].toSorted());
});

test("a vote shows each handler's say, what it would search, and what the teacher was asked", async () => {
  const replay = await openHarbour();
  await replay.press("ArrowRight", "ArrowRight");
  await shows(replay.row("executed"), "modified by the vote of the handlers");
  const harness = await openHarness(replay);
  const votes = harness.getByRole("list", { name: "Votes" });
  await eventually(() => votes.getByRole("listitem").count(), 5);
  await shows(
    votes.locator("[data-skill=temporal_confusion]"),
    "search again: 1902 is the year of the enlargement. would search: Sundvik harbour office first",
  );
  await shows(votes.locator("[data-skill=citation_mismatch]"), "let it stand: The year stands in a result.");
  const failed = harness.locator(".teacher").last();
  await failed.locator("summary").click();
  await shows(failed, "It failed: The endpoint did not answer within 30 s.");
});

test("reminders stand above the thought, a READ that became a SEARCH is told, and so is another round", async () => {
  const replay = await openHarbour();
  await replay.press("ArrowRight");
  await shows(tests.page.locator(".row.reminded"), "Reminded by temporal_confusion in phase post_search");
  await shows(replay.row("executed"), "Sundvik harbour office north quay modified by snippet mode");
  await replay.press("ArrowRight", "ArrowRight");
  await shows(replay.row("observation"), 'Next round Your answer "1869" was not taken');
  await shows(replay.section("harness"), "handler vote, retry");
  await replay.press("End");
  await openHarness(replay);
  await shows(replay.section("harness").locator("[data-part=answer_format]"), "answer: 1869, Henrik Aalto");
});

test("of a large library what was recorded folds as well, so that the observation is within reach", async () => {
  await openHarbour();
  const recorded = tests.page.locator(".programs");
  await shows(recorded, /\d\d Program Functions skipped/);
  await eventually(() => recorded.locator("[data-status=skipped]").first().isVisible(), false);
  await recorded.getByText("Program Functions skipped").click();
  await shows(recorded, /skipped retrieval_failure recorded/);
});

test("by keyboard: the section opens and stays open from step to step, what is inside it does not", async () => {
  const replay = await openHarbour();
  const harness = replay.section("harness");
  await summaryOf(harness).focus();
  await replay.press("Enter");
  await harness.locator("[data-part=switches]").waitFor();
  // Past the names of two parts, which explain themselves.
  await replay.press("Tab", "Tab", "Tab", "Enter");
  await shows(harness, "It answered:");
  await replay.press("ArrowRight", "ArrowRight");
  await shows(replay.stepCount, "Step 3 of 5");
  await eventually(() => harness.evaluate((section) => section.hasAttribute("open")), true);
  await eventually(() => harness.locator("details[open]").count(), 0);
});

test("nothing of it is wider than the page at 800 px", async () => {
  const replay = await openHarbour(800);
  const harness = await openHarness(replay);
  for (let step = 0; step < 5; step += 1) {
    await harness.evaluate((section) => {
      for (const inner of section.querySelectorAll("details")) inner.open = true;
    });
    const wide = await tests.page
      .locator(".step, .main, .decisions")
      .evaluateAll((elements) => elements.filter((e) => e.scrollWidth > e.clientWidth).length);
    expect(wide).toBe(0);
    await replay.press("ArrowRight");
  }
});

test("the filter finds an episode by its question, whatever was decided in it", async () => {
  const replay = await openHarbour();
  await replay.press("f");
  await tests.page.keyboard.type("sundvik");
  await eventually(() => replay.rows.count(), 1);
  await tests.page.keyboard.type(" temporal_confusion");
  await eventually(() => replay.rows.count(), 0);
});
