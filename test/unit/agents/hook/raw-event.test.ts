import { describe, expect, it } from "vitest";
import { eventRecord } from "../../../../src/agents/hook/event-record.ts";
import type { HookHost } from "../../../../src/agents/hook/event.ts";
import { adapterOf } from "../../../../src/agents/hook/hosts/hosts.ts";
import { livePath } from "../../../../src/trace/run-paths.ts";
import { hookBench } from "../../../support/hook.ts";

const CALLS: Readonly<Record<string, object>> = {
  bash: { command: "npm test" },
  powershell: { command: "npm test" },
  view: { path: "/repo/project/build.log" },
  read_bash: { sessionId: "0" },
};

function copilotAnswer(toolName: string, toolResult: object) {
  const raw = { sessionId: "s", cwd: "/repo/project", toolName, toolArgs: CALLS[toolName], toolResult };
  return adapterOf("copilot").read(raw, "postToolUse").value?.response;
}

describe("How a command ended in Copilot", () => {
  it.each([
    ["bash", "success", "2 failed\n<exited with exit code 1>", { ok: false, exitCode: 1 }],
    ["bash", "success", "2 failed\n<exited with exit code 1>\n\n", { ok: false, exitCode: 1 }],
    ["bash", "success", "2 failed\n<shellId: 0 completed with exit code 1>", { ok: false, exitCode: 1 }],
    ["bash", "success", "killed\n<exited with exit code -9>", { ok: false, exitCode: -9 }],
    ["bash", "success", "<exited with exit code 127>", { ok: false, exitCode: 127 }],
    ["bash", "success", "2 passed\n<exited with exit code 0>", { ok: true, exitCode: 0 }],
    ["bash", "failure", "2 passed\n<exited with exit code 0>", { ok: true, exitCode: 0 }],
    [
      "bash",
      "success",
      "<exited with exit code 1>\nis what it printed\n<exited with exit code 0>",
      { ok: true, exitCode: 0 },
    ],
    [
      "bash",
      "success",
      "Exit code 1 is what it printed\n<exited with exit code 0>",
      { ok: true, exitCode: 0 },
    ],
    ["bash", "success", "<command with shellId: 3 exited with exit code 2>", { ok: false, exitCode: 2 }],
    ["powershell", "success", "x\r\n<exited with exit code 3>\r\n", { ok: false, exitCode: 3 }],
    ["read_bash", "success", "x\n<exited with exit code 4>", { ok: false, exitCode: 4 }],
    ["bash", "success", "no code is told", { ok: true }],
    ["bash", "failure", "no code is told", { ok: false }],
    ["view", "success", "a log\n<exited with exit code 1>", { ok: true }],
  ])("%s, %s: %j", (toolName, resultType, text, expected) => {
    expect(copilotAnswer(toolName, { resultType, textResultForLlm: text })).toEqual({ text, ...expected });
  });

  it("counts in the session: a failed test run is no passed one", async () => {
    const bench = hookBench();
    const call = {
      sessionId: "s",
      cwd: "/repo/project",
      toolName: "bash",
      toolArgs: { command: "npm test" },
    };
    await bench.send(call, "copilot");
    const toolResult = { resultType: "success", textResultForLlm: "boom\n<exited with exit code 1>" };
    await bench.send({ ...call, toolResult }, "copilot");
    expect(bench.episode("s").episode.steps[0]?.result).toEqual({ ok: false, exitCode: 1 });
  });
});

it("what a program printed itself says nothing of how Claude Code's tool ended", () => {
  const raw = {
    session_id: "s",
    hook_event_name: "PostToolUse",
    tool_name: "Bash",
    tool_input: { command: "cat old.log" },
    tool_response: { stdout: "Exit code 1\nof another day\n<exited with exit code 1>", stderr: "" },
  };
  expect(adapterOf("claude-code").read(raw).value?.response?.ok).toBeUndefined();
});

const MARK = "\uFEFF";

it.each([
  ["one", MARK],
  ["two", MARK + MARK],
])("an event with %s byte-order mark is read", (_, mark) => {
  expect(eventRecord(`${mark}{"cwd":"/repo"}`)).toEqual({ cwd: "/repo" });
});

describe("Ids of any length", () => {
  const id = (host: HookHost, session_id: string, more: object = {}) =>
    adapterOf(host).read({ session_id, hook_event_name: "Stop", ...more }).value?.sessionId;
  const long = "é".repeat(299);

  it("stay as they are up to 300 characters, and are shortened so that two stay apart", () => {
    expect(id("codex", "a".repeat(300))).toBe("a".repeat(300));
    const [one, two] = [id("codex", `${long}aa`), id("codex", `${long}ab`)];
    expect(one).toHaveLength(300);
    expect(two).toHaveLength(300);
    expect(one).not.toBe(two);
    expect(id("codex", `${long}aa`)).toBe(one);
  });

  it("keep a subagent's apart from its session's, and a nameless subagent's stop is nobody's", () => {
    const agent = { agent_id: "b".repeat(4_000), hook_event_name: "SubagentStop" };
    expect(id("claude-code", long, agent)).not.toBe(id("claude-code", long));
    const nameless = { session_id: "a~b", hook_event_name: "SubagentStop" };
    expect(adapterOf("claude-code").read(nameless).value?.kind).toBe("other");
  });

  it("make names of files that a file system takes", () => {
    const names = [`${long}aa`, `${long}ab`].map((one) => livePath("run", one).slice("run/live/".length));
    expect(new Set(names).size).toBe(2);
    expect(names.every((name) => Buffer.byteLength(name) < 220)).toBe(true);
  });

  it("are guarded like others", async () => {
    const bench = hookBench();
    const session_id = "x".repeat(100_000);
    const raw = {
      session_id,
      cwd: "/repo/project",
      hook_event_name: "PreToolUse",
      tool_use_id: "y".repeat(100_000),
      tool_name: "Bash",
      tool_input: { command: "rm -rf src" },
    };
    expect(await bench.send(raw)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
  });
});
