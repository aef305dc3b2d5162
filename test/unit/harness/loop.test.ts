import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { webSearchRules } from "../../../src/domains/web-search/context-rules.ts";
import { indexPassages } from "../../../src/domains/passages/search-index.ts";
import { openWebSearch } from "../../../src/domains/web-search/tools.ts";
import type { Policy, PolicyInput } from "../../../src/harness/policy.ts";
import { scriptedPolicy } from "../../../src/harness/scripted-policy.ts";
import { MODEL_FAILURES, ModelError } from "../../../src/llm/chat-model.ts";
import { scriptedModel } from "../../../src/llm/scripted-model.ts";
import { threadCpuNow } from "../../../src/platform/cpu-clock.ts";
import { parseEpisode, serialiseEpisode } from "../../../src/trace/episode-file.ts";
import { contextsOf } from "../../../src/trace/context-at.ts";
import { createPfHost } from "../../../src/sandbox/create-pf-host.ts";
import { createSandbox } from "../../../src/sandbox/quickjs-host.ts";
import { pfFixture } from "../../support/pf-fixtures.ts";
import {
  final,
  hostOf,
  injects,
  modifiesTo,
  play,
  plentiful,
  read,
  search,
  librarySkill,
} from "../../support/episodes.ts";

const forever = { propose: () => new Promise<never>(() => undefined), id: "silent" } satisfies Policy;

describe("an episode that answers", () => {
  it("records each step and is judged by exact match", async () => {
    const episode = await play({
      script: [search("x"), read("doc_0"), final("The Sam Walton.")],
      gold: ["sam walton"],
    });
    expect(episode).toMatchObject({
      outcome: "correct",
      stopReason: "final",
      answer: "The Sam Walton.",
      length: 3,
    });
    expect(episode.steps.map((step) => step.observation)).toEqual([
      "SEARCH brought x",
      "READ brought doc_0",
      "",
    ]);
  });

  it.each([
    [["somebody else"], "wrong"],
    [undefined, "unjudged"],
  ] as const)("with gold %j is %s", async (gold, outcome) => {
    expect((await play({ script: [final("x")], ...(gold && { gold }) })).outcome).toBe(outcome);
  });

  it("is held back once for a context, and the second FINAL of the step stands", async () => {
    const host = hostOf(() => [injects("warner", "Look again.")]);
    const episode = await play({ script: [[final("Sam"), final("Sam Walton")]], gold: ["Sam Walton"], host });
    expect(episode).toMatchObject({ outcome: "correct", length: 1 });
    expect(episode.steps[0]?.proposals.map(({ action }) => action.arg)).toEqual(["Sam", "Sam Walton"]);
    expect(episode.steps[0]?.events.map(({ status, proposal }) => `${proposal} ${status}`)).toEqual([
      "0 applied",
      "1 limited",
    ]);
  });

  it("is held back by a context where another PF changes its wording, and ends with the changed answer", async () => {
    const host = hostOf(() => [modifiesTo("trim", "FINAL", "Sam Walton"), injects("warner", "Look again.")]);
    const script = [[final("**Sam Walton**"), final("**Sam Walton**")]];
    const episode = await play({ script, gold: ["Sam Walton"], host });
    expect(episode).toMatchObject({ outcome: "correct", length: 1 });
    const told = episode.steps[0]?.events.map((e) => `${e.proposal} ${e.skillId} ${e.status}`);
    expect(told).toEqual(["0 trim applied", "0 warner applied", "1 trim applied", "1 warner limited"]);
  });

  it("goes on where a PF turns it into a READ, although one before it changes its wording", async () => {
    const host = hostOf(({ proposed, context }) =>
      proposed.type === "FINAL" && context.readCount === 0
        ? [modifiesTo("trim", "FINAL", "Sam"), modifiesTo("doubt", "READ", "doc_0")]
        : [],
    );
    const episode = await play({ script: [final("**Sam**"), final("Sam Walton")], host });
    expect(episode.steps.map((step) => step.executed)).toEqual([read("doc_0"), final("Sam Walton")]);
    expect(episode.steps[0]?.events).toMatchObject([
      { skillId: "trim", status: "overridden", by: "doubt" },
      { skillId: "doubt", status: "applied" },
    ]);
  });

  it("shows the policy what held its answer back, and what ran in place of its action", async () => {
    const seen: unknown[] = [];
    const host = hostOf((question) =>
      question.proposed.type === "FINAL" ? [injects("warner", "Look again.")] : [],
    );
    const policy: Policy = {
      id: "watching",
      propose: async (input) => {
        seen.push(input.seen.map((one) => [one.kind, one.kind === "next-round" ? one.note : one.injected]));
        return {
          thought: "",
          action: input.proposal === 1 ? search("more") : input.t === 0 ? final("x") : final("y"),
        };
      },
    };
    await play({ policy, host, control: { maxSteps: 2 } });
    expect(seen[1]).toEqual([["held-back", ["Look again."]]]);
    expect(seen[2]).toEqual([
      ["held-back", ["Look again."]],
      ["step", []],
    ]);
  });
});

describe("what ends an episode without an answer", () => {
  const searches = Array.from({ length: 20 }, (_, i) => search(`query ${i}`));

  it.each([
    ["max_steps", { maxSteps: 3 }, searches, 3],
    ["policy_ended", {}, [search("x")], 1],
  ] as const)("%s, before the call that would exceed it", async (reason, control, script, length) => {
    const ran: string[] = [];
    const environment = {
      ...plentiful,
      execute: async ({ type }: { type: string }) => (ran.push(type), { observation: "text" }),
    };
    const episode = await play({ script, control, environment, gold: ["x"] });
    expect(episode).toMatchObject({ stopReason: reason, outcome: "halted" });
    expect(ran).toHaveLength(length);
    expect(episode.answer).toBeUndefined();
  });

  it.each([
    ["max_search_calls", { maxSearchCalls: 1 }, search("y")],
    ["max_read_calls", { maxReadCalls: 0 }, read("doc_0")],
  ] as const)(
    "%s does not: the action that was one too many is a step that did not run, and the policy reads so",
    async (why, control, surplus) => {
      const script = [search("x"), surplus, final("x")];
      const inputs: PolicyInput[] = [];
      const inner = scriptedPolicy("scripted", () => script);
      const policy: Policy = {
        id: "listening",
        propose: async (input, signal) => (inputs.push(input), inner.propose(input, signal)),
      };
      const ran: string[] = [];
      const environment = {
        ...plentiful,
        execute: async ({ arg }: { arg: string }) => (ran.push(arg), { observation: "text" }),
      };
      const episode = await play({ policy, control, environment, gold: ["x"] });
      expect(episode).toMatchObject({ stopReason: "final", outcome: "correct", answer: "x", length: 3 });
      expect(ran).toEqual(["x"]);
      expect(episode.steps[1]).toMatchObject({ executed: surplus, notRun: why });
      expect(episode.steps[1]?.observation).toContain("did not run");
      const read = inputs.at(-1)?.messages.at(-1)?.content ?? "";
      expect(read).toContain("did not run");
    },
  );

  it("keeps an answer that a Program Function replaced or held back, where no other comes", async () => {
    const replaced = hostOf(({ proposed }) =>
      proposed.type === "FINAL" ? [modifiesTo("m", "SEARCH", "once more")] : [],
    );
    const one = await play({ script: [search("x"), final("Jane")], host: replaced, gold: ["Jane"] });
    expect(one).toMatchObject({ stopReason: "policy_ended", answer: "Jane", outcome: "correct" });
    const held = hostOf(({ proposed }) => (proposed.type === "FINAL" ? [injects("i", "Sure?")] : []));
    const two = await play({ script: [final("Jane")], host: held, gold: ["Jane"] });
    expect(two).toMatchObject({ answer: "Jane", outcome: "correct" });
  });

  it("timeout, also where the policy does not listen to the signal", async () => {
    const episode = await play({ policy: forever, control: { timeoutSeconds: 0.1 } });
    expect(episode).toMatchObject({ stopReason: "timeout", outcome: "halted", length: 0 });
  });

  it("cancelled, and what was proposed and did not run is no step", async () => {
    const controller = new AbortController();
    const environment = {
      ...plentiful,
      execute: () => (controller.abort(new Error("Interrupted")), new Promise<never>(() => undefined)),
    };
    const episode = await play({ script: [search("x")], environment, signal: controller.signal });
    expect(episode.stopReason).toBe("cancelled");
  });

  it("environment_error, with its message", async () => {
    const environment = { ...plentiful, execute: () => Promise.reject(new Error("The index is gone.")) };
    expect(await play({ script: [search("x")], environment })).toMatchObject({
      stopReason: "environment_error",
      extra: { failure: { detail: "The index is gone." } },
    });
  });

  it.each(MODEL_FAILURES)("the policy's model fails: %s", async (kind) => {
    const model = { usage: { inputTokens: 7, outputTokens: 0 } };
    const policy: Policy = {
      id: "failing",
      propose: () => Promise.reject(new ModelError(kind, "No reply.", "Wait.", model.usage)),
    };
    const episode = await play({ policy });
    expect(episode).toMatchObject({
      stopReason: kind === "budget" ? "budget" : `model_${kind}`,
      outcome: "halted",
      cost: { inputTokens: 7 },
      extra: { failure: { detail: "No reply.", next: "Wait." } },
    });
  });

  it("has the answer that was held back where the prompt then no longer fits", async () => {
    const host = hostOf(() => [injects("warner", "Look again.")]);
    const policy: Policy = {
      id: "small",
      propose: async ({ proposal }) => {
        if (proposal === 1) throw new ModelError("context_overflow", "The prompt has 9,000 tokens.", "Wait.");
        return { thought: "", action: final("Sam") };
      },
    };
    expect(await play({ policy, host, gold: ["Sam"] })).toMatchObject({
      stopReason: "model_context_overflow",
      answer: "Sam",
      outcome: "correct",
      extra: { failure: { detail: "The prompt has 9,000 tokens.", next: "Wait." } },
    });
  });

  it("keeps a FINAL that was held back when the model then fails", async () => {
    const host = hostOf(() => [injects("warner", "Look again.")]);
    const policy: Policy = {
      id: "failing",
      propose: async ({ proposal }) => {
        if (proposal === 1) throw new ModelError("server_error", "Gone.");
        return { thought: "", action: final("Sam") };
      },
    };
    expect(await play({ policy, host })).toMatchObject({
      stopReason: "model_server_error",
      steps: [
        { executed: { arg: "Sam" }, notRun: "model_server_error", injected: [{ text: "Look again." }] },
      ],
      extra: { unansweredMessages: "m1" },
    });
  });

  it("passes a bug on", async () => {
    const policy: Policy = {
      id: "broken",
      propose: () => Promise.reject(new TypeError("undefined is no function")),
    };
    await expect(play({ policy })).rejects.toThrow(TypeError);
  });
});

describe("the PFs of an episode", () => {
  it("never end it by throwing", async () => {
    const host = createPfHost(createSandbox(threadCpuNow));
    const programs = [pfFixture("hostile/throws"), pfFixture("hostile/endless-loop")];
    await host.load(programs);
    const library = programs.map(({ skillId }) => librarySkill(skillId));
    const episode = await play({ script: [search("x"), final("y")], host, library, gold: ["y"] });
    await host.close();
    expect(episode.outcome).toBe("correct");
    expect(new Set(episode.steps.flatMap((step) => step.events.map(({ status }) => status)))).toEqual(
      new Set(["error"]),
    );
  });

  it("get the teacher where there is one; its calls are recorded and paid for", async () => {
    const host = createPfHost(createSandbox(threadCpuNow));
    const programs = [pfFixture("good/ask-teacher")];
    await host.load(programs);
    const library = programs.map(({ skillId }) => librarySkill(skillId));
    const teacher = scriptedModel(() => "a better query");
    const script = [search("one two three four five six seven eight"), final("x")];
    const episode = await play({ script, host, library, teacher });
    const alone = await play({ script, host, library });
    await host.close();
    const calls = episode.steps.flatMap((step) => step.events.flatMap((event) => event.teacherCalls ?? []));
    expect(calls.map((call) => call.reply)).toContain("a better query");
    expect(episode.cost?.inputTokens).toBeGreaterThan(0);
    expect(episode.extra).toHaveProperty("teacher.inputTokens");
    expect(alone.steps.flatMap((step) => step.events.flatMap((event) => event.teacherCalls ?? []))).toEqual(
      [],
    );
  });
});

describe("any script of proposals", () => {
  const type = fc.constantFrom("SEARCH", "READ", "FINAL", "other", "invalid");
  const action = fc.record({
    type,
    arg: fc.oneof(fc.string(), fc.constantFrom("Walton", "doc_0", "doc_9", "nothing here")),
  });
  const proposal = fc.record({ thought: fc.string(), action });
  const script = fc.array(fc.array(proposal, { minLength: 1, maxLength: 2 }), { maxLength: 8 });
  const search = indexPassages([
    { title: "Helen Walton", text: "Helen Walton married Sam Walton. However, accounts are disputed." },
    { title: "Alice Walton", text: "Alice Walton founded a museum." },
  ]);

  it("ends in a valid episode, whose contexts are those the PFs were shown", async () => {
    await fc.assert(
      fc.asyncProperty(script, fc.array(fc.boolean()), async (steps, injecting) => {
        let n = 0;
        const host = hostOf(() => (injecting[n++] === true ? [injects("warner", `note ${n}`)] : []));
        const control = { maxSteps: 6, maxSearchCalls: 3, maxReadCalls: 3 };
        const episode = await play({ script: steps, host, control, environment: openWebSearch(search) });
        expect(parseEpisode(serialiseEpisode(episode), "e", 0).diagnostics).toEqual([]);
        const shown = host.asked.filter((_, i) => firstOfStep(i, host.asked));
        expect(contextsOf(episode, webSearchRules)).toEqual(
          shown.slice(0, episode.length).map(({ context }) => context),
        );
      }),
      { numRuns: 150 },
    );
  });

  /** The second question of a step has the same count of completed steps as the first. */
  function firstOfStep(i: number, asked: readonly { context: { stepCount: number } }[]): boolean {
    return asked[i]?.context.stepCount !== asked[i - 1]?.context.stepCount;
  }
});
