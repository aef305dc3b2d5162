import { expect, test } from "vitest";
import { eventually, shows } from "./support/eventually.ts";
import { replayTests } from "./support/replay-tests.ts";

const tests = replayTests();

const patterns = () => tests.page.getByRole("group", { name: "Failure patterns" });

test("a run opens on its first failure, at the step that a person marked", async () => {
  const replay = await tests.load("at=&notes");
  await shows(replay.question, "Halden lighthouse");
  await shows(replay.stepCount, "Step 3 of 5");
  await shows(patterns(), "First bad step: 3");
  expect((await tests.host.log()).positions).toEqual([{ index: 0, t: 2 }]);
});

test("without a mark it opens at the earliest step of a pattern, else at the last step", async () => {
  const replay = await tests.load("at=");
  await shows(replay.stepCount, "Step 5 of 5");
  await shows(patterns(), "First bad step: 5 No failure pattern found");
  await replay.press("j");
  await shows(patterns(), /First bad step: 2 .*answered without reading step 4 .*invalid action step 2/);
  await shows(replay.stepCount, "Step 1 of 4");
  await replay.press("g");
  await shows(replay.stepCount, "Step 2 of 4");
  await replay.press("Alt+ArrowLeft");
  await shows(replay.stepCount, "Step 1 of 4");
});

test("a place that was left is returned to", async () => {
  const replay = await tests.load("at=3.1");
  await shows(replay.question, "tide tables");
  await shows(replay.stepCount, "Step 2 of 3");
});

test("where nothing points to a failure, the key says so", async () => {
  const replay = await tests.load("at=3.0");
  await shows(patterns(), "No failure pattern found");
  await replay.press("g");
  await shows(tests.page.locator(".main"), "Nothing in this episode points to a failure.");
});

for (const width of [800, 1000, 1400]) {
  test(`patterns and their steps stand on the screen as an episode opens, at ${width} px, without a filter`, async () => {
    const replay = await tests.open("at=2.0", width);
    const step = patterns().getByRole("button", { name: "step 2" });
    await eventually(() => step.isVisible(), true);
    await step.click();
    await shows(replay.stepCount, "Step 2 of 4");
    const asked = (await tests.asked("readFacets")) as { from: number; count: number }[];
    expect(asked[0]).toEqual({ from: 2, count: 1, today: false });
  });
}

test("an episode that cannot be looked at is shown, and so are its steps", async () => {
  const replay = await tests.load("at=&fail=readFacets");
  await shows(patterns(), "Patterns not known");
  await shows(replay.stepCount, "Step 5 of 5");
});

test("answers that do not come keep nobody from the episode", async () => {
  const replay = await tests.load("at=&hold=readFacets,readNotes");
  await shows(replay.stepCount, "Step 5 of 5");
});

test("a skill is made from a pattern of the episode shown", async () => {
  await tests.open("at=2.0");
  await patterns().getByRole("button", { name: "New Skill from This Pattern: invalid action" }).click();
  await eventually(() => tests.asked("newSkillFromPattern"), [{ pattern: "invalid_action", index: 2 }]);
});

test("patterns of a run of some thousands are counted in the background", async () => {
  const replay = await tests.open("count=60");
  await replay.button("Filters and order").click();
  const pattern = tests.page.locator("option", { hasText: /^invalid action \(\d+\)$/ });
  await eventually(() => pattern.count(), 1);
});
