import { zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { acted, importContent, importValue, lines, step } from "./formats-support.ts";

const said = (role: string, text: string): object => ({
  type: "message",
  role,
  content: [{ type: role === "user" ? "input_text" : "output_text", text }],
});
const call = (call_id: string, command: string[]): object => ({
  type: "function_call",
  name: "shell",
  call_id,
  arguments: JSON.stringify({ command }),
});
const answer = (call_id: string, output: string, exit_code: number): object => ({
  type: "function_call_output",
  call_id,
  output: JSON.stringify({ output, metadata: { exit_code, duration_seconds: 0.1 } }),
});

describe("codex exec --json", () => {
  const HOME = String.raw`"echo \"it's "'$HOME'`;
  const item = (type: string, more: object): object => ({ type: `item.${type}`, item: { ...more } });

  test("commands, changes, tools, lists and failures; usage is what the totals grew by", async () => {
    const command = (id: string, text: string, more: object): object => ({
      id,
      type: "command_execution",
      command: `/bin/bash -lc ${text}`,
      aggregated_output: "",
      exit_code: null,
      status: "in_progress",
      ...more,
    });
    const { episodes, diagnostics, value } = await importContent(
      lines(
        { type: "thread.started", thread_id: "th-1" },
        { type: "turn.started" },
        item("completed", { id: "item_0", type: "reasoning", text: "I look." }),
        item("started", command("item_1", "'ls -a'", {})),
        item("started", command("item_2", HOME, {})),
        item(
          "completed",
          command("item_2", HOME, { exit_code: 1, status: "failed", aggregated_output: "bad" }),
        ),
        item("completed", command("item_1", "'ls -a'", { exit_code: 0, status: "completed" })),
        item("completed", {
          id: "item_3",
          type: "file_change",
          changes: [{ path: "a.txt", kind: "add" }],
          status: "completed",
        }),
        item("completed", {
          id: "item_4",
          type: "mcp_tool_call",
          server: "box",
          tool: "weigh",
          arguments: { what: 1 },
          result: null,
          error: { message: "no scale" },
          status: "failed",
        }),
        item("started", { id: "item_5", type: "web_search", query: "" }),
        item("completed", { id: "item_5", type: "web_search", query: "stones", action: { type: "search" } }),
        item("started", { id: "item_6", type: "todo_list", items: [{ text: "a", completed: false }] }),
        item("completed", { id: "item_6", type: "todo_list", items: [{ text: "a", completed: false }] }),
        item("completed", {
          id: "item_7",
          type: "collab_tool_call",
          tool: "spawn_agent",
          receiver_thread_ids: ["th-2"],
          prompt: "Count.",
          agents_states: {},
          status: "completed",
        }),
        item("completed", { id: "item_8", type: "error", message: "The model was slow." }),
        item("completed", { id: "item_9", type: "agent_message", text: "Done." }),
        { type: "turn.completed", usage: { input_tokens: 200, cached_input_tokens: 9, output_tokens: 20 } },
        { type: "thread.started", thread_id: "th-1" },
        item("completed", command("item_0", "'echo again'", { exit_code: 0, status: "completed" })),
        { type: "turn.completed", usage: { input_tokens: 250, output_tokens: 22 } },
        { type: "turn.failed", error: { message: "stream ended" } },
        item("completed", { id: "item_1", type: "hologram" }),
      ),
      "out.jsonl",
    );
    expect(diagnostics.map(({ code }) => code)).toEqual(["HASP530", "HASP522", "HASP524"]);
    // The output never has the prompt; the rollout does.
    expect(diagnostics[0]?.next).toContain("Import the rollout-*.jsonl");
    const [episode] = episodes;
    expect(acted(episode)).toEqual([
      ["Bash", { command: "ls -a" }],
      ["Bash", { command: `echo "it's $HOME` }],
      ["Patch", { patch: "*** Begin Patch\n*** Add File: a.txt\n*** End Patch" }],
      ["mcp__box__weigh", { what: 1 }],
      ["WebSearch", { query: "stones" }],
      ["update_plan", { plan: [{ step: "a", completed: false }] }],
      ["Agent", { prompt: "Count." }],
      ["FINAL", "Done."],
      ["Bash", { command: "echo again" }],
    ]);
    expect(episode).toMatchObject({ id: "th-1", cost: { inputTokens: 250, outputTokens: 22 } });
    expect(episode?.extra).toMatchObject({ error: "stream ended" });
    expect(step(episode, 0)).toMatchObject({
      proposals: [{ thought: "I look." }],
      result: { exitCode: 0, ok: true },
    });
    expect(step(episode, 1)).toMatchObject({ unanswered: [0], observation: "bad", result: { exitCode: 1 } });
    expect(step(episode, 3)).toMatchObject({ observation: "no scale", result: { ok: false } });
    expect(step(episode, 6)).toMatchObject({ extra: { subAgents: ["th-2"] } });
    expect(value?.files[0]?.unknown).toEqual([{ what: "items hologram", to: "not read", times: 1 }]);
  });

  test("before version 0.45 events bear numbers, and the prompt stands beside them", async () => {
    const event = (msg: object): object => ({ id: "0", msg });
    const { episodes, diagnostics } = await importContent(
      lines(
        { workdir: "/repo", model: "o3", provider: "openai", approval: "never", sandbox: "danger" },
        { prompt: "Fix the test." },
        event({ type: "task_started" }),
        event({ type: "agent_reasoning", text: "hm" }),
        event({
          type: "exec_command_begin",
          call_id: "1",
          command: ["bash", "-lc", "npm test"],
          cwd: "/repo",
        }),
        event({ type: "exec_command_end", call_id: "1", stdout: "ok", stderr: "", exit_code: 0 }),
        event({ type: "token_count", input_tokens: 10, output_tokens: 2 }),
        event({ type: "agent_message", message: "Done." }),
        event({ type: "task_complete", last_agent_message: "Done." }),
      ),
      "out.jsonl",
    );
    expect(diagnostics).toEqual([]);
    expect(episodes[0]).toMatchObject({
      question: "Fix the test.",
      settings: { model: "o3" },
      facts: { cwd: "/repo" },
      cost: { inputTokens: 10 },
    });
    expect(acted(episodes[0])).toEqual([
      ["Bash", { command: "npm test" }],
      ["FINAL", "Done."],
    ]);
    expect(step(episodes[0], 0)).toMatchObject({ result: { exitCode: 0 }, observation: "ok" });
  });
});

describe("older sessions", () => {
  const rows = [
    said("user", "Fix."),
    { type: "reasoning", id: "r", summary: [{ type: "summary_text", text: "hm" }] },
    call("1", ["bash", "-lc", "npm test"]),
    answer("1", "fail", 1),
    said("assistant", "Done."),
  ];
  const expected = [
    ["Bash", { command: "npm test" }],
    ["FINAL", "Done."],
  ];

  test("lines without an envelope", async () => {
    const { episodes, diagnostics } = await importContent(
      lines(
        { id: "old-1", timestamp: "2025-06-01T00:00:00Z", instructions: "Be kind.", git: { branch: "main" } },
        ...rows,
        { record_type: "state", id: "x" },
      ),
      "rollout.jsonl",
    );
    expect(diagnostics).toEqual([]);
    expect(episodes[0]).toMatchObject({
      id: "old-1",
      question: "Fix.",
      prelude: "Be kind.",
      extra: { branch: "main" },
    });
    expect(acted(episodes[0])).toEqual(expected);
    expect(step(episodes[0], 0)).toMatchObject({ result: { exitCode: 1 }, observation: "fail" });
  });

  test("one document", async () => {
    const session = { timestamp: "2025-04-20T00:00:00Z", id: "older-1", instructions: "" };
    const episode = await importValue({ session, items: rows }, "rollout.json");
    expect(episode).toMatchObject({ id: "older-1", source: "codex", question: "Fix." });
    expect(acted(episode)).toEqual(expected);
  });

  test("files that hold no session say so, and what to import", async () => {
    const history = { session_id: "s", ts: 1_700_000_000, text: "Fix." };
    const index = { id: "s", thread_name: "Fix it", updated_at: "2026-01-01T00:00:00Z" };
    for (const one of [history, index]) {
      const { episodes, diagnostics } = await importContent(lines(one, one), "x.jsonl");
      expect(episodes).toEqual([]);
      expect(diagnostics[0]?.message).toMatch(/history|session_index/);
      expect(diagnostics[0]?.next).toContain("~/.codex/sessions");
    }
  });
});

test("a rollout that Codex has packed is read, and one that breaks off up to there", async () => {
  const text = lines(
    { id: "old-1", timestamp: "2025-06-01T00:00:00Z", instructions: null },
    said("user", "Fix."),
    said("assistant", "Done."),
  );
  const packed = zstdCompressSync(text);
  const whole = await importContent(packed, "rollout.jsonl.zst");
  expect(whole.diagnostics).toEqual([]);
  expect(whole.episodes[0]).toMatchObject({ id: "old-1", question: "Fix.", answer: "Done." });
  const more = zstdCompressSync(`\n${lines(said("user", "More."))}`);
  const cut = await importContent(Buffer.concat([packed, more.subarray(0, -4)]), "rollout.jsonl.zst");
  expect(cut.diagnostics.map(({ message }) => message.includes("break off"))).toEqual([true]);
  expect(cut.episodes[0]).toMatchObject({ question: "Fix." });
});
