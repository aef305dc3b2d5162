import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { agent } from "../../../src/domains/agent/agent.ts";
import { codingAgent } from "../../../src/domains/coding-agent/coding-agent.ts";
import type { ChatModel } from "../../../src/llm/chat-model.ts";
import { scriptedModel } from "../../../src/llm/scripted-model.ts";
import type { Episode } from "../../../src/model/episode.ts";
import type { StepContext } from "../../../src/model/step-context.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { contextsOf } from "../../../src/trace/context-at.ts";
import {
  final,
  hostOf,
  injects,
  librarySkill,
  modifiesTo,
  play,
  search,
  TEST_CONTROL,
} from "../../support/episodes.ts";
import { callerOf, opened, proposes, recordingTo, servedIn, serverOf } from "../../support/served.ts";

const place = mkdtempSync(path.join(tmpdir(), "hasp-serve-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const at = (name: string): string => path.join(place, name);

describe("a served episode", () => {
  it("is what the loop makes of the same proposals and observations", async () => {
    const host = () =>
      hostOf(({ proposed, context }) =>
        proposed.type === "FINAL" && context.searchCount < 2
          ? [modifiesTo("one", "SEARCH", "more")]
          : [injects("two", "Mind the gap.")],
      );
    const library = [librarySkill("one"), librarySkill("two")];
    const ran = await play({
      host: host(),
      library,
      script: [search("a"), final("b"), search("c"), final("d")],
      gold: ["d"],
    });
    const { call } = serverOf({ host: host(), recording: await recordingTo(at("same")) });
    await call("open", { ...opened, gold: "d" });
    for (const { proposals, observation } of ran.steps) {
      for (const { action, thought } of proposals) await call("step", { episode: "e", action, thought });
      await call("observe", { episode: "e", observation });
    }
    const [served] = servedIn(at("same"));
    const told = (episode: Episode | undefined) => ({
      // What its model read and said, an agent need not tell.
      steps: episode?.steps.map(({ dispatchMs: _ms, proposals, ...step }) => ({
        ...step,
        proposals: proposals.map(({ completion: _completion, messages: _messages, ...rest }) => rest),
      })),
      decisions: episode?.decisions,
      answer: episode?.answer,
      outcome: episode?.outcome,
      stopReason: episode?.stopReason,
      facts: episode?.facts,
    });
    expect(told(served)).toEqual(told(ran));
    expect(served?.outcome).toBe("correct");
    expect(await nodeFiles().list(at("same/live"))).toEqual([]);
  });

  it("holds back a FINAL once, and takes it when the agent insists", async () => {
    const { call } = serverOf({
      host: hostOf(({ proposed }) => (proposed.type === "FINAL" ? [injects("one", "Sure?")] : [])),
    });
    await call("open", opened);
    const first = await call("step", proposes("FINAL", "Sam"));
    expect(first.result).toMatchObject({ hold_back: true, injected: [{ skill_id: "one", text: "Sure?" }] });
    expect((await call("observe", { episode: "e", observation: "" })).error).toMatchObject({
      code: "wrong_order",
      next: "Call step first.",
    });
    const second = await call("step", proposes("FINAL", "Sam"));
    expect(second.result).toMatchObject({
      hold_back: false,
      answer: "Sam",
      events: [{ skill_id: "one", status: "limited" }],
    });
    expect((await call("step", proposes("SEARCH"))).error?.code).toBe("episode_ended");
    expect((await call("close", { episode: "e" })).result).toEqual({
      episode_id: "e",
      steps: 1,
      stop_reason: "final",
      outcome: "unjudged",
      answer: "Sam",
    });
  });

  it("goes another round where the teacher rejects the answer, and keeps that answer where no better comes", async () => {
    const teacher = scriptedModel(() => '{"retry": true, "advice": "Search once more."}');
    const { call } = serverOf({ control: { ...TEST_CONTROL, enableRetry: true, maxSteps: 2 }, teacher });
    await call("open", opened);
    const { result } = await call("step", proposes("FINAL", "unknown"));
    expect(result).toMatchObject({ again: expect.any(String) as string, instructions: [] });
    expect((await call("step", proposes("SEARCH"))).result?.executed).toMatchObject({ type: "SEARCH" });
    const last = await call("observe", { episode: "e", observation: "found" });
    expect(last.result).toEqual({ instructions: [], stopped: "max_steps", answer: "unknown" });
  });

  it("does not run a search without budget: the agent reads why, and the next step comes", async () => {
    const { call } = serverOf({ control: { ...TEST_CONTROL, maxSearchCalls: 1 } });
    await call("open", { ...opened, max_steps: 2 });
    expect((await call("step", proposes("SEARCH"))).result).toMatchObject({
      executed: { type: "SEARCH", arg: "x" },
    });
    await call("observe", { episode: "e", observation: "found" });
    const surplus = await call("step", proposes("SEARCH"));
    expect(surplus.result).toMatchObject({
      again: expect.stringContaining("did not run") as string,
      stopped: "max_steps",
    });
    await call("open", { ...opened, max_steps: 1 });
    await call("step", proposes("SEARCH"));
    const observed = await call("observe", { episode: "e", observation: "found" });
    expect(observed.result).toEqual({ instructions: [], stopped: "max_steps" });
  });

  it("refuses an action that it has not, and an action space without an answer", async () => {
    const { call } = serverOf();
    const lacking = await call("open", { ...opened, action_types: ["SEARCH"] });
    expect(lacking.error?.message).toContain("lacks FINAL");
    await call("open", { ...opened, action_types: ["SEARCH", "CALCULATE", "FINAL"] });
    expect((await call("step", proposes("SERCH"))).error).toMatchObject({
      code: "bad_params",
      next: 'Did you mean "SEARCH"?',
    });
    expect((await call("step", proposes("CALCULATE"))).result?.executed).toEqual({
      type: "CALCULATE",
      arg: "x",
    });
  });

  it("is told of calls in the wrong order and goes on as if they had not come", async () => {
    const { call } = serverOf();
    await call("open", opened);
    expect((await call("observe", { episode: "e", observation: "" })).error?.code).toBe("wrong_order");
    await call("step", proposes("SEARCH", "Walton"));
    const twice = await call("step", proposes("SEARCH"));
    expect(twice.error).toMatchObject({ code: "wrong_order", next: "Call observe first." });
    expect(twice.error?.message).toContain('SEARCH("Walton")');
    expect((await call("observe", { episode: "e", observation: "found" })).result).toEqual({
      instructions: [],
    });
  });
});

describe("the texts of a served agent's model", () => {
  const form = /still: Who was it\?\n/;
  const rewrites = hostOf(({ proposed }) =>
    proposed.arg === "x" && proposed.type === "SEARCH" ? [modifiesTo("one", "SEARCH", "y")] : [],
  );

  it("end with the question and the form of an action wherever a skill speaks, and only there", async () => {
    const host = hostOf(({ proposed, pass }) =>
      proposed.type === "FINAL" || (proposed.arg === "a" && pass !== "post")
        ? [injects("one", "Mind it.")]
        : [],
    );
    const { call } = serverOf({ host });
    expect((await call("open", opened)).result).not.toHaveProperty("form");
    const first = await call("step", proposes("SEARCH", "a"));
    expect(first.result?.["form"]).toMatch(form);
    expect((await call("observe", { episode: "e", observation: "o" })).result).not.toHaveProperty("form");
    expect((await call("step", proposes("SEARCH", "b"))).result).not.toHaveProperty("form");
    await call("observe", { episode: "e", observation: "o" });
    const heldBack = await call("step", proposes("FINAL", "Sam"));
    expect(heldBack.result).toMatchObject({ hold_back: true, form: first.result?.["form"] });
    expect((await call("step", proposes("FINAL", "Sam"))).result).not.toHaveProperty("form");
  });

  it("end so too where an answer is not taken and where an action has no budget, but not where nothing follows", async () => {
    const teacher = scriptedModel(() => '{"retry": true, "advice": "Search once more."}');
    const control = { ...TEST_CONTROL, enableRetry: true, maxSearchCalls: 0 };
    const { call } = serverOf({ control, teacher });
    await call("open", { ...opened, max_steps: 3 });
    for (const proposed of [proposes("FINAL", "no"), proposes("SEARCH")])
      expect((await call("step", proposed)).result).toMatchObject({
        again: expect.any(String) as string,
        form: expect.stringMatching(form) as string,
      });
    const last = await call("step", proposes("SEARCH"));
    expect(last.result).toMatchObject({ stopped: "max_steps" });
    expect(last.result).not.toHaveProperty("form");
  });

  it("say which action ran in place of the agent's own, and why", async () => {
    const { call } = serverOf({ host: rewrites });
    await call("open", opened);
    expect((await call("step", proposes("SEARCH"))).result).toMatchObject({
      executed: { type: "SEARCH", arg: "y" },
      rewritten: 'In place of SEARCH("x"), SEARCH("y") ran. Reason: test.',
      form: expect.stringMatching(form) as string,
    });
    await call("observe", { episode: "e", observation: "o" });
    const own = await call("step", proposes("SEARCH", "z"));
    expect(own.result).not.toHaveProperty("rewritten");
  });

  it("name the actions that the agent has, or its own notation", async () => {
    const { call } = serverOf({ host: rewrites });
    await call("open", { ...opened, action_types: ["SEARCH", "LOOKUP", "REFUSE", "FINAL"] });
    const { result } = await call("step", proposes("SEARCH"));
    expect(result?.["form"]).toContain("with FINAL, LOOKUP or SEARCH");
    expect(result?.["form"]).not.toMatch(/READ|REFUSE/);
    const notation = "Go on with one call of a tool.";
    await call("open", { ...opened, episode_id: "f", notation });
    const other = await call("step", { ...proposes("SEARCH"), episode: "f" });
    expect(other.result?.["form"]).toBe(`The task is still: Who was it?\n${notation}`);
  });

  it("name them in a domain without a prompt as well", async () => {
    const { call } = serverOf({ host: rewrites, domain: agent });
    await call("open", { ...opened, action_types: ["SEARCH", "MAIL", "FINAL"] });
    expect((await call("step", proposes("SEARCH"))).result?.["form"]).toBe(
      "The task is still: Who was it?\nGo on with one action: SEARCH, MAIL, FINAL.",
    );
  });

  it("end with the form where a call is refused, which is no rewrite", async () => {
    const host = hostOf(() => [modifiesTo("one", "REFUSE", "The branch is shared.")]);
    const { call } = serverOf({ host, domain: codingAgent });
    await call("open", { ...opened, action_types: ["Bash", "REFUSE", "FINAL"] });
    const { result } = await call("step", { episode: "e", action: { type: "Bash", arg: '{"command":"x"}' } });
    expect(result).toMatchObject({
      executed: { type: "REFUSE" },
      form: expect.stringContaining("still") as string,
    });
    expect(result).not.toHaveProperty("rewritten");
  });
});

describe("a served coding agent", () => {
  const shell = (command: string) => ({ type: "Bash", arg: JSON.stringify({ command }) });
  const project = [{ kind: "test", command: "npm test" }] as const;

  it("says where it works, what it sees, how its tools end and what a person said; all of it is recorded", async () => {
    const contexts: StepContext[] = [];
    const host = hostOf(({ context }) => (contexts.push(context), []));
    const { call } = serverOf({ host, domain: codingAgent, recording: await recordingTo(at("coding")) });
    await call("open", { ...opened, cwd: "/w", project });
    const world = { branch: "main", files: [{ path: "a.ts", exists: true, occurrences: [1] }] };
    await call("step", { episode: "e", action: shell("npm test"), world });
    await call("observe", { episode: "e", observation: "", result: { exit_code: 1, ok: false } });
    await call("step", { episode: "e", action: shell("ls"), prompts: ["Never mind the tests."] });
    await call("observe", { episode: "e", observation: "a.ts" });
    await call("step", proposes("FINAL", "Done."));
    expect(contexts[0]).toMatchObject({ cwd: "/w", world, project });
    expect(contexts[1]).toMatchObject({
      checks: [{ kind: "test", passed: false }],
      commands: [{ command: "npm test", exitCode: 1, ok: false }],
      prompts: [opened.question, "Never mind the tests."],
      world: {},
    });
    const [episode] = servedIn(at("coding"));
    expect(episode?.facts).toMatchObject({ cwd: "/w", project });
    expect(episode?.steps[0]).toMatchObject({ result: { exitCode: 1, ok: false }, proposals: [{ world }] });
    expect(episode?.steps[1]?.prompts).toEqual(["Never mind the tests."]);
    const replayed = contextsOf(episode as Episode, codingAgent.contextRules);
    expect(JSON.parse(JSON.stringify(replayed))).toEqual(JSON.parse(JSON.stringify(contexts)));
  });

  it("cannot say what a person said with the second proposal of a step, and goes on", async () => {
    const host = hostOf(({ proposed }) => (proposed.type === "FINAL" ? [injects("one", "Sure?")] : []));
    const { call } = serverOf({ host, domain: codingAgent });
    await call("open", opened);
    await call("step", proposes("FINAL", "Done."));
    const late = await call("step", { ...proposes("FINAL", "Done."), prompts: ["Wait."] });
    expect(late.error).toMatchObject({ code: "bad_params" });
    expect((await call("step", proposes("FINAL", "Done."))).result).toMatchObject({ answer: "Done." });
  });

  it("is told of a world or a result that is none", async () => {
    const { call } = serverOf({ domain: codingAgent });
    await call("open", opened);
    expect((await call("step", { ...proposes("Bash"), world: { branch: 1 } })).error?.code).toBe(
      "bad_params",
    );
    await call("step", proposes("Bash"));
    const observed = await call("observe", { episode: "e", observation: "", result: { exitCode: 0 } });
    expect(observed.error).toMatchObject({ code: "bad_params" });
  });
});

describe("the server", () => {
  it("answers what is sent before the replies are read, in order for each episode", async () => {
    const { call } = serverOf();
    const ids = Array.from({ length: 40 }, (_, i) => `e${i}`);
    const all = await Promise.all(
      ids.flatMap((id) => [
        call("open", { question: `Question ${id}?`, episode_id: id }),
        call("step", { episode: id, action: { type: "SEARCH", arg: id } }),
        call("observe", { episode: id, observation: "found" }),
        call("step", { episode: id, action: { type: "FINAL", arg: id } }),
      ]),
    );
    expect(all.filter(({ error }) => error !== undefined)).toEqual([]);
    expect(all.filter((_, i) => i % 4 === 3).map(({ result }) => result?.answer)).toEqual(ids);
    expect((await call("ping")).result?.episodes).toBe(0);
  });

  it("says which skills it has", async () => {
    const { call } = serverOf();
    expect((await call("library")).result).toMatchObject({
      domain: "web-search",
      skills: [{ skill_id: "one", version: 1, program: true }, { skill_id: "two" }],
    });
  });

  it("has no more than its episodes open, and each id once", async () => {
    const { call } = serverOf({ maxEpisodes: 2 });
    await call("open", opened);
    expect((await call("open", opened)).error?.code).toBe("episode_exists");
    expect((await call("open", { question: "?" })).result?.episode).toBe("served-1");
    const full = await call("open", { question: "?" });
    expect(full.error).toMatchObject({ code: "too_many_episodes" });
    await call("close", { episode: "e" });
    expect((await call("open", { question: "?" })).error).toBeUndefined();
    expect((await call("step", { ...proposes("SEARCH"), episode: "nobody" })).error?.code).toBe(
      "unknown_episode",
    );
  });

  it("keeps as halted what a client leaves behind, and what it stops with", async () => {
    const { server, call } = serverOf({ recording: await recordingTo(at("left")) });
    const other = server.connect();
    await callerOf(other)("open", { question: "Who?", episode_id: "gone" });
    await callerOf(other)("step", { episode: "gone", action: { type: "SEARCH", arg: "x" } });
    await call("open", { question: "Who?", episode_id: "here" });
    await other.leave();
    expect((await call("observe", { episode: "gone", observation: "" })).error?.message).toContain(
      "client_gone",
    );
    await server.close();
    expect((await call("open", { question: "Who?" })).error?.code).toBe("stopping");
    expect(
      servedIn(at("left")).map(({ id, outcome, stopReason, length }) => [id, outcome, stopReason, length]),
    ).toEqual([
      ["gone", "halted", "client_gone", 1],
      ["here", "halted", "server_stopped", 0],
    ]);
  });

  it("ends an episode that nobody asks for any more, or whose time is up", async () => {
    const idle = serverOf({ idleSeconds: 0.02 });
    await idle.call("open", opened);
    const late = serverOf({ control: { ...TEST_CONTROL, timeoutSeconds: 0.02 } });
    await late.call("open", opened);
    for (const [{ call }, why] of [
      [idle, "idle"],
      [late, "timeout"],
    ] as const) {
      while ((await call("ping")).result?.episodes !== 0)
        await new Promise((resolve) => setTimeout(resolve, 5));
      expect((await call("step", proposes("SEARCH"))).error?.message).toContain(why);
    }
  });

  it("cuts off a teacher that does not answer when it stops", async () => {
    const asked: string[] = [];
    const teacher: ChatModel = {
      id: "slow",
      chat: ({ messages }) => {
        asked.push(...messages.map(({ content }) => content));
        return new Promise(() => undefined);
      },
    };
    const control = { ...TEST_CONTROL, enableAnswerFormatting: true, teacherSitesOff: ["pf_selector"] };
    const answering = serverOf({ teacher, control });
    await answering.call("open", opened);
    const opening = serverOf({ teacher, control: { ...TEST_CONTROL, enableDifficultyGating: true } });
    const cutOff = [answering.call("step", proposes("FINAL", "a")), opening.call("open", opened)];
    while (asked.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await Promise.all([answering.server.close(), opening.server.close()]);
    for (const reply of cutOff) expect((await reply).error?.message).toContain("server_stopped");
  });

  it("tells a client of its own failure, and the person as well", async () => {
    const host = hostOf(() => {
      throw new Error("the sandbox is gone");
    });
    const { call, troubles } = serverOf({ host });
    await call("open", opened);
    const failed = await call("step", proposes("SEARCH"));
    expect(failed.error).toMatchObject({
      code: "internal",
      message: "The server failed: the sandbox is gone",
    });
    expect(troubles).toHaveLength(1);
    expect((await call("step", proposes("SEARCH"))).error?.message).toContain("internal_error");
  });
});
