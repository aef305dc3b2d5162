import { describe, expect, it } from "vitest";
import { failedLines } from "../../../src/model/evidence.ts";
import type { GroupWorth, WorthCounts } from "../../../src/model/worth.ts";
import type { BacktestEvidence, ReviewEvidence } from "../../../src/review/evidence.ts";
import { evidenceSections } from "../../../src/review/evidence-text.ts";

const NONE: ReviewEvidence = { findings: [], executable: undefined, cases: [] };
const at = { start: { line: 2, character: 0 }, end: { line: 2, character: 0 } };

const counts = (fired: number) => ({ retrieved: 9, fired, applied: fired, steps: fired });
const backtest = (more: Partial<BacktestEvidence> = {}, worth?: GroupWorth): BacktestEvidence => ({
  skill: {
    skillId: "s",
    counts: { wrong: counts(3), correct: counts(1), halted: counts(0), unjudged: counts(0) },
    stepsAsked: 60,
    divergedSteps: 0,
    errors: 0,
    hits: [],
    ...(worth && { worth }),
  },
  episodes: { wrong: 5, correct: 2, halted: 1, unjudged: 0 },
  ...more,
});

const lines = (evidence: Partial<ReviewEvidence>, title: string): string[] =>
  (evidenceSections({ ...NONE, ...evidence }).find((section) => section.title === title)?.lines ?? []).map(
    ({ text, outcome }) => (outcome === undefined ? text : `[${outcome}] ${text}`),
  );

const ZERO: WorthCounts = { helped: 0, could_help: 0, same: 0, harmed: 0, not_measured: 0 };
const EMPTY = { answer: ZERO, search: ZERO, other: ZERO };
function worthOf(low: number): GroupWorth {
  const separation = {
    value: 0.3,
    wrong: { episodes: 20, helped: 8 },
    right: { episodes: 10, harmed: 1 },
    random: 0.05,
    aboveRandom: 0.25,
    changes: 13,
    intervals: {
      value: { low: 0.1, high: 0.5 },
      aboveRandom: { low, high: 0.4 },
      helped: { low: 0.2, high: 0.6 },
      harmed: { low: 0, high: 0.4 },
    },
  };
  return {
    counts: {
      wrong: { ...EMPTY, answer: { ...ZERO, helped: 3, could_help: 5, same: 4 } },
      correct: { ...EMPTY, search: { ...ZERO, harmed: 1 } },
      halted: EMPTY,
      unjudged: EMPTY,
    },
    contexts: 0,
    separation: { all: separation, answer: undefined, search: undefined },
  };
}

describe("Evidence in words", () => {
  it("always says of checks and cases, also that there are none", () => {
    expect(evidenceSections(NONE)).toEqual([
      { title: "Executable checks", lines: [{ text: "none: there is no code" }] },
      { title: "Cases", lines: [{ text: "none were run" }] },
    ]);
  });

  it("says which checks passed, and each finding once", () => {
    const finding = { code: "HASP252", severity: "error", message: "It throws.", range: at } as const;
    const hint = { code: "HASP299", severity: "hint", message: "Long.", range: at } as const;
    const executable = {
      score: 0.5,
      checks: [
        { name: "syntax", outcome: "passed", diagnostics: [] },
        { name: "interface", outcome: "passed", diagnostics: [] },
        { name: "mock execution", outcome: "failed", diagnostics: [finding] },
        { name: "return type", outcome: "not run", diagnostics: [] },
      ],
    } as const;
    expect(lines({ executable, findings: [finding, hint] }, "Executable checks")).toEqual([
      "2 of 4 passed",
      "[passed] syntax: passed",
      "[passed] interface: passed",
      "[failed] mock execution: failed",
      "[not run] return type: not run",
      "[failed] error HASP252, line 3: It throws.",
      "hint HASP299, line 3: Long.",
    ]);
  });

  it("says in how many episodes of each outcome the skill fires, and of its errors", () => {
    expect(lines({ backtest: backtest() }, "Recorded episodes")).toEqual([
      "wrong: 5 episodes; fired in 3 of them, on 3 steps; changed something in 3",
      "halted: 1 episode; fired in 0 of them, on 0 steps; changed something in 0",
      "correct: 2 episodes; fired in 1 of them, on 1 step; changed something in 1",
    ]);
    const failing = backtest();
    const skill = { ...failing.skill, errors: 2, divergedSteps: 4 };
    expect(lines({ backtest: { ...failing, skill } }, "Recorded episodes").slice(3)).toEqual([
      "[failed] errors: 2",
      "fires after an episode had left its recorded path, counted nowhere above: 4",
    ]);
  });

  it("says what its changes are worth, and whether they separate", () => {
    const told = lines({ backtest: backtest({}, worthOf(0.1)) }, "Worth of its changes");
    expect(told.slice(0, 2)).toEqual([
      "first changes in wrong episodes: helped 3, could help 5, same 4",
      "first changes in correct episodes: harmed 1",
    ]);
    expect(told[2]).toContain(
      "help in 8 of 20 (95%: 20% to 60%) wrong, harm in 1 of 10 (95%: 0% to 40%) right: separation +30.0%",
    );
    expect(told[3]).toBe("[passed] its changes are worth more than those of a random trigger");
    const weak = lines({ backtest: backtest({}, worthOf(-0.1)) }, "Worth of its changes");
    expect(weak[3]).toBe(
      "[failed] its changes are not shown to be worth more than those of a random trigger",
    );
    expect(lines({ backtest: backtest() }, "Worth of its changes")).toEqual([]);
  });

  it("says with which skills it collides, and that it never gets its way", () => {
    const title = "Collisions with other skills";
    expect(lines({ backtest: backtest() }, title)).toEqual([]);
    expect(lines({ backtest: backtest({ shared: [] }) }, title)).toEqual([
      "[passed] no other skill of its library wants to modify the steps that it modifies",
    ]);
    const never = { code: "HASP409", severity: "information", message: "Never.", range: at } as const;
    const shared = [
      { skillId: "first", steps: 4, wanted: 4, isFirst: true },
      { skillId: "later", steps: 1, wanted: 4, isFirst: false },
    ];
    expect(lines({ backtest: backtest({ shared, findings: [never] }) }, title)).toEqual([
      "[failed] Never.",
      "4 of its 4 changed steps also by first, which is asked first and gets its way",
      "1 of its 4 changed steps also by later, which is asked later",
    ]);
  });

  it("has the failures for which a skill was written, and its worth on other questions", () => {
    const cluster = { category: "late_read", abstraction: "A", trigger: "T", hint: "H", size: 4 };
    expect(lines({ cluster }, "Failures for which it was written")).toEqual([
      "category: late_read, 4 episodes",
      "failure: A",
      "when: T",
      "hint: H",
    ]);
    const worth = {
      better: 3,
      worse: 1,
      ties: 6,
      wrong: { episodes: 7, helped: 3 },
      right: { episodes: 1, harmed: 1 },
    };
    const title = "Worth on questions that its author never saw";
    expect(lines({ worth }, title)).toEqual([
      "questions that it helps: 3, harms: 1, neither: 6",
      "helped in 3 of 7 wrong episodes",
      "harmed in 1 of 1 right episode",
    ]);
    expect(lines({ worth: { ...worth, p: 0.3125, level: 0.05, passed: false } }, title)[0]).toBe(
      "[failed] questions that it helps: 3, harms: 1, neither: 6; sign test p 0.313 (level 0.05)",
    );
  });

  it("cuts long texts and long lists, and counts what speaks against the skill", () => {
    const note = {
      id: "n",
      when: "2026-01-01T00:00:00Z",
      episodeId: "e",
      kind: "good",
      text: "x".repeat(900),
    };
    const hit = {
      run: "r",
      index: 0,
      episodeId: "e",
      outcome: "wrong",
      t: 1,
      status: "applied",
      reason: "",
      diverged: false,
    } as const;
    const noted = Array.from({ length: 23 }, () => ({ note, hit }));
    const told = lines({ backtest: backtest({ noted }) }, "Labels of people where it would have acted");
    expect(told).toHaveLength(21);
    expect(told[0]?.length).toBeLessThan(700);
    expect(told.at(-1)).toBe("and 3 more notes");
    expect(failedLines(evidenceSections({ ...NONE, backtest: backtest({}, worthOf(-0.1)) }))).toHaveLength(1);
  });
});
