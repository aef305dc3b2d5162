import { expect, test } from "vitest";
import { eventually, shows } from "./support/eventually.ts";
import { choose } from "../support/choose.ts";
import { replayTests } from "./support/replay-tests.ts";

const tests = replayTests();

const chooseOutcome = (label: RegExp): Promise<void> => choose(tests.page, "Outcome", label);

test("each row shows question, outcome in words, and length", async () => {
  const replay = await tests.open();
  await eventually(() => replay.rows.count(), 7);
  await shows(replay.rows.nth(1), /^Episode 2 In what year did the tramway .* halted 6 steps/);
  await shows(replay.total, "7");
});

test("Escape closes the choices and leaves the filter; the next one takes the filter away", async () => {
  const replay = await tests.open();
  await chooseOutcome(/^Wrong/);
  const filtered = await replay.rows.count();
  await tests.page.getByRole("combobox", { name: "Outcome" }).focus();
  await replay.press("Escape");
  const filters = tests.page.getByRole("button", { name: "Filters and order, 1 in force" });
  await eventually(() => filters.getAttribute("aria-expanded"), "false");
  await eventually(() => replay.rows.count(), filtered);
  await replay.press("Escape");
  await eventually(() => replay.rows.count(), 7);
});

test("f goes to the filter; words narrow the list without leaving the episode; Enter enters the list", async () => {
  const replay = await tests.open();
  await replay.press("f");
  await tests.page.keyboard.type("TIDE sankt");
  await eventually(() => replay.rows.count(), 1);
  await shows(replay.total, "1 of 7");
  await shows(replay.question, "Halden lighthouse");
  await replay.press("Enter");
  await shows(replay.question, "tide tables of Sankt Luden");
  await eventually(
    () => tests.page.locator("[role=listbox].rows").evaluate((list) => list.matches(":focus")),
    true,
  );
  await replay.press("Escape");
  await eventually(() => replay.rows.count(), 7);
});

test("letters typed into the filter are text, not keys", async () => {
  const replay = await tests.open();
  await replay.press("f");
  await tests.page.keyboard.type("jjn?");
  await shows(replay.question, "Halden lighthouse");
  await eventually(() => replay.keys.count(), 0);
  await eventually(() => replay.filterText.inputValue(), "jjn?");
  await replay.button("Clear the filter").click();
  await eventually(() => replay.rows.count(), 7);
});

test("the outcome filter keeps what it names, and j walks over the rest", async () => {
  const replay = await tests.open();
  await chooseOutcome(/^Failed: wrong or halted \(3\)$/);
  await eventually(() => replay.rows.count(), 3);
  await replay.selectedRow.click();
  await replay.press("j", "j", "j");
  await shows(replay.question, "apple varieties");
  await chooseOutcome(/^Unjudged \(1\)$/);
  await eventually(() => replay.rows.count(), 1);
});

test("of 5,000 episodes only the rows in sight are drawn, and the last is as near as the first", async () => {
  const replay = await tests.open("count=5000");
  await shows(replay.total, "5,000");
  await eventually(async () => (await replay.rows.count()) > 10, true);
  expect(await replay.rows.count()).toBeLessThan(80);
  await eventually(() => replay.rows.first().getAttribute("aria-setsize"), "5000");
  await tests.host.send("reveal", { index: 4_999, t: 0 });
  await shows(replay.question, "Question 5000:");
  await shows(replay.selectedRow, "Question 5000:");
  await eventually(
    () => replay.selectedRow.evaluate((row) => row.getBoundingClientRect().bottom <= 901),
    true,
  );
  await replay.press("k");
  await shows(replay.selectedRow, "Question 4999:");
  expect(await replay.rows.count()).toBeLessThan(80);
});

test("the keys of a list work while it has the focus", async () => {
  const replay = await tests.open("count=5000");
  await replay.rows.nth(2).click();
  await replay.press("ArrowDown", "PageDown");
  await eventually(() => replay.selectedRow.getAttribute("data-index"), "13");
  const list = tests.page.locator("[role=listbox].rows");
  await list.focus();
  await replay.press("ArrowUp");
  await eventually(() => list.getAttribute("aria-activedescendant"), "episode-12");
});

test("under 900 px the list is a drawer that a button or f opens, and Escape or a choice closes", async () => {
  const replay = await tests.open("", 800);
  await eventually(() => replay.drawer.isVisible(), false);
  await replay.drawerButton.click();
  await eventually(() => replay.drawer.isVisible(), true);
  await replay.press("Escape");
  await eventually(() => replay.drawer.isVisible(), false);
  await eventually(() => replay.drawerButton.evaluate((button) => button.matches(":focus")), true);
  await replay.press("f");
  await eventually(() => replay.filterText.evaluate((input) => input.matches(":focus")), true);
  await replay.rows.nth(2).click();
  await eventually(() => replay.drawer.isVisible(), false);
  await shows(replay.question, "apple varieties");
});

test("nothing is wider than the page at 800 px", async () => {
  const replay = await tests.open("", 800);
  for (let episode = 0; episode < 7; episode += 1) {
    const wide = await tests.page
      .locator(".step, .main, .episode-header")
      .evaluateAll((elements) =>
        elements.filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.className),
      );
    expect(wide).toEqual([]);
    await replay.press("j");
  }
});

test("failures stand first, in the order of the file, each row with its number", async () => {
  const replay = await tests.load("at=");
  await shows(replay.rows.first(), /^Episode 1 /);
  await shows(replay.rows.nth(1), /^Episode 3 /);
  await shows(replay.rows.nth(2), /^Episode 2 .* halted/);
  await shows(replay.rows.nth(3), /^Episode 5 .* unjudged/);
});

test("an episode that is shown and not listed is said to be filtered out", async () => {
  const replay = await tests.open();
  await chooseOutcome(/^Correct/);
  const note = tests.page.locator(".filtered-out");
  await shows(note, /Episode 1 ?, which is shown, is filtered out/);
  await note.getByRole("button", { name: "Clear the filter" }).click();
  await eventually(() => note.count(), 0);
  await shows(replay.selectedRow, "Episode 1");
});

test("the selected row has a mark that is no colour of its background", async () => {
  const replay = await tests.open();
  interface Styles {
    readonly getComputedStyle: (element: unknown) => { readonly boxShadow: string };
  }
  const shadow = await replay.selectedRow.evaluate(
    (row) => (globalThis as unknown as Styles).getComputedStyle(row).boxShadow,
  );
  expect(shadow).toContain("3px 0px 0px 0px inset");
});
