import * as fc from "fast-check";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { threadCpuNow } from "../../../src/platform/cpu-clock.ts";
import type { TeacherCall } from "../../../src/model/intervention.ts";
import { createPfHost } from "../../../src/sandbox/create-pf-host.ts";
import {
  FRESH_STATE,
  type AskTeacher,
  type PfQuestion,
  type PfState,
  type PfVerdict,
} from "../../../src/sandbox/pf-host.ts";
import { openLiveDesk } from "../../../src/sandbox/guest/teacher.ts";
import { createSandbox } from "../../../src/sandbox/quickjs-host.ts";
import { pfFixture, pfFixtureNames, pfFrom, question } from "../../support/pf-fixtures.ts";

const host = createPfHost(createSandbox(threadCpuNow));
const LONG = "one two three four five six seven";

afterAll(() => host.close());

async function stepOne(
  skillId: string,
  asked: PfQuestion,
  state: PfState = FRESH_STATE,
  ask?: AskTeacher,
): Promise<PfVerdict> {
  const [verdict] = await host.step(new Map([[skillId, state]]), asked, ask);
  if (verdict === undefined) throw new Error("no verdict");
  return verdict;
}

const pf = (body: string, fields = ""): string =>
  `import { ProgramFunction, modifyAction, injectContext, noop } from "hasp";
export default class Made extends ProgramFunction {
  ${fields}
  shouldActivate(ctx, actionType, arg) { return true; }
  intervene(ctx, actionType, arg, teacher) { ${body} }
}`;

describe("limits and memory", () => {
  it("lets a PF modify twice in an episode, unless it has a cap of its own", async () => {
    await host.load([
      pfFrom("plain", pf('return modifyAction({ arg: "x", reason: "" });')),
      pfFrom("capped", pf('return modifyAction({ arg: "x", reason: "" });', "maxFires = 3;")),
      pfFrom("once", pf('return injectContext("x", "");', "maxFires = 1;")),
      pfFrom("hints", pf('return injectContext("x", "");')),
    ]);
    const steps = Array.from({ length: 4 }, () => question("SEARCH", LONG));
    const verdicts = await host.fold(["plain", "capped", "once", "hints"], steps);
    const kinds = (id: string): string[] =>
      (verdicts.get(id) ?? []).map((v) => (v.kind === "limited" ? v.limit : v.kind));
    expect(kinds("plain")).toEqual(["fired", "fired", "maxModifies", "maxModifies"]);
    expect(kinds("capped")).toEqual(["fired", "fired", "fired", "maxFires"]);
    expect(kinds("once")).toEqual(["fired", "maxFires", "maxFires", "maxFires"]);
    expect(kinds("hints")).toEqual(["fired", "fired", "fired", "fired"]);
    expect(verdicts.get("plain")?.at(-1)).toMatchObject({ allowed: 2, state: { fires: 2, modifies: 2 } });
  });

  it("carries a PF's memory from step to step, and no other PF's", async () => {
    const counter = pf("ctx.memory.n = (ctx.memory.n ?? 0) + 1; return noop(String(ctx.memory.n));");
    await host.load([pfFrom("a", counter), pfFrom("b", counter)]);
    const first = await stepOne("a", question("SEARCH", "x"));
    const second = await stepOne("a", question("SEARCH", "x"), first.state);
    expect(second).toMatchObject({ state: { memory: { n: 2 }, fires: 2 }, intervention: { reason: "2" } });
    expect((await stepOne("b", question("SEARCH", "x"))).state.memory).toEqual({ n: 1 });
  });

  it("leaves a PF as it was when it fails", async () => {
    await host.load([pfFrom("a", pf('ctx.memory.n = 1; throw new Error("x");'))]);
    const state = { memory: { kept: true }, fires: 1, modifies: 1 };
    expect((await stepOne("a", question("SEARCH", "x"), state)).state).toEqual(state);
  });

  it("does not charge a PF for an action that is not there", async () => {
    await host.load([pfFixture("good/read-first")]);
    const asked = { ...question("FINAL", "x"), actionTypes: ["SEARCH", "FINAL"] };
    expect(await stepOne("read-first", asked)).toEqual({
      skillId: "read-first",
      kind: "unavailable",
      actionType: "READ",
      state: FRESH_STATE,
    });
  });

  it("folding an episode is the same as stepping through it", async () => {
    const programs = pfFixtureNames("good").map((name) => pfFixture(name));
    const ids = programs.map((program) => program.skillId);
    await host.load(programs);
    const steps = fc.array(
      fc.record({
        type: fc.constantFrom("SEARCH", "READ", "FINAL", "invalid"),
        arg: fc.constantFrom("", "short", LONG),
      }),
      { maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (proposals) => {
        const questions = proposals.map(({ type, arg }, stepCount) => question(type, arg, { stepCount }));
        const folded = await host.fold(ids, questions);
        let states = new Map(ids.map((id) => [id, FRESH_STATE]));
        for (const [t, asked] of questions.entries()) {
          const verdicts = await host.step(states, asked);
          expect(verdicts).toEqual(ids.map((id) => folded.get(id)?.[t]));
          states = new Map(verdicts.map(({ skillId, state }) => [skillId, state]));
        }
      }),
      { numRuns: 15 },
    );
  });

  it("folds an episode of any length", async () => {
    await host.load([pfFrom("a", pf("ctx.memory.n = (ctx.memory.n ?? 0) + 1; return noop('');"))]);
    const folded = await host.fold(
      ["a"],
      Array.from({ length: 1_100 }, () => question("SEARCH", "x")),
    );
    expect(folded.get("a")).toHaveLength(1_100);
    expect(folded.get("a")?.at(-1)?.state).toEqual({ memory: { n: 1_100 }, fires: 1_100, modifies: 0 });
  });

  it("takes the first of two PFs with one id, and a module that waits for itself", async () => {
    const waits = `await null;\n${pf("return noop('first');")}`;
    const loaded = await host.load([pfFrom("a", waits), pfFrom("a", pf("return noop('second');"))]);
    expect(loaded).toMatchObject([
      { ok: true },
      { ok: false, message: expect.stringContaining("another PF has the id a") },
    ]);
    expect(await stepOne("a", question("SEARCH", "x"))).toMatchObject({ intervention: { reason: "first" } });
  });

  it("answers a fold of no steps and a step of no PFs", async () => {
    await host.load([pfFixture("good/shorten")]);
    expect(await host.fold(["shorten"], [])).toEqual(new Map([["shorten", []]]));
    expect(await host.step(new Map(), question("SEARCH", "x"))).toEqual([]);
  });

  it("refuses a PF that is not loaded", async () => {
    await expect(host.step(new Map([["nobody", FRESH_STATE]]), question("SEARCH", "x"))).rejects.toThrow(
      "nobody is not loaded",
    );
  });
});

describe("the teacher", () => {
  const asked: string[] = [];
  const teacher: AskTeacher = async ({ prompt }) => {
    asked.push(prompt);
    return { reply: prompt.startsWith("shorten") ? "short" : "shorter" };
  };
  beforeEach(async () => {
    asked.length = 0;
    await host.load([pfFixture("good/ask-teacher"), pfFixture("good/shorten")]);
  });

  it("answers a PF that asks twice, each question once", async () => {
    const states = new Map([
      ["ask-teacher", FRESH_STATE],
      ["shorten", FRESH_STATE],
    ]);
    const verdicts = await host.step(states, question("SEARCH", "long words"), teacher);
    expect(asked).toEqual(["shorten: long words", "better: short"]);
    expect(verdicts[0]).toMatchObject({
      kind: "fired",
      intervention: { newActionArg: "shorter" },
      teacherCalls: [
        { prompt: "shorten: long words", maxTokens: 50, temperature: 0, reply: "short" },
        { prompt: "better: short", reply: "shorter" },
      ],
      state: { fires: 1, modifies: 1 },
    });
    expect(verdicts[1]).toMatchObject({ kind: "skipped" });
  });

  it("that fails is an error the PF can catch", async () => {
    const verdict = await stepOne("ask-teacher", question("SEARCH", "x"), FRESH_STATE, () =>
      Promise.reject(new Error("offline")),
    );
    expect(verdict).toMatchObject({
      intervention: { type: "NOOP", reason: "teacher failed: the teacher did not answer: offline" },
      teacherCalls: [{ error: "offline" }],
    });
  });

  it("is absent where there is none, and in a fold", async () => {
    expect(await stepOne("ask-teacher", question("SEARCH", "x"))).toMatchObject({
      intervention: { reason: "no teacher" },
    });
    const folded = await host.fold(["ask-teacher"], [question("SEARCH", "x")]);
    expect(folded.get("ask-teacher")?.[0]).toMatchObject({ intervention: { reason: "no teacher" } });
  });

  describe("in a fold", () => {
    const body =
      "if (!teacher) return noop('alone'); return teacher.ask('one').then((a) => teacher.ask('two ' + a)).then(noop);";
    const call = (prompt: string, reply: string) => ({ prompt, maxTokens: 256, temperature: 0, reply });
    const foldOne = async (replies: readonly TeacherCall[] | undefined) => {
      await host.load([pfFrom("a", pf(body, "needsTeacher = true;"))]);
      const asked = { ...question("SEARCH", "x"), replies: replies && new Map([["a", replies]]) };
      const folded = await host.fold(["a"], [asked, question("SEARCH", "x")]);
      return folded.get("a") ?? [];
    };

    it("gives the recorded replies, in whatever order the record has them", async () => {
      const calls = [call("two b", "yes"), call("one", "b")];
      const [first, second] = await foldOne(calls);
      expect(first).toMatchObject({ kind: "fired", intervention: { reason: "yes" } });
      expect(first).toMatchObject({ teacherCalls: calls.toReversed() });
      expect(second).toMatchObject({ intervention: { reason: "alone" } });
      expect(first?.noReply).toBeUndefined();
    });

    it("lets a PF that asks something else take its code path, and says so", async () => {
      const [first, second] = await foldOne([call("one", "c")]);
      expect(first).toMatchObject({ kind: "fired", noReply: true, intervention: { reason: "alone" } });
      expect(second?.noReply).toBeUndefined();
      expect(first?.state.fires).toBe(1);
    });

    it("is not there where the episode had none", async () => {
      const [first] = await foldOne(undefined);
      expect(first).toMatchObject({ intervention: { reason: "alone" } });
      expect(first?.noReply).toBeUndefined();
    });
  });

  it("is not for a PF that did not say it needs one", async () => {
    await host.load([pfFrom("a", pf("return noop(String(teacher));"))]);
    expect(await stepOne("a", question("SEARCH", "x"), FRESH_STATE, teacher)).toMatchObject({
      intervention: { reason: "undefined" },
    });
  });

  it("cannot be asked without end", async () => {
    const body = "return (async () => { for (let i = 0; ; i += 1) await teacher.ask(`q${i}`); })();";
    await host.load([pfFrom("a", pf(body, "needsTeacher = true;"))]);
    const verdict = await stepOne("a", question("SEARCH", "x"), FRESH_STATE, teacher);
    expect(verdict).toMatchObject({
      kind: "error",
      message: expect.stringContaining("10 times in one step"),
    });
    expect(asked).toHaveLength(10);
  });

  it("is asked the same when a PF runs again, for the PF cannot count its runs", async () => {
    const code = `let n = 0;\n${pf("n += 1; return teacher.ask(`try ${n}`).then(noop);", "needsTeacher = true;")}`;
    await host.load([pfFrom("a", code)]);
    const verdict = await stepOne("a", question("SEARCH", "x"), FRESH_STATE, teacher);
    expect(verdict).toMatchObject({ kind: "fired", teacherCalls: [{ prompt: "try 1" }] });
  });

  it("answers no other question than the one that it was asked", async () => {
    const desk = openLiveDesk([{ prompt: "one", maxTokens: 256, temperature: 0, reply: "yes" }]);
    await expect(desk.teacher.ask("two")).rejects.toThrow("asked the teacher something else");
    expect(desk.mistake).toBeDefined();
  });
});

describe("mock calls", () => {
  it("run intervene whatever shouldActivate said, each from a fresh state", async () => {
    await host.load([pfFixture("good/shorten")]);
    const verdicts = await host.mock("shorten", [
      question("SEARCH", LONG),
      question("FINAL", "x"),
      question("SEARCH", LONG),
    ]);
    expect(verdicts.map((v) => [v.kind, v.activated, v.state.fires])).toEqual([
      ["fired", true, 1],
      ["fired", false, 1],
      ["fired", true, 1],
    ]);
  });

  it("say whether a PF threw or answered with the wrong type", async () => {
    await host.load([pfFixture("hostile/throws"), pfFixture("hostile/returns-nothing")]);
    expect(await host.mock("throws", [question("SEARCH", "x")])).toMatchObject([
      { cause: "threw", activated: undefined },
    ]);
    expect(await host.mock("returns-nothing", [question("SEARCH", "x")])).toMatchObject([
      { cause: "returned", activated: true },
    ]);
  });
});

describe("probes", () => {
  const probing = (expression: string): string =>
    pf("return noop('');").replace("return true;", `return ${expression};`);

  it("give back what was seen, as code, cut to a length people can read", async () => {
    const code = probing(
      '__hasp_probe(1, __hasp_probe(2, "x".repeat(500)).length > 3) && __hasp_probe(3, Array(50).fill(7)).length > 0',
    );
    const run = await host.probe(pfFrom("a", code), FRESH_STATE, question("SEARCH", "x"));
    expect(run).toEqual({
      activated: true,
      probes: [
        { id: 2, value: `"${"x".repeat(200)}…"` },
        { id: 1, value: "true" },
        { id: 3, value: `[${Array(10).fill(7).join(", ")}, … 40 more]` },
      ],
    });
  });

  it("are the last 10,000, where the decision stands", async () => {
    const code = probing("[...Array(20000).keys()].every((i) => __hasp_probe(0, i) >= 0)");
    const run = await host.probe(pfFrom("a", code), FRESH_STATE, question("SEARCH", "x"));
    expect(run.activated).toBe(true);
    expect(run.probes).toHaveLength(10_000);
    expect(run.probes.at(-1)?.value).toBe("19999");
  });

  it("say what went wrong", async () => {
    const run = (code: string) => host.probe(pfFrom("a", code), FRESH_STATE, question("SEARCH", "x"));
    expect(await run(probing("ctx.nothing.there"))).toMatchObject({
      activated: undefined,
      error: expect.stringContaining("TypeError"),
    });
    expect(await run("export default 1;")).toMatchObject({
      error: expect.stringContaining("extends ProgramFunction"),
    });
    expect(await run(probing("(() => { for (;;) {} })()"))).toMatchObject({
      error: expect.stringContaining("ran too long"),
    });
  });

  it("are not there in an ordinary run", async () => {
    await host.load([pfFrom("a", probing("__hasp_probe(1, true)"))]);
    expect(await stepOne("a", question("SEARCH", "x"))).toMatchObject({
      kind: "error",
      message: expect.stringContaining("__hasp_probe"),
    });
  });
});
