import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { stoppedClock } from "./support/clock.ts";
import { eventually, shows } from "./support/eventually.ts";
import type { ReplayPage } from "./support/replay-page.ts";
import { replayTests } from "./support/replay-tests.ts";

const tests = replayTests();
/** Long enough for one frame to be drawn. */
const FRAME_MS = 20;
/** Position of an episode of 60 steps, one of three with a text of 14,000 characters. */
const LONG = 7;

const entry = (step: number): Locator => tests.page.locator(`.entry[data-t="${step - 1}"]`);
const current = (): Locator => tests.page.locator(".entry[aria-current=step]");
const transcript = (): Locator => tests.page.getByRole("feed", { name: "Transcript" });

async function openLong(): Promise<ReplayPage> {
  const replay = await tests.open("count=20");
  await tests.host.send("reveal", { index: LONG, t: 0 });
  await shows(replay.stepCount, "Step 1 of 60");
  await replay.press("e");
  await shows(current(), "1");
  return replay;
}

/** Pixels of a step's top below the top of the transcript. */
async function topOf(step: number): Promise<number> {
  const [at, view] = [await entry(step).boundingBox(), await transcript().boundingBox()];
  return Math.round((at?.y ?? Number.NaN) - (view?.y ?? Number.NaN));
}

const scrollTop = (): Promise<number> =>
  transcript().evaluate((feed: { scrollTop: number }) => feed.scrollTop);

async function wheel(by: number): Promise<void> {
  await transcript().hover();
  await tests.page.mouse.wheel(0, by);
}

test("e shows all steps as a transcript: thought, action, interventions with reason and link, texts, observation", async () => {
  const replay = await tests.open();
  await replay.press("e");
  await eventually(() => tests.page.locator(".entry").count(), 5);
  await shows(entry(1), "Thought The chain runs from the lighthouse");
  await shows(entry(1), "SEARCH first lens of the Halden lighthouse");
  await shows(entry(1), "Injected by decompose_complex_question The question names two people");
  await shows(entry(1), "Observation [doc_1] Halden Lighthouse");
  await shows(entry(3), "FINAL Konrad Brenn proposed");
  await shows(entry(3), "READ doc_0 executed");
  await shows(entry(3), "applied insufficient_exploration searched twice, never read SKILL.md");
  await shows(entry(3), "overridden answer_completeness");
  await shows(entry(5), "limited insufficient_exploration already fired 2 of 2");
  await shows(entry(5), "error citation_mismatch TypeError");
  await shows(entry(5), "held back once");
  await eventually(() => tests.page.locator(".entry .skipped").count(), 0);
  await entry(3).getByRole("button", { name: "SKILL.md" }).first().click();
  await eventually(() => tests.asked("openSource"), [{ skillId: "insufficient_exploration" }]);
});

test("where the run records nothing, a step says what today's library would do, and leads to the reason", async () => {
  const replay = await tests.open();
  await replay.press("j", "j", "e");
  await shows(replay.question, "apple varieties");
  const today = tests.page.locator(".today-line").first();
  await shows(today, "with today's library");
  await today.getByRole("button", { name: "Show why" }).click();
  await eventually(async () => (await replay.today().count()) > 0, true);
});

test("the modes are one choice of two, by mouse, arrow keys and e, at the same step", async () => {
  const replay = await tests.open();
  const mode = (name: string) =>
    tests.page.getByRole("radiogroup", { name: "View" }).getByRole("radio", { name });
  await eventually(() => mode("Step").getAttribute("aria-checked"), "true");
  await replay.press("ArrowRight", "ArrowRight", "e");
  await eventually(() => mode("Episode").getAttribute("aria-checked"), "true");
  await shows(current(), "insufficient_exploration");
  await replay.press("ArrowRight", "e");
  await shows(replay.stepCount, "Step 4 of 5");
  await shows(replay.row("proposed"), "Ottilie Brenn marriage");
  await mode("Episode").click();
  await eventually(() => current().getAttribute("data-t"), "3");
  await replay.press("ArrowLeft");
  await shows(replay.row("proposed"), "Ottilie Brenn marriage");
  await eventually(() => mode("Step").evaluate((e) => e.matches(":focus")), true);
});

test("the mode is there again after the view restarts, and in a view that is opened anew", async () => {
  const replay = await tests.load("at=");
  await shows(replay.stepCount, "Step 5 of 5");
  await replay.press("Home", "ArrowRight", "e");
  await shows(current(), "Brennau made it");
  await eventually(async () => (await tests.host.log()).kept.at(-1) !== undefined, true);
  expect((await tests.host.log()).kept.at(-1)).toMatchObject({ mode: "episode" });
  await tests.page.reload();
  await shows(current(), "Brennau made it");
  await tests.page.evaluate("sessionStorage.clear()");
  await tests.page.reload();
  await shows(replay.stepCount, "Step 5 of 5");
  await tests.host.send("kept", { state: { filter: {}, mode: "episode" } });
  await shows(current(), "5");
});

test("scrolling chooses the step under the eye, asks for nothing, and reports where it rests", async () => {
  const replay = await openLong();
  const asked = async (): Promise<number> =>
    (await tests.host.log()).requests.filter(({ method }) => /stepContext|judgeStep/.test(method)).length;
  const positions = async (): Promise<number[]> => (await tests.host.log()).positions.map(({ t }) => t);
  const before = { asked: await asked(), positions: await positions() };
  const clock = await stoppedClock(tests.page);
  for (let i = 0; i < 20; i++) {
    const from = await scrollTop();
    await wheel(150);
    await eventually(async () => (await scrollTop()) !== from, true);
    await clock.runFor(FRAME_MS);
  }
  const t = Number(await current().getAttribute("data-t"));
  expect(t).toBeGreaterThan(5);
  expect(await positions()).toEqual(before.positions);
  await clock.runFor(1_000);
  expect(await positions()).toEqual([...before.positions, t]);
  await clock.resume();
  expect(await topOf(t + 1)).toBeLessThanOrEqual(40);
  expect(await asked()).toBe(before.asked);
  await eventually(() => replay.selectedTab.getAttribute("data-t"), String(t));
  await replay.press("e");
  await shows(replay.stepCount, `Step ${t + 1} of 60`);
  await eventually(async () => (await asked()) > before.asked, true);
});

test("a step that is chosen in the strip or by a key comes to the top, and stays there", async () => {
  const replay = await openLong();
  await replay.press("ArrowRight");
  await eventually(() => topOf(2), 8);
  await replay.tabs.nth(29).click();
  await eventually(() => topOf(30), 8);
  await eventually(() => current().getAttribute("data-t"), "29");
  await replay.press("ArrowLeft");
  await eventually(() => topOf(29), 8);
  await replay.press("Home");
  await eventually(() => topOf(1), 0);
  await replay.press("End");
  await eventually(() => entry(60).isVisible(), true);
  await shows(replay.stepCount, "Step 60 of 60");
  expect(await tests.page.locator(".entry").count()).toBeLessThan(60);
});

test("every step comes under the eye by scrolling alone, the last ones, too", async () => {
  const replay = await openLong();
  await replay.press("End", "PageUp", "PageUp", "PageDown", "PageDown");
  await shows(replay.stepCount, "Step 60 of 60");
});

test("a click on a step chooses it where it is; its label is shown", async () => {
  const replay = await tests.open();
  await replay.press("e");
  const before = await topOf(3);
  await entry(3).locator(".observation-line").click();
  await eventually(() => current().getAttribute("data-t"), "2");
  expect(await topOf(3)).toBe(before);
  await replay.press("Shift+W");
  await shows(entry(3), "went wrong here");
  await eventually(() => tests.asked("addNote"), [{ index: 0, t: 2, kind: "went_wrong_here" }]);
});

test("a long text says how many lines it has, opens, and is open when one comes back to it", async () => {
  const replay = await openLong();
  const folded = entry(2).getByRole("button", { name: /^Show all .* of the observation$/ });
  await folded.click();
  await eventually(() => entry(2).getByRole("button", { name: "Show less of the observation" }).count(), 1);
  await replay.press("End");
  await eventually(() => entry(2).count(), 0);
  await replay.press("Home");
  await eventually(() => entry(2).getByRole("button", { name: "Show less of the observation" }).count(), 1);
});

test("j and k show the next episode from its first step, and an empty one says that it has no steps", async () => {
  const replay = await tests.open();
  await replay.press("e", "End", "j");
  await shows(replay.question, "last passenger");
  await eventually(() => current().getAttribute("data-t"), "0");
  await eventually(() => topOf(1), 0);
});

test("an episode that runs grows, and the newest step stays in sight while it is followed", async () => {
  const replay = await tests.load("count=2&live=1");
  await tests.page.evaluate("for (let n = 0; n < 5; n++) haspFixture.live.advance()");
  await tests.page.locator("hasp-live-list").getByRole("option").first().click();
  await shows(replay.stepCount, "Step 2 of 2");
  await replay.press("e", "Shift+F");
  await shows(entry(2), "the Program Functions are being asked");
  await tests.page.evaluate("for (let n = 0; n < 4; n++) haspFixture.live.advance()");
  await shows(replay.stepCount, "Step 3 of 3");
  await eventually(() => current().getAttribute("data-t"), "2");
  await eventually(() => entry(3).isVisible(), true);
});

test("a screen reader is given a feed of articles, each with its place and its action", async () => {
  const replay = await tests.open();
  await replay.press("e");
  const article = transcript().getByRole("article", { name: "Step 3: FINAL Konrad Brenn" });
  await eventually(() => article.getAttribute("aria-posinset"), "3");
  await eventually(() => article.getAttribute("aria-setsize"), "5");
});
