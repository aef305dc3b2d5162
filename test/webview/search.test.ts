import { expect, test } from "vitest";
import { eventually, shows } from "./support/eventually.ts";
import { replayTests } from "./support/replay-tests.ts";

const tests = replayTests();

const progress = () => tests.page.locator(".progress.found");
const hits = () => tests.page.locator(".row .hit");
/** Types into the filter, as a person does. */
async function type(text: string): Promise<void> {
  await tests.page.keyboard.press("f");
  await tests.page.keyboard.type(text);
}

test("the filter looks into the contents of episodes, and says in how many and where", async () => {
  const replay = await tests.open();
  await type("BRENNAU glassworks");
  await shows(
    progress(),
    "“BRENNAU glassworks”: 1 of 7 episodes · 1 in actions, 1 in observations, 1 in documents",
  );
  await eventually(() => replay.rows.count(), 1);
  await shows(hits(), /^(Action|Observation), step 1:/);
  await eventually(
    async () => (await hits().locator("mark").innerText()).toLowerCase(),
    "brennau glassworks",
  );
  await shows(replay.total, "1 of 7");
  await replay
    .button("Clear the filter")
    .or(replay.button("Remove filter: “BRENNAU glassworks”"))
    .first()
    .click();
  await eventually(() => replay.rows.count(), 7);
  await eventually(() => progress().count(), 0);
  await eventually(() => hits().count(), 0);
});

test("the words of the question find at once; a hit in the contents adds to them", async () => {
  const replay = await tests.open("hold=searchEpisodes");
  await type("lighthouse");
  await eventually(() => replay.rows.count(), 1);
  await shows(replay.rows.first(), "lighthouse");
  await shows(progress(), "Searching “lighthouse”");
  await replay.button("Stop").click();
  await shows(progress(), "0 of the first 0 of 7 episodes");
});

test("a click on a hit opens the step that holds it, and so does walking on by j", async () => {
  const replay = await tests.open("count=40");
  await type("READ doc_0");
  await shows(progress(), "in actions");
  await shows(hits().first(), "Action, step");
  const step = /step (\d+)/.exec(await hits().nth(1).innerText())?.[1];
  expect(Number(step)).toBeGreaterThan(1);
  await replay.rows.nth(1).click();
  await shows(replay.stepCount, `Step ${step} of`);
  await replay.press("j");
  const next = /step (\d+)/.exec(await hits().nth(2).innerText())?.[1];
  await shows(replay.stepCount, `Step ${next} of`);
});

test("pf: and status: are no text to search, nor is a single letter", async () => {
  const replay = await tests.open();
  // Each text goes in at once: typed slowly, its beginnings are searched, too.
  await tests.page.keyboard.press("f");
  await tests.page.keyboard.insertText("pf:retrieval status:skipped b");
  await eventually(async () => (await replay.rows.count()) > 0, true);
  expect(await tests.asked("searchEpisodes")).toEqual([]);
  await tests.page.keyboard.insertText("ren");
  await shows(progress(), "“bren”: 1 of 7 episodes");
  expect(await tests.asked("searchEpisodes")).toEqual([{ query: "bren", from: 0 }]);
});

test("only the text that was typed last is searched to its end", async () => {
  await tests.open("count=5000&hold=searchEpisodes");
  await type("glass");
  await tests.host.release("searchEpisodes", 2);
  await shows(progress(), "Searching “glass”: 1,000 of 5,000");
  await tests.page.keyboard.insertText("works");
  await tests.host.release("searchEpisodes");
  await shows(progress(), /“glassworks”: [\d,]+ of 5,000 episodes/);
  const asked = (await tests.asked("searchEpisodes")) as { query: string; from: number }[];
  expect(asked.flatMap(({ query, from }) => (query === "glass" ? [from] : []))).toEqual([0, 500, 1_000]);
  expect(asked.filter(({ query }) => query === "glassworks").map(({ from }) => from)).toEqual([
    0, 500, 1_000, 1_500, 2_000, 2_500, 3_000, 3_500, 4_000, 4_500,
  ]);
});

test("a search that is stopped goes on where it was", async () => {
  await tests.open("count=5000&hold=searchEpisodes");
  await type("glass");
  await tests.host.release("searchEpisodes", 2);
  await shows(progress(), "Searching “glass”: 1,000 of 5,000");
  await tests.page.getByRole("button", { name: "Stop" }).click();
  await shows(progress(), /“glass”: [\d,]+ of the first 1,000 of 5,000 episodes/);
  await tests.host.release("searchEpisodes");
  await tests.page.getByRole("button", { name: "Go on" }).click();
  await shows(progress(), /“glass”: [\d,]+ of 5,000 episodes/);
  const asked = (await tests.asked("searchEpisodes")) as { from: number }[];
  // The page that was on its way at the stop is asked for again.
  expect(asked.map(({ from }) => from)).toEqual([
    0, 500, 1_000, 1_000, 1_500, 2_000, 2_500, 3_000, 3_500, 4_000, 4_500,
  ]);
});

test("a search that fails says why, and searches on by its button", async () => {
  await tests.open("fail=searchEpisodes");
  await type("brennau");
  await shows(progress(), "The episodes could not be searched.");
  await tests.page.evaluate("haspFixture.repair()");
  await tests.page.getByRole("button", { name: "Go on" }).click();
  await shows(progress(), "“brennau”: 1 of 7 episodes");
});

test("rows of hits are all of one height, and the selected one stays in sight among 5,000", async () => {
  const replay = await tests.open("count=5000");
  await type("doc_0");
  await shows(progress(), / of 5,000 episodes/);
  await tests.host.send("reveal", { index: 4_999, t: 0 });
  await shows(replay.selectedRow, "Question 5000:");
  await eventually(
    () => replay.selectedRow.evaluate((row) => row.getBoundingClientRect().bottom <= 901),
    true,
  );
  const heights = await replay.rows.evaluateAll((rows) =>
    rows.map((row) => row.getBoundingClientRect().height),
  );
  expect(new Set(heights)).toEqual(new Set([64]));
  expect(heights.length).toBeLessThan(80);
});

test("a text that is kept with the view is searched when it opens again", async () => {
  const replay = await tests.open();
  await type("brennau");
  await shows(progress(), "1 of 7 episodes");
  await tests.page.reload();
  await shows(replay.stepCount, "Step 1 of");
  await shows(progress(), "“brennau”: 1 of 7 episodes");
});
