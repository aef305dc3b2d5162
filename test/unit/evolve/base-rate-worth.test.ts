import { describe, expect, it } from "vitest";
import {
  baseRateWorths,
  mostTests,
  type EarlierWorth,
  type TestedCandidate,
} from "../../../src/evolve/base-rate-worth.ts";
import { programHash } from "../../../src/evolve/candidate-hash.ts";
import type { PlacedWorth } from "../../../src/evolve/worth-episodes.ts";
import type { HeldOutWorth } from "../../../src/model/evolution.ts";

interface Effects {
  /** Held-out questions of one episode each: two of three wrong. */
  readonly questions?: number;
  /** Helped, of the wrong ones; harmed, of the right ones. */
  readonly better?: number;
  readonly worse?: number;
  /** The first wrong and the first right ones from here on. */
  readonly from?: number;
}

function effects({ questions = 90, better = 0, worse = 0, from = 0 }: Effects): PlacedWorth[] {
  const seen = { wrong: 0, correct: 0 };
  return Array.from({ length: questions }, (_, i) => {
    const outcome = i % 3 === 0 ? ("correct" as const) : ("wrong" as const);
    const rank = seen[outcome]++ - from;
    const isHit = rank >= 0 && rank < (outcome === "wrong" ? better : worse);
    // All as long, so that they are of one stratum.
    const question = `question ${String(i).padStart(4, "0")}`;
    const helped = isHit && outcome === "wrong";
    return { run: "run", index: i, steps: 3, question, outcome, helped, harmed: isHit && !helped };
  });
}

const candidateOf = (id: string, over: Effects | PlacedWorth[], program = id): TestedCandidate => ({
  id,
  program,
  episodes: Array.isArray(over) ? over : effects(over),
});

const worthsOf = (
  candidates: readonly TestedCandidate[],
  { alpha = 0.025, epoch = 1, earlier = [] as readonly EarlierWorth[] } = {},
): readonly HeldOutWorth[] => baseRateWorths(candidates, { alpha, epoch, earlier });
function worthOf(over: Effects | PlacedWorth[], alpha?: number): HeldOutWorth {
  const [worth] = worthsOf([candidateOf("e1-c1", over)], { ...(alpha !== undefined && { alpha }) });
  if (worth === undefined) throw new Error("No worth");
  return worth;
}
const verdicts = (worths: readonly HeldOutWorth[]): unknown[] =>
  worths.map(({ baseRate }) => baseRate?.verdict);

describe("worth against a trigger that knows nothing", () => {
  it("passes a candidate that is better more often than wrong episodes are met", () => {
    const worth = worthOf({ better: 20 });
    expect(worth).toMatchObject({ better: 20, worse: 0, passed: true, level: 0.025 });
    expect(worth.baseRate).toMatchObject({ verdict: "passed", tested: true });
    expect(worth.baseRate?.expected).toBeCloseTo((20 * 2) / 3, 10);
    expect(worth.p).toBeCloseTo((2 / 3) ** 20, 10);
    expect(worth.why).toMatch(
      /^Better on 20, worse on 0 and equal on 70 held-out questions; a trigger that knows nothing would be better on 13\.3 of 20: p = 0\.000\d+ is below 0\.025; harm in 0 of 30 right episodes \(0%\)\.$/,
    );
  });

  it("refuses one that meets wrong episodes as they come, which a fair coin would pass", () => {
    // 20 : 10 is 2 : 1 (sign test: p = 0.049).
    const worth = worthOf({ questions: 900, better: 20, worse: 10 });
    expect(worth.baseRate?.verdict).not.toBe("passed");
    expect(worth.p).toBeGreaterThan(0.4);
  });

  it("leaves a candidate undecided that could not pass with so few changes, and says how many questions would do", () => {
    const worth = worthOf({ better: 5 });
    expect(worth.baseRate).toMatchObject({ verdict: "undecided", tested: false });
    // (2/3)^10 = 0.017: ten changed questions, each of 90 / 5.
    expect(worth.baseRate?.enough).toBe(180);
    expect(worth.passed).toBe(false);
    expect(worth.why).toMatch(
      /even if all were better, p = 0\.1\d+ would not be below 0\.025: undecided; about 180 held-out questions would do\.$/,
    );
  });

  it("leaves one undecided that was tested, is above the base rate, and needs more questions", () => {
    const worth = worthOf({ questions: 300, better: 18, worse: 3 });
    expect(worth.baseRate).toMatchObject({ verdict: "undecided", tested: true });
    expect(worth.baseRate?.enough).toBeGreaterThan(300);
    expect(worth.why).toMatch(/is not below 0\.025: undecided; about \d+ held-out questions would do\.$/);
  });

  it("refuses harm that chance does not explain, and leaves harm undecided that it does", () => {
    expect(worthOf({ questions: 300, better: 100, worse: 9 }).baseRate?.verdict).toBe("refused");
    const some = worthOf({ questions: 300, better: 100, worse: 3 });
    expect(some.baseRate).toMatchObject({ verdict: "undecided", tested: true });
    expect(some.why).toMatch(
      /but harm in 3 of 100 right episodes \(3%\) is more than 2%, if by chance: undecided\.$/,
    );
  });

  it("takes p below the level alone, and every level strictly", () => {
    const { p } = worthOf({ better: 20 });
    expect(worthOf({ better: 20 }, p).passed).toBe(false);
    expect(worthOf({ better: 20 }, p * 1.0001).passed).toBe(true);
  });
});

describe("held-out episodes that can show nothing", () => {
  const all = effects({ better: 20, worse: 1 });
  it.each([
    ["no judged one", [], "There is no held-out episode with a verdict: undecided."],
    [
      "no wrong one",
      all.filter(({ outcome }) => outcome === "correct"),
      "No held-out episode is wrong, so nothing could be helped: undecided.",
    ],
    [
      "no right one",
      all.filter(({ outcome }) => outcome === "wrong"),
      "No held-out episode is right, so a trigger that knows nothing would do as well: undecided.",
    ],
    ["one episode", all.slice(1, 2), "All held-out episodes are of one question: undecided."],
    [
      "all of one question",
      all.map((one) => ({ ...one, question: "the only one" })),
      "All held-out episodes are of one question: undecided.",
    ],
    [
      "no effect in any",
      effects({}),
      "Better on 0, worse on 0 and equal on 90 held-out questions: with no change that matters nothing is known: undecided.",
    ],
  ])("leave the candidate undecided: %s", (_, episodes, why) => {
    const worth = worthOf(episodes);
    expect(worth).toMatchObject({ passed: false, why, baseRate: { verdict: "undecided", tested: false } });
    expect(JSON.stringify(worth)).not.toMatch(/null/);
  });

  it("hold for effects in every episode", () => {
    const worth = worthOf(effects({ better: 60, worse: 30 }));
    expect(worth).toMatchObject({ better: 60, worse: 30, baseRate: { verdict: "refused" } });
    expect(Number.isFinite(worth.p)).toBe(true);
  });
});

describe("the candidates of an epoch", () => {
  it("are tested together: one more tested candidate asks more of the others", () => {
    const [alone] = worthsOf([candidateOf("a", { better: 12 })], { alpha: 0.02 });
    expect(alone?.passed).toBe(true);
    const two = worthsOf([candidateOf("a", { better: 12 }), candidateOf("b", { better: 8, worse: 8 })], {
      alpha: 0.02,
    });
    expect(two.map(({ level }) => level)).toEqual([0.01, 0.02]);
    expect(two[0]?.passed).toBe(true);
  });

  it("that could not pass cost the others nothing", () => {
    const rare = [1, 2, 3].map((n) => candidateOf(`rare ${n}`, { better: n, from: n }));
    const worths = worthsOf([candidateOf("a", { better: 12 }), ...rare], { alpha: 0.02 });
    expect(worths.map(({ baseRate }) => baseRate?.tested)).toEqual([true, false, false, false]);
    expect(worths[0]).toMatchObject({ passed: true, level: 0.02 });
  });

  it("that are barred are measured, not tested", () => {
    const barred = { verdict: "refused", why: "Because." } as const;
    const [first, second] = worthsOf(
      [{ ...candidateOf("a", { better: 30 }), barred }, candidateOf("b", { better: 12 })],
      { alpha: 0.02 },
    );
    expect(first).toMatchObject({
      better: 30,
      passed: false,
      why: "Because.",
      baseRate: { verdict: "refused", tested: false },
    });
    expect(second).toMatchObject({ passed: true, level: 0.02 });
  });

  it("count once where they have the same program or the same effects", () => {
    const worths = worthsOf(
      [
        candidateOf("e1-c1", { better: 12 }, "one"),
        candidateOf("e1-c2", { better: 12 }, "another"),
        candidateOf("e1-c3", { better: 13 }, "one"),
      ],
      { alpha: 0.02 },
    );
    expect(worths.map(({ level }) => level)).toEqual([0.02, 0.02, 0.02]);
    expect(verdicts(worths)).toEqual(["passed", "passed", "passed"]);
    expect(worths.map(({ baseRate }) => [baseRate?.tested, baseRate?.testedAs])).toEqual([
      [true, undefined],
      [false, "e1-c1"],
      [false, "e1-c1"],
    ]);
  });

  it("never are more than K at alpha / K", () => {
    expect(mostTests([], 0.02)).toBe(1);
    expect(mostTests([0.001, 0.001, 0.001], 0.02)).toBe(3);
    // At alpha / 1 two could pass, at alpha / 2 one.
    expect(mostTests([0.001, 0.015], 0.02)).toBe(2);
    expect(mostTests([0.001, 0.015, 0.015, 0.015], 0.02)).toBe(2);
  });
});

describe("a candidate that comes again in a later epoch", () => {
  const first = (over: Effects): EarlierWorth => {
    const [worth] = worthsOf([candidateOf("e1-c2", over, "program")], { alpha: 0.005 });
    if (worth === undefined) throw new Error("No worth");
    return { id: "e1-c2", epoch: 1, worth };
  };

  it("has the verdict and the level of its first test, and spends nothing", () => {
    const refused = first({ questions: 900, better: 30, worse: 30 });
    expect(refused.worth.baseRate).toMatchObject({ tested: true, verdict: "refused" });
    const [again, same, other] = worthsOf(
      [
        candidateOf("e2-c1", { questions: 900, better: 60 }, "program"),
        candidateOf("e2-c2", { questions: 900, better: 30, worse: 30 }, "other code"),
        candidateOf("e2-c3", { questions: 900, better: 25 }),
      ],
      { alpha: 0.02, epoch: 2, earlier: [refused] },
    );
    for (const one of [again, same])
      expect(one).toMatchObject({
        passed: false,
        level: 0.005,
        baseRate: { verdict: "refused", tested: false, testedAs: "e1-c2" },
      });
    expect(again?.why).toMatch(
      /^The same candidate was tested in epoch 1 as e1-c2 and is not tested again\. Better on 30,/,
    );
    expect(other).toMatchObject({ passed: true, level: 0.02 });
  });

  it("is tested anew where it was undecided and there are more questions now", () => {
    const open = first({ questions: 300, better: 20, worse: 2 });
    expect(open.worth.baseRate).toMatchObject({ tested: true, verdict: "undecided" });
    const about = { alpha: 0.02, epoch: 2, earlier: [open] };
    const [same] = worthsOf([candidateOf("e2-c1", { questions: 300, better: 20, worse: 2 })], about);
    expect(same?.baseRate?.testedAs).toBe("e1-c2");
    const [more] = worthsOf(
      [candidateOf("e2-c1", { questions: 900, better: 60, worse: 6 }, "program")],
      about,
    );
    expect(more).toMatchObject({ passed: true, baseRate: { tested: true } });
  });

  it("is another one for a literal, and the same for a comment or an indentation", () => {
    const pf = `export default class A { shouldActivate(t, arg) {\n  return arg.length > 5; // short\n} }`;
    const same = `export  default class A {\n\n  /* why */ shouldActivate( t , arg ) { return arg.length>5; } }`;
    expect(programHash(same)).toBe(programHash(pf));
    expect(programHash(pf.replace("5", "6"))).not.toBe(programHash(pf));
    expect(programHash(`x = "a b"`)).not.toBe(programHash(`x = "ab"`));
  });
});
