import { describe, expect, test } from "vitest";
import type { ReadEpisode } from "../../../src/trace/formats/turn.ts";
import {
  ask,
  done,
  event,
  readLines,
  says,
  shell,
  start,
  starts,
  system,
  used,
  user,
} from "./copilot-lines.ts";
import { acted, importContent, lines, step } from "./formats-support.ts";

const importLines = (...rows: object[]) => importContent(lines(...rows), "events.jsonl");

/** What the agent read before each step. */
const promptsOf = (read: ReadEpisode | undefined): (string | undefined)[] =>
  (read?.prompts ?? []).map((prompt) =>
    prompt?.talk
      .slice(0, prompt.upTo)
      .map(({ role, content }) => `${role}: ${content}`)
      .join("\n--\n"),
  );

describe("a session of Copilot CLI", () => {
  const session = [
    start(),
    user("Fix it."),
    system("You are Copilot."),
    event("assistant.turn_start", { turnId: "0" }),
    used("r1", 100, 10),
    says("r1", "I look.", [ask("1", "bash", { command: "make" }), ask("2", "bash", { command: "ls" })], {
      reasoningText: "What fails?",
    }),
    starts("1", "bash", { command: "make" }),
    starts("2", "bash", { command: "ls" }),
    shell("2", "a.txt", 0),
    shell("1", "no rule", 2),
    used("r2", 120, 5),
    says("r2", "Done."),
    event("session.shutdown", {
      modelMetrics: { "gpt-5.5": { usage: { inputTokens: 9, outputTokens: 9 } } },
    }),
  ];

  test("commands end with their own code, each reply is counted once, instructions are the prelude", async () => {
    const { episodes, diagnostics, value } = await importLines(...session);
    expect(diagnostics).toEqual([]);
    expect(value?.files[0]?.unknown).toEqual([]);
    expect(episodes).toHaveLength(1);
    expect(episodes[0]).toMatchObject({
      id: "s",
      question: "Fix it.",
      prelude: "You are Copilot.",
      answer: "Done.",
      stopReason: "final",
      cost: { inputTokens: 220, outputTokens: 15 },
      settings: { model: "gpt-5.5", agent: "copilot", agentVersion: "1.0.102" },
      facts: { cwd: "/repo" },
    });
    expect(acted(episodes[0])).toEqual([
      ["Bash", { command: "make" }],
      ["Bash", { command: "ls" }],
      ["FINAL", "Done."],
    ]);
    expect(step(episodes[0], 0)).toMatchObject({
      result: { exitCode: 2, ok: false },
      proposals: [{ thought: "What fails?\n\nI look.", usage: { inputTokens: 100, outputTokens: 10 } }],
    });
    expect(step(episodes[0], 1)).toMatchObject({ result: { exitCode: 0, ok: true } });
  });

  test("prompts are the messages in their order, instructions first, results in the order of the calls", () => {
    const [read] = readLines(session);
    const asked = "system: You are Copilot.\n--\nuser: <now>1</now>\n\nFix it.";
    expect(promptsOf(read)[0]).toBe(asked);
    const last = promptsOf(read)[2] ?? "";
    expect(last.startsWith(`${asked}\n--\nassistant: I look.\n<tool_call>`)).toBe(true);
    expect(last.indexOf("no rule")).toBeLessThan(last.indexOf("a.txt"));
    expect(read?.episode.steps[0]?.proposals[0]).toMatchObject({
      fromTranscript: true,
      completion: { finish: "stop", reasoning: "What fails?" },
    });
  });

  test("after a summary the prompts begin with it and keep what was said since it was begun", () => {
    const [read] = readLines([
      start(),
      user("Fix it."),
      system("S"),
      says("r1", "", [ask("1", "bash", { command: "a" })]),
      shell("1", "old", 0),
      event("session.compaction_start", {}),
      says("r2", "", [ask("2", "bash", { command: "b" })]),
      shell("2", "new", 0),
      event("session.compaction_complete", {
        success: true,
        summaryContent: "So far: a.",
        compactionTokensUsed: { inputTokens: 50, outputTokens: 5 },
      }),
      says("r3", "Done."),
    ]);
    const [, second, third] = promptsOf(read);
    expect(second).toContain("old");
    expect(third?.startsWith("system: S\n--\nuser: Fix it.\n\nSo far: a.\n--\nassistant: ")).toBe(true);
    expect(third).not.toContain("old");
    expect(third).toContain("new");
    expect(read?.episode.cost).toEqual({ inputTokens: 50, outputTokens: 5 });
    expect(read?.episode.steps[1]?.observation).toContain("So far: a.");
    const failed = readLines([
      start(),
      user("A"),
      event("session.compaction_complete", { success: false }),
      says("r", "B"),
    ]);
    expect(promptsOf(failed[0])).toEqual(["user: <now>1</now>\n\nA"]);
  });

  test("what was cut out leaves no prompts; a cleared conversation begins anew", () => {
    const [read] = readLines([
      start(),
      user("A"),
      system("S"),
      says("r1", "One."),
      event("session.truncation", { messagesRemovedDuringTruncation: 2 }),
      user("B"),
      says("r2", "Two."),
      event("session.context_cleared", { initialMessage: "Afresh." }),
      user("C"),
      says("r3", "Three."),
    ]);
    expect(promptsOf(read)).toEqual([
      "system: S\n--\nuser: <now>1</now>\n\nA",
      undefined,
      "system: S\n--\nuser: Afresh.\n\n<now>1</now>\n\nC",
    ]);
  });

  test("agents that it calls are episodes that lead to the step that called them", async () => {
    const one = { agentId: "a-1" };
    const deep = { agentId: "a-2" };
    const { episodes, diagnostics } = await importLines(
      start(),
      user("Count."),
      used("r1", 10, 1),
      says("r1", "", [
        ask("x", "bash", { command: "true" }),
        ask("c1", "task", { prompt: "Count a.", agent_type: "explore", name: "one" }),
      ]),
      event("subagent.started", { toolCallId: "c1", agentName: "explore", model: "mini" }, one),
      user("Count a.", { source: "agent-s" }, one),
      system("You explore.", one),
      used("r2", 20, 2, one),
      says(
        "r2",
        "",
        [ask("1", "bash", { command: "ls" }), ask("c2", "task", { prompt: "Deep.", agent_type: "task" })],
        { parentToolCallId: "c1" },
        one,
      ),
      shell("1", "a", 1, one),
      event("subagent.started", { toolCallId: "c2", agentName: "task", parentId: "a-1" }, deep),
      user("Deep.", { source: "agent-a-1" }, deep),
      says("r3", "Deep is done.", [], { parentToolCallId: "c2" }, deep),
      done("c2", "Deep is done.", {}, one),
      says("r4", "One.", [], {}, one),
      event("subagent.failed", { toolCallId: "c2", agentName: "task", error: "out of time" }, deep),
      done("c1", "One."),
      shell("x", "", 0),
      event("system.notification", { content: "An agent is idle." }),
      says(undefined, "", [ask("h", "read_agent", { agent_id: "a-1" })]),
      done("h", "One."),
      says("r5", "Done."),
    );
    expect(diagnostics).toEqual([]);
    expect(episodes.map(({ id, question, origin }) => [id, question, origin])).toEqual([
      ["s", "Count.", undefined],
      ["s~a-1", "Count a.", { as: "sub_agent", episode: "s", t: 1 }],
      ["s~a-2", "Deep.", { as: "sub_agent", episode: "s~a-1", t: 1 }],
    ]);
    expect(step(episodes[0], 1).extra).toMatchObject({ subAgents: ["s~a-1"] });
    expect(step(episodes[1], 1).extra).toMatchObject({ subAgents: ["s~a-2"] });
    expect(step(episodes[1], 0)).toMatchObject({ result: { exitCode: 1, ok: false } });
    expect(episodes[1]).toMatchObject({
      prelude: "You explore.",
      cost: { inputTokens: 20, outputTokens: 2 },
    });
    expect(episodes[2]?.extra).toMatchObject({ agentName: "task", error: "out of time" });
    // The program itself read the agent's words, in the model's place.
    expect(acted(episodes[0])[2]).toEqual(["read_agent", { agent_id: "a-1" }]);
    expect(step(episodes[0], 2).extra).toMatchObject({ byHost: true });
    expect(step(episodes[0], 2).proposals?.[0]).not.toHaveProperty("completion");
  });

  test("older versions name the call alone: its prompt is the question, and the program's counts are the cost", async () => {
    const { episodes } = await importLines(
      start({ copilotVersion: "0.0.400" }),
      event("user.message", { content: "Go." }),
      event("assistant.message", {
        content: "",
        toolRequests: [ask("c", "task", { prompt: "Look.", agent_type: "explore" })],
      }),
      event("subagent.started", { toolCallId: "c", agentName: "explore" }),
      event("assistant.message", { content: "Seen.", parentToolCallId: "c", toolRequests: [] }),
      event("tool.execution_complete", { toolCallId: "c", success: true, result: { content: "Seen." } }),
      event("assistant.message", { content: "Done.", toolRequests: [], outputTokens: 7 }),
      event("session.shutdown", {
        modelMetrics: {
          a: { usage: { inputTokens: 30, outputTokens: 3 } },
          b: { usage: { inputTokens: 1, outputTokens: 1 } },
        },
      }),
    );
    expect(episodes.map(({ id, question, origin }) => [id, question, origin])).toEqual([
      ["s", "Go.", undefined],
      ["s~c", "Look.", { as: "sub_agent", episode: "s", t: 0 }],
    ]);
    expect(episodes[0]?.cost).toEqual({ inputTokens: 31, outputTokens: 4 });
  });

  test("what hooks, skills, notices and the person's own commands say is text that the agent read", async () => {
    const { episodes, value } = await importLines(
      start(),
      event("hook.end", { hookType: "sessionStart", success: true, output: { additionalContext: "RULES" } }),
      user("Go."),
      says("r1", "", [ask("1", "skill", { skill: "greet" })]),
      done("1", "Loaded."),
      event("skill.invoked", { name: "greet", content: "Say hello." }),
      event("skill.context_delivered_ref", { source: "skill-greet", prefix: "<skill>", suffix: "</skill>" }),
      event("tool.user_requested", { toolCallId: "p", toolName: "bash", arguments: { command: "git pull" } }),
      starts("p", "bash", { command: "git pull" }),
      done("p", "Up to date.", { isUserRequested: true }),
      event("session.mode_notice_delivered", { content: "Plan mode." }),
      says("r2", "First stop."),
      event("hook.end", {
        hookType: "agentStop",
        success: true,
        output: { decision: "block", reason: "Run the tests." },
      }),
      user("Run the tests."),
      says("r3", "Second stop."),
      user("And the docs?"),
      user("Go on.", { isAutopilotContinuation: true }),
      says("r4", "Done."),
    );
    expect(value?.files[0]?.unknown).toEqual([]);
    expect(episodes[0]).toMatchObject({ question: "Go.", prelude: "RULES" });
    expect(acted(episodes[0])).toEqual([
      ["skill", { skill: "greet" }],
      ["FINAL", "First stop."],
      ["FINAL", "Second stop."],
      ["FINAL", "Done."],
    ]);
    const read = step(episodes[0], 0).observation;
    for (const text of ["<skill>Say hello.</skill>", "git pull", "Up to date.", "Plan mode."])
      expect(read).toContain(text);
    expect(step(episodes[0], 1).observation).toContain("Run the tests.");
    expect(step(episodes[0], 2)).not.toHaveProperty("prompts");
    expect(step(episodes[0], 3)).toMatchObject({ prompts: ["And the docs?"] });
  });

  test("events that are given twice are read once", async () => {
    const events = [
      start(),
      user("Go."),
      says("r1", "Look.", [ask("1", "bash", { command: "a" })]),
      shell("1", "x", 0),
      says("r2", "Done."),
    ];
    const { episodes } = await importLines(...events, ...events);
    expect(acted(episodes[0]).map(([type]) => type)).toEqual(["Bash", "FINAL"]);
    expect(episodes).toHaveLength(1);
  });

  test("thoughts that are told right after their message are not those of the next one", async () => {
    const told = (id: string, more: object): object => ({ ...says(id, `Text ${id}.`, [], more), id });
    const thought = (content: string, parentId: string): object => ({
      ...event("assistant.reasoning", { content }),
      parentId,
    });
    const { episodes } = await importLines(
      start(),
      user("Go."),
      told("r1", { reasoningText: "Think A" }),
      thought("Think A", "r1"),
      user("On."),
      told("r2", {}),
      thought("Think B", "r2"),
    );
    expect(episodes[0]?.steps.map(({ proposals: [one] }) => one?.thought)).toEqual(["Think A", "Think B"]);
  });

  test("parts of one reply are one; a message that comes again is left out", async () => {
    const again = says("r1", "Text A.", [ask("1", "bash", { command: "a" })], {
      chunkIndex: 0,
      chunkCount: 2,
    });
    const { episodes, value } = await importLines(
      start(),
      user("Go."),
      event("assistant.reasoning", { content: "Think A" }),
      again,
      again,
      says("r1", "Text B.", [ask("2", "bash", { command: "b" })], {
        chunkIndex: 1,
        reasoningText: "Think B",
      }),
      event("assistant.usage", { inputTokens: 5, outputTokens: 2, apiCallId: "r1" }),
      used("r1", 5, 2),
      shell("1", "x", 0),
      shell("1", "x", 0),
      shell("2", "y", 0),
      says("r2", "Done."),
    );
    expect(acted(episodes[0]).map(([, input]) => input)).toEqual([
      { command: "a" },
      { command: "b" },
      "Done.",
    ]);
    expect(step(episodes[0], 0).proposals?.[0]).toMatchObject({
      thought: "Think A\n\nThink B\n\nText A.\n\nText B.",
    });
    expect(step(episodes[0], 0).observation).toBe("x\n<shellId: 0 completed with exit code 0>");
    expect(episodes[0]?.cost).toEqual({ inputTokens: 5, cachedInputTokens: 1, outputTokens: 2 });
    expect(value?.files[0]?.dropped).toContainEqual({
      what: "events assistant.message that come again",
      to: "they were read before",
      times: 1,
    });
  });

  test("a turn that was stopped ends with no FINAL, and its calls are unanswered", async () => {
    const { episodes } = await importLines(
      start(),
      user("Go."),
      says("r1", "", [ask("1", "bash", { command: "sleep 40" })]),
      starts("1", "bash", { command: "sleep 40" }),
      event("abort", { reason: "user_initiated" }),
      event("assistant.turn_end", { turnId: "1" }),
      user("Wait."),
      says("r2", "I am"),
      event("abort", { reason: "user_initiated" }),
      event("session.error", { errorType: "query", message: "no connection" }),
    );
    expect(acted(episodes[0])).toEqual([
      ["Bash", { command: "sleep 40" }],
      ["other", "I am"],
    ]);
    expect(step(episodes[0], 0).extra).toMatchObject({ unanswered: true });
    expect(episodes[0]).toMatchObject({
      stopReason: "halted",
      extra: { error: "no connection", branch: "main" },
    });
  });

  test("what was taken back is an abandoned branch; agents' events between it stay", async () => {
    const rows = [
      start(),
      user("A"),
      says("r1", "One."),
      user("B"),
      used("r2", 7, 1),
      says("r2", "", [ask("1", "bash", { command: "rm -r x" })]),
      event("system.notification", { content: "kept" }),
      shell("1", "", 0),
    ];
    const ids = rows.map((value) => (value as { id: string }).id);
    const { episodes } = await importLines(
      ...rows,
      event(
        "session.snapshot_rewind",
        { upToEventId: ids[3], eventIds: [ids[3], ids[5], ids[7]] },
        { ephemeral: true },
      ),
      event("session.snapshot_rewind", { upToEventId: "none" }),
      user("C"),
      says("r3", "Three."),
    );
    expect(episodes.map(({ id, outcome, origin, steps }) => [id, outcome, origin, steps.length])).toEqual([
      ["s", "unjudged", undefined, 2],
      ["s~branch-1", "abandoned", { as: "branch", episode: "s", t: 0 }, 1],
    ]);
    expect(step(episodes[0], 0).observation).toBe("kept");
    expect(step(episodes[0], 1)).toMatchObject({ prompts: ["C"] });
    expect(episodes[1]).toMatchObject({ question: "B", cost: { inputTokens: 7, outputTokens: 1 } });
    const [read] = readLines([
      ...rows,
      event("session.snapshot_rewind", { upToEventId: ids[3] }),
      user("C"),
      says("r3", "Three."),
    ]);
    expect(promptsOf(read)[1]).toBe(
      "user: <now>1</now>\n\nA\n--\nassistant: One.\n--\nuser: <now>1</now>\n\nC",
    );
  });
});
