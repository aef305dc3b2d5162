import { describe, expect, it } from "vitest";
import { findPatterns, patternsIn } from "../../../src/analysis/failure-patterns.ts";
import type { Episode, Step } from "../../../src/model/episode.ts";
import { FAILURE_PATTERNS } from "../../../src/model/failure-pattern.ts";
import { episode, FACTS, step } from "../trace/support.ts";

const names = (steps: readonly Step[], parts: Partial<Episode> = {}): string[] =>
  findPatterns(episode("e", { ...parts, steps: [...steps] })).map(
    ({ name, steps: at }) => `${name} ${at.join(",")}`,
  );
const search = (t: number, arg: string, found = `text ${t}`): Step => step(t, "SEARCH", arg, found);
const read = (t: number, arg: string, found = `page ${t}`): Step => step(t, "READ", arg, found);
const final = (t: number, arg = "Ada"): Step => step(t, "FINAL", arg);
const sound = [search(0, "who wrote it"), read(1, "doc_0"), final(2)];

describe("failure patterns", () => {
  it("says nothing of an episode that searches, reads and answers", () => {
    expect(names(sound, { answer: "Ada" })).toEqual([]);
  });

  it("counts no step that did not run, and reads what it proposed", () => {
    const cut = (last: Step): Step[] => [search(0, "a"), read(1, "d"), { ...last, notRun: "max_steps" }];
    expect(names(cut(final(2)), { stopReason: "max_steps" })).toEqual(["never_finished 2"]);
    expect(names(cut(search(2, "a", "")))).toEqual(["never_finished 2"]);
    expect(names(cut(step(2, "invalid", "?")))).toEqual(["never_finished 2", "invalid_action 2"]);
  });

  it("never_finished: no answer came", () => {
    expect(names(sound.slice(0, 2), { stopReason: "max_steps" })).toEqual(["never_finished 1"]);
    expect(names([], { stopReason: "timeout" })).toEqual(["never_finished "]);
  });

  it("an abandoned branch shows none: a person took it back before it could come to anything", () => {
    const parts = { outcome: "abandoned", stopReason: "halted" } as const;
    expect(names(sound.slice(0, 2), parts)).toEqual([]);
    expect(names([read(0, "doc_0"), final(1)], parts)).toEqual([]);
  });

  it("premature_final: fewer than three steps, where an episode may have more", () => {
    const early = [read(0, "doc_0"), final(1)];
    expect(names(early)).toEqual(["premature_final 1"]);
    expect(names(early, { facts: { ...FACTS, maxSteps: 2 } })).toEqual([]);
    expect(names([final(0)], { facts: { ...FACTS, domain: "physics", actionTypes: ["FINAL"] } })).toEqual([]);
  });

  it("are, in the list of a run, those that its domain can show", () => {
    expect(patternsIn("web-search")).toEqual(Object.keys(FAILURE_PATTERNS));
    expect(patternsIn("agent")).toEqual(Object.keys(FAILURE_PATTERNS));
    expect(patternsIn("math")).toEqual([
      "never_finished",
      "premature_final",
      "format_mismatch",
      "invalid_action",
    ]);
    expect(patternsIn("coding-agent")).not.toContain("empty_searches");
    expect(patternsIn("physics")).toBeUndefined();
    expect(patternsIn(undefined)).toBeUndefined();
  });

  it("no_read_before_final: also where what was opened was not there; not where a search returns text", () => {
    const unread = [search(0, "a"), search(1, "b"), read(2, "x", "Could not find [x]."), final(3)];
    expect(names(unread)).toEqual(["no_read_before_final 3"]);
    expect(names(unread, { facts: { ...FACTS, searchReturnsText: true } })).toEqual([]);
    expect(names(unread, { facts: { ...FACTS, actionTypes: ["SEARCH", "FINAL"] } })).toEqual([]);
  });

  it("format_mismatch: an answer of over five words, in web-search", () => {
    expect(names(sound, { answer: "it was Ada of course, yes" })).toEqual(["format_mismatch 2"]);
    expect(
      names(sound, { answer: "it was Ada of course, yes", facts: { ...FACTS, domain: "agent" } }),
    ).toEqual([]);
  });

  it("repeated_search: words that overlap by more than four fifths, in any order and case", () => {
    const again = [
      search(0, "one two three four five six"),
      read(1, "d"),
      search(2, "SIX five, four three two one"),
    ];
    expect(names([...again, final(3)])).toEqual(["repeated_search 2"]);
    expect(
      names([
        search(0, "one two three four five"),
        read(1, "d"),
        search(2, "one two three four six"),
        final(3),
      ]),
    ).toEqual([]);
  });

  it("repeated_action: the same again with the same result, but not the next hit of a lookup", () => {
    const twice = (second: string): string[] =>
      names([read(0, "d", "page"), search(1, "q"), read(2, "D ", second), final(3)]);
    expect(twice("page")).toEqual(["repeated_action 2"]);
    expect(twice("page two")).toEqual([]);
  });

  it("empty_searches: two that found nothing", () => {
    const empty = [
      search(0, "a", "No results."),
      read(1, "d"),
      search(2, "b", "Could not find [b]."),
      final(3),
    ];
    expect(names(empty)).toEqual(["empty_searches 0,2"]);
  });

  it("excessive_steps_no_progress: three steps in a row that brought nothing new", () => {
    const stuck = [
      search(0, "a", "t"),
      read(1, "d", "p"),
      search(2, "b", "t"),
      search(3, "c", "p"),
      search(4, "e", ""),
      final(5),
    ];
    expect(names(stuck)).toEqual(["excessive_steps_no_progress 2,3,4"]);
  });

  it("invalid_action: a reply without an action", () => {
    expect(
      names([
        search(0, "a"),
        step(1, "invalid", "hm", "x"),
        ...sound.slice(1).map((s, i) => ({ ...s, t: i + 2 })),
      ]),
    ).toEqual(["invalid_action 1"]);
  });

  it("works in a domain that nobody here knows", () => {
    const facts = { ...FACTS, domain: "coding-agent", actionTypes: ["bash", "other"] };
    const steps = [
      step(0, "bash", "ls", "a"),
      step(1, "bash", "ls", "a"),
      step(2, "bash", "ls", "a"),
      step(3, "bash", "ls", "a"),
    ];
    expect(names(steps, { facts, stopReason: "max_steps" })).toEqual([
      "never_finished 3",
      "repeated_action 1,2,3",
      "excessive_steps_no_progress 1,2,3",
    ]);
  });

  it("does not look at outcome or gold", () => {
    const parts = { answer: "Ada", gold: ["Ada"] };
    expect(names(sound, { ...parts, outcome: "wrong" })).toEqual(
      names(sound, { ...parts, outcome: "correct" }),
    );
  });

  it("goes through 5,000 steps that are all alike", () => {
    const many = Array.from({ length: 5_000 }, (_, t) => search(t, "the same words", "the same text"));
    expect(findPatterns(episode("e", { steps: many })).map(({ steps }) => steps.length)).toEqual([
      1, 4_999, 4_999,
    ]);
  });
});
