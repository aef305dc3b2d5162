import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judgeRecorded } from "../../../src/analysis/judge.ts";
import { runCases } from "../../../src/analysis/run-cases.ts";
import { caseOf, verdictsOn } from "../../../src/analysis/step-verdict.ts";
import { webSearch } from "../../../src/domains/web-search/web-search.ts";
import type { Episode } from "../../../src/model/episode.ts";
import type { PfTraits } from "../../../src/model/skill.ts";
import { threadCpuNow } from "../../../src/platform/cpu-clock.ts";
import { createPfHost } from "../../../src/sandbox/create-pf-host.ts";
import { createSandbox } from "../../../src/sandbox/quickjs-host.ts";
import { prefixOf } from "../../../src/harness/branch-prefix.ts";
import { foldLive } from "../../../src/trace/live-fold.ts";
import type { Seen } from "../../../src/harness/policy.ts";
import { final, librarySkill, play, plentiful, read, search, TEST_CONTROL } from "../../support/episodes.ts";
import { opened, proposes, serverOf } from "../../support/served.ts";
import { pfFrom } from "../../support/pf-fixtures.ts";

const pf = (id: string, members: string, phases?: readonly string[]) => ({
  ...pfFrom(
    id,
    `import { ProgramFunction, modifyAction, injectContext, noop } from "hasp";
    export default class Made extends ProgramFunction { ${members} }`,
  ),
  ...(phases !== undefined && { phases }),
});

/** Quotes what has just been read, and counts how often it was asked. */
const QUOTES = pf(
  "quotes",
  `after = ["READ"];
  shouldActivate(ctx, type) { ctx.memory.asked = (ctx.memory.asked ?? 0) + 1; return type === "READ"; }
  intervene(ctx, type, arg) { return injectContext("Read " + arg + ": " + ctx.allReadContents.at(-1) + " (asked " + ctx.memory.asked + ")", "quotes"); }`,
);
const CHANGES = pf(
  "changes",
  `after = ["READ"]; maxFires = 1;
  shouldActivate(ctx, type) { return type === "READ"; }
  intervene() { return modifyAction({ type: "SEARCH", arg: "other", reason: "too late" }); }`,
);
/** Before: what it says of a READ is said with its observation, too. */
const SAYS_SAME = pf(
  "says_same",
  `shouldActivate(ctx, type) { return type === "READ"; }
  intervene(ctx, type, arg) { return injectContext("Read doc_0: READ brought doc_0 (asked 2)", "guesses"); }`,
);
const SENDS = pf(
  "sends",
  `shouldActivate(ctx, type) { return type === "FINAL" && ctx.readCount === 0; }
  intervene() { return modifyAction({ type: "READ", arg: "doc_0", reason: "read first" }); }`,
  ["answer"],
);
const PROGRAMS = [QUOTES, CHANGES, SAYS_SAME, SENDS];

const host = createPfHost(createSandbox(threadCpuNow));
const traits = new Map<string, PfTraits>();
beforeAll(async () => {
  for (const one of await host.load(PROGRAMS)) if (one.ok) traits.set(one.skillId, one.traits);
});
afterAll(() => host.close());

const skills = (...ids: readonly string[]) => ids.map((id) => librarySkill(id));

function judge(episode: Episode, ...ids: readonly string[]) {
  const active = ids.map((id) => {
    const program = PROGRAMS.find(({ skillId }) => skillId === id);
    const known = traits.get(id);
    if (program === undefined || known === undefined) throw new Error(`${id} does not load`);
    return { ...librarySkill(id), program, traits: known, source: program.code, domain: undefined };
  });
  return judgeRecorded(episode, { skills: active, active, kept: [], diagnostics: [] }, host);
}

const SCRIPT = [search("a"), read("doc_0"), search("b"), read("doc_1"), final("x")];

describe("a PF that looks at what has just been read", () => {
  it("lets the policy read its text with that very observation", async () => {
    const seen: (readonly Seen[])[] = [];
    let next = 0;
    const episode = await play({
      host,
      library: skills("quotes"),
      policy: {
        id: "watching",
        async propose(input) {
          seen.push([...input.seen]);
          return { thought: "t", action: SCRIPT[next++] ?? final("x") };
        },
      },
    });
    expect(seen[2]?.at(-1)).toMatchObject({
      executed: read("doc_0"),
      observation: "READ brought doc_0",
      injected: ["Read doc_0: READ brought doc_0 (asked 2)"],
    });
    const [, step] = episode.steps;
    expect(step?.injected).toEqual([{ skillId: "quotes", text: "Read doc_0: READ brought doc_0 (asked 2)" }]);
    expect(step?.events).toMatchObject([
      { status: "skipped", reason: "it is asked after the READ has run, not before" },
      { status: "applied", pass: "post", proposal: 0 },
    ]);
    expect(episode.steps[0]?.events).toMatchObject([
      { status: "skipped", reason: "shouldActivate is false" },
    ]);
  });

  it("is asked where the action came from another PF, and counts as one that is asked once about each action", async () => {
    const episode = await play({
      host,
      library: skills("sends", "quotes"),
      script: [final("x"), final("x")],
    });
    expect(episode.steps[0]).toMatchObject({
      executed: read("doc_0"),
      injected: [{ skillId: "quotes", text: "Read doc_0: READ brought doc_0 (asked 2)" }],
    });
    const judged = await judge(episode, "sends", "quotes");
    expect(judged[1]?.first?.states.get("quotes")?.memory).toEqual({ asked: 2 });
  });

  it("cannot change the action any more: an error that costs it no fire", async () => {
    const episode = await play({ host, library: skills("changes"), script: SCRIPT });
    for (const t of [1, 3])
      expect(episode.steps[t]?.events.at(-1)).toMatchObject({
        status: "error",
        pass: "post",
        reason: expect.stringContaining("The READ has run already"),
      });
  });

  it("repeats nothing of its step, and stays within what the step's budget has left", async () => {
    const library = skills("says_same", "quotes");
    const same = await play({ host, library, script: SCRIPT });
    expect(same.steps[1]?.injected).toHaveLength(1);
    expect(same.steps[1]?.events.at(-1)).toMatchObject({ status: "noop", pass: "post" });
    expect(same.steps[3]?.injected.map(({ skillId }) => skillId)).toEqual(["says_same", "quotes"]);
    const short = await play({ host, library, script: SCRIPT, control: { contextBudget: 60 } });
    expect(short.steps[3]?.events.at(-1)).toMatchObject({ status: "limited", pass: "post" });
  });

  it("crosses into the sandbox only for PFs that look, and never for one whose phases leave the step out", async () => {
    let crossings = 0;
    const port = createSandbox(threadCpuNow);
    const counting = createPfHost({
      ...port,
      judge(job) {
        crossings += 1;
        return port.judge(job);
      },
    });
    await counting.load(PROGRAMS);
    const crossed = async (...ids: readonly string[]) => {
      crossings = 0;
      await play({ host: counting, library: skills(...ids), script: SCRIPT });
      return crossings;
    };
    expect(await crossed("says_same")).toBe(SCRIPT.length);
    expect(await crossed("quotes")).toBe(SCRIPT.length);
    expect(await crossed("says_same", "quotes")).toBe(SCRIPT.length + 2);
    expect(await crossed("sends")).toBe(1);
    await counting.close();
  });

  it("goes on from a step of a record as it did", async () => {
    const shown: (readonly Seen[])[] = [];
    const policy = {
      id: "watching",
      async propose({ seen, t }: { readonly seen: readonly Seen[]; readonly t: number }) {
        shown.push([...seen]);
        return { thought: "t", action: SCRIPT[t] ?? final("x") };
      },
    };
    const whole = await play({ host, library: skills("quotes"), policy });
    const branch = await play({ host, library: skills("quotes"), policy, prefix: prefixOf(whole, 3) });
    expect(shown[SCRIPT.length]).toEqual(shown[3]);
    const told = (episode: Episode) => episode.steps.map(({ dispatchMs: _, proposals: __, ...step }) => step);
    expect(told(branch)).toEqual(told(whole));
    expect(whole.steps[3]?.injected[0]?.text).toContain("(asked 4)");
  });

  it("is judged from the record as it was live", async () => {
    for (const ids of [["quotes"], ["quotes", "changes", "says_same", "sends"]]) {
      const episode = await play({ host, library: skills(...ids), script: SCRIPT });
      const judged = await judge(episode, ...ids);
      for (const [t, step] of episode.steps.entries()) {
        const inTurn = [...step.events].toSorted(byText);
        expect([...(judged[t]?.events ?? [])].toSorted(byText)).toEqual(inTurn);
        expect(judged[t]).toMatchObject({
          injected: step.injected,
          executed: step.executed,
          diverged: false,
        });
      }
    }
  });

  it("is not asked about an action that never brought anything", async () => {
    const broken = { ...plentiful, execute: async () => Promise.reject(new Error("the line is dead")) };
    const episode = await play({
      host,
      library: skills("quotes"),
      script: [read("doc_0")],
      environment: broken,
    });
    expect(episode).toMatchObject({ stopReason: "environment_error", length: 1 });
    const [judged] = await judge(episode, "quotes");
    expect(judged?.events).toEqual(episode.steps[0]?.events);
  });

  it("makes a case of a step from the context that holds the observation", async () => {
    const episode = await play({ host, library: skills("quotes"), script: SCRIPT });
    const { contextRules: rules, actionTypes } = webSearch;
    const found = (await verdictsOn(["quotes"], { episode, t: 1, rules, actionTypes }, host)).get("quotes");
    expect(found).toMatchObject({ verdict: { kind: "fired" }, pass: "post" });
    if (found === undefined) throw new Error("no verdict");
    const expectation = {
      fires: true,
      type: "INJECT_CONTEXT" as const,
      contextContains: "READ brought doc_0",
    };
    const made = caseOf("read", { episode, t: 1, rules }, found, expectation);
    expect(made.context).toMatchObject({ readCount: 1, allReadContents: ["READ brought doc_0"] });
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
    const [result] = await runCases("quotes", [{ ...made, range }], webSearch, host);
    expect(result).toMatchObject({ passed: true });
  });

  it("hands its text to a served agent with the reply to the observation", async () => {
    const library = skills("quotes");
    const control = { ...TEST_CONTROL, pinnedSkills: ["quotes"] };
    const { call } = serverOf({ host, library, control });
    await call("open", opened);
    await call("step", proposes("SEARCH", "a"));
    expect(await call("observe", { episode: "e", observation: "results" })).toMatchObject({
      result: { instructions: [] },
    });
    expect(await call("step", proposes("READ", "doc_0"))).toMatchObject({ result: { injected: [] } });
    const { result } = await call("observe", { episode: "e", observation: "text" });
    expect(result?.["injected"]).toEqual([{ skill_id: "quotes", text: "Read doc_0: text (asked 2)" }]);
  });

  it("survives the mock calls as one that is asked afterwards", async () => {
    const [call] = webSearch.mockCalls().filter(({ proposed }) => proposed.type === "READ");
    if (call === undefined) throw new Error("no READ among the mock calls");
    expect(await host.mock("changes", [call])).toMatchObject([{ kind: "error", cause: "returned" }]);
    expect(await host.mock("quotes", [call])).toMatchObject([{ kind: "fired" }]);
  });
});

const byText = (a: object, b: object): number => JSON.stringify(a).localeCompare(JSON.stringify(b));

describe("the live file of an episode", () => {
  const lines = (...more: object[]) =>
    [
      {
        schema: "hasp.live/1",
        event: "started",
        id: "e",
        questionId: "q",
        sample: 1,
        question: "Who?",
        source: "hasp",
        facts: { domain: "web-search", actionTypes: ["READ"], searchReturnsText: false, maxSteps: 3 },
        library: [],
      },
      { event: "proposed", t: 0, proposal: { thought: "", action: read("doc_0") } },
      { event: "judged", t: 0, events: [], injected: [] },
      ...more,
    ].map((line) => JSON.stringify(line));
  const event = { skillId: "quotes", proposal: 0, pass: "post", status: "applied", reason: "" };
  const post = { event: "judged", t: 0, events: [event], injected: [{ skillId: "quotes", text: "So." }] };

  it("takes what PFs said of an observation, and drops it where nothing ran", () => {
    const observed = { event: "observed", t: 0, observation: "text" };
    const ran = foldLive(lines({ event: "executed", t: 0, action: read("doc_0") }, observed, post), "live");
    expect(ran).toMatchObject({
      value: { steps: [{ observation: "text", events: [event], injected: [{ text: "So." }] }] },
      diagnostics: [],
    });
    const withheld = { event: "withheld", t: 0, action: read("doc_0"), why: "max_read_calls" };
    const kept = foldLive(lines(withheld, post), "live");
    expect(kept).toMatchObject({ value: { steps: [{ events: [] }] }, diagnostics: [{ code: "HASP520" }] });
  });
});
