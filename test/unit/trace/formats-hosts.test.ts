import { describe, expect, test } from "vitest";
import { acted, importContent, lines, step } from "./formats-support.ts";

describe("events of VS Code and Copilot CLI", () => {
  const event = (type: string, data: object): object => ({
    type,
    data,
    id: "e",
    timestamp: "2026-01-01T00:00:00Z",
    parentId: null,
  });
  const ask = (id: string, name: string, args: unknown): object => ({
    toolCallId: id,
    name,
    arguments: args,
  });

  test("a session of Copilot CLI, calls told twice counted once", async () => {
    const { episodes, diagnostics, value } = await importContent(
      lines(
        event("session.start", { sessionId: "s", copilotVersion: "1", context: { cwd: "/repo" } }),
        event("user.message", { content: "Fix." }),
        event("assistant.message", {
          content: "I look.",
          toolRequests: [ask("1", "bash", '{"command":"npm test"}'), ask("2", "view", { path: "/repo/a" })],
        }),
        event("tool.execution_start", {
          toolCallId: "1",
          toolName: "bash",
          arguments: { command: "npm test" },
        }),
        event("tool.execution_complete", {
          toolCallId: "1",
          success: true,
          result: { content: "fail\n<exited with exit code 1>" },
        }),
        event("tool.execution_complete", { toolCallId: "2", success: false, error: { message: "no file" } }),
        event("tool.execution_start", { toolCallId: "3", toolName: "rg", arguments: { pattern: "x" } }),
        event("tool.execution_complete", { toolCallId: "3", success: true, result: "a:1" }),
        event("assistant.message", { content: "sub", parentToolCallId: "9" }),
        event("hook.start", {}),
        event("assistant.message", { content: "Done.", toolRequests: [] }),
      ),
      "events.jsonl",
    );
    // The sub-agent's: nobody recorded what it was asked.
    expect(diagnostics.map(({ code }) => code)).toEqual(["HASP524"]);
    expect(episodes.map(({ id }) => id)).toEqual(["s", "s~9"]);
    const [episode] = episodes;
    expect(episode).toMatchObject({
      source: "copilot",
      question: "Fix.",
      answer: "Done.",
      settings: { agent: "copilot" },
    });
    expect(acted(episode)).toEqual([
      ["Bash", { command: "npm test" }],
      ["Read", { path: "a" }],
      ["Grep", { pattern: "x" }],
      ["FINAL", "Done."],
    ]);
    expect(step(episode, 0)).toMatchObject({ result: { exitCode: 1, ok: false } });
    expect(step(episode, 1)).toMatchObject({
      result: { ok: false },
      observation: "no file",
      unanswered: [0],
    });
    expect(step(episode, 2)).toMatchObject({ result: { ok: true }, observation: "a:1" });
    expect(value?.files[0]?.dropped).toEqual([
      { what: "events hook.start", to: "they are no messages, calls or results", times: 1 },
    ]);
  });

  test("a command's code in the text says how it ended; that of a file's text says nothing", async () => {
    const done = (toolCallId: string, success: boolean, content: string) =>
      event("tool.execution_complete", { toolCallId, success, result: { content } });
    const { episodes } = await importContent(
      lines(
        event("session.start", { sessionId: "s", copilotVersion: "1", context: { cwd: "/repo" } }),
        event("user.message", { content: "Fix." }),
        event("assistant.message", {
          content: "",
          toolRequests: [
            ask("1", "Bash", { command: "npm test" }),
            ask("2", "view", { path: "/repo/a.log" }),
          ],
        }),
        done("1", false, "passed\n<exited with exit code 0>"),
        done("2", true, "a log\n<exited with exit code 1>"),
        event("assistant.message", { content: "Done.", toolRequests: [] }),
      ),
      "events.jsonl",
    );
    expect(step(episodes[0], 0)).toMatchObject({ result: { exitCode: 0, ok: true } });
    expect(step(episodes[0], 1).result).toEqual({ ok: true });
  });

  test("a Local session of VS Code; lines that are damaged are named, the others are imported", async () => {
    const { episodes, diagnostics } = await importContent(
      `${lines(
        event("session.start", { sessionId: "v", vscodeVersion: "1.130", cwd: "C:\\repo" }),
        event("user.message", { content: "Fix." }),
      )}\n{"type":"assistant.message"\n{"type":"tool.execution_start","data":3,"id":"x"}\n${lines(
        event("assistant.message", {
          content: "",
          toolRequests: [
            ask("1", "replace_string_in_file", {
              filePath: "c:\\repo\\a\\b.ts",
              oldString: "x",
              newString: "y",
            }),
          ],
        }),
        event("abort", { reason: "user" }),
      )}`,
      "x.jsonl",
    );
    expect(diagnostics.map(({ code, range }) => [code, range.start.line])).toEqual([
      ["HASP536", 2],
      ["HASP530", 2],
      ["HASP530", 3],
    ]);
    expect(episodes[0]).toMatchObject({ id: "v", settings: { agent: "vscode", agentVersion: "1.130" } });
    expect(acted(episodes[0])).toEqual([["Edit", { path: "a/b.ts", oldText: "x", newText: "y" }]]);
    expect(step(episodes[0], 0)).toMatchObject({ extra: { unanswered: true } });
  });
});

describe("Codex", () => {
  const row = (type: string, payload: object): object => ({
    timestamp: "2026-01-01T00:00:00Z",
    type,
    payload,
  });
  const item = (payload: object): object => row("response_item", payload);
  const event = (payload: object): object => row("event_msg", payload);
  const message = (role: string, text: string): object =>
    item({
      type: "message",
      role,
      content: [{ type: role === "user" ? "input_text" : "output_text", text }],
    });

  test("items and events that say the same are one; results have codes", async () => {
    const { episodes, diagnostics } = await importContent(
      lines(
        row("session_meta", { id: "r", cwd: "/repo", cli_version: "0.1", git: { branch: "main" } }),
        row("turn_context", { cwd: "/repo", model: "m" }),
        message("user", "<environment_context>x</environment_context>"),
        message("user", "Fix."),
        event({ type: "user_message", message: "Fix." }),
        item({ type: "reasoning", summary: [{ type: "summary_text", text: "hm" }] }),
        item({
          type: "function_call",
          name: "shell",
          call_id: "1",
          arguments: '{"command":["bash","-lc","npm test"],"workdir":"/repo"}',
        }),
        item({ type: "custom_tool_call", name: "apply_patch", call_id: "2", input: "*** Begin Patch" }),
        event({ type: "token_count", info: { last_token_usage: { input_tokens: 5, output_tokens: 2 } } }),
        event({ type: "exec_command_end", call_id: "1", exit_code: 1, aggregated_output: "fail" }),
        item({ type: "function_call_output", call_id: "1", output: "fail" }),
        item({
          type: "custom_tool_call_output",
          call_id: "2",
          output: '{"output":"Success","metadata":{"exit_code":0}}',
        }),
        event({ type: "agent_message", message: "Done." }),
        message("assistant", "Done."),
        message("user", "More."),
        event({ type: "user_message", message: "More." }),
        item({ type: "local_shell_call", call_id: "3", action: { type: "exec", command: ["ls"] } }),
      ),
      "rollout-x.jsonl",
    );
    expect(diagnostics).toEqual([]);
    const [episode] = episodes;
    expect(acted(episode)).toEqual([
      ["Bash", { command: "npm test", workdir: "/repo" }],
      ["Patch", { patch: "*** Begin Patch" }],
      ["FINAL", "Done."],
      ["Bash", { command: "ls" }],
    ]);
    expect(episode).toMatchObject({
      id: "r",
      source: "codex",
      question: "Fix.",
      facts: { domain: "coding-agent", cwd: "/repo" },
      settings: { model: "m" },
      extra: { branch: "main" },
      cost: { inputTokens: 5, outputTokens: 2 },
    });
    expect(step(episode, 0)).toMatchObject({
      proposals: [{ thought: "hm" }],
      observation: "fail",
      result: { exitCode: 1, ok: false },
    });
    expect(step(episode, 1)).toMatchObject({
      unanswered: [0],
      observation: "Success",
      result: { exitCode: 0, ok: true },
    });
    expect(step(episode, 3)).toMatchObject({ prompts: ["More."], extra: { unanswered: true } });
  });

  test("without events the messages themselves are the prompts", async () => {
    const { episodes } = await importContent(
      lines(
        row("session_meta", { id: "r" }),
        message("user", "Fix."),
        message("assistant", "Done."),
        message("user", "Again."),
        message("assistant", "Done again."),
      ),
      "rollout.jsonl",
    );
    expect(episodes[0]).toMatchObject({ question: "Fix.", answer: "Done again." });
    expect(step(episodes[0], 1)).toMatchObject({ prompts: ["Again."] });
  });
});
