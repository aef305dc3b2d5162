import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dispatch, offeredActions, type DispatchInput } from "../../../src/harness/dispatch.ts";
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
  dispatch({
    host,
    library,
    states: new Map(),
    question: asked,
    proposal: 0,
    injectedBefore: [],
    limits: { maxContexts: 20, contextBudget: 6_000 },
    finalAction: "FINAL",
    ...more,
  });

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
