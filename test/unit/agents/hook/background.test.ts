import { expect, test } from "vitest";
import { codingAgentRules } from "../../../../src/domains/coding-agent/context-rules.ts";
import { contextAt } from "../../../../src/trace/context-at.ts";
import { hookBench } from "../../../support/hook.ts";

const base = { session_id: "s", cwd: "/repo/project", prompt_id: "p" };
const input = { command: "npm test", run_in_background: true };
const START = { ...base, tool_name: "Bash", tool_input: input, tool_use_id: "1" };
const answer = (tool_response: object) => ({ ...START, hook_event_name: "PostToolUse", tool_response });
const stop = (said: string, background_tasks?: readonly object[]) => ({
  ...base,
  hook_event_name: "Stop",
  stop_hook_active: false,
  last_assistant_message: said,
  ...(background_tasks && { background_tasks }),
});

async function started(): Promise<ReturnType<typeof hookBench>> {
  const bench = hookBench();
  await bench.send({ ...base, hook_event_name: "UserPromptSubmit", prompt: "Test it" });
  await bench.send({ ...START, hook_event_name: "PreToolUse" });
  await bench.send(answer({ stdout: "", stderr: "", interrupted: false, backgroundTaskId: "b1" }));
  return bench;
}

test("a stop knows the tasks that still run, and the record keeps them", async () => {
  const bench = await started();
  await bench.send(
    stop("I wait.", [
      { id: "b1", type: "shell", status: "running" },
      { id: "b0", type: "shell", status: "completed" },
    ]),
  );
  const { episode, problems } = bench.episode("s");
  expect(problems).toEqual([]);
  const context = contextAt(episode, 1, codingAgentRules);
  expect(context.world).toEqual({ tasks: [{ id: "b1", state: "running" }] });
  expect(context.checks).toMatchObject([{ command: "npm test", running: ["b1"] }]);
});

test("the end of a task that the host tells the agent counts at its next stop", async () => {
  const bench = await started();
  const prompt =
    "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n<summary>Background command completed (exit code 1)</summary>\n</task-notification>";
  await bench.send({ ...base, hook_event_name: "UserPromptSubmit", prompt });
  await bench.send(stop("They failed.", []));
  const { episode } = bench.episode("s");
  const context = contextAt(episode, 1, codingAgentRules);
  expect(context.world).toEqual({ tasks: [{ id: "b1", state: "failed" }] });
  expect(context.prompts).toEqual(["Test it"]);
});

test("a stop of a host that tells of no tasks has none", async () => {
  const bench = await started();
  await bench.send(stop("Done."));
  expect(contextAt(bench.episode("s").episode, 1, codingAgentRules).world).toEqual({});
});

test("a command whose answer is no event of failure went well, whatever it wrote on stderr", async () => {
  const bench = hookBench();
  await bench.send({ ...START, tool_input: { command: "npm test" }, hook_event_name: "PreToolUse" });
  await bench.send({
    ...answer({ stdout: "", stderr: "npm error code 1\nsh: git: not found", interrupted: false }),
    tool_input: { command: "npm test" },
  });
  const [step] = bench.episode("s").episode.steps;
  expect(step?.result).toEqual({ ok: true });
});
