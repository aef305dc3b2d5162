import { describe, expect, it } from "vitest";
import { decideBy, type GatedCandidate } from "../../../src/evolve/gate.ts";
import { replayGate } from "../../../src/evolve/replay-gate.ts";
import { fairCoinWorths } from "../../../src/evolve/fair-coin-worth.ts";
import { GATES, type EvolvedCandidate } from "../../../src/model/evolution.ts";
import { candidateOf, reviewOf } from "./candidates.ts";

const [useless] = fairCoinWorths([[]]);
if (useless === undefined) throw new Error("No worth");
const useful = { ...useless, better: 5, p: 0.03125, passed: true, why: "Better on 5." };

const broken = {
  score: 0.25,
  compiles: false,
  checks: [
    {
      name: "syntax",
      outcome: "failed" as const,
      finding: { code: "HASP200", message: "Unexpected token." },
    },
  ],
  refusals: [],
};
const half = { ...candidateOf().checks, score: 0.75 };
const leaking = {
  ...candidateOf().checks,
  refusals: [{ code: "HASP650", message: "Its text holds the answer of a seed question." }],
};
const admittedBy = (candidate: GatedCandidate, worthOn = false): string[] =>
  GATES.filter((gate) => decideBy(gate, worthOn, candidate).admitted);

describe("gates", () => {
  it("admit nothing that does not compile, whatever else it has", () => {
    expect(admittedBy(candidateOf({ checks: broken, worth: useful }), true)).toEqual([]);
    expect(decideBy("none", false, candidateOf({ checks: broken })).reason).toBe(
      "It cannot be loaded, and no gate admits such a candidate: HASP200: Unexpected token.",
    );
  });

  it("ask for their own results alone", () => {
    expect(admittedBy(candidateOf())).toEqual(GATES);
    expect(admittedBy(candidateOf({ checks: half }))).toEqual(["teacher-only", "audit", "none"]);
    expect(admittedBy(candidateOf({ checks: leaking }))).toEqual(["teacher-only", "audit", "none"]);
    expect(admittedBy(candidateOf({ review: reviewOf(0.2, "REJECT") }))).toEqual([
      "exec-only",
      "audit",
      "none",
    ]);
    expect(admittedBy(candidateOf({ review: undefined }))).toEqual(["exec-only", "audit", "none"]);
  });

  it("ask for held-out worth where it is on, unless they are open", () => {
    expect(admittedBy(candidateOf({ worth: useful }), true)).toEqual(GATES);
    expect(admittedBy(candidateOf({ worth: useless }), true)).toEqual(["audit", "none"]);
    expect(admittedBy(candidateOf({ worth: useless }), false)).toEqual(GATES);
    expect(decideBy("strict", true, candidateOf({ worth: useless })).reason).toBe(useless.why);
    expect(decideBy("strict", true, candidateOf()).admitted).toBe(false);
  });

  // In every dimension the same score, so that Q_skill is that score.
  it.each([
    ["exec 0.29 under ACCEPT", { review: reviewOf({ exec: 0.29 }, "ACCEPT") }, false],
    ["exec 0.30 under ACCEPT", { review: reviewOf({ exec: 0.3 }, "ACCEPT") }, true],
    ["Q_skill 0.599 under ACCEPT", { review: reviewOf(0.599, "ACCEPT") }, false],
    ["Q_skill 0.60", { review: reviewOf(0.6) }, true],
    ["Q_skill 0.60 under REVISE", { review: reviewOf(0.6, "REVISE") }, true],
    ["Q_skill 1 under REJECT", { review: reviewOf(1, "REJECT") }, false],
    ["Q_skill 0.749 of a new category", { review: reviewOf(0.749, "ACCEPT"), newCategory: true }, false],
    ["Q_skill 0.75 of a new category", { review: reviewOf(0.75, "ACCEPT"), newCategory: true }, true],
  ] as const)("strict and teacher-only at their limits: %s", (_, over, admitted) => {
    for (const gate of ["strict", "teacher-only"] as const)
      expect(decideBy(gate, false, candidateOf(over))).toMatchObject({ admitted });
  });

  it.each([
    [{ checks: half }, "The executable checks give 0.75 of 1."],
    [{ checks: leaking }, "HASP650: Its text holds the answer of a seed question."],
    [{ review: reviewOf({ exec: 0.29 }) }, "The review scores exec 0.29, which is below 0.3."],
    [{ review: reviewOf(0.9, "REJECT") }, "The teacher's decision is REJECT (Q_skill 0.9)."],
    [{ review: reviewOf(0.599) }, "Q_skill 0.599 is below 0.6, which a known category needs."],
    [
      { review: reviewOf(0.749), newCategory: true },
      "Q_skill 0.749 is below 0.75, which a new category needs.",
    ],
    [{}, "Admitted: all executable checks pass, and the review gives Q_skill 0.8."],
  ] as const)("strict gives the first reason that decides: %#", (over, reason) => {
    expect(decideBy("strict", false, candidateOf(over as Partial<EvolvedCandidate>)).reason).toBe(reason);
  });
});

describe("another gate, replayed", () => {
  const weak = candidateOf({
    id: "e2-c1",
    epoch: 2,
    review: reviewOf(0.5),
    decision: { admitted: false, reason: "Q_skill 0.5", by: "gate" },
  });
  const epochs = [[candidateOf()], [weak], [candidateOf({ id: "e3-c1", epoch: 3 })]];

  it("agrees with the recorded decisions under the recorded gate", () => {
    const { firstDifferent, epochs: replayed, unknown } = replayGate(epochs, "strict", false);
    expect({ firstDifferent, unknown }).toEqual({ firstDifferent: undefined, unknown: 0 });
    expect(replayed.map(({ otherLibrary }) => otherLibrary)).toEqual([false, false, false]);
  });

  it("names the first epoch that admits others, and marks those after it", () => {
    const replayed = replayGate(epochs, "exec-only", false);
    expect(replayed.firstDifferent).toBe(2);
    expect(replayed.epochs.map(({ otherLibrary }) => otherLibrary)).toEqual([false, false, true]);
    expect(replayed.epochs[1]?.candidates).toMatchObject([
      { id: "e2-c1", ruling: "admitted", differs: true },
    ]);
  });

  it("calls a candidate without a stored result unknown, and no difference", () => {
    const unreviewed = [[candidateOf({ review: undefined })]];
    const replayed = replayGate(unreviewed, "strict", false);
    expect(replayed).toMatchObject({ firstDifferent: undefined, unknown: 1 });
    expect(replayed.epochs[0]?.candidates[0]).toMatchObject({ ruling: "unknown", differs: false });
    expect(replayGate([[candidateOf()]], "exec-only", true).unknown).toBe(1);
    // A result that is there and refuses decides before the missing one.
    expect(replayGate([[candidateOf({ review: undefined, checks: half })]], "strict", false).unknown).toBe(0);
  });

  it("keeps a refusal for want of room while the library is the recorded one", () => {
    const full = candidateOf({
      epoch: 2,
      decision: { admitted: false, reason: "No room.", by: "gate", noRoom: true },
    });
    const same = replayGate([[candidateOf()], [full]], "strict", false);
    expect(same).toMatchObject({ firstDifferent: undefined, unknown: 0 });
    const other = replayGate([[candidateOf({ checks: half })], [full]], "exec-only", false);
    expect(other).toMatchObject({ firstDifferent: 1, unknown: 1 });
  });
});
