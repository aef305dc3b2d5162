import { describe, expect, it } from "vitest";
import type { HookHost } from "../../../../src/agents/hook/event.ts";
import { hookBench } from "../../../support/hook.ts";

/** The same things happen in each host; what goes in and what comes out is written as that host writes it. */
interface Words {
  readonly host: HookHost;
  prompt(text: string): object;
  shell(id: string, command: string): object;
  shellDone(id: string, command: string, output: string): object;
  edit(id: string): object;
  editDone(id: string): object;
  stop(active: boolean): object;
}

const common = { session_id: "s", cwd: "/repo/project", transcript_path: null };
const claudeLike = (host: HookHost, extra: object): Words => {
  const event = (hook_event_name: string, fields: object) => ({
    ...common,
    ...extra,
    hook_event_name,
    ...fields,
  });
  const shell = (tool_use_id: string, command: string) => ({
    tool_name: "Bash",
    tool_use_id,
    tool_input: { command },
  });
  const edit = {
    tool_name: "Edit",
    tool_input: { file_path: "/repo/project/a.txt", old_string: "a", new_string: "b" },
  };
  return {
    host,
    prompt: (prompt) => event("UserPromptSubmit", { prompt }),
    shell: (id, command) => event("PreToolUse", shell(id, command)),
    shellDone: (id, command, stdout) =>
      event("PostToolUse", {
        ...shell(id, command),
        tool_response: { stdout, stderr: "", interrupted: false },
      }),
    edit: (tool_use_id) => event("PreToolUse", { ...edit, tool_use_id }),
    editDone: (tool_use_id) => event("PostToolUse", { ...edit, tool_use_id, tool_response: { ok: 1 } }),
    stop: (stop_hook_active) => event("Stop", { stop_hook_active, last_assistant_message: "Done." }),
  };
};

const claude = claudeLike("claude-code", { permission_mode: "default", prompt_id: "p" });

const codex: Words = {
  ...claudeLike("codex", { turn_id: "1", model: "m" }),
  edit: (tool_use_id) => ({
    ...common,
    turn_id: "1",
    hook_event_name: "PreToolUse",
    tool_name: "apply_patch",
    tool_use_id,
    tool_input: { command: "*** Begin Patch\n*** Update File: a.txt\n@@\n-a\n+b\n*** End Patch" },
  }),
};

const vsCommon = {
  timestamp: "2026-10-01T10:00:00Z",
  cwd: "/repo/project",
  sessionId: "s",
  transcript_path: "t",
};
const vsShell = (tool_use_id: string, command: string) => ({
  tool_name: "run_in_terminal",
  tool_input: { command, explanation: "why", isBackground: false },
  tool_use_id,
});
const vsEdit = {
  tool_name: "replace_string_in_file",
  tool_input: { filePath: "/repo/project/a.txt", oldString: "a", newString: "b" },
};
const vscode: Words = {
  host: "vscode",
  prompt: (prompt) => ({ ...vsCommon, hookEventName: "UserPromptSubmit", prompt }),
  shell: (id, command) => ({ ...vsCommon, hookEventName: "PreToolUse", ...vsShell(id, command) }),
  shellDone: (id, command, tool_response) => ({
    ...vsCommon,
    hookEventName: "PostToolUse",
    ...vsShell(id, command),
    tool_response,
  }),
  edit: (tool_use_id) => ({ ...vsCommon, hookEventName: "PreToolUse", ...vsEdit, tool_use_id }),
  editDone: (tool_use_id) => ({
    ...vsCommon,
    hookEventName: "PostToolUse",
    ...vsEdit,
    tool_use_id,
    tool_response: "ok",
  }),
  stop: (stop_hook_active) => ({ ...vsCommon, hookEventName: "Stop", stop_hook_active }),
};

let at = 1;
const coCommon = () => ({ sessionId: "s", timestamp: (at += 60_000), cwd: "/repo/project" });
const coEdit = { toolName: "edit", toolArgs: { path: "/repo/project/a.txt", old_str: "a", new_str: "b" } };
const done = (textResultForLlm: string) => ({ toolResult: { resultType: "success", textResultForLlm } });
const copilot: Words = {
  host: "copilot",
  prompt: (prompt) => ({ ...coCommon(), prompt }),
  shell: (_id, command) => ({ ...coCommon(), toolName: "bash", toolArgs: { command, description: "d" } }),
  // Older versions send the arguments as a text.
  shellDone: (_id, command, output) => ({
    ...coCommon(),
    toolName: "bash",
    toolArgs: JSON.stringify({ command, description: "d" }),
    ...done(output),
  }),
  edit: () => ({ ...coCommon(), ...coEdit }),
  editDone: () => ({ ...coCommon(), ...coEdit, ...done("edited") }),
  stop: (stop_hook_active) => ({
    ...coCommon(),
    transcriptPath: "t",
    stopReason: "end_turn",
    stop_hook_active,
  }),
};

describe.each([claude, vscode, copilot, codex])("A session of $host", (words) => {
  it("gets each answer in that host's own shape", async () => {
    const bench = hookBench();
    const send = (raw: object) => bench.send(raw, words.host);
    const answers = {
      prompt: await send(words.prompt("fix it")),
      harmless: await send(words.shell("1", "git status")),
      harmlessDone: await send(words.shellDone("1", "git status", "clean")),
      rewritten: await send(words.shell("2", "git push --force")),
      rewrittenDone: await send(words.shellDone("2", "git push --force-with-lease", "pushed")),
      refused: await send(words.shell("3", "rm -rf src")),
      otherTool: await send(words.shell("4", "sed -i s/a/b/ a.txt")),
      unfit: await send(words.shell("5", "echo BAD")),
      edit: await send(words.edit("6")),
      ...(words.host !== "codex" && { editDone: await send(words.editDone("6")) }),
      stop: await send(words.stop(false)),
      stopAgain: await send(words.stop(true)),
    };
    await expect(`${JSON.stringify(answers, undefined, 2)}\n`).toMatchFileSnapshot(
      `answers/${words.host}.json`,
    );
    const { episode, problems } = bench.episode("s");
    expect(problems).toEqual([]);
    expect(episode.question).toBe("fix it");
  });

  it("becomes an episode that is judged again as it was judged then", async () => {
    const bench = hookBench();
    const events = [
      words.prompt("fix it"),
      words.edit("1"),
      words.shell("2", "git push --force"),
      ...(words.host === "codex" ? [] : [words.editDone("1")]),
      words.shellDone("2", "git push --force-with-lease", "ok"),
      words.shell("3", "sed -i s/a/b/ a.txt"),
      words.stop(false),
      words.shell("4", "npm test"),
      words.shellDone("4", "npm test", "1 passed"),
      words.prompt("more"),
      words.shell("5", `echo ${"x".repeat(300_000)}`),
      words.edit("6"),
      words.stop(false),
      words.stop(true),
    ];
    for (const event of events) await bench.send(event, words.host);
    const { episode, problems } = bench.episode("s");
    expect(problems).toEqual([]);
    const judged = await bench.judged("s");
    expect(judged.map(({ events, injected }) => ({ events, injected }))).toEqual(
      episode.steps.map(({ events, injected }) => ({ events, injected })),
    );
    expect(judged.map(({ executed }) => executed)).toEqual(episode.steps.map(({ executed }) => executed));
    expect(judged.some(({ diverged }) => diverged)).toBe(false);
  });
});
