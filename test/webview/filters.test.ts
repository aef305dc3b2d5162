import { expect, test } from "vitest";
import { choose } from "../support/choose.ts";
import { eventually, shows } from "./support/eventually.ts";
import { replayTests } from "./support/replay-tests.ts";

const tests = replayTests();

/** Positions of episodes that were asked about page by page, in this order; those shown are asked about alone. */
async function lookedAt(today = false): Promise<number[]> {
  const { requests } = await tests.host.log();
  return requests.flatMap(({ method, params: { from = 0, count = 0, today: asked } }) =>
    method === "readFacets" && count > 1 && asked === today
      ? Array.from({ length: count }, (_, i) => from + i)
      : [],
  );
}

/** Each of `count` episodes was asked about, once. */
async function looksOnce(count: number, today = false): Promise<void> {
  const upTo = async (): Promise<number[]> => (await lookedAt(today)).filter((index) => index < count);
  await eventually(
    upTo,
    Array.from({ length: count }, (_, i) => i),
  );
}

test("a failure pattern is looked for page by page, once for all patterns, and leads to its step", async () => {
  const replay = await tests.open("count=120");
  await choose(tests.page, "Failure pattern", /^never finished/);
  await looksOnce(120);
  await shows(replay.total, /^\d+ of 120$/);
  await shows(replay.rows.first(), "halted");
  await choose(tests.page, "Failure pattern", /^invalid action \(\d+\)$/);
  await replay.rows.first().click();
  await tests.page.locator(".pattern").getByRole("button", { name: "step 2" }).click();
  await shows(replay.stepCount, "Step 2 of 4");
  await looksOnce(120);
});

test("the look for patterns says how far it is, can be stopped, and goes on where it was", async () => {
  const replay = await tests.open("count=120&hold=readFacets");
  await choose(tests.page, "Failure pattern", /^never finished/);
  const progress = tests.page.locator(".progress");
  await shows(progress, "Looking into episodes: 0 of 120");
  const cancelled = async (): Promise<unknown[]> =>
    (await tests.host.log()).cancelled.map(({ params }) => params.count);
  await eventually(async () => (await lookedAt()).length > 0, true);
  await replay.button("Stop").click();
  await shows(progress, "Looked into 0 of 120 episodes");
  await eventually(async () => (await cancelled()).length, 1);
  await replay.button("Go on").click();
  await shows(progress, "Looking into episodes");
});

test("a look that fails says why, and is tried again", async () => {
  const replay = await tests.open("fail=readFacets");
  await choose(tests.page, "Failure pattern", /^never finished/);
  await shows(tests.page.locator(".progress"), "The episodes could not be looked at. readFacets failed");
  await tests.host.repair();
  await replay.button("Go on").click();
  await shows(replay.total, "1 of 7");
});

test("labels filter the list, and a note made meanwhile counts at once", async () => {
  const replay = await tests.open("notes");
  await choose(tests.page, "Label", /^went wrong here \(1\)$/);
  await shows(replay.total, "1 of 7");
  await choose(tests.page, "Label", /^Without notes$/);
  await shows(replay.total, "5 of 7");
  await replay.press("Escape");
  await shows(replay.total, "7");
});

test("filters are chips that can be taken away one by one, and survive stepping", async () => {
  const replay = await tests.open("notes");
  await choose(tests.page, "Outcome", /^Wrong/);
  await choose(tests.page, "Label", /^With notes/);
  await shows(replay.total, "1 of 7");
  await tests.page.locator(".rows").focus();
  await replay.press("ArrowRight", "j", "End");
  const chips = tests.page.getByRole("group", { name: "Filters in force" });
  await shows(chips, "wrong with notes Clear all");
  await replay.button("Remove filter: with notes").click();
  await shows(replay.total, "2 of 7");
  await replay.button("Remove filter: wrong").focus();
  await replay.press("Enter");
  await shows(replay.total, "7");
  await eventually(() => chips.count(), 0);
});

test("j follows the order that was chosen, from wherever the shown episode stands in it", async () => {
  const replay = await tests.open();
  await choose(tests.page, "Sort", /^Shortest first$/);
  await tests.page.locator(".rows").focus();
  await shows(replay.rows.first(), "2 steps");
  await replay.press("j");
  await shows(replay.question, "harbour office");
  await replay.press("k", "k");
  await shows(replay.stepCount, "Step 1 of 4");
  await choose(tests.page, "Sort", /^Failures first$/);
  await shows(replay.rows.nth(2), "halted");
});

test("a PF and a status of it are one look at whole episodes, and lead to the steps where it fired", async () => {
  const replay = await tests.open();
  await choose(tests.page, "PF status", /^applied/);
  await shows(replay.total, "2 of 7");
  await choose(tests.page, "Program Function", /^insufficient_exploration: applied in \d$/);
  await looksOnce(7);
  await replay.rows.first().click();
  const found = tests.page.locator(".pattern[data-skill=insufficient_exploration]");
  await shows(found, "applied");
  await found.getByRole("button").first().click();
  await shows(replay.recorded("insufficient_exploration"), "applied");
  await shows(
    tests.page.getByRole("group", { name: "Filters in force" }),
    "pf insufficient_exploration pf status applied",
  );
});

test("the same in words: pf: and status:, narrowing while one types, by keyboard alone", async () => {
  const replay = await tests.open();
  await replay.press("f");
  await tests.page.keyboard.type("pf:INSUFF status:appl");
  await shows(replay.total, /^\d of 7$/);
  const narrow = await replay.rows.count();
  await tests.page.keyboard.type("ied halden");
  await shows(replay.total, "1 of 7");
  expect(narrow).toBeGreaterThanOrEqual(1);
  await replay.press("Enter");
  await eventually(() => tests.page.locator(".rows").evaluate((list) => list.matches(":focus")), true);
  await replay.press("Escape");
  await shows(replay.total, "7");
});

test("a list that is empty says what to do: a name that is none, a status that is none", async () => {
  const replay = await tests.open();
  const none = tests.page.locator(".none");
  await replay.press("f");
  await tests.page.keyboard.type("status:appiled");
  await shows(none, "There is no status “appiled”. Write status: and one of fired, applied, overridden");
  await replay.filterText.fill("pf:nobody");
  await shows(none, "No Program Function here has “nobody” in its name.");
  await replay.filterText.fill("zebra");
  await shows(none, "No episode matches. Take away one of the filters above");
  await replay.button("Clear the filter").click();
  await shows(replay.total, "7");
});

test("today's library can be asked instead of the record, which reads the episodes once more", async () => {
  const replay = await tests.open();
  await choose(tests.page, "PF status", /^skipped/);
  await looksOnce(7);
  await choose(tests.page, "Whose decisions", /today's library/);
  await looksOnce(7, true);
  await choose(tests.page, "PF status", /^applied \(\d\)$/);
  await choose(tests.page, "Program Function", /^retrieval_failure: applied in \d$/);
  await shows(replay.total, /^\d of 7$/);
  const looks = (await lookedAt(true)).length;
  await choose(tests.page, "Whose decisions", /as recorded/);
  await choose(tests.page, "PF status", /^fired/);
  await shows(replay.total, /^\d of 7$/);
  expect(await lookedAt(true)).toHaveLength(looks);
  await tests.host.send("libraryChanged", null);
  await shows(replay.total, /of 7$/);
  expect(await lookedAt(true)).toHaveLength(looks);
  await choose(tests.page, "Whose decisions", /today's library/);
  await eventually(async () => (await lookedAt(true)).length, 2 * looks);
});

test("filter, order and place are there again after the view restarts", async () => {
  const replay = await tests.open("notes&count=40");
  await choose(tests.page, "Outcome", /^Failed/);
  await choose(tests.page, "Sort", /^Longest first/);
  await choose(tests.page, "PF status", /^applied/);
  await shows(replay.total, /^\d+ of 40$/);
  await tests.page.locator(".rows").focus();
  await replay.press("j", "j", "ArrowRight");
  await shows(replay.stepCount, "Step 2 of");
  const before = await replay.selectedRow.getAttribute("data-index");
  const total = await replay.total.innerText();
  await tests.page.reload();
  await shows(replay.stepCount, "Step 2 of");
  expect(await replay.selectedRow.getAttribute("data-index")).toBe(before);
  await shows(replay.total, total);
  await shows(tests.page.getByRole("group", { name: "Filters in force" }), "failed pf status applied");
});

test("a view that is opened anew takes the filter that its host kept; nonsense in it is left out", async () => {
  const replay = await tests.load("at=");
  await choose(tests.page, "Outcome", /^Wrong/);
  const { kept } = await tests.host.log();
  expect(kept).toMatchObject([{ filter: { outcome: "wrong" } }]);
  await tests.page.evaluate("sessionStorage.clear()");
  await tests.page.reload();
  await shows(replay.total, "7");
  await tests.host.send("kept", {
    state: {
      filter: { outcome: "wrong", sort: "by smell", label: 7, status: "appiled" },
      place: { index: -1 },
    },
  });
  await shows(replay.total, "2 of 7");
  await shows(tests.page.getByRole("group", { name: "Filters in force" }), /^wrong$/);
});

test("a PF that is chosen is one that fired, and its count says so", async () => {
  const replay = await tests.open();
  await choose(tests.page, "Program Function", /^retrieval_failure: fired in 1$/);
  await shows(replay.total, "1 of 7");
  await shows(tests.page.getByRole("group", { name: "Filters in force" }), "pf retrieval_failure fired");
  await choose(tests.page, "PF status", /^skipped \(\d\)$/);
  await shows(replay.total, /^[1-7] of 7$/);
});

test("a run of thousands is counted on request alone", async () => {
  const replay = await tests.open("count=5000");
  await replay.button("Filters and order").click();
  await shows(tests.page.locator(".progress"), "Counts need a look into 5,000 episodes.");
  await replay.button("Count").click();
  await shows(tests.page.locator(".progress"), "Looking into episodes");
});

test("a skill is made of the pattern that the list is filtered by", async () => {
  const replay = await tests.open();
  await choose(tests.page, "Failure pattern", /^invalid action/);
  await replay.button("New Skill from This Pattern").last().click();
  await eventually(() => tests.asked("newSkillFromPattern"), [{ pattern: "invalid_action" }]);
});
