import { describe, expect, test } from "vitest";
import {
  began,
  done,
  ended,
  event,
  exec,
  item,
  message,
  meta,
  output,
  printed,
  ran,
  rollBack,
  row,
  script,
  typed,
  usage,
} from "./codex-lines.ts";
import { acted, importContent, lines, step } from "./formats-support.ts";

const FILE = "rollout-2026-11-20T10-00-00-th-1.jsonl";
const importLines = (...rows: object[]) => importContent(lines(...rows), FILE);

describe("code mode", () => {
  test("what a script ran are the steps; the script and what it printed are kept with the first", async () => {
    const code = "const a = await tools.exec_command({cmd: 'make'}); text(a.output)";
    const { episodes, diagnostics } = await importLines(
      meta(),
      began(),
      ...typed("Build it."),
      script("c1", code),
      usage("r1", 900, 40),
      ran("exec-1", "make", 2, "no rule"),
      done({
        type: "FileChange",
        id: "exec-2",
        status: "completed",
        stdout: "Updated.",
        changes: {
          "/repo/a.txt": { type: "update", unified_diff: "@@ -1 +1 @@\n-one\n+two\n", move_path: null },
          "/repo/b.txt": { type: "add", content: "b\n" },
          "/repo/c.txt": { type: "delete", content: "c" },
        },
      }),
      done({
        type: "McpToolCall",
        id: "exec-3",
        server: "box",
        tool: "weigh",
        arguments: { what: "stone" },
        status: "failed",
        result: { content: [{ type: "text", text: "too heavy" }], isError: true },
      }),
      done({ type: "WebSearch", id: "exec-4", query: "stones", action: { type: "search", query: "stones" } }),
      done({ type: "ImageView", id: "exec-5", path: "file:///repo/x%20y.png" }),
      printed("c1", "Script completed", "no rule"),
      event({
        type: "token_count",
        info: { total_token_usage: { input_tokens: 900 }, last_token_usage: { input_tokens: 900 } },
      }),
      done({ type: "AgentMessage", id: "m", content: [{ type: "Text", text: "Done." }] }),
      message("assistant", "Done."),
      usage("r2", 1000, 5),
      ended(),
    );
    expect(diagnostics).toEqual([]);
    const [episode] = episodes;
    const patch =
      "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n*** Add File: b.txt\n+b\n*** Delete File: c.txt\n*** End Patch";
    expect(acted(episode)).toEqual([
      ["Bash", { command: "make" }],
      ["Patch", { patch }],
      ["mcp__box__weigh", { what: "stone" }],
      ["WebSearch", { query: "stones" }],
      ["Read", { path: "x y.png" }],
      ["FINAL", "Done."],
    ]);
    expect(episode?.steps.map(({ result }) => result)).toEqual([
      { exitCode: 2, ok: false },
      { ok: true },
      { ok: false },
      undefined,
      undefined,
      undefined,
    ]);
    expect(episode?.steps.map(({ observation }) => observation).slice(0, 3)).toEqual([
      "no rule",
      "Updated.",
      "too heavy",
    ]);
    expect(step(episode, 0).extra).toMatchObject({ script: code, scriptCall: "c1" });
    expect(step(episode, 0).extra?.["scriptOutput"]).toContain("Script completed");
    expect(step(episode, 3)).toMatchObject({ unanswered: [0, 1, 2] });
    expect(episode?.steps.some(({ extra }) => extra?.["unanswered"] === true)).toBe(false);
    // Each reply once, though an event counts them again.
    expect(episode?.cost).toEqual({ inputTokens: 1900, outputTokens: 45 });
    expect(step(episode, 0).proposals?.[0]?.usage).toEqual({ inputTokens: 900, outputTokens: 40 });
  });

  test("a command belongs to the script that ran it, also where it ends long after", async () => {
    const at = (ms: number, more: object): object => ({ ...more, timestamp: new Date(ms).toISOString() });
    const late = { started_at_ms: 1500 };
    const command = { type: "CommandExecution", command: ["bash", "-lc", "sleep 9"], exit_code: -1 };
    const { episodes } = await importLines(
      meta(),
      ...typed("Go."),
      at(1000, script("c1", "tools.exec_command({cmd: 'sleep 9'})")),
      at(1200, printed("c1", "Script running with cell ID 7")),
      at(2000, script("c2", "text('other')")),
      at(2000, script("c3", "tools.exec_command({cmd: 'ls'})")),
      printed("c2", "Script completed", "other"),
      ran("exec-2", "ls", 0, "a"),
      printed("c3", "Script failed", "Error: boom"),
      message("assistant", "Done."),
      ended(),
      done({ ...command, id: "exec-1" }, late),
      done({ ...command, id: "exec-9", source: "user_shell" }, late),
    );
    expect(acted(episodes[0])).toEqual([
      ["Bash", { command: "sleep 9" }],
      ["exec", { input: "text('other')" }],
      ["Bash", { command: "ls" }],
      ["FINAL", "Done."],
    ]);
    expect(step(episodes[0], 1).result).toEqual({ ok: true });
  });

  test("the end of another agent is no call of this one, and tokens from the cache are counted", async () => {
    const activity = (kind: string) =>
      done({
        type: "SubAgentActivity",
        id: `a-${kind}`,
        kind,
        agent_thread_id: "th-2",
        agent_path: "/main/a",
      });
    const { episodes, value } = await importLines(
      meta(),
      ...typed("Go."),
      message("assistant", "Done."),
      row("token_usage_record", {
        response_id: "r1",
        usage: { input_tokens: 9, cached_input_tokens: 4, output_tokens: 2 },
      }),
      ended(),
      activity("completed"),
      activity("slept"),
    );
    expect(acted(episodes[0])).toEqual([["FINAL", "Done."]]);
    expect(episodes[0]?.answer).toBe("Done.");
    expect(episodes[0]?.cost).toEqual({ inputTokens: 9, cachedInputTokens: 4, outputTokens: 2 });
    expect(value?.files[0]?.unknown.map(({ what }) => what)).toEqual([
      "items SubAgentActivity of kind slept",
    ]);
  });

  test("a file that never tells what ran has the commands that its scripts name, unanswered", async () => {
    const { episodes } = await importLines(
      meta(),
      ...typed("Go."),
      script(
        "c1",
        'await tools.exec_command({cmd: "git push --force"}); await tools.exec_command({cmd: `ls`})',
      ),
      printed("c1", "Script completed", "ok"),
      message("assistant", "Done."),
    );
    expect(acted(episodes[0]).map(([type]) => type)).toEqual(["Bash", "Bash", "FINAL"]);
    expect(step(episodes[0], 0)).toMatchObject({ observation: "", extra: { unanswered: true } });
    expect(step(episodes[0], 0).extra?.["scriptOutput"]).toContain("ok");
  });
});

describe("turns that were taken back", () => {
  const turn = (name: string, call: string): object[] => [
    ...typed(name),
    exec(call, `echo ${name}`),
    output(call, name),
    message("assistant", `${name} is done.`),
  ];

  test("each is an abandoned branch with its place; one over the beginning has none", async () => {
    const { episodes, diagnostics, value } = await importLines(
      meta(),
      ...turn("A", "1"),
      ...turn("B", "2"),
      rollBack(1),
      ...turn("C", "3"),
      ...turn("D", "4"),
      rollBack(1),
      rollBack(1),
      ...turn("E", "5"),
    );
    expect(diagnostics).toEqual([]);
    expect(
      episodes.map(({ id, question, outcome, origin, length }) => [id, question, outcome, origin, length]),
    ).toEqual([
      ["th-1", "A", "unjudged", undefined, 4],
      ["th-1~branch-1", "B", "abandoned", { as: "branch", episode: "th-1", t: 1 }, 2],
      ["th-1~branch-2", "D", "abandoned", { as: "branch", episode: "th-1~branch-3", t: 1 }, 2],
      ["th-1~branch-3", "C", "abandoned", { as: "branch", episode: "th-1", t: 1 }, 2],
    ]);
    expect(step(episodes[0], 2)).toMatchObject({ prompts: ["E"] });
    expect(episodes[0]?.steps.every(({ extra }) => !("segment" in (extra ?? {})))).toBe(true);
    expect(value?.files[0]).toMatchObject({ abandoned: 3, abandonedSteps: 6, steps: 10 });
    const all = await importLines(
      meta(),
      ...turn("A", "1"),
      ...turn("B", "2"),
      rollBack(9),
      ...turn("C", "3"),
    );
    expect(all.episodes.map(({ id, question, origin }) => [id, question, origin])).toEqual([
      ["th-1", "C", undefined],
      ["th-1~branch-1", "A", { as: "branch", episode: "th-1" }],
    ]);
  });

  test("a turn of several messages is one; what the model read afterwards lacks what was taken back", async () => {
    const { episodes } = await importLines(
      meta(),
      began(),
      ...typed("A"),
      exec("1", "ls"),
      output("1", "a"),
      ...typed("Steered."),
      message("assistant", "A is done."),
      ended(),
      began(),
      ...typed("B"),
      message("assistant", "B is done."),
      event({ type: "turn_aborted", reason: "interrupted" }),
      rollBack(1),
      began(),
      ...typed("C"),
      message("assistant", "C is done."),
    );
    expect(episodes.map(({ id, length }) => [id, length])).toEqual([
      ["th-1", 3],
      ["th-1~branch-1", 1],
    ]);
    expect(acted(episodes[1])).toEqual([["other", "B is done."]]);
  });

  test("3,000 turns that are taken back need no memory for what was said before each", async () => {
    const rows: object[] = [meta(), ...turn("A", "1")];
    for (let n = 0; n < 3_000; n++) rows.push(...typed(`B${n}`), exec(`b${n}`, "ls"), rollBack(1));
    const { episodes } = await importLines(...rows);
    expect(episodes).toHaveLength(3_001);
    expect(episodes.at(-1)).toMatchObject({ outcome: "abandoned", origin: { episode: "th-1", t: 1 } });
  });
});

describe("prompts", () => {
  const system = "You are Codex.";
  const tools = {
    type: "additional_tools",
    role: "developer",
    tools: [{ type: "function", name: "exec_command" }],
  };
  const session = (...more: object[]): object[] => [
    meta({ base_instructions: { text: system } }),
    ...more,
    message("developer", "Careful."),
    message("user", "<environment_context>x</environment_context>"),
    ...typed("Fix."),
    exec("1", "ls"),
    output("1", "a"),
    message("assistant", "Done."),
  ];

  test("with instructions and tools in the file they are what the model read; else those of a transcript", async () => {
    const whole = await importLines(...session(item(tools)));
    const [first, last] = whole.episodes[0]?.steps ?? [];
    expect(first?.proposals[0]).toMatchObject({
      completion: { text: '<tool_call>\n{"name":"exec_command","arguments":{"cmd":"ls"}}\n</tool_call>' },
    });
    expect(first?.proposals[0]).not.toHaveProperty("fromTranscript");
    expect(last?.proposals[0]).not.toHaveProperty("fromTranscript");
    const part = await importLines(...session());
    expect(part.episodes[0]?.steps.map(({ proposals }) => proposals[0]?.fromTranscript)).toEqual([
      true,
      true,
    ]);
  });

  test("a file that goes on from another one has no prompts until a summary tells all anew", async () => {
    const base = { history_base: { thread_id: "th-0", end_ordinal_exclusive: 9 }, forked_from_id: "th-0" };
    const { episodes } = await importLines(
      meta(base),
      ...typed("Go on."),
      message("assistant", "I do."),
      ended(),
      began(),
      message("assistant", "The summary."),
      row("compacted", { message: "Summary: The summary.", replacement_history: [] }),
      ...typed("More."),
      message("assistant", "Done."),
    );
    const [episode] = episodes;
    expect(episode?.extra).toMatchObject({ forkedFrom: "th-0" });
    expect(episode?.steps.map(({ proposals }) => "messages" in (proposals[0] ?? {}))).toEqual([false, true]);
    expect(acted(episode)).toEqual([
      ["FINAL", "I do."],
      ["FINAL", "Done."],
    ]);
    expect(step(episode, 0).observation).toBe("Summary: The summary.");
  });
});

test("a sub-agent's thread is linked both ways, and the lines of its parent are none of its steps", async () => {
  const parent = await importLines(
    meta(),
    ...typed("Delegate."),
    item({ type: "function_call", name: "spawn_agent", call_id: "1", arguments: '{"message":"Count."}' }),
    done({
      type: "SubAgentActivity",
      id: "1",
      kind: "started",
      agent_thread_id: "th-2",
      agent_path: "/root/c",
    }),
    output("1", "started"),
    item({
      type: "agent_message",
      author: "/root/c",
      recipient: "/root",
      content: [{ type: "input_text", text: "Three." }],
    }),
    message("assistant", "Three."),
  );
  expect(step(parent.episodes[0], 0)).toMatchObject({
    executed: { type: "Agent" },
    extra: { subAgents: ["th-2"] },
  });
  expect(step(parent.episodes[0], 0).observation).toContain("Three.");
  const thread_spawn = { parent_thread_id: "th-1", depth: 1, agent_path: "/root/c" };
  const task = "Message Type: NEW_TASK\nTask name: /root/c\nSender: /root\nPayload:\n";
  const { episodes, diagnostics } = await importLines(
    meta({ id: "th-2", source: { subagent: { thread_spawn } }, subagent_history_start_ordinal: 6 }),
    row("session_meta", { id: "th-1", cwd: "/other" }),
    message("user", "Delegate."),
    exec("p", "rm parent"),
    output("p", ""),
    event({ type: "turn_aborted" }),
    began(),
    row("inter_agent_communication_metadata", { trigger_turn: true }),
    item({
      type: "agent_message",
      author: "/root",
      recipient: "/root/c",
      content: [
        { type: "input_text", text: task },
        { type: "encrypted_content", encrypted_content: "Count the files." },
      ],
    }),
    exec("1", "ls"),
    output("1", "a"),
    message("assistant", "One."),
  );
  expect(diagnostics).toEqual([]);
  expect(episodes).toHaveLength(1);
  expect(episodes[0]).toMatchObject({
    id: "th-2",
    origin: { as: "sub_agent", episode: "th-1" },
    question: "Count the files.",
    facts: { cwd: "/repo" },
  });
  expect(acted(episodes[0])).toEqual([
    ["Bash", { command: "ls" }],
    ["FINAL", "One."],
  ]);
});
