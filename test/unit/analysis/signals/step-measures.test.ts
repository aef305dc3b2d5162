import { expect, it, vi } from "vitest";
import { signalsAt, slotAt, episodeOf, FACTS, step } from "../../../support/signal-steps.ts";

// A domain with two measures, by its line in the registry.
vi.mock(import("../../../../src/domains/registered.ts"), async (original) => {
  const { REGISTERED } = await original();
  const { toy } = await import("../../../support/toy-domain/toy.ts");
  const stepMeasures: typeof toy.stepMeasures = [
    { name: "number", measure: ({ step: { executed } }) => (Number.isNaN(Number(executed.arg)) ? 0 : 1) },
    { name: "progress", measure: ({ context, facts }) => context.stepCount / facts.maxSteps },
  ];
  return { REGISTERED: [...REGISTERED, { ...toy, stepMeasures }] };
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
