import { describe, expect, test } from "vitest";
import type { Episode } from "../../../src/model/episode.ts";
import {
  agent,
  answers,
  calls,
  chat,
  importSpans,
  outline,
  reported,
  says,
  steps,
  type TestSpan,
  tool,
  user,
} from "./formats-otel-support.ts";

const origins = (episodes: readonly Episode[]): unknown[] => episodes.map(({ id, origin }) => [id, origin]);
const called = (episode: Episode | undefined): unknown[] =>
  (episode?.steps ?? []).map(({ extra }) => extra?.["subAgents"]);

/** An agent that is asked one thing, and answers. */
const scout = (id: string, parent: string, at: number, city: string): TestSpan[] => [
  agent({ id, parent, at, for: 3, agent: "scout" }),
  chat({
    id: `${id}1`,
    parent: id,
    at: at + 1,
    read: [user(`Weather of ${city}`)],
    said: [says(`Mild in ${city}`)],
  }),
];

describe("sub-agents", () => {
  test("two side by side below the calls of one reply are episodes of their own, linked both ways", async () => {
    const { episodes, diagnostics } = await importSpans(
      agent({ id: "m", at: 0, for: 20, agent: "main" }),
      chat({
        id: "a",
        parent: "m",
        at: 1,
        read: [user("Compare")],
        said: [calls(["k1", "task", { city: "Oslo" }], ["k2", "task", { city: "Rome" }])],
      }),
      tool({ id: "b", parent: "m", at: 3, for: 9, tool: "task", callId: "k1", result: "Oslo: 4" }),
      tool({ id: "c", parent: "m", at: 3, for: 9, tool: "task", callId: "k2", result: "Rome: 18" }),
      ...scout("o", "b", 4, "Oslo"),
      ...scout("r", "c", 4, "Rome"),
      chat({
        id: "d",
        parent: "m",
        at: 15,
        read: [user("Compare"), answers("k1", "Oslo: 4")],
        said: [says("Rome")],
      }),
    );
    expect(diagnostics).toEqual([]);
    expect(origins(episodes)).toEqual([
      ["t1", undefined],
      ["t1~scout", { as: "sub_agent", episode: "t1", t: 0 }],
      ["t1~scout~2", { as: "sub_agent", episode: "t1", t: 1 }],
    ]);
    expect(called(episodes[0])).toEqual([["t1~scout"], ["t1~scout~2"], undefined]);
    expect(steps(episodes[0])).toEqual([
      ["task", "Oslo", "Oslo: 4"],
      ["task", "Rome", "Rome: 18"],
      ["FINAL", "Rome", ""],
    ]);
    expect(outline({ episodes: episodes.slice(1) })).toEqual([
      ["Weather of Oslo", ["FINAL"]],
      ["Weather of Rome", ["FINAL"]],
    ]);
  });

  test("three deep, each is linked to the one that called it", async () => {
    const level = (n: number): TestSpan[] => [
      agent({
        id: `a${n}`,
        ...(n > 1 && { parent: `t${n - 1}` }),
        at: 10 * n,
        for: 90 - 20 * n,
        agent: `level${n}`,
      }),
      chat({
        id: `c${n}`,
        parent: `a${n}`,
        at: 10 * n + 1,
        read: [user(`Task ${n}`)],
        said: [n === 3 ? says("Deep") : calls([`k${n}`, "delegate", {}])],
      }),
      ...(n === 3
        ? []
        : [
            tool({
              id: `t${n}`,
              parent: `a${n}`,
              at: 10 * n + 3,
              for: 60,
              tool: "delegate",
              callId: `k${n}`,
            }),
          ]),
    ];
    const { episodes } = await importSpans(...level(3), ...level(1), ...level(2));
    expect(origins(episodes)).toEqual([
      ["t1", undefined],
      ["t1~level2", { as: "sub_agent", episode: "t1", t: 0 }],
      ["t1~level3", { as: "sub_agent", episode: "t1~level2", t: 0 }],
    ]);
    expect(called(episodes[1])).toEqual([["t1~level3"]]);
  });

  test("one that no tool's span leads to: the step before it called it", async () => {
    const { episodes } = await importSpans(
      agent({ id: "m", at: 0, for: 20, agent: "main" }),
      chat({ id: "a", parent: "m", at: 1, read: [user("Go")], said: [calls(["1", "ls", {}])] }),
      tool({ id: "b", parent: "m", at: 2, tool: "ls", callId: "1", result: "x" }),
      chat({
        id: "c",
        parent: "m",
        at: 3,
        read: [user("Go")],
        said: [calls(["2", "transfer_to_scout", {}])],
      }),
      ...scout("s", "m", 5, "Oslo"),
      chat({ id: "d", parent: "m", at: 10, read: [user("Go")], said: [says("Done")] }),
    );
    expect(origins(episodes)).toEqual([
      ["t1", undefined],
      ["t1~scout", { as: "sub_agent", episode: "t1", t: 1 }],
    ]);
    expect(called(episodes[0])).toEqual([undefined, ["t1~scout"], undefined]);
  });

  test("a tool that calls a model itself, with no agent's span: what happens below it is the tool's", async () => {
    const { episodes } = await importSpans(
      agent({ id: "m", at: 0, for: 20, agent: "claude" }),
      chat({
        id: "a",
        parent: "m",
        at: 1,
        read: [user("Go")],
        said: [calls(["1", "Agent", { prompt: "Find it" }])],
      }),
      tool({ id: "b", parent: "m", at: 2, for: 8, tool: "Agent", callId: "1", result: "Found" }),
      chat({ id: "c", parent: "b", at: 3, read: [user("Find it")], said: [calls(["2", "Grep", {}])] }),
      tool({ id: "d", parent: "b", at: 4, tool: "Grep", callId: "2", result: "a.ts" }),
      chat({ id: "e", parent: "b", at: 5, read: [user("Find it")], said: [says("In a.ts")] }),
      chat({ id: "f", parent: "m", at: 12, read: [user("Go"), answers("1", "Found")], said: [says("Done")] }),
    );
    expect(outline({ episodes })).toEqual([
      ["Go", ["Agent", "FINAL"]],
      ["Find it", ["Grep", "FINAL"]],
    ]);
    expect(episodes[1]?.origin).toEqual({ as: "sub_agent", episode: "t1", t: 0 });
  });

  test("what an agent's own span tells is a step where none of its chats is there", async () => {
    const remote = agent({
      id: "b",
      parent: "a",
      at: 3,
      agent: "expert",
      attributes: { "gen_ai.input.messages": [user("Why?")], "gen_ai.output.messages": [says("Because.")] },
    });
    const { episodes } = await importSpans(
      chat({ id: "c", at: 1, read: [user("Ask the expert")], said: [calls(["1", "ask", {}])] }),
      tool({ id: "a", at: 2, for: 5, tool: "ask", callId: "1", result: "Because." }),
      remote,
    );
    expect(outline({ episodes })).toEqual([
      ["Ask the expert", ["ask"]],
      ["Why?", ["FINAL"]],
    ]);
  });
});

describe("spans around others", () => {
  test("an agent's span that only holds another one is the same agent; the question is what was typed", async () => {
    const { episodes } = await importSpans(
      agent({
        id: "w",
        at: 0,
        for: 9,
        agent: "copilotcli",
        attributes: { "copilot_chat.user_request": "Fix it" },
      }),
      { id: "s", parent: "w", at: 1, for: 7, name: "invoke_agent", attributes: {} },
      chat({ id: "a", parent: "s", at: 2, read: [user("<context/>Fix it")], said: [says("Fixed")] }),
    );
    expect(outline({ episodes })).toEqual([["Fix it", ["FINAL"]]]);
    expect(episodes[0]).toMatchObject({ id: "t1", settings: { agent: "copilotcli" } });
  });

  test("instructions, tools and tokens that only the agent's span tells", async () => {
    const attributes = {
      "gen_ai.system_instructions": [{ type: "text", content: "Be brief." }],
      "gen_ai.tool.definitions": [{ type: "function", name: "ls" }],
      "gen_ai.usage.input_tokens": 50,
      "gen_ai.usage.output_tokens": 8,
    };
    const { episodes } = await importSpans(
      agent({ id: "a", at: 0, for: 9, agent: "x", attributes }),
      chat({ id: "b", parent: "a", at: 1, read: [user("Go")], said: [calls(["1", "ls", {}])] }),
      chat({ id: "c", parent: "a", at: 3, read: [user("Go"), answers("1", "x")], said: [says("Done")] }),
    );
    expect(episodes[0]).toMatchObject({
      prelude: "Be brief.",
      cost: { inputTokens: 50, outputTokens: 8 },
    });
  });

  test("agents in sequence that hand one conversation on are one episode", async () => {
    const handed = [
      user("My bill?"),
      calls(["1", "transfer_to_billing", {}]),
      answers("1", "You are billing."),
    ];
    const { episodes } = await importSpans(
      { id: "w", at: 0, for: 20, attributes: { "gen_ai.operation.name": "invoke_workflow" } },
      agent({ id: "t", parent: "w", at: 1, for: 4, agent: "triage" }),
      chat({ id: "a", parent: "t", at: 2, read: handed.slice(0, 1), said: [handed[1] as object] }),
      tool({
        id: "b",
        parent: "t",
        at: 3,
        tool: "transfer_to_billing",
        callId: "1",
        result: "You are billing.",
      }),
      agent({ id: "u", parent: "w", at: 6, for: 4, agent: "billing" }),
      chat({ id: "c", parent: "u", at: 7, read: handed, said: [says("12 dollars")] }),
    );
    expect(outline({ episodes })).toEqual([["My bill?", ["transfer_to_billing", "FINAL"]]]);
  });

  test("agents of a workflow with conversations of their own are episodes of their own", async () => {
    const { episodes } = await importSpans(
      { id: "w", at: 0, for: 20, attributes: { "gen_ai.operation.name": "invoke_workflow" } },
      ...scout("o", "w", 2, "Oslo"),
      ...scout("r", "w", 2, "Rome"),
    );
    expect(outline({ episodes })).toEqual([
      ["Weather of Oslo", ["FINAL"]],
      ["Weather of Rome", ["FINAL"]],
    ]);
    expect(episodes.map(({ origin }) => origin)).toEqual([undefined, undefined]);
  });

  test("a call that two instrumentations tell is one step", async () => {
    const read = [user("Hi?")];
    const imported = await importSpans(
      chat({ id: "a", at: 1, for: 5, read, said: [says("Ho.")] }),
      chat({ id: "b", parent: "a", at: 2, read, said: [says("Ho.")] }),
      tool({ id: "c", at: 7, for: 3, tool: "ls", result: "x" }),
      tool({ id: "d", parent: "c", at: 8, tool: "ls", result: "x" }),
    );
    expect(steps(imported.episodes[0])).toEqual([
      ["FINAL", "Ho.", ""],
      ["ls", "", "x"],
    ]);
    expect(reported(imported, "kept")).toEqual(["spans that are neither chats nor tools ×2"]);
  });

  test("a chat that failed is no step, and is kept", async () => {
    const status = { code: 2, message: "rate limit" };
    const imported = await importSpans(
      chat({ id: "a", at: 1, read: [user("Hi?")], more: { status } }),
      chat({ id: "b", at: 3, read: [user("Hi?")], said: [says("Ho.")] }),
      tool({
        id: "c",
        at: 5,
        tool: "ls",
        more: { status: { code: "STATUS_CODE_ERROR", message: "no such file" } },
      }),
    );
    const [episode] = imported.episodes;
    expect(outline(imported)).toEqual([["Hi?", ["FINAL", "ls"]]]);
    expect(episode?.extra?.["failedChats"]).toMatchObject([{ failure: "rate limit" }]);
    expect(episode?.steps[1]).toMatchObject({ observation: "no such file", result: { ok: false } });
  });

  test("parallel calls without a chat that tells them are one turn, and chats that tell nothing are named", async () => {
    const { episodes, diagnostics } = await importSpans(
      chat({ id: "a", at: 1 }),
      tool({ id: "b", at: 2, tool: "ls", result: "x" }),
      tool({ id: "c", at: 2, tool: "cat", result: "y" }),
      chat({ id: "d", at: 4 }),
    );
    expect(steps(episodes[0])).toEqual([
      ["ls", "", "x"],
      ["cat", "", "y"],
      ["invalid", "", ""],
    ]);
    expect(episodes[0]?.steps[0]?.extra?.["turn"]).toBe(episodes[0]?.steps[1]?.extra?.["turn"]);
    expect(diagnostics[0]?.message).toBe("Line 1: 1 chat span tells nothing of what the model said.");
  });
});
