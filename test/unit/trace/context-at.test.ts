import { expect, test } from "vitest";
import { webSearchRules } from "../../../src/domains/web-search/context-rules.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { stepContextSchema } from "../../../src/model/step-context.ts";
import {
  advance,
  changedKeys,
  contextAt,
  contextsOf,
  initialContext,
  withProposal,
} from "../../../src/trace/context-at.ts";
import { episode, FACTS, step } from "./support.ts";

const searched: Episode = episode("e", {
  steps: [
    step(0, "SEARCH", "walton", "1. Helen Walton\n2. Sam Walton", "look first"),
    step(1, "READ", "doc_0", "Helen Walton was the wife of Sam Walton."),
    step(2, "SEARCH", "helen walton husband", "No Results"),
    step(3, "READ", "doc_9", "Could not find that page, please try again."),
    step(4, "FINAL", "Sam Walton", "", "enough"),
  ],
});

test("the first context knows the question and the thought, and nothing else", () => {
  expect(contextAt(searched, 0, webSearchRules)).toEqual({
    ...initialContext(searched.question, FACTS, webSearchRules),
    thought: "look first",
  });
});

test("searches and reads that happened before the step are counted; a read that found nothing is not", () => {
  const last = contextAt(searched, 4, webSearchRules);
  expect(last).toMatchObject({
    stepCount: 4,
    searchCount: 2,
    readCount: 1,
    hasRead: true,
    emptyResults: true,
  });
  expect(last.lastSearchResultsText).toBe("No Results");
  expect(last.allReadContents).toEqual(["Helen Walton was the wife of Sam Walton."]);
  expect(last.actionHistory.map((action) => action.type)).toEqual(["SEARCH", "READ", "SEARCH", "READ"]);
  expect(last.thought).toBe("enough");
  expect(stepContextSchema.parse(last)).toEqual(last);
});

test("where a search returns text, the text counts as read", () => {
  const facts = { ...FACTS, searchReturnsText: true };
  expect(contextAt({ ...searched, facts }, 1, webSearchRules)).toMatchObject({
    hasRead: true,
    readCount: 1,
    allReadContents: ["1. Helen Walton\n2. Sam Walton"],
  });
  expect(contextAt({ ...searched, facts }, 3, webSearchRules).readCount).toBe(2);
});

test("what was executed counts, not what was proposed", () => {
  const turned = {
    ...step(0, "FINAL", "Sam"),
    executed: { type: "READ", arg: "doc_0" },
    observation: "A text.",
  };
  const context = contextAt(episode("e", { steps: [turned, step(1, "FINAL", "Sam")] }), 1, webSearchRules);
  expect(context.actionHistory).toEqual([{ type: "READ", arg: "doc_0" }]);
  expect(context.hasRead).toBe(true);
});

test("of a held-back FINAL, the context has the thought of the first proposal", () => {
  const held = step(0, "FINAL", "b", "", "first");
  held.proposals.push({ thought: "second", action: held.executed });
  expect(contextAt(episode("e", { steps: [held] }), 0, webSearchRules).thought).toBe("first");
});

test("the live loop's fold and the replay give the same contexts", () => {
  let live = initialContext(searched.question, searched.facts, webSearchRules);
  const seen = searched.steps.map((one) => {
    const [proposal] = one.proposals;
    const judged = proposal === undefined ? live : withProposal(live, proposal, webSearchRules);
    live = advance(live, one, searched.facts, webSearchRules);
    return judged;
  });
  expect(contextsOf(searched, webSearchRules)).toEqual(seen);
  expect(searched.steps.map((_, t) => contextAt(searched, t, webSearchRules))).toEqual(seen);
});

test("a step that does not exist is a RangeError", () => {
  expect(() => contextAt(searched, 5, webSearchRules)).toThrow(RangeError);
  expect(() => contextAt(searched, -1, webSearchRules)).toThrow(RangeError);
});

test("changed keys are those whose values differ", () => {
  const [a, b] = contextsOf(searched, webSearchRules);
  if (a === undefined || b === undefined) throw new Error("two contexts expected");
  expect(changedKeys(a, b)).toEqual([
    "stepCount",
    "searchCount",
    "actionHistory",
    "lastSearchResultsText",
    "thought",
  ]);
  expect(changedKeys(a, structuredClone(a))).toEqual([]);
});
