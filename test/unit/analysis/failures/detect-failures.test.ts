import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findPatterns } from "../../../../src/analysis/failure-patterns.ts";
import { detectFailures } from "../../../../src/analysis/failures/detect-failures.ts";
import { outcomeSchema, type Episode, type Step } from "../../../../src/model/episode.ts";
import { FAILURE_DETECTORS, type FailureDetector } from "../../../../src/model/failure.ts";
import type { Intervention, PfEvent } from "../../../../src/model/intervention.ts";
import { episode, FACTS, step } from "../../trace/support.ts";

const search = (t: number, arg: string, found = `text ${t}`): Step => step(t, "SEARCH", arg, found);
const read = (t: number, arg: string, found = `page ${t}`): Step => step(t, "READ", arg, found);
const final = (t: number, arg = "Ada"): Step => step(t, "FINAL", arg);

/** The failures of a wrong episode, as `name steps`. */
function failuresOf(steps: readonly Step[], parts: Partial<Episode> = {}): string[] {
  const found = detectFailures(episode("e", { outcome: "wrong", ...parts, steps: [...steps] }));
  return found.map(({ name, steps: at }) => `${name} ${at.join(",")}`.trim());
}

/** The steps of one failure; undefined where it is not found. */
function stepsOf(name: FailureDetector, steps: readonly Step[], parts: Partial<Episode> = {}) {
  const found = detectFailures(episode("e", { outcome: "wrong", ...parts, steps: [...steps] }));
  return found.find((one) => one.name === name)?.steps;
}

const reading = [search(0, "who wrote the first program ever"), read(1, "doc_0", "Ada Lovelace wrote it")];
const sound = [...reading, final(2)];

describe("the twelve detectors", () => {
  it("find nothing in an episode that searches, reads and answers", () => {
    expect(failuresOf(sound, { answer: "Ada", gold: ["Ada"] })).toEqual([]);
  });

  it("premature_final: an answer in 2 steps, not in 3", () => {
    expect(stepsOf("premature_final", [read(0, "d", "Ada"), final(1)])).toEqual([1]);
    expect(stepsOf("premature_final", sound)).toBeUndefined();
  });

  it("repeated_search: a Jaccard of 0.81, not of 0.80", () => {
    const words = (n: number): string => Array.from({ length: n }, (_, i) => `w${i}`).join(" ");
    const shared = (n: number): Step[] => [search(0, words(100)), search(1, words(n))];
    expect(stepsOf("repeated_search", shared(81))).toEqual([1]);
    expect(stepsOf("repeated_search", shared(80))).toBeUndefined();
  });

  it("no_read_before_final: an answer without a READ, where there are READs", () => {
    const unread = [search(0, "who wrote the program"), search(1, "when was it written down"), final(2)];
    expect(stepsOf("no_read_before_final", unread)).toEqual([2]);
    expect(
      stepsOf("no_read_before_final", unread, { facts: { ...FACTS, searchReturnsText: true } }),
    ).toBeUndefined();
  });

  describe("query_too_broad", () => {
    const broad = (arg: string, found: string) =>
      stepsOf("query_too_broad", [search(0, arg, found), read(1, "d"), final(2)]);

    it("is a search of two content words that finds nothing, not of three", () => {
      expect(broad("the Milhouse of", "Could not find [Milhouse].")).toEqual([0]);
      expect(broad("Milhouse Simpsons", "No results.")).toEqual([0]);
      expect(broad("Milhouse Simpsons Nixon", "No results.")).toBeUndefined();
    });

    it("is also one that finds a page of many meanings, but not one that finds its subject", () => {
      expect(broad("Mercury", "Mercury may refer to: Mercury (planet), Mercury (element)")).toEqual([0]);
      expect(broad("Mercury", "Mercury is the first planet. It may refer to the god elsewhere.")).toEqual([
        0,
      ]);
      expect(broad("Mercury", "Mercury is the first planet from the Sun.")).toBeUndefined();
    });
  });

  describe("query_too_narrow", () => {
    const narrow = (arg: string, found = "a page") =>
      stepsOf("query_too_narrow", [search(0, arg, found), read(1, "d"), final(2)]);
    const words = (n: number): string => Array.from({ length: n }, (_, i) => `word${i}`).join(" ");

    it("is a search of 16 words, not of 15", () => {
      expect(narrow(words(16))).toEqual([0]);
      expect(narrow(words(15))).toBeUndefined();
    });

    it("is also a quoted phrase that is not found", () => {
      expect(narrow('"Wallace and Gromit" creator', "Could not find [it].")).toEqual([0]);
      expect(narrow("“Wallace and Gromit”", "No results.")).toEqual([0]);
      expect(narrow('"Wallace and Gromit" creator')).toBeUndefined();
      expect(narrow('"Gromit" creator of', "No results.")).toBeUndefined();
    });
  });

  describe("overlap of the answer with the accepted ones", () => {
    const gold = (words: number): string => Array.from({ length: words }, (_, i) => `g${i}`).join(" ");
    const both = (answer: string | undefined, ...accepted: string[]): string[] =>
      failuresOf([search(0, "a question about many things"), read(1, "d", answer ?? ""), final(2, answer)], {
        ...(answer !== undefined && { answer }),
        gold: accepted,
      }).filter((line) => /wrong_entity|partial/.test(line));

    it("wrong_entity_focus below 0.30, partial_answer from 0.30, neither at 1", () => {
      expect(both(gold(29), gold(100))).toEqual(["wrong_entity_focus 2"]);
      expect(both(gold(30), gold(100))).toEqual(["partial_answer 2"]);
      expect(both("g0 g1 g2", gold(10))).toEqual(["partial_answer 2"]);
      expect(both(gold(99), gold(100))).toEqual(["partial_answer 2"]);
      expect(both(gold(100), gold(100))).toEqual([]);
    });

    it("compares as HotpotQA does, and takes the nearest accepted answer", () => {
      expect(both("the Ada Lovelace!", "Ada Lovelace")).toEqual([]);
      expect(both("Ada", "Charles Babbage", "Ada Lovelace")).toEqual(["partial_answer 2"]);
      expect(both("Ada", "Charles Babbage", "Ada")).toEqual([]);
    });

    it("needs an answer and an accepted one with words", () => {
      expect(both(undefined, "Ada")).toEqual([]);
      expect(both("Ada")).toEqual([]);
      expect(both("Ada", "the", "!?")).toEqual([]);
    });

    it("is about the whole episode where no FINAL is recorded", () => {
      expect(failuresOf(reading, { answer: "Babbage", gold: ["Ada"] })).toEqual(["wrong_entity_focus"]);
    });
  });

  describe("reasoning_hallucination", () => {
    const words = (n: number, letter = "w"): string =>
      Array.from({ length: n }, (_, i) => `${letter}${i}`).join(" ");
    /** 100 content words in the answer, of which so many were read. */
    const grounded = (readWords: number) =>
      stepsOf(
        "reasoning_hallucination",
        [search(0, "who wrote the program first"), read(1, "d", words(readWords)), final(2)],
        { answer: words(100) },
      );

    it("is an answer of which 29% was read, not 30%", () => {
      expect(grounded(29)).toEqual([2]);
      expect(grounded(30)).toBeUndefined();
    });

    const about = (answer: string, page: string, parts: Partial<Episode> = {}) =>
      stepsOf(
        "reasoning_hallucination",
        [search(0, "who wrote it first", "a list"), read(1, "d", page), final(2)],
        {
          answer,
          ...parts,
        },
      );

    it("does not count words of the question, function words, yes and no", () => {
      expect(about("Babbage", "nothing of use")).toEqual([2]);
      expect(about("Babbage", "nothing of use", { question: "Was it Babbage?" })).toBeUndefined();
      expect(about("of the", "nothing")).toBeUndefined();
      expect(about("Yes.", "nothing")).toBeUndefined();
      expect(about("no", "nothing")).toBeUndefined();
    });

    it("takes the results of a search as read only where they are text", () => {
      const steps = [search(0, "who wrote it first", "Ada Lovelace"), search(1, "a b c d"), final(2)];
      const parts = { answer: "Ada Lovelace" };
      expect(stepsOf("reasoning_hallucination", steps, parts)).toEqual([2]);
      const facts = { ...FACTS, searchReturnsText: true };
      expect(stepsOf("reasoning_hallucination", steps, { ...parts, facts })).toBeUndefined();
    });

    it("does not run where nothing can be read", () => {
      const facts = { ...FACTS, actionTypes: ["SEARCH", "FINAL"] };
      expect(about("Babbage", "nothing of use", { facts })).toBeUndefined();
    });
  });

  it("format_mismatch: an answer of 6 words, not of 5", () => {
    expect(stepsOf("format_mismatch", sound, { answer: "a b c d e f" })).toEqual([2]);
    expect(stepsOf("format_mismatch", sound, { answer: "a b c d e" })).toBeUndefined();
  });

  it("contradictory_evidence_ignored: no search between the contradiction and the answer", () => {
    const conflict = search(
      0,
      "who was first at it",
      "Some sources say Ada, which others dispute; disputed.",
    );
    expect(stepsOf("contradictory_evidence_ignored", [conflict, read(1, "d"), final(2)])).toEqual([0, 2]);
    const searched = [conflict, search(1, "a second source on it"), final(2)];
    expect(stepsOf("contradictory_evidence_ignored", searched)).toBeUndefined();
    expect(stepsOf("contradictory_evidence_ignored", [conflict, read(1, "d")])).toBeUndefined();
  });

  it("excessive_steps_no_progress: 3 steps in a row, not 2", () => {
    const stuck = (n: number): Step[] => [
      search(0, "a b c d", "t"),
      ...Array.from({ length: n }, (_, i) => search(i + 1, `other ${i} words here`, "t")),
    ];
    expect(stepsOf("excessive_steps_no_progress", stuck(3))).toEqual([1, 2, 3]);
    expect(stepsOf("excessive_steps_no_progress", stuck(2))).toBeUndefined();
  });

  describe("pf_override_harmful", () => {
    const event = (skillId: string, intervention: Intervention, more: Partial<PfEvent> = {}): PfEvent => ({
      skillId,
      proposal: 0,
      status: "applied",
      reason: "test",
      intervention,
      ...more,
    });
    const toRead = {
      type: "MODIFY_ACTION",
      newActionType: "READ",
      newActionArg: "doc_0",
      reason: "r",
    } as const;
    const hint = { type: "INJECT_CONTEXT", contextText: "Look again.", reason: "r" } as const;
    const modified: Step = {
      ...step(1, "FINAL", "Ada"),
      executed: { type: "READ", arg: "doc_0" },
      observation: "Ada wrote it",
      events: [event("late_read", toRead)],
    };
    const heldBack: Step = {
      ...step(2, "FINAL", "Ada"),
      proposals: [
        { thought: "", action: { type: "FINAL", arg: "Ada" } },
        { thought: "", action: { type: "FINAL", arg: "Ada" } },
      ],
      events: [event("doubt", hint)],
    };
    const found = (steps: readonly Step[], parts: Partial<Episode> = {}) =>
      detectFailures(episode("e", { outcome: "wrong", ...parts, steps: [...steps] })).find(
        ({ name }) => name === "pf_override_harmful",
      );
    const all = [search(0, "who wrote it first"), modified, heldBack];

    it("names the steps at which a skill changed an action or held the answer back", () => {
      expect(found(all)?.steps).toEqual([1, 2]);
      expect(found(all)?.reason).toContain("late_read, doubt");
      expect(found(all, { outcome: "halted" })?.steps).toEqual([1, 2]);
    });

    it("names no skill that another one overrode", () => {
      const events = [...modified.events, event("loser", toRead, { status: "overridden", by: "late_read" })];
      const reason = found([search(0, "who wrote it first"), { ...modified, events }, final(2)])?.reason;
      expect(reason).toContain("late_read");
      expect(reason).not.toContain("loser");
    });

    it("is no failure of an episode that is right, or that nobody judged", () => {
      expect(found(all, { outcome: "correct" })).toBeUndefined();
      expect(found(all, { outcome: "unjudged" })).toBeUndefined();
    });

    it("counts neither what changed nothing, nor a context that is read with an observation", () => {
      const [first, , last] = [search(0, "who wrote it first"), modified, final(2)];
      const noop = {
        ...read(1, "d"),
        events: [event("a", { type: "NOOP", reason: "r" }, { status: "noop" })],
      };
      const lost = { ...read(1, "d"), events: [event("a", toRead, { status: "overridden" })] };
      const informed = { ...read(1, "d"), events: [event("a", hint)] };
      const after = { ...read(1, "d"), events: [event("a", toRead, { pass: "post" })] };
      for (const one of [noop, lost, informed, after]) expect(found([first, one, last])).toBeUndefined();
    });

    it("counts the vote of a handler that turned the answer into a search", () => {
      const voted: Step = { ...step(1, "FINAL", "Ada"), executed: { type: "SEARCH", arg: "who" } };
      const votes = [{ skillId: "voter", override: true, reason: "r" }];
      const decisions: Episode["decisions"] = [
        { part: "handler_vote", t: 1, by: "code", reason: "r", value: true, votes },
      ];
      expect(found([search(0, "who wrote it first"), voted, final(2)], { decisions })?.reason).toContain(
        "voter",
      );
    });
  });

  it("of a domain of one step run only what is not about searches, reads or early answers", () => {
    const facts = { ...FACTS, domain: "physics", actionTypes: ["FINAL"] };
    expect(failuresOf([final(0, "7")], { facts, answer: "7", gold: ["12"] })).toEqual([
      "wrong_entity_focus 0",
    ]);
    expect(failuresOf([final(0, "7")], { facts, answer: "7", gold: ["7 12"] })).toEqual([]);
  });

  it("share five definitions with the filters of the replay", () => {
    const shared = new Set(FAILURE_DETECTORS as readonly string[]);
    const steps = [search(0, "a b c d", "t"), ...[1, 2, 3].map((t) => search(t, "a b c d", "t")), final(4)];
    const wordy = episode("e", { steps, answer: "a b c d e f", outcome: "wrong" });
    const filters = findPatterns(wordy).filter(({ name }) => shared.has(name));
    const detected = new Map(detectFailures(wordy).map((one) => [one.name as string, one]));
    expect(filters.map(({ name }) => name).toSorted()).toEqual([
      "excessive_steps_no_progress",
      "format_mismatch",
      "no_read_before_final",
      "repeated_search",
    ]);
    for (const filter of filters) expect(detected.get(filter.name)).toEqual(filter);
  });
});

describe("odd records", () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom("", "yes", "the", "Could not find [x].", '"a b', "İ ß ﬃ"),
  );
  const action = fc.record({
    type: fc.constantFrom("SEARCH", "READ", "FINAL", "invalid", "other", "__proto__"),
    arg: text,
  });
  const anyEvent: fc.Arbitrary<PfEvent> = fc.record({
    skillId: fc.constantFrom("a", "b"),
    proposal: fc.constantFrom(0, 1, 7),
    status: fc.constantFrom("applied", "overridden", "noop", "error"),
    reason: text,
    intervention: fc.constantFrom<Intervention>(
      { type: "NOOP", reason: "" },
      { type: "MODIFY_ACTION", reason: "" },
      { type: "INJECT_CONTEXT", contextText: "c", reason: "" },
    ),
  });
  const anyStep = fc.record({
    proposals: fc.array(fc.record({ thought: text, action }), { maxLength: 3 }),
    events: fc.array(anyEvent, { maxLength: 2 }),
    executed: action,
    observation: text,
  });
  const anyEpisode = fc
    .record(
      {
        steps: fc.array(anyStep, { maxLength: 6 }),
        answer: text,
        gold: fc.array(text, { maxLength: 3 }),
        question: text,
        outcome: fc.constantFrom(...outcomeSchema.options),
        actionTypes: fc.subarray(["SEARCH", "READ", "FINAL", "other"]),
        searchReturnsText: fc.boolean(),
        domain: fc.constantFrom("web-search", "agent", "coding-agent", "nobody-knows", "__proto__"),
      },
      { requiredKeys: ["steps", "question", "outcome", "actionTypes", "searchReturnsText", "domain"] },
    )
    .map(({ steps, actionTypes, searchReturnsText, domain, ...parts }) =>
      episode("e", {
        ...parts,
        facts: { domain, actionTypes, searchReturnsText, maxSteps: 5 },
        steps: steps.map((one, t) => ({ ...one, t, injected: [] })),
      }),
    );

  it("never make a detector throw, and every step that is named exists", () => {
    fc.assert(
      fc.property(anyEpisode, (odd) => {
        const found = detectFailures(odd);
        const names = found.map(({ name }) => name);
        expect(names).toEqual(FAILURE_DETECTORS.filter((name) => names.includes(name)));
        for (const { steps, reason } of found) {
          expect(steps).toEqual([...new Set(steps)].toSorted((a, b) => a - b));
          expect(steps.every((t) => t >= 0 && t < odd.steps.length)).toBe(true);
          expect(reason).not.toBe("");
        }
        expect(names.includes("wrong_entity_focus") && names.includes("partial_answer")).toBe(false);
      }),
      { numRuns: 400 },
    );
  });

  it("give the same failures again, and the same without an outcome except for the override", () => {
    fc.assert(
      fc.property(anyEpisode, (odd) => {
        const found = detectFailures(odd);
        expect(detectFailures(structuredClone(odd))).toEqual(found);
        const blind = detectFailures({ ...odd, outcome: "unjudged" });
        expect(blind).toEqual(found.filter(({ name }) => name !== "pf_override_harmful"));
      }),
    );
  });
});
