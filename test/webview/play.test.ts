import { expect, onTestFinished, test } from "vitest";
import { remember, travel, NO_HISTORY } from "../../webview/replay/history.ts";
import { stepLink } from "../../webview/replay/step-link.ts";
import { renewPage } from "./support/browser.ts";
import { stoppedClock } from "./support/clock.ts";
import { eventually, shows } from "./support/eventually.ts";
import { replayTests } from "./support/replay-tests.ts";

const tests = replayTests();
/** A step at the highest speed. */
const STEP_MS = 500;

test("space plays to the last step and stops there; space again begins anew; a step by hand pauses", async () => {
  const replay = await tests.open();
  const clock = await stoppedClock(tests.page);
  await replay.press(">", ">", " ");
  for (const step of [2, 3, 4, 5]) {
    await clock.runFor(STEP_MS);
    await shows(replay.stepCount, `Step ${step} of 5`);
  }
  await eventually(() => replay.button("Play (Space)").count(), 1);
  await replay.press(" ");
  await shows(replay.stepCount, "Step 1 of 5");
  await clock.runFor(STEP_MS);
  await shows(replay.stepCount, "Step 2 of 5");
  await replay.press("ArrowRight");
  await eventually(() => replay.button("Play (Space)").count(), 1);
  await clock.runFor(4 * STEP_MS);
  await shows(replay.stepCount, "Step 3 of 5");
});

test("without motion it plays all the same, and nothing moves but the step", async () => {
  const replay = await tests.open();
  onTestFinished(renewPage);
  await tests.page.emulateMedia({ reducedMotion: "reduce" });
  await replay.press(">", ">", " ");
  await eventually(() => tests.page.locator(".play-bar").isVisible(), false);
  await shows(replay.stepCount, "Step 2 of 5");
});

test("Alt and the arrows lead back to where one jumped from, and forward again", async () => {
  const replay = await tests.open();
  await replay.press("ArrowRight", "j", "End");
  await shows(replay.stepCount, "Step 6 of 6");
  await replay.press("Alt+ArrowLeft", "Alt+ArrowLeft");
  await shows(replay.question, "Halden lighthouse");
  await shows(replay.stepCount, "Step 2 of 5");
  await replay.press("Alt+ArrowRight");
  await shows(replay.question, "last passenger");
  await replay.button("Forward (Alt+→)").click();
  await shows(replay.stepCount, "Step 6 of 6");
});

test("walking leaves no places behind, and a new jump forgets what was ahead", () => {
  const walked = remember(NO_HISTORY, { index: 0, t: 0 }, { index: 0, t: 1 });
  expect(walked).toEqual(NO_HISTORY);
  const jumped = remember(walked, { index: 0, t: 1 }, { index: 4, t: 0 });
  const back = travel(jumped, { index: 4, t: 0 }, "back");
  expect(back?.to).toEqual({ index: 0, t: 1 });
  expect(travel(NO_HISTORY, { index: 0, t: 0 }, "forward")).toBeUndefined();
  const anew = remember(back?.history ?? NO_HISTORY, { index: 0, t: 1 }, { index: 2, t: 0 });
  expect(anew.forward).toEqual([]);
});

test("y copies a link that names the run, the episode and the step as people count", async () => {
  const replay = await tests.open();
  onTestFinished(renewPage);
  await tests.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await replay.press("ArrowRight", "y");
  await shows(tests.page.locator(".bar"), "The link to step 2 is on the clipboard.");
  expect(await tests.page.evaluate("navigator.clipboard.readText()")).toBe(
    stepLink({ run: "fixture", episode: "glassworks", t: 1 }),
  );
  expect(stepLink({ run: "a b", episode: "x&y", t: 0 })).toMatch(/\?run=a\+b&episode=x%26y&step=1$/);
});

const EVENT = { skillId: "retrieval_failure", proposal: 0, reason: "too long" } as const;
const CHANGE = {
  t: 3,
  pfs: [
    {
      skillId: "retrieval_failure",
      before: { ...EVENT, status: "skipped" },
      after: { ...EVENT, status: "applied" },
    },
  ],
  executedBefore: { type: "SEARCH", arg: "a long one" },
  executedAfter: { type: "SEARCH", arg: "short" },
} as const;

test("an edit says what it changes here, links to the first step, and marks it in the strip", async () => {
  const replay = await tests.open();
  const whatIf = { index: 0, saved: false, changes: [CHANGE], divergedBefore: [], divergedAfter: [4] };
  await tests.host.send("whatIf", whatIf);
  const banner = tests.page.locator(".what-if");
  await shows(banner, "Your edit, not saved yet, changes the decisions of 1 step: step 4");
  await banner.getByRole("button", { name: "step 4" }).click();
  await shows(replay.stepCount, "Step 4 of 5");
  await shows(tests.page.locator(".your-change"), "would run SEARCH short instead of SEARCH a long one");
  await shows(tests.page.locator(".your-change"), "retrieval_failure skipped → applied");
  await eventually(
    async () => (await replay.selectedTab.getAttribute("aria-label"))?.endsWith("changed by your edit"),
    true,
  );
  await tests.host.send("whatIf", { ...whatIf, saved: true, changes: [] });
  await shows(banner, "Your saved edit changes no decision on this episode.");
  await replay.button("Dismiss what the edit changes").click();
  await eventually(() => banner.count(), 0);
});
