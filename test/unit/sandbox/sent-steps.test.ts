import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { PfCall } from "../../../src/sandbox/pf-host.ts";
import { questionsOf } from "../../../src/sandbox/guest/steps.ts";
import { sentStep } from "../../../src/sandbox/sent-steps.ts";
import type { SentStep } from "../../../src/sandbox/wire.ts";
import { advance, initialContext, withProposal } from "../../../src/trace/context-at.ts";

const RULES = { isEmptySearch: (text: string) => text === "", contradicts: () => false };
const FACTS = {
  domain: "web-search",
  actionTypes: ["SEARCH", "READ"],
  searchReturnsText: true,
  maxSteps: 9,
};

interface Move {
  readonly type: string;
  readonly arg: string;
  readonly observation: string;
}

/** The questions of an episode in which these moves were made. */
function episodeOf(moves: readonly Move[]): PfCall[] {
  let context = initialContext("Who?", FACTS, RULES);
  return moves.map(({ type, arg, observation }) => {
    const proposed = { type, arg };
    const question = {
      context: withProposal(context, { thought: arg, action: proposed }, RULES),
      proposed,
      actionTypes: FACTS.actionTypes,
    };
    context = advance(context, { executed: proposed, observation }, FACTS, RULES);
    return question;
  });
}

const pack = (questions: readonly PfCall[]): string =>
  JSON.stringify(questions.map((question, i) => sentStep(question, questions[i - 1])));
const unpack = (text: string): PfCall[] => questionsOf(JSON.parse(text) as SentStep[]);

const move = fc.record({
  type: fc.constantFrom("SEARCH", "READ", "invalid"),
  arg: fc.string(),
  observation: fc.string(),
});

test("questions come out of the sandbox's side as they went in, fields in their order, and cannot be changed", () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 8 }), (moves) => {
      const questions = episodeOf(moves);
      const arrived = unpack(pack(questions));
      expect(JSON.stringify(arrived.map(({ context }) => context))).toBe(
        JSON.stringify(questions.map(({ context }) => context)),
      );
      expect(arrived).toEqual(questions);
      for (const { context } of arrived) {
        expect(Object.isFrozen(context)).toBe(true);
        expect(Object.isFrozen(context.actionHistory)).toBe(true);
        expect(context.actionHistory.every((action) => Object.isFrozen(action))).toBe(true);
        expect(Object.isFrozen(context.allReadContents)).toBe(true);
      }
    }),
  );
});

test("questions that have nothing to do with each other come out as they went in", () => {
  fc.assert(
    fc.property(fc.array(fc.array(move, { minLength: 1, maxLength: 4 }), { maxLength: 5 }), (episodes) => {
      const questions = episodes.flatMap((moves) => episodeOf(moves).slice(-1));
      expect(unpack(pack(questions))).toEqual(questions);
    }),
  );
});

test("a context with other fields, or in another order, leaves nothing of the one before it", () => {
  const [first] = episodeOf([{ type: "SEARCH", arg: "a", observation: "b" }]);
  if (first === undefined) throw new Error("no question");
  const turned = Object.fromEntries(Object.entries(first.context).toReversed()) as typeof first.context;
  const [, arrived] = unpack(pack([first, { ...first, context: turned }]));
  expect(Object.keys(arrived?.context ?? {})).toEqual(Object.keys(turned));
});

test("what enters the sandbox grows with the steps, not with their square", () => {
  const long = (steps: number): number =>
    pack(
      episodeOf(
        Array.from({ length: steps }, () => ({ type: "READ", arg: "d", observation: "x".repeat(500) })),
      ),
    ).length;
  expect(long(200) / long(100)).toBeLessThan(2.1);
});

test("a field that is there no longer does not come back", () => {
  const [first] = episodeOf([{ type: "SEARCH", arg: "a", observation: "b" }]);
  if (first === undefined) throw new Error("no question");
  const with1 = { ...first, context: { ...first.context, lastEditAt: 3 } };
  const without = { ...first, context: { ...first.context, lastEditAt: undefined } };
  const arrived = unpack(pack([with1, without] as PfCall[]));
  expect(arrived.map(({ context }) => "lastEditAt" in context)).toEqual([true, false]);
});
