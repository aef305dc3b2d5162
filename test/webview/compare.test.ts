import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startWorkbench, type OpenedPage, type Workbench } from "./support/browser.ts";
import { eventually, shows } from "./support/eventually.ts";
import { fixturePage } from "./support/fixture-page.ts";
import { replayPage, type ReplayPage } from "./support/replay-page.ts";

let workbench: Workbench;
let opened: OpenedPage;

beforeAll(async () => {
  workbench = await startWorkbench();
});
afterAll(() => workbench.close());
afterEach(async () => {
  expect(opened.complaints).toEqual([]);
  expect(opened.strays).toEqual([]);
  await opened.page.close();
});

async function open(query = ""): Promise<ReplayPage> {
  opened = await workbench.open(query);
  const replay = replayPage(opened.page);
  await shows(replay.stepCount, "Step 1 of");
  return replay;
}

async function asked(method: string): Promise<unknown[]> {
  const { requests } = await fixturePage(opened.page).log();
  return requests.flatMap((request) => (request.method === method ? [request.params] : []));
}

test("c sets another episode of the question beside this one, and marks where they part", async () => {
  const replay = await open();
  await replay.press("c");
  await replay.button(/With the new library/).click();
  const figures = opened.page.locator(".figures-table");
  await shows(figures, /Outcome wrong correct .* Steps 5 4 .* Cost \$0\.0061/);
  await shows(opened.page.locator(".aligned"), /same .* The episodes part here other executed/);
  await shows(opened.page.locator(".aligned tr").last(), "only here");
  await opened.page.locator(".aligned td:nth-of-type(2)").getByRole("button", { name: "Step 3" }).click();
  await eventually(() => asked("openEpisode"), [{ run: "other", index: 0, t: 2 }]);
  await opened.page.locator(".aligned td:nth-of-type(1)").getByRole("button", { name: "Step 2" }).click();
  await shows(replay.stepCount, "Step 2 of 5");
});

test("C compares the run with another one, question by question, and leads to each episode", async () => {
  const replay = await open();
  await replay.press("C");
  await shows(opened.page.locator(".verdicts"), "all questions 7 won 2 lost 3 both wrong 1 unjudged 1");
  await shows(opened.page.locator(".pair-rows .pair").first(), "lost");
  await replay.button("Measure cost, tokens and reads").click();
  await shows(opened.page.locator(".figures-table"), /cost, \$ ?, median 0\.0061 0\.0042/);
  await eventually(
    () => asked("compareRuns"),
    [
      { run: "other", measured: false },
      { run: "other", measured: true },
    ],
  );
  await replay.button("Open in the other run: correct").first().click();
  await eventually(async () => (await asked("openEpisode")).length, 1);
  await replay.button("Open in this run: correct").first().click();
  await shows(replay.question, "tide tables");
});

test("Escape leads back to the step; with nothing to compare it says what belongs here", async () => {
  const replay = await open("alone");
  await replay.press("ArrowRight", "c");
  await shows(
    opened.page.locator(".compare .empty"),
    "Other episodes of the same question are compared here",
  );
  await replay.press("Escape");
  await shows(replay.stepCount, "Step 2 of 5");
  await replay.press("C");
  await shows(opened.page.locator(".compare .empty"), "There is no other run yet.");
});

test("a comparison that fails says so, and the episode is one key away", async () => {
  const replay = await open("fail=compareEpisodes");
  await replay.press("c");
  await replay.button(/Third run/).click();
  await shows(replay.failure, "The episodes could not be compared. compareEpisodes failed");
  await replay.press("Escape");
  await shows(replay.stepCount, "Step 1 of 5");
});

test("the questions of thousands are all there, drawn as they come into sight, and shown by verdict", async () => {
  const replay = await open("count=3000");
  await replay.press("C");
  const table = opened.page.getByRole("table", { name: "Questions of the two runs" });
  await eventually(() => table.getAttribute("aria-rowcount"), "3001");
  const rows = opened.page.locator(".pair-rows .pair");
  await eventually(async () => (await rows.count()) > 5, true);
  expect(await rows.count()).toBeLessThan(80);
  await opened.page.locator(".pair-rows").focus();
  // Heights of rows not yet drawn are estimated: the end is where they are known.
  await eventually(async () => {
    await replay.press("End");
    return rows.last().getAttribute("aria-rowindex");
  }, "3001");
  expect(await rows.count()).toBeLessThan(80);
  const won = opened.page.locator(".verdicts [data-verdict=won]");
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
  const replay = await open("slow=150");
  await fixturePage(opened.page).send("compareWithRun", { run: "other" });
  await shows(opened.page.locator(".verdicts"), "all questions 7");
  await shows(opened.page.locator(".choices"), "7 questions of this run, 2 by text · 7 episodes");
  await replay.press("Escape");
  await opened.page.reload();
  await fixturePage(opened.page).send("compareWithRun", { run: "other" });
  await shows(opened.page.locator(".verdicts"), "all questions 7");
});
