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

async function choose(select: string, option: RegExp): Promise<void> {
  const box = opened.page.locator(`vscode-single-select[label="${select}"]`);
  await box.click();
  await box.getByRole("option", { name: option }).click();
}

async function pages(): Promise<unknown[]> {
  const { requests } = await fixturePage(opened.page).log();
  return requests.flatMap((request) => (request.method === "findPatterns" ? [request.params] : []));
}

test("a failure pattern is looked for in pages, only when asked for, and leads to its step", async () => {
  const replay = await open("count=120");
  expect(await pages()).toEqual([]);
  await choose("Failure pattern", /^never finished$/);
  await eventually(pages, [
    { from: 0, count: 50 },
    { from: 50, count: 50 },
    { from: 100, count: 50 },
  ]);
  await shows(replay.total, /^\d+ of 120$/);
  await shows(replay.rows.first(), "halted");
  await choose("Failure pattern", /^invalid action \(\d+\)$/);
  await replay.rows.first().click();
  await opened.page.locator(".pattern").getByRole("button", { name: "step 2" }).click();
  await shows(replay.stepCount, "Step 2 of 4");
  expect(await pages()).toHaveLength(3);
});

test("the look for patterns says how far it is, can be stopped, and goes on where it was", async () => {
  const replay = await open("count=120&hang=findPatterns");
  await choose("Failure pattern", /^never finished$/);
  const progress = opened.page.locator(".progress");
  await shows(progress, "Looking for patterns: 0 of 120");
  await replay.button("Stop").click();
  await shows(progress, "Looked at 0 of 120 episodes");
  await eventually(async () => (await fixturePage(opened.page).log()).cancelled.length, 1);
  await replay.button("Go on").click();
  await shows(progress, "Looking for patterns");
});

test("a look that fails says why, and is tried again", async () => {
  const replay = await open("fail=findPatterns");
  await choose("Failure pattern", /^never finished$/);
  await shows(
    opened.page.locator(".progress"),
    "The failure patterns could not be read. findPatterns failed",
  );
  await fixturePage(opened.page).repair();
  await replay.button("Go on").click();
  await shows(replay.total, "1 of 7");
});

test("labels filter the list, and a note made meanwhile counts at once", async () => {
  const replay = await open("notes");
  await choose("Label", /^went wrong here \(1\)$/);
  await shows(replay.total, "1 of 7");
  await choose("Label", /^Without notes$/);
  await shows(replay.total, "5 of 7");
  await replay.press("Escape");
  await shows(replay.total, "7");
});

test("filters are chips that can be taken away one by one, and survive stepping", async () => {
  const replay = await open("notes");
  await choose("Outcome", /^Wrong/);
  await choose("Label", /^With notes/);
  await shows(replay.total, "1 of 7");
  await opened.page.locator(".rows").focus();
  await replay.press("ArrowRight", "j", "End");
  const chips = opened.page.getByRole("group", { name: "Filters in force" });
  await shows(chips, "wrong with notes Clear all");
  await replay.button("Remove filter: with notes").click();
  await shows(replay.total, "2 of 7");
  await replay.button("Remove filter: wrong").focus();
  await replay.press("Enter");
  await shows(replay.total, "7");
  await eventually(() => chips.count(), 0);
});

test("j follows the order that was chosen, from wherever the shown episode stands in it", async () => {
  const replay = await open();
  await choose("Sort", /^Shortest first$/);
  await opened.page.locator(".rows").focus();
  await shows(replay.rows.first(), "2 steps");
  await replay.press("j");
  await shows(replay.question, "harbour office");
  await replay.press("k", "k");
  await shows(replay.stepCount, "Step 1 of 4");
  await choose("Sort", /^Failed first$/);
  await shows(replay.rows.nth(2), "halted");
});
