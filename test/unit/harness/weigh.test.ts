import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { weigh, type Weighing } from "../../../src/harness/weigh.ts";
import type { Action } from "../../../src/model/action.ts";
import type { Intervention } from "../../../src/model/intervention.ts";
import { FRESH_STATE, type PfVerdict } from "../../../src/sandbox/pf-host.ts";

const search: Action = { type: "SEARCH", arg: "q" };
const final: Action = { type: "FINAL", arg: "a" };
const about = (proposed: Action, more: Partial<Weighing> = {}): Weighing => ({
  proposed,
  proposal: 0,
  injectedBefore: [],
  maxContexts: 20,
  contextBudget: 6_000,
  finalAction: "FINAL",
  ...more,
});

const fired = (skillId: string, intervention: Intervention): PfVerdict => ({
  skillId,
  state: FRESH_STATE,
  kind: "fired",
  intervention,
  teacherCalls: [],
});
const modify = (id: string, type: string | undefined, arg: string): PfVerdict =>
  fired(id, {
    type: "MODIFY_ACTION",
    ...(type !== undefined && { newActionType: type }),
    newActionArg: arg,
    reason: `${id} says`,
  });
const inject = (id: string, text: string): PfVerdict =>
  fired(id, { type: "INJECT_CONTEXT", contextText: text, reason: `${id} says` });
const statuses = (verdicts: readonly PfVerdict[], weighing: Weighing) =>
  weigh(verdicts, weighing).events.map((e) => [e.skillId, e.status]);

describe("one step", () => {
  it("runs what was proposed when nobody fires", () => {
    const decided = weigh([{ skillId: "a", state: FRESH_STATE, kind: "skipped" }], about(search));
    expect(decided).toMatchObject({ executed: search, injected: [], holdBack: false });
    expect(decided.events).toMatchObject([
      { status: "skipped", reason: "shouldActivate is false", proposal: 0 },
    ]);
  });

  it("gives the step to the first that modifies, and names it to the others", () => {
    const decided = weigh([modify("a", undefined, "q2"), modify("b", "READ", "doc_0")], about(search));
    expect(decided.executed).toEqual({ type: "SEARCH", arg: "q2" });
    expect(decided.events).toMatchObject([{ status: "applied" }, { status: "overridden", by: "a" }]);
  });

  it("does not let a change that changes nothing win", () => {
    const decided = weigh([modify("a", "SEARCH", "q"), modify("b", undefined, "q2")], about(search));
    expect(decided.executed.arg).toBe("q2");
    expect(decided.events).toMatchObject([
      { status: "noop", reason: expect.stringContaining("Changes nothing") },
      { status: "applied" },
    ]);
  });

  it.each(["SEARCH", "READ"])("lets no new wording of a FINAL win over a change to %s", (type) => {
    for (const verdicts of [
      [modify("trim", undefined, "A"), modify("doubt", type, "x"), modify("later", type, "y")],
      [modify("doubt", type, "x"), modify("trim", "FINAL", "A"), modify("later", type, "y")],
    ]) {
      const decided = weigh(verdicts, about(final));
      expect(decided.executed).toEqual({ type, arg: "x" });
      expect(decided.events.find((e) => e.skillId === "doubt")?.status).toBe("applied");
      for (const e of decided.events.filter(({ skillId }) => skillId !== "doubt"))
        expect(e).toMatchObject({ status: "overridden", by: "doubt" });
    }
  });

  it("keeps the order of turns for a proposal that is no FINAL", () => {
    const decided = weigh([modify("a", undefined, "q2"), modify("b", "FINAL", "42")], about(search));
    expect(decided.executed).toEqual({ type: "SEARCH", arg: "q2" });
  });

  it("skips a PF that needs an action which is not there", () => {
    const verdict: PfVerdict = { skillId: "a", state: FRESH_STATE, kind: "unavailable", actionType: "READ" };
    expect(weigh([verdict], about(final)).events).toMatchObject([
      { status: "skipped", reason: "no READ here" },
    ]);
  });

  it("keeps the line of an error and the limit of a limited PF", () => {
    const error: PfVerdict = {
      skillId: "a",
      state: FRESH_STATE,
      kind: "error",
      cause: "threw",
      message: "TypeError: x",
      line: 7,
    };
    const limited: PfVerdict = {
      skillId: "b",
      state: FRESH_STATE,
      kind: "limited",
      limit: "maxModifies",
      allowed: 2,
    };
    expect(weigh([error, limited], about(search)).events).toMatchObject([
      { status: "error", reason: "TypeError: x", line: 7 },
      { status: "limited", reason: "Has modified an action 2 times in this episode." },
    ]);
  });

  it("adds contexts up, each text once, while they fit", () => {
    const verdicts = [inject("a", "12345"), inject("b", "12345"), inject("c", "123456"), inject("d", "1234")];
    const decided = weigh(verdicts, about(search, { contextBudget: 10 }));
    expect(decided.events.map((e) => e.status)).toEqual(["applied", "noop", "limited", "applied"]);
    expect(decided.injected).toEqual([
      { skillId: "d", text: "1234" },
      { skillId: "a", text: "12345" },
    ]);
  });

  it("adds no more contexts than allowed, those of before counted, and says which came first", () => {
    const [one, other] = [inject("a", "look"), inject("b", "search")];
    const decided = weigh([one, other], about(search, { maxContexts: 1 }));
    expect(decided.injected).toEqual([{ skillId: "a", text: "look" }]);
    expect(decided.events[1]).toMatchObject({
      status: "limited",
      reason: "A step adds 1 context at most (max_contexts): a came first.",
    });
    const later = weigh([other], about(search, { maxContexts: 1, injectedBefore: decided.injected }));
    expect(later.events[0]).toMatchObject({ status: "limited" });
  });

  it("holds a FINAL back once for a context, and then lets it stand", () => {
    const first = weigh([inject("a", "check the year")], about(final));
    expect(first).toMatchObject({ holdBack: true, executed: final });
    const second = weigh(
      [inject("b", "once more")],
      about(final, { proposal: 1, injectedBefore: first.injected }),
    );
    expect(second).toMatchObject({ holdBack: false, executed: final, injected: [] });
    expect(second.events).toMatchObject([
      { status: "limited", proposal: 1, reason: expect.stringContaining("held back once") },
    ]);
  });

  it("does not hold back a FINAL that becomes a READ: the context goes with the observation", () => {
    const decided = weigh([inject("a", "hint"), modify("b", "READ", "doc_0")], about(final));
    expect(decided).toMatchObject({
      holdBack: false,
      executed: { type: "READ", arg: "doc_0" },
      injected: [{ text: "hint" }],
    });
  });

  it("holds back a FINAL whose wording a PF mended", () => {
    expect(statuses([modify("a", undefined, "A"), inject("b", "check")], about(final))).toEqual([
      ["a", "applied"],
      ["b", "applied"],
    ]);
    expect(weigh([modify("a", undefined, "A"), inject("b", "check")], about(final)).holdBack).toBe(true);
  });

  it("injects nothing where a PF ends the episode", () => {
    const decided = weigh([modify("a", "FINAL", "42"), inject("b", "check")], about(search));
    expect(decided).toMatchObject({ holdBack: false, injected: [] });
    expect(decided.events[1]).toMatchObject({
      status: "limited",
      reason: expect.stringContaining("ends here"),
    });
  });

  it("keeps the words of the policy only with its own action", () => {
    const invalid: Action = { type: "invalid", arg: "?", raw: "Serch x" };
    expect(weigh([], about(invalid)).executed).toEqual(invalid);
    expect(weigh([modify("a", "SEARCH", "x")], about(invalid)).executed).toEqual({
      type: "SEARCH",
      arg: "x",
    });
  });
});

const intervention: fc.Arbitrary<Intervention> = fc.oneof(
  fc.record({
    type: fc.constant("MODIFY_ACTION" as const),
    newActionType: fc.constantFrom("SEARCH", "READ", "FINAL"),
    newActionArg: fc.constantFrom("a", "b"),
    reason: fc.string(),
  }),
  fc.record({
    type: fc.constant("INJECT_CONTEXT" as const),
    contextText: fc.string({ minLength: 1, maxLength: 8 }),
    reason: fc.string(),
  }),
  fc.record({ type: fc.constant("NOOP" as const), reason: fc.string() }),
);
const outcome = fc.oneof(
  intervention.map((i) => ({ kind: "fired" as const, intervention: i, teacherCalls: [] })),
  fc.constant({ kind: "skipped" as const }),
  fc.constant({ kind: "limited" as const, limit: "maxFires" as const, allowed: 1 }),
  fc.constant({ kind: "unavailable" as const, actionType: "READ" }),
  fc.constant({ kind: "error" as const, cause: "threw" as const, message: "x" }),
);
const verdictList = fc
  .array(outcome, { maxLength: 8 })
  .map((all): PfVerdict[] => all.map((v, i) => ({ skillId: `pf${i}`, state: FRESH_STATE, ...v })));
const weighing = fc.record({
  proposed: fc.record({
    type: fc.constantFrom("SEARCH", "READ", "FINAL", "invalid"),
    arg: fc.constantFrom("a", "b"),
  }),
  proposal: fc.constantFrom(0, 1),
  injectedBefore: fc.constant([]),
  finalAction: fc.constant("FINAL"),
  maxContexts: fc.integer({ min: 0, max: 3 }),
  contextBudget: fc.integer({ min: 0, max: 20 }),
});

describe("whatever PFs answer", () => {
  const holds = (check: (verdicts: PfVerdict[], about: Weighing) => void): void =>
    fc.assert(fc.property(verdictList, weighing, check));

  it("every verdict has one event, in order", () => {
    holds((verdicts, w) => {
      expect(weigh(verdicts, w).events.map((e) => e.skillId)).toEqual(verdicts.map((v) => v.skillId));
    });
  });

  it("at most one MODIFY is applied, and only then another action runs", () => {
    holds((verdicts, w) => {
      const { events, executed } = weigh(verdicts, w);
      const applied = events.filter(
        (e) => e.status === "applied" && e.intervention?.type === "MODIFY_ACTION",
      );
      expect(applied.length).toBeLessThanOrEqual(1);
      expect(applied.length === 1).toBe(executed.type !== w.proposed.type || executed.arg !== w.proposed.arg);
      for (const e of events) if (e.status === "overridden") expect(e.by).toBe(applied[0]?.skillId);
    });
  });

  it("no change away from a FINAL is overridden by one that keeps it", () => {
    holds((verdicts, w) => {
      if (w.proposed.type !== w.finalAction) return;
      const { events, executed } = weigh(verdicts, w);
      const stops = events.filter(
        ({ intervention: given }) =>
          given?.type === "MODIFY_ACTION" && (given.newActionType ?? w.finalAction) !== w.finalAction,
      );
      expect(stops.filter(({ status }) => status === "applied")).toHaveLength(Math.min(1, stops.length));
      if (stops.length > 0) expect(executed.type).not.toBe(w.finalAction);
    });
  });

  it("contexts stay within their number and the budget, are never repeated, and each is an applied event", () => {
    holds((verdicts, w) => {
      const { events, injected } = weigh(verdicts, w);
      const texts = injected.map((i) => i.text);
      expect(texts.join("").length).toBeLessThanOrEqual(w.contextBudget);
      expect(texts.length).toBeLessThanOrEqual(w.maxContexts);
      expect(new Set(texts).size).toBe(texts.length);
      const applied = events.filter(
        (e) => e.status === "applied" && e.intervention?.type === "INJECT_CONTEXT",
      );
      // In ascending priority, while events are in descending.
      expect(applied.map((e) => e.skillId)).toEqual(injected.map((i) => i.skillId).toReversed());
    });
  });

  it("a FINAL is held back only at the first proposal, and only for a context", () => {
    holds((verdicts, w) => {
      const { holdBack, injected, executed } = weigh(verdicts, w);
      expect(holdBack).toBe(
        w.proposed.type === "FINAL" && executed.type === "FINAL" && w.proposal === 0 && injected.length > 0,
      );
    });
  });
});
