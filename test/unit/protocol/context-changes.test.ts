import fc from "fast-check";
import { expect, test } from "vitest";
import { EPISODE_SCHEMA, type Episode, type Step } from "../../../src/model/episode.ts";
import { packContexts, unpackContext } from "../../../src/protocol/context-changes.ts";
import { webSearch } from "../../../src/domains/web-search/web-search.ts";
import { changedKeys, contextsOf } from "../../../src/trace/context-at.ts";

const rules = webSearch.contextRules;

/** Few and short, so that texts repeat: the same one as question, thought and observation is the awkward case. */
const text = fc.constantFrom("", "a", "b", "Error: none found", "\ud800", "</script>", "__proto__");

const step = fc.record({
  thought: text,
  type: fc.constantFrom("SEARCH", "READ", "FINAL"),
  arg: text,
  seen: text,
});

const episodes = fc
  .record({ question: text, searchReturnsText: fc.boolean(), steps: fc.array(step, { maxLength: 8 }) })
  .map(({ question, searchReturnsText, steps }): Episode => {
    const made = steps.map(({ thought, type, arg, seen }, t): Step => {
      const action = { type, arg };
      return {
        t,
        proposals: [{ thought, action }],
        events: [],
        executed: action,
        injected: [],
        observation: seen,
      };
    });
    return {
      schema: EPISODE_SCHEMA,
      id: "e",
      questionId: "q",
      sample: 1,
      outcome: "unjudged",
      length: made.length,
      question,
      source: "test",
      facts: {
        domain: "web-search",
        actionTypes: ["SEARCH", "READ", "FINAL"],
        searchReturnsText,
        maxSteps: 8,
      },
      library: [],
      steps: made,
      stopReason: "answered",
    };
  });

test("every step gets back the context that was packed, and the keys that changed, through JSON", () => {
  fc.assert(
    fc.property(episodes, (episode) => {
      const contexts = contextsOf(episode, rules);
      const packed = JSON.parse(JSON.stringify(packContexts(episode, contexts)));
      for (const [t, context] of contexts.entries()) {
        const before = contexts[t - 1];
        expect(unpackContext(episode, packed, t)).toEqual({
          context,
          changed: before === undefined ? [] : changedKeys(before, context),
        });
      }
    }),
  );
});

test("there is no context past the last step", () => {
  const [episode] = fc.sample(episodes, { numRuns: 1, seed: 1 });
  if (episode === undefined) throw new Error("fast-check gave no sample");
  expect(unpackContext(episode, packContexts(episode, contextsOf(episode, rules)), 99)).toBeUndefined();
});

test("a text of a megabyte that ten later steps know is not written again", () => {
  const [base] = fc.sample(episodes, { numRuns: 1, seed: 1 });
  if (base === undefined) throw new Error("fast-check gave no sample");
  const steps = Array.from({ length: 11 }, (_, t): Step => {
    const action = { type: "READ", arg: `doc_${t}` };
    const observation = t === 0 ? "x".repeat(1024 * 1024) : "short";
    return {
      t,
      proposals: [{ thought: "", action }],
      events: [],
      executed: action,
      injected: [],
      observation,
    };
  });
  const episode = { ...base, steps, length: steps.length };
  const packed = packContexts(episode, contextsOf(episode, rules));
  expect(JSON.stringify(packed).length).toBeLessThan(5_000);
});
