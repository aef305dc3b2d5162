import { expect, it } from "vitest";
import { episodeSignals } from "../../../../src/analysis/signals/episode-signals.ts";
import { signalTally } from "../../../../src/analysis/signals/signal-tally.ts";
import { limitLines, reportLines } from "../../../../src/cli/signals-report.ts";
import { hasOnlyFinal } from "../../../../src/model/action-types.ts";
import { DEFAULT_WEIGHTS, ONLY_FINAL_NOTE } from "../../../../src/model/signals.ts";
import { final } from "../../../support/episodes.ts";
import { episodeOf, event, FACTS, inject, rounded, signalsAt, step } from "../../../support/signal-steps.ts";

const facts = { ...FACTS, domain: "estimate", actionTypes: ["FINAL"], maxSteps: 1 };

it("the numbers of SPEC §6, Single step: with a context, with a noop, and without a Program Function", () => {
  const at = (events: Parameters<typeof step>[1], outcome: "correct" | "wrong"): number =>
    rounded(signalsAt(episodeOf([step(final("7"), events)], { facts, outcome }), 0)).A;
  const injects = { events: [event("applied", inject)] };
  const abstains = { events: [event("noop")] };
  expect([at(injects, "correct"), at(injects, "wrong")]).toEqual([0.4125, 0.2125]);
  expect([at(abstains, "correct"), at(abstains, "wrong")]).toEqual([0.3775, 0.1775]);
  expect([at({}, "correct"), at({}, "wrong")]).toEqual([0.2575, 0.0575]);
});

it("a report says what timing and modality cannot tell there, and nothing elsewhere", () => {
  const reportOf = (...given: (typeof FACTS)[]) => {
    const tally = signalTally();
    for (const [index, one] of given.entries()) {
      const signals = episodeSignals(episodeOf([step(final("7"))], { facts: one }), DEFAULT_WEIGHTS);
      tally.add(signals, { run: "run", index, episode: "e1" }, () => false);
    }
    return tally.report();
  };
  expect(reportOf(facts).onlyFinal).toBe(1);
  expect(reportLines(reportOf(facts))).toContain(ONLY_FINAL_NOTE);
  expect(limitLines(reportOf(FACTS))).toEqual([]);
  expect(limitLines(reportOf(facts, FACTS))).toEqual([]);
});

it("only the final action is the only one, by whatever name; a record that names no action says nothing", () => {
  expect(hasOnlyFinal({ actionTypes: ["GUESS"], finalAction: "GUESS" })).toBe(true);
  expect(hasOnlyFinal({ actionTypes: ["GUESS"] })).toBe(false);
  expect(hasOnlyFinal({ actionTypes: ["FINAL", "SEARCH"] })).toBe(false);
  expect(hasOnlyFinal({ actionTypes: [] })).toBe(false);
});
