import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dispatch, offeredActions, type DispatchInput } from "../../../src/harness/dispatch.ts";
import { redrive } from "../../../src/harness/redrive.ts";
import type { Action } from "../../../src/model/action.ts";
import type { Step } from "../../../src/model/episode.ts";
import { threadCpuNow } from "../../../src/platform/cpu-clock.ts";
import { createPfHost } from "../../../src/sandbox/create-pf-host.ts";
import type { PfQuestion } from "../../../src/sandbox/pf-host.ts";
import { createSandbox } from "../../../src/sandbox/quickjs-host.ts";
import { pfFixture, question } from "../../support/pf-fixtures.ts";

const host = createPfHost(createSandbox(threadCpuNow));
const library = [
  pfFixture("good/read-first", 0.2),
  pfFixture("good/shorten", 0.9),
  pfFixture("good/hint", 0.2),
  pfFixture("hostile/throws", 0.5),
];

beforeAll(async () => {
  await host.load(library);
});
afterAll(() => host.close());

const judge = (asked: PfQuestion, more: Partial<DispatchInput> = {}) =>
  dispatch({ host, library, states: new Map(), question: asked, proposal: 0, injectedBefore: [], ...more });

describe("Γ", () => {
  it("hears PFs by priority, then by id, and goes on after an error", async () => {
    const decision = await judge(question("SEARCH", "one two three four five six", { question: "who?" }));
    expect(decision.events.map((e) => [e.skillId, e.status])).toEqual([
      ["shorten", "applied"],
      ["throws", "error"],
      ["hint", "applied"],
      ["read-first", "skipped"],
    ]);
    expect(decision.executed).toEqual({ type: "SEARCH", arg: "one two three" });
    expect(decision.states.get("shorten")).toEqual({ memory: { times: 1 }, fires: 1, modifies: 1 });
  });

  it("lets a PF that needs READ be where there is none, without charging it", async () => {
    const offered = offeredActions({ actionTypes: ["SEARCH", "READ", "FINAL"], searchReturnsText: true });
    expect(offered).toEqual(["SEARCH", "FINAL"]);
    const decision = await judge({ ...question("FINAL", "x", { question: "" }), actionTypes: offered });
    expect(decision.events.at(-1)).toMatchObject({
      skillId: "read-first",
      status: "skipped",
      reason: "no READ here",
    });
    expect(decision.states.get("read-first")?.fires).toBe(0);
  });

  it("holds a FINAL back for a context, once", async () => {
    const asked = question("FINAL", "x", { question: "who?", readCount: 1 });
    const first = await judge(asked);
    expect(first.holdBack).toBe(true);
    const second = await judge(asked, { states: first.states, proposal: 1, injectedBefore: first.injected });
    expect(second.holdBack).toBe(false);
    expect(second.events.find((e) => e.skillId === "hint")).toMatchObject({ status: "limited", proposal: 1 });
  });
});

function recorded(t: number, actions: readonly Action[], executed = actions.at(-1)): Step {
  if (executed === undefined) throw new Error("a step has an action");
  return {
    t,
    proposals: actions.map((action) => ({ thought: "", action })),
    events: [],
    executed,
    injected: [],
    observation: "",
  };
}

describe("driving a record through today's library", () => {
  const LONG = { type: "SEARCH", arg: "one two three four five six" };
  const READ = { type: "READ", arg: "doc_0" };
  const FINAL = { type: "FINAL", arg: "x" };
  const redriven = (steps: Step[], more: Parameters<typeof question>[2] = {}) =>
    redrive({ steps }, library, host, {
      questionAt: (t, proposal) => {
        const action = steps[t]?.proposals[proposal]?.action ?? FINAL;
        return question(action.type, action.arg, { question: "", stepCount: t, ...more });
      },
    });

  it("marks what comes after the first step that now runs another action", async () => {
    const steps = await redriven([
      recorded(0, [READ]),
      recorded(1, [LONG]),
      recorded(2, [LONG]),
      recorded(3, [FINAL]),
    ]);
    expect(steps.map((s) => s.diverged)).toEqual([false, false, true, true]);
    expect(steps[3]?.decisions[0].executed).toEqual({ type: "READ", arg: "doc_0" });
    expect(steps[2]?.decisions[0].states.get("shorten")?.fires).toBe(2);
  });

  it("does not call a change diverged that the record made too", async () => {
    const steps = await redriven([recorded(0, [FINAL], READ), recorded(1, [FINAL])]);
    expect(steps.map((s) => s.diverged)).toEqual([false, false]);
  });

  it("judges the second proposal of a held-back FINAL as such", async () => {
    const [step] = await redriven([recorded(0, [FINAL, FINAL])], { question: "who?", readCount: 1 });
    expect(step?.decisions.map((d) => d.holdBack)).toEqual([true, false]);
    expect(step?.decisions[1]?.events.every((e) => e.proposal === 1)).toBe(true);
  });

  it("has no room for a second proposal where the FINAL is changed", async () => {
    const [step] = await redriven([recorded(0, [FINAL, FINAL])]);
    expect(step?.decisions).toHaveLength(1);
  });
});
