import { expect, test } from "vitest";
import { contextRulesOf } from "../../../src/domains/registry.ts";
import { contextsOf } from "../../../src/trace/context-at.ts";
import { importContent, importValue } from "./formats-support.ts";
import { importPrompts, repliesOf } from "./import-prompts.ts";

const said = (thought: string, ...commands: readonly string[]) => ({
  role: "assistant",
  content: `THOUGHT: ${thought}\n${commands.map((command) => `\n\`\`\`bash\n${command}\n\`\`\`\n`).join("")}`,
  extra: {
    response: {
      model: "m",
      choices: [{ message: { reasoning: "Hm." } }],
      usage: { prompt_tokens: 7, completion_tokens: 3, cost: 0.25 },
    },
  },
});
const shown = (code: number, output: string) => ({
  role: "user",
  content: `<returncode>${code}</returncode>\n<output>\n${output}</output>`,
});
const SUBMIT = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git add -A && git diff --cached";
const DIFF = "diff --git a/clock.py b/clock.py\n+h = 2\n";

const SESSION = {
  instance_id: "clock-1",
  trajectory_format: "mini-swe-agent-1",
  info: {
    exit_status: "Submitted",
    submission: DIFF,
    mini_version: "1.15.0",
    model_stats: { api_calls: 4 },
    config: {
      model: { model_name: "m", model_kwargs: { api_key: "sk-hidden" } },
      environment: { cwd: "/testbed", env: { TOKEN: "tok-hidden" } },
    },
  },
  messages: [
    { role: "system", content: "You work in a shell." },
    { role: "user", content: "Fix the clock." },
    said("I look.", "cat /testbed/clock.py"),
    shown(0, "h = 1\n"),
    said("Two at once.", "ls", "pwd"),
    {
      role: "user",
      content: "Please always provide EXACTLY ONE action in triple backticks, found 2 actions.",
    },
    said("I test.", "pytest -q"),
    shown(1, "1 failed in 0.10s\n"),
    said("It is done.", SUBMIT),
    { role: "user", content: DIFF },
  ],
};

test("mini-swe-agent: each command is a Bash call with its exit code, the submission is the stop", async () => {
  const episode = await importValue(SESSION, "clock-1.traj.json");
  expect(episode).toMatchObject({
    id: "clock-1",
    source: "mini-swe-agent",
    question: "Fix the clock.",
    prelude: "You work in a shell.",
    answer: DIFF,
    stopReason: "final",
    outcome: "unjudged",
    facts: { domain: "coding-agent", cwd: "/testbed" },
    settings: { model: "m", agent: "mini-swe-agent", agentVersion: "1.15.0" },
    cost: { inputTokens: 28, outputTokens: 12, cost: 1 },
  });
  expect(
    episode.steps.map(({ executed, result, proposals }) => [executed.type, result, proposals[0]?.thought]),
  ).toEqual([
    ["Bash", { exitCode: 0, ok: true }, "Hm.\n\nI look."],
    ["invalid", { ok: false }, "Hm."],
    ["Bash", { exitCode: 1, ok: false }, "Hm.\n\nI test."],
    ["FINAL", undefined, "Hm.\n\nIt is done."],
  ]);
  expect(episode.steps[2]?.executed.arg).toBe('{"command":"pytest -q"}');
  expect(episode.steps[3]?.executed.arg).toBe("It is done.");
  expect(episode.steps[3]?.extra).toMatchObject({ submittedBy: { command: SUBMIT } });
  const contexts = contextsOf(episode, contextRulesOf("coding-agent"));
  expect(contexts.at(-1)?.checks).toMatchObject([
    { t: 2, kind: "test", command: "pytest -q", passed: false },
  ]);
  expect(contexts.at(-1)?.files).toMatchObject([{ path: "clock.py", readBy: "command" }]);
});

test("mini-swe-agent: no key of the configuration comes along, and what is left out is named", async () => {
  const { value, episodes, diagnostics } = await importContent(JSON.stringify(SESSION), "x.traj.json");
  expect(diagnostics).toEqual([]);
  expect(JSON.stringify(episodes)).not.toContain("hidden");
  const [file] = value?.files ?? [];
  expect(file?.format).toBe("mini-swe-agent");
  expect(file?.dropped.map(({ what, times }) => [what, times])).toEqual([["messages[].extra.response", 4]]);
  expect(file?.kept.map(({ what }) => what)).toContain("info.config");
});

test("mini-swe-agent: one that was stopped has no stop of its own, and a killed command did not go well", async () => {
  const { submission: _, ...info } = SESSION.info;
  const episode = await importValue({
    ...SESSION,
    instance_id: undefined,
    info: { ...info, exit_status: "LimitsExceeded" },
    messages: [
      ...SESSION.messages.slice(0, 2),
      said("I test.", "pytest -q"),
      {
        role: "user",
        content: "The last command <command>pytest -q</command> timed out and has been killed.\n....",
      },
    ],
  });
  expect(episode).toMatchObject({ id: "file", outcome: "halted", stopReason: "halted" });
  expect(episode.steps.map(({ executed, result }) => [executed.type, result])).toEqual([
    ["Bash", { ok: false }],
  ]);
});

test("mini-swe-agent, version 2: calls of its tool, results by their ids", async () => {
  const call = (id: string, command: string) => ({
    role: "assistant",
    content: "I look.",
    tool_calls: [{ id, function: { name: "bash", arguments: JSON.stringify({ command }) } }],
  });
  const episode = await importValue({
    ...SESSION,
    trajectory_format: "mini-swe-agent-1.1",
    messages: [
      ...SESSION.messages.slice(0, 2),
      call("c1", "ls"),
      {
        role: "tool",
        tool_call_id: "c1",
        content: "<returncode>2</returncode>",
        extra: { raw_output: "", returncode: 2 },
      },
      call("c2", SUBMIT),
      { role: "exit", content: DIFF, extra: { exit_status: "Submitted" } },
    ],
  });
  expect(episode.steps.map(({ executed, result }) => [executed.type, executed.arg, result])).toEqual([
    ["Bash", '{"command":"ls"}', { exitCode: 2, ok: false }],
    ["FINAL", "I look.", undefined],
  ]);
});

test("mini-swe-agent: entries that are no messages are named, a file without the agent's is refused", async () => {
  const broken = await importContent(JSON.stringify({ ...SESSION, messages: [...SESSION.messages, 3] }));
  expect(broken.episodes).toHaveLength(1);
  expect(broken.diagnostics).toHaveLength(1);
  const empty = await importContent(JSON.stringify({ ...SESSION, messages: SESSION.messages.slice(0, 2) }));
  expect(empty.episodes).toEqual([]);
  expect(empty.diagnostics.length).toBeGreaterThan(0);
});

test("mini-swe-agent: replies and what was read before them are the messages, word for word", async () => {
  const [imported] = await importPrompts(JSON.stringify(SESSION));
  const replies = SESSION.messages.filter(({ role }) => role === "assistant").map(({ content }) => content);
  expect(imported && repliesOf(imported)).toEqual(replies);
  const before = [2, 4, 6, 8].map((at) =>
    SESSION.messages.slice(0, at).map(({ role, content }) => ({ role, content })),
  );
  expect(imported?.prompts).toEqual(before);
  expect(imported?.episode.steps[0]?.proposals[0]).toMatchObject({
    completion: { finish: "stop", reasoning: "Hm." },
  });
  expect(imported?.episode.steps[0]?.proposals[0]).not.toHaveProperty("fromTranscript");
});

test("mini-swe-agent, version 2: a call beside the words of a reply is text behind them, its result too", async () => {
  const call = (id: string, command: string) => ({
    role: "assistant",
    content: "I look.",
    tool_calls: [{ id, function: { name: "bash", arguments: JSON.stringify({ command }) } }],
    extra: { response: { choices: [{ finish_reason: "length" }] } },
  });
  const result = { role: "tool", tool_call_id: "c1", content: "<returncode>0</returncode>" };
  const messages = [...SESSION.messages.slice(0, 2), call("c1", "ls"), result, call("c2", "pwd")];
  const [imported] = await importPrompts(JSON.stringify({ ...SESSION, messages }));
  const text = 'I look.\n<tool_call>\n{"name":"bash","arguments":{"command":"ls"}}\n</tool_call>';
  expect(imported?.prompts[1]?.slice(2)).toEqual([
    { role: "assistant", content: text },
    { role: "user", content: "<tool_response>\n<returncode>0</returncode>\n</tool_response>" },
  ]);
  expect(imported?.episode.steps[0]?.proposals[0]?.completion).toEqual({ text, finish: "length" });
});
