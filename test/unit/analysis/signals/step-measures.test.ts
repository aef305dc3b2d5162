import { expect, it, vi } from "vitest";
import type { MeasuredStep } from "../../../../src/domains/domain.ts";
import type { Verdict } from "../../../../src/model/verdict.ts";
import { final, search } from "../../../support/episodes.ts";
import { signalsAt, slotAt, episodeOf, FACTS, step } from "../../../support/signal-steps.ts";

// A domain with two measures, and one that scores by its judge, by their lines in the registry.
vi.mock(import("../../../../src/domains/registered.ts"), async (original) => {
  const { REGISTERED } = await original();
  const { toy } = await import("../../../support/toy-domain/toy.ts");
  const { estimate } = await import("../../../support/estimate-domain/estimate.ts");
  const scoreOf = ({ verdict }: MeasuredStep): number => verdict?.score ?? 0;
  const stepMeasures: typeof toy.stepMeasures = [
    { name: "number", measure: ({ step: { executed } }) => (Number.isNaN(Number(executed.arg)) ? 0 : 1) },
    { name: "progress", measure: ({ context, facts }) => context.stepCount / facts.maxSteps },
  ];
  const judged = { ...estimate, stepMeasures: [{ name: "right", measure: scoreOf }] };
  return { REGISTERED: [...REGISTERED, { ...toy, stepMeasures }, judged] };
});

const facts = { ...FACTS, domain: "toy", actionTypes: ["LOOK", "GUESS"], finalAction: "GUESS", maxSteps: 4 };
const episode = episodeOf(
  [step({ type: "LOOK", arg: "box" }), step({ type: "LOOK", arg: "7" }), step({ type: "GUESS", arg: "42" })],
  { facts },
);

it("s3.domain is the mean of the measures of the domain, each named in its rule", () => {
  expect([0, 1, 2].map((t) => slotAt("s3.domain", episode, t))).toEqual([0, 0.625, 0.75]);
  expect(signalsAt(episode, 1).values["s3.domain"].reason).toBe("number 1, progress 0.25");
});

it("s3.domain counts with its 0.30 in S3", () => {
  const { families } = signalsAt(episode, 2);
  expect(families.correctness).toBeCloseTo(0.2 + 0.5 * 0.3 + 0.3 * 0.75, 10);
});

it("a measure scores by the verdict on the last answer that the step proposed", () => {
  const alone = { ...FACTS, domain: "estimate", actionTypes: ["FINAL"], maxSteps: 1 };
  const verdictOf = (score: number): Verdict => ({ judge: "within tolerance", score, passed: score === 1 });
  const scored = (verdicts: readonly (Verdict[] | undefined)[], last = final("7")): number => {
    const made = step(final("5"), { again: [last] });
    const proposals = made.proposals.map((proposal, i) =>
      verdicts[i] === undefined ? proposal : { ...proposal, verdicts: verdicts[i] },
    );
    return slotAt("s3.domain", episodeOf([{ ...made, proposals }], { facts: alone }));
  };
  expect(scored([[verdictOf(0)], [verdictOf(1)]])).toBe(1);
  // The first verdict is that of the judge of the run.
  expect(scored([[verdictOf(1)], [verdictOf(0.25), verdictOf(1)]])).toBe(0.25);
  expect(scored([[verdictOf(1)], undefined], search("more"))).toBe(1);
  expect(scored([undefined, undefined])).toBe(0);
});
