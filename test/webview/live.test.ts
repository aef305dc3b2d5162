import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { eventually, shows } from "./support/eventually.ts";
import type { ReplayPage } from "./support/replay-page.ts";
import { replayTests } from "./support/replay-tests.ts";

const tests = replayTests();

interface LivePage extends ReplayPage {
  readonly running: Locator;
  readonly follow: Locator;
  readonly outcome: Locator;
  /** Lets the `i`th episode that runs come so many events further. */
  advance(times: number, i?: number): Promise<void>;
}

/** An event is `proposed`, `judged`, `executed` or `observed`: four make a step. */
const STEP = 4;

async function open(query: string): Promise<LivePage> {
  const replay = await tests.load(query);
  const { page } = tests;
  const live = page.locator("hasp-live-list");
  return {
    ...replay,
    running: live.getByRole("option"),
    follow: page.locator(".step-bar .follow"),
    outcome: page.locator(".episode-header .outcome"),
    advance: async (times, i) => {
      for (let n = 0; n < times; n++) await page.evaluate(`haspFixture.live.advance(${i ?? ""})`);
    },
  };
}

test("an episode that runs stands above the others, grows, and its step shows what is known so far", async () => {
  const replay = await open("count=2&live=2");
  await shows(replay.question, "Halden lighthouse");
  await eventually(() => replay.running.count(), 2);
  await replay.advance(STEP + 1);
  await shows(replay.running.first(), /running 2 steps/);
  await replay.running.first().click();
  await shows(replay.stepCount, "Step 2 of 2");
  await shows(replay.outcome, "running");
  await shows(replay.row("executed"), "the Program Functions are being asked");
  await replay.advance(1);
  await shows(replay.row("executed"), "about to be executed");
  await replay.advance(1);
  await shows(replay.row("observation"), "waiting for the environment");
  await replay.advance(1);
  await eventually(() => tests.page.locator(".awaited").count(), 0);
  await eventually(() => tests.page.locator(".cell[aria-label*='halted here']").count(), 0);
});

test("who does not follow stays where they read; Jump to newest follows; going back ends it", async () => {
  const replay = await open("count=2&live=1");
  await replay.advance(STEP);
  await replay.running.first().click();
  await shows(replay.stepCount, "Step 1 of 1");
  await replay.advance(STEP);
  await shows(replay.stepCount, "Step 1 of 2");
  await replay.button("Jump to newest").click();
  await shows(replay.stepCount, "Step 2 of 2");
  await eventually(() => replay.follow.getAttribute("aria-pressed"), "true");
  await replay.advance(STEP);
  await shows(replay.stepCount, "Step 3 of 3");
  await replay.press("ArrowLeft");
  await eventually(() => replay.follow.getAttribute("aria-pressed"), "false");
  await replay.advance(1);
  await shows(replay.stepCount, "Step 2 of 4");
  await replay.press("Shift+F");
  await shows(replay.stepCount, "Step 4 of 4");
});

test("an episode that ends becomes the one in the file, at the same step and place in it", async () => {
  const replay = await open("count=2&live=1");
  const step = tests.page.locator(".step");
  await tests.page.setViewportSize({ width: 1200, height: 420 });
  await replay.advance(2 * STEP);
  await replay.running.first().click();
  await replay.press("ArrowLeft");
  await replay.advance(8 * STEP);
  await step.evaluate((element: { scrollTop: number }) => (element.scrollTop = 40));
  await eventually(() => replay.running.count(), 0);
  await shows(replay.total, "3");
  await shows(replay.selectedRow, "wrong");
  await shows(replay.stepCount, "Step 1 of");
  await shows(replay.today().first(), /./);
  expect(await step.evaluate((element: { scrollTop: number }) => element.scrollTop)).toBe(40);
  const { positions } = await tests.host.log();
  expect(positions.at(-1)).toEqual({ index: 2, t: 0 });
});

test("following goes from one episode to the next, and waits where none runs", async () => {
  const replay = await open("count=2&live=2");
  await replay.press("Shift+F");
  await eventually(() => tests.page.locator(".row.selected[data-id]").count(), 1);
  const followed = tests.page.locator("hasp-live-list .row.selected");
  const first = await followed.getAttribute("data-id");
  await replay.advance(STEP, 1);
  await replay.advance(8 * STEP, 0);
  await eventually(() => replay.running.count(), 1);
  await eventually(async () => (await followed.getAttribute("data-id")) !== first, true);
  await replay.advance(8 * STEP);
  await shows(tests.page.locator("hasp-live-list"), "Waiting for the next episode.");
  await shows(replay.total, "4");
  await shows(replay.stepCount, /Step (\d+) of \1/);
});

test("who follows is shown the last step of what ended at once, before it was told", async () => {
  const replay = await open("count=2&live=1");
  await replay.press("Shift+F");
  await replay.advance(STEP);
  await shows(replay.stepCount, "Step 1 of 1");
  await tests.page.evaluate("haspFixture.live.end()");
  await shows(replay.stepCount, "Step 4 of 4");
});

test("what a killed run left is not said to run; what was taken away says so", async () => {
  const replay = await open("count=2&live=2");
  await replay.advance(2);
  await tests.page.evaluate("haspFixture.live.stop(0)");
  await shows(replay.running.first(), "stopped, not finished");
  await replay.running.first().click();
  await shows(replay.outcome, "stopped, not finished");
  await shows(replay.row("executed"), "not known");
  await tests.page.evaluate("haspFixture.live.discard(0)");
  await shows(replay.outcome, "no longer in the run");
  await replay.press("j");
  await shows(replay.outcome, "running");
});

test("j and k walk over what runs and what has ended, and a run of running episodes alone is shown", async () => {
  const replay = await open("count=0&live=2");
  await eventually(() => replay.running.count(), 2);
  await shows(replay.outcome, "running");
  await shows(tests.page.locator("hasp-episode-list .none"), "None has ended yet");
  await replay.press("j");
  await eventually(() => replay.running.nth(1).getAttribute("aria-selected"), "true");
  const other = await open("count=2&live=2");
  await shows(other.question, "Halden lighthouse");
  await eventually(() => other.running.count(), 2);
  await other.press("k");
  await eventually(() => other.running.nth(1).getAttribute("aria-selected"), "true");
  await other.press("k");
  await eventually(() => other.running.first().getAttribute("aria-selected"), "true");
  await other.press("j", "j");
  await shows(other.question, "Halden lighthouse");
  await eventually(() => other.running.and(tests.page.locator("[aria-selected=true]")).count(), 0);
});

test("the keys overlay names the key, and what is not in the file can be no case and take no note", async () => {
  const replay = await open("count=2&live=1");
  await replay.advance(STEP);
  await replay.running.first().click();
  await shows(replay.stepCount, "Step 1 of 1");
  await replay.press("Shift+S", "Shift+L", "Shift+W", "c");
  await eventually(() => tests.page.locator(".note-form, .compare").count(), 0);
  const { requests } = await tests.host.log();
  expect(requests.filter(({ method }) => /stepCommand|addNote|comparable/.test(method))).toEqual([]);
  await replay.press("?");
  await shows(replay.keys, "Shift F Follow the newest step of what runs");
});

test("64 episodes that all grow are listed, and the one that is shown keeps up", async () => {
  const replay = await open("count=200&live=64");
  await eventually(() => replay.running.count(), 64);
  await replay.running.first().click();
  await replay.press("Shift+F");
  await tests.page.evaluate(`(async () => {
    for (let n = 0; n < 12; n++) {
      haspFixture.live.advanceAll();
      await new Promise(requestAnimationFrame);
    }
  })()`);
  await shows(replay.running.last(), "3 steps");
  await shows(replay.stepCount, "Step 3 of 3");
});
