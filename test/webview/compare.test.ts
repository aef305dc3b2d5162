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
  await shows(opened.page.locator(".verdicts"), "won 2 lost 3 both wrong 1 unjudged 1");
  await shows(opened.page.locator(".pairs tbody tr").first(), "lost");
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
