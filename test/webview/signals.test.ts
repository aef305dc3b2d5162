import { expect, test } from "vitest";
import { eventually, shows } from "./support/eventually.ts";
import { replayTests } from "./support/replay-tests.ts";

const tests = replayTests();

/** The episodes of the fixture: `glassworks` and `archive`. */
const GLASSWORKS = 0;
const ARCHIVE = 3;

const at = (index: number, t: number): string => `at=${index}.${t}`;

test("the signals of an episode are asked for when their section opens, and once", async () => {
  const replay = await tests.load(at(ARCHIVE, 0));
  const signals = replay.section("signals");
  await shows(signals, /^Signals$/);
  await shows(replay.today().first(), "words");
  expect(await tests.asked("signals")).toEqual([]);
  await signals.locator("> summary").focus();
  await replay.press("Enter");
  await shows(signals.locator("> summary"), "Signals 0.29");
  await replay.press("ArrowRight");
  await shows(replay.stepCount, "Step 2 of 3");
  await shows(signals.locator("[data-sum=step]"), "A_t 0.2875 · fine score 0.2143 · not corrected");
  await shows(signals.locator("[data-sum=episode]"), "A(τ) 0.2775 mean of 3 steps · episode reward 0.6388");
  await replay.press("ArrowRight");
  await shows(signals.locator("> summary"), "Signals 0.26");
  await shows(signals.locator("[data-sum=step]"), "A_t 0.2575");
  await shows(signals.locator('[data-slot="s1.fn"]'), "s1.fn");
  expect(await tests.asked("signals")).toEqual([{ index: ARCHIVE }]);
});

test("a repaired step shows value, weight and rule of each slot, penalties to the left of zero", async () => {
  const replay = await tests.load(at(GLASSWORKS, 2));
  const signals = replay.section("signals");
  await signals.locator("> summary").click();
  await shows(signals.locator("[data-family=outcome] > .family"), /^outcome .*0\.22 × 0\.50$/);
  await shows(signals.locator('[data-slot="s4.local"]'), /0\.80 × 0\.40 modified: FINAL → READ$/);
  await shows(
    signals.locator('[data-slot="s4.side_effect"]'),
    /1\.00 × −0\.10 modified, and no right answer$/,
  );
  await shows(signals.locator('[data-slot="s1.tp"]'), "FINAL with nothing read; activated: insufficient");
  await shows(signals.locator('[data-slot="s1.fn"]'), /0\.00 × −0\.10 as s1\.tp$/);
  await shows(signals.locator('[data-slot="s2.post_action"]'), /0\.00 × 0\.15 reserved$/);
  await shows(signals.locator("[data-sum=step]"), "A_t 0.3688 · fine score 0.4021 · modified");
  expect(await signals.locator(".slot").count()).toBe(15);
  const tree = await signals.ariaSnapshot();
  expect(tree).toContain('img "outcome 0.22 on a scale from −1 to 1"');
  expect(tree).toContain('img "s4.local adds 0.32 to outcome"');
  expect(tree).toContain('img "s4.side_effect takes 0.10 from outcome"');
  expect(tree).toContain('img "s4.cost adds nothing to outcome"');
  const [bar, fill] = await Promise.all([
    signals.getByRole("img", { name: "s4.side_effect" }).boundingBox(),
    signals.locator('[data-slot="s4.side_effect"] .penalty').boundingBox(),
  ]);
  const zero = (bar?.x ?? 0) + (bar?.width ?? 0) / 3;
  expect((fill?.x ?? 0) + (fill?.width ?? 0)).toBeCloseTo(zero, 0);
});

test("a slot explains itself, and leads to its family on the page of the signals", async () => {
  const replay = await tests.load(at(GLASSWORKS, 2));
  const signals = replay.section("signals");
  await signals.locator("> summary").click();
  const slot = signals.locator('[data-slot="s1.tp"]');
  await slot.getByRole("button", { name: "s1.tp" }).hover();
  await shows(slot.getByRole("tooltip"), "The step was risky, and a Program Function activated.");
  await slot.getByRole("button", { name: "s1.tp" }).click();
  await eventually(() => tests.asked("openHelp"), [{ page: "signals", anchor: "timing" }]);
});

test("the section stays open from episode to episode and from mode to mode", async () => {
  const replay = await tests.load(at(ARCHIVE, 0));
  const signals = replay.section("signals");
  await signals.locator("> summary").click();
  await shows(signals.locator("[data-sum=step]"), "A_t 0.2875");
  await replay.press("e", "e");
  await shows(signals.locator("[data-sum=step]"), "A_t 0.2875");
  expect(await tests.asked("signals")).toEqual([{ index: ARCHIVE }]);
  await replay.press("j");
  await shows(signals.locator("[data-sum=episode]"), "no episode reward: the outcome is unknown");
});

test("a step behind the divergence says so, and dropped parts are named", async () => {
  const replay = await tests.load(at(GLASSWORKS, 0));
  await tests.page.evaluate(`(() => {
    const { extension } = haspFixture;
    extension.handle("signals", async () => {
      const names = { s1: ["tp", "fp", "fn", "phase"], s2: ["pre_action", "post_obs", "pre_reasoning", "post_action"],
        s3: ["syntactic", "semantic", "domain"], s4: ["local", "downstream", "cost", "side_effect"] };
      const all = Object.entries(names).flatMap(([family, own]) => own.map((name) => family + "." + name));
      const each = (value) => Object.fromEntries(all.map((slot) => [slot, value(slot)]));
      const families = { timing: 0, modality: 0, correctness: 0.5, outcome: 0 };
      const action = { type: "SEARCH", arg: "" };
      const step = (t) => ({ t, values: each(() => ({ value: 0.5, reason: "a rule" })), families, reward: 0.125, fine: 0.1,
        correction: "revised", acted: [], executed: action, proposed: action });
      return { steps: [0, 1].map(step), weights: { timing: 0.3, modality: 0.2, correctness: 0.5, outcome: 0 },
        slotWeights: each((slot) => (slot.startsWith("s4") ? 0 : 0.1)), mean: 0.125, divergedAt: 0 };
    });
  })()`);
  const signals = replay.section("signals");
  await signals.locator("> summary").click();
  await shows(signals.locator("[data-sum=step]"), "revised");
  expect(await signals.getByText("Behind the divergence").count()).toBe(0);
  await shows(signals.locator("[data-sum=episode]"), "mean of 1 step up to the divergence");
  await shows(signals.locator("[data-family=outcome] > .family"), /× 0\.00 dropped$/);
  await shows(signals.locator('[data-slot="s4.local"]'), "a rule; dropped");
  await replay.press("ArrowRight");
  await shows(signals, "Behind the divergence at step 1: no outcome.");
  await replay.press("ArrowRight");
  await shows(signals, "This step has no signals: it records no proposal.");
});

test("signals that cannot be computed say so, and are asked for again", async () => {
  const replay = await tests.load(`${at(ARCHIVE, 1)}&fail=signals`);
  const signals = replay.section("signals");
  await signals.locator("> summary").click();
  await shows(signals, "The signals of this episode could not be computed.");
  await tests.host.repair();
  await signals.getByRole("button", { name: "Try again" }).click();
  await shows(signals.locator("> summary"), "Signals 0.29");
});

test("an episode under way has its signals when it has ended", async () => {
  const replay = await tests.open("live=1");
  await tests.page.locator("hasp-live-list").getByRole("option").first().click();
  await tests.page.evaluate("haspFixture.live.advance()");
  await shows(replay.stepCount, "Step 1 of 1");
  const signals = replay.section("signals");
  await signals.locator("> summary").click();
  await shows(signals, "The signals are computed when the episode has ended.");
  expect(await tests.asked("signals")).toEqual([]);
});
