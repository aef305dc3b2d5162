import { expect, test } from "vitest";
import { choose } from "../support/choose.ts";
import { violations } from "./support/accessible.ts";
import { eventually, shows } from "./support/eventually.ts";
import { replayTests } from "./support/replay-tests.ts";

const tests = replayTests();
const lineage = () => tests.page.locator(".episode-header .lineage");

test("an abandoned branch is marked in the list and listed by default; the filter keeps those alone", async () => {
  const replay = await tests.open("branched&at=0.0");
  await eventually(() => replay.rows.count(), 5);
  await shows(replay.rows.nth(1), /Delete parser\.py .* abandoned 2 steps/);
  await eventually(() => replay.rows.nth(1).locator("[data-icon=discard]").count(), 1);
  await choose(tests.page, "Outcome", /^Abandoned branches \(3\)$/);
  await eventually(() => replay.rows.count(), 3);
});

test("its header says which episode it left after which step, and Enter goes there", async () => {
  const replay = await tests.open("branched&at=1.0");
  await shows(lineage(), "Abandoned branch, left after step 2 of episode 1");
  await shows(tests.page.locator(".patterns"), "Nobody judges an abandoned branch");
  await replay.button("step 2 of episode 1").focus();
  await replay.press("Enter");
  await shows(replay.question, "Make the parser read comments");
  await shows(replay.stepCount, "Step 2 of 4");
  await replay.press("Alt+ArrowLeft");
  await shows(replay.question, "Delete parser.py");
});

test("the episode that stands names the steps that branches left; there they are links, in both modes", async () => {
  const replay = await tests.open("branched&at=0.0");
  await shows(lineage(), "2 abandoned branches left after step 2");
  await shows(lineage(), /1 abandoned branch left before the first step: Rewrite everything/);
  await replay.button("step 2").click();
  await shows(replay.stepCount, "Step 2 of 4");
  const links = tests.page.locator(".lineage-row");
  await shows(links, /Branches Delete parser\.py .* \( abandoned, episode 2 , 2 steps \) Use a library/);
  await replay.press("e");
  await shows(tests.page.locator(".entry[data-t='1'] .lineage-line"), "Use a library for it instead");
  await replay.button("Use a library for it instead").click();
  await shows(replay.question, "Use a library for it instead");
  await shows(lineage(), "left after step 2 of episode 1");
});

test("what a person said in the middle of the session stands at the step that follows, and is found", async () => {
  const replay = await tests.open("branched&at=0.0");
  await replay.press("ArrowRight");
  await replay.press("ArrowRight");
  await shows(tests.page.locator(".row.said"), "Person said Keep the file: cut each line at its #");
  await replay.press("e");
  await shows(tests.page.locator(".entry[data-t='2'] .said-line"), "Person said Keep the file");
  await eventually(() => tests.page.locator(".said-line").count(), 1);
  await replay.press("Control+f");
  await tests.page.keyboard.type("cut each line");
  await shows(tests.page.locator(".find-count"), "1 of 1");
});

test("a step leads to the sub-agent that it called, and back", async () => {
  const replay = await tests.open("branched&at=0.0");
  await shows(lineage(), "1 sub-agent called by step 3");
  await replay.button("step 3").click();
  await tests.page.locator(".lineage-row").getByRole("button", { name: "Find every caller" }).click();
  await shows(replay.question, "Find every caller of the parser");
  await shows(lineage(), "Sub-agent, called by step 3 of episode 1");
  await replay.button("step 3 of episode 1").click();
  await shows(replay.stepCount, "Step 3 of 4");
});

test("a branch whose episode is not in the run names it, and leads nowhere", async () => {
  const replay = await tests.open("branched&count=6&at=5.0");
  await shows(lineage(), "Abandoned branch, left after step 5 of lost");
  await eventually(() => lineage().getByRole("button").count(), 0);
  await shows(replay.question, "Of a session that is not here");
});

test("the links are accessible, and fit into 400 px", async () => {
  await tests.open("branched&at=0.0", 400);
  await shows(lineage(), "2 abandoned branches");
  expect(await violations(tests.page)).toEqual([]);
  expect(await lineage().evaluate((line) => line.scrollWidth <= line.clientWidth)).toBe(true);
});
