import { expect, test } from "vitest";
import { eventually, shows } from "./support/eventually.ts";
import { replayTests } from "./support/replay-tests.ts";

const tests = replayTests();

test("c sets another episode of the question beside this one, and marks where they part", async () => {
  const replay = await tests.open();
  await replay.press("c");
  await replay.button(/With the new library/).click();
  const figures = tests.page.locator(".figures-table");
  await shows(figures, /Outcome wrong correct .* Steps 5 4 .* Cost \$0\.0061/);
  await shows(tests.page.locator(".aligned"), /same .* The episodes part here other executed/);
  await shows(tests.page.locator(".aligned tr").last(), "only here");
  await tests.page.locator(".aligned td:nth-of-type(2)").getByRole("button", { name: "Step 3" }).click();
  await eventually(() => tests.asked("openEpisode"), [{ run: "other", index: 0, t: 2 }]);
  await tests.page.locator(".aligned td:nth-of-type(1)").getByRole("button", { name: "Step 2" }).click();
  await shows(replay.stepCount, "Step 2 of 5");
});

test("C compares the run with another one, question by question, and leads to each episode", async () => {
  const replay = await tests.open();
  await replay.press("Shift+C");
  await shows(tests.page.locator(".verdict-filter"), "all questions 7 won 2 lost 3 both wrong 1 unjudged 1");
  await shows(tests.page.locator(".pair-rows .pair").first(), "lost");
  const remarks = (icon: string) =>
    tests.page.locator(".remark", { has: tests.page.locator(`[data-icon=${icon}]`) });
  await shows(
    remarks("warning"),
    /prompts of different versions: web-search\/3 in this run, web-search\/4 in With the new library/,
  );
  await shows(remarks("info"), /The proposals of With the new library come from a record/);
  await shows(tests.page.locator(".figures-table"), "replies not measured not measured");
  await replay.button("Measure cost, tokens, reads and replies").click();
  await shows(
    tests.page.locator(".figures-table"),
    "replies invalid 30% of 212 replies invalid 1% of 198 replies, 5% read leniently",
  );
  await shows(tests.page.locator(".figures-table"), /cost, \$ ?, median 0\.0061 0\.0042/);
  await eventually(
    () => tests.asked("compareRuns"),
    [
      { run: "other", measured: false },
      { run: "other", measured: true },
    ],
  );
  await replay.button("Open in the other run: correct").first().click();
  await eventually(async () => (await tests.asked("openEpisode")).length, 1);
  await replay.button("Open in this run: correct").first().click();
  await shows(replay.question, "tide tables");
});

test("Escape leads back to the step; with nothing to compare it says what belongs here", async () => {
  const replay = await tests.open("alone");
  await replay.press("ArrowRight", "c");
  await shows(tests.page.locator(".compare .empty"), "Other episodes of the same question are compared here");
  await replay.press("Escape");
  await shows(replay.stepCount, "Step 2 of 5");
  await replay.press("Shift+C");
  await shows(tests.page.locator(".compare .empty"), "There is no other run yet.");
});

test("a comparison that fails says so, and the episode is one key away", async () => {
  const replay = await tests.open("fail=compareEpisodes");
  await replay.press("c");
  await replay.button(/Third run/).click();
  await shows(replay.failure, "The episodes could not be compared. compareEpisodes failed");
  await replay.press("Escape");
  await shows(replay.stepCount, "Step 1 of 5");
});

test("the questions of thousands are all there, drawn as they come into sight, and shown by verdict", async () => {
  const replay = await tests.open("count=3000");
  await replay.press("Shift+C");
  const table = tests.page.getByRole("table", { name: "Questions of the two runs" });
  await eventually(() => table.getAttribute("aria-rowcount"), "3001");
  const rows = tests.page.locator(".pair-rows .pair");
  await eventually(async () => (await rows.count()) > 5, true);
  expect(await rows.count()).toBeLessThan(80);
  await tests.page.locator(".pair-rows").focus();
  // Heights of rows not yet drawn are estimated: the end is where they are known.
  await eventually(async () => {
    await replay.press("End");
    return rows.last().getAttribute("aria-rowindex");
  }, "3001");
  expect(await rows.count()).toBeLessThan(80);
  const won = tests.page.locator(".verdict-filter [data-verdict=won]");
  await won.focus();
  await replay.press("Enter");
  await eventually(() => won.getAttribute("aria-pressed"), "true");
  await eventually(
    async () =>
      new Set(await rows.evaluateAll((all) => all.map((row) => row.getAttribute("data-verdict")))).size,
    1,
  );
  await shows(rows.first(), "won");
});

test("the host can open a run compared with another one, before and after the run is read", async () => {
  await tests.open();
  await tests.host.send("compareWithRun", { run: "other" });
  await shows(tests.page.locator(".verdict-filter"), "all questions 7");
  await shows(tests.page.locator(".choices"), "7 questions of this run, 2 by text · 7 episodes");
  await tests.load("hold=open");
  await eventually(async () => (await tests.asked("open")).length, 1);
  await tests.host.send("compareWithRun", { run: "other" });
  await tests.host.release("open");
  await shows(tests.page.locator(".verdict-filter"), "all questions 7");
});
