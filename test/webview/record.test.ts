import { expect, test } from "vitest";
import { eventually, shows } from "./support/eventually.ts";
import { replayTests } from "./support/replay-tests.ts";

const tests = replayTests();

/** The first episode of the file, at a step, with what a run of ours keeps. */
const at = (index: number, t: number): string => `kept&at=${index}.${t}`;

test("the prompt of each proposal is read when its section is opened, the new messages open", async () => {
  const replay = await tests.load(at(0, 4));
  const prompt = replay.section("prompt");
  await shows(replay.stepCount, "Step 5 of 5");
  expect(await tests.asked("messages")).toEqual([]);
  await prompt.locator("> summary").focus();
  await replay.press("Enter");
  await shows(prompt.locator("> summary"), "messages");
  expect(await tests.asked("messages")).toEqual([
    { index: 0, t: 4, proposal: 0 },
    { index: 0, t: 4, proposal: 1 },
  ]);
  const [first, second] = [prompt.locator(".of-proposal").nth(0), prompt.locator(".of-proposal").nth(1)];
  await shows(first, "Proposal 1 of 2");
  await shows(first.locator(".earlier > summary"), "8 messages read before");
  await shows(second.locator(".message").last(), "Read this <i>before</i> you answer.");
  expect(await second.locator("i").count()).toBe(0);
});

test("the completion is shown word for word, with how it ended", async () => {
  const replay = await tests.load(at(0, 1));
  const completion = replay.section("completion");
  await shows(completion.locator("> summary"), "cut off at max tokens");
  await completion.locator("> summary").click();
  await shows(completion, "<b>not bold</b>");
  await replay.press("ArrowRight");
  await shows(completion, "no model said it");
});

test("an action that was read leniently says so, with the reply; one in the form of the prompt does not", async () => {
  const replay = await tests.load(at(0, 3));
  await shows(replay.row("proposed"), /read leniently Thought: .*Action: .*<b>not bold<\/b>/);
  await shows(replay.section("completion").locator("> summary"), "read leniently");
  await replay.press("ArrowLeft");
  await eventually(() => tests.page.locator(".lenient").count(), 0);
  await replay.press("e");
  await shows(tests.page.locator('.entry[data-t="3"] .action-line'), /read leniently Thought: /);
  await eventually(() => tests.page.locator('.entry[data-t="2"] .lenient').count(), 0);
});

test("a record without messages says so, and asks nobody", async () => {
  const replay = await tests.open();
  const prompt = replay.section("prompt");
  await prompt.locator("> summary").click();
  await shows(prompt, "This record does not keep what the policy read.");
  expect(await tests.asked("messages")).toEqual([]);
});

test("a step that did not run says why, in the strip, the step and the transcript", async () => {
  const replay = await tests.load(at(1, 5));
  await shows(replay.row("executed"), "did not run: its searches were used up");
  await eventually(
    async () => (await replay.selectedTab.getAttribute("aria-label"))?.includes("its searches were used up"),
    true,
  );
  expect(await replay.row("observation").count()).toBe(0);
  await replay.press("e");
  await shows(tests.page.locator(".entry .not-run-line").last(), "Did not run");
});

test("a step without budget shows what the policy read, and events say when their PF was asked", async () => {
  const replay = await tests.load(at(1, 0));
  await shows(replay.row("executed"), "did not run: its searches were used up");
  await shows(replay.row("observation"), "the episode has used 1 of 1");
  await shows(
    tests.page.locator('.pf[data-skill="mender"]').first(),
    "on the repaired action: nothing to add",
  );
  await shows(tests.page.locator('.pf[data-skill="looker"]').first(), "after it ran: nothing new");
  await replay.press("e");
  const entry = tests.page.locator('.entry[data-t="0"]');
  await shows(entry, "mender on the repaired action: nothing to add");
  await shows(entry, "looker after it ran: nothing new");
  await shows(entry, "Observation This SEARCH did not run");
});

test("the header names the verdicts and leads to the other samples of the question", async () => {
  const replay = await tests.load(at(0, 0));
  const header = tests.page.locator(".episode-header");
  await shows(header.locator(".verdicts"), "exact_match: wrong, 0.00");
  await shows(header.locator(".verdicts"), "mbe-1 gpt-4o-2024-11-20 at https://api.example: right, 1.00");
  await shows(header.locator(".samples"), "#1");
  await replay.button("Next sample of this question").click();
  await shows(header.locator(".samples"), "#2");
  await shows(replay.rows.locator(".sample").first(), "#");
});

test("a draft that was held back and its revision have their verdicts beside them, with what became of it", async () => {
  const replay = await tests.load(at(0, 4));
  const [draft, revision] = [replay.row("proposed").nth(0), replay.row("proposed").nth(1)];
  await shows(draft, "Konrad Brenn held back once; the policy proposed again: same exact_match: wrong, 0.00");
  await shows(revision.locator(".verdicts"), "exact_match: wrong, 0.00");
  const verdict = draft.getByRole("group", { name: "Verdicts on this answer" }).locator("summary");
  expect(await verdict.getAttribute("title")).toBe('{"answer":"Konrad Brenn"}');
  await verdict.focus();
  await replay.press("Enter");
  await shows(draft.locator(".judged"), '{"answer":"Konrad Brenn"}');
  await replay.press("e");
  const lines = tests.page.locator('.entry[data-t="4"] .action-line');
  await shows(lines.first(), "held back once: same exact_match: wrong, 0.00");
  await shows(lines.nth(1), "exact_match: wrong, 0.00");
  // The answer of step 3 was replaced and judged all the same; a search is no answer.
  await shows(tests.page.locator('.entry[data-t="2"] .action-line').first(), "exact_match: wrong, 0.00");
  expect(await tests.page.locator('.entry[data-t="3"] .verdicts').count()).toBe(0);
});

test("a record without verdicts on drafts says nothing of them", async () => {
  const replay = await tests.open();
  await replay.press("End");
  await shows(replay.row("proposed").first(), /held back once; the policy proposed again$/);
  expect(await replay.row("proposed").locator(".verdicts").count()).toBe(0);
});

test("a verdict that another judge adds is shown at once, at the step that was looked at", async () => {
  const replay = await tests.load(at(0, 2));
  const header = tests.page.locator(".episode-header");
  await shows(header.locator(".verdicts"), "exact_match: wrong, 0.00");
  await tests.page.evaluate("haspFixture.judgeAgain()");
  await shows(header.locator(".verdicts"), "f1>=0.8: wrong, 0.25");
  await shows(replay.stepCount, "Step 3 of 5");
});

test("an outcome without a verdict says in its tooltip who judged", async () => {
  await tests.open();
  const title = await tests.page.locator(".episode-header .outcome").getAttribute("title");
  expect(title).toContain("Judged by its source");
});
