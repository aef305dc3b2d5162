import { expect, test } from "vitest";
import { promptsOf } from "./formats-prompts.ts";
import { importContent } from "./formats-support.ts";

const step = (thought: string, action: string, observation: string, response: string): object => ({
  thought,
  action,
  observation,
  response,
});
const before = [
  { role: "system", content: "Work." },
  { role: "user", content: "Fix it." },
];

test("SWE-agent: each reply has its completion and what was said before it, as a transcript tells it", async () => {
  const said = "Let me look.\n```\nls\n```";
  const text = {
    trajectory: [
      step("Let me look.\n", "ls", "a.py", said),
      step("Done.\n", "submit", "", "Done.\n```\nsubmit\n```"),
    ],
    history: [...before, { role: "assistant", content: said, action: "ls" }],
    info: { submission: "diff" },
  };
  const run = await importContent(JSON.stringify(text), "a.traj");
  const proposals = run.episodes[0]?.steps.map(({ proposals: [one] }) => one);
  expect(proposals?.map((one) => [one?.completion?.text, one?.fromTranscript])).toEqual([
    [said, true],
    ["Done.\n```\nsubmit\n```", true],
  ]);
  const prompts = await promptsOf(JSON.stringify(text), "a.traj");
  expect(prompts.map((read) => read?.map(({ role, content }) => [role, content]))).toEqual([
    [["user", "Work.\n\nFix it."]],
    [
      ["user", "Work.\n\nFix it."],
      ["assistant", said],
      ["user", "a.py"],
    ],
  ]);
});

test("SWE-agent: a call of a tool is a call in the text of its reply", async () => {
  const calls = [{ id: "c", type: "function", function: { name: "bash", arguments: '{"command":"ls"}' } }];
  const told = {
    trajectory: [step("Look.", "ls", "a.py", "Look.")],
    history: [...before, { role: "assistant", content: "Look.", action: "ls", tool_calls: calls }],
    info: {},
  };
  const { episodes } = await importContent(JSON.stringify(told), "a.traj");
  expect(episodes[0]?.steps[0]?.proposals[0]?.completion?.text).toBe(
    'Look.\n<tool_call>\n{"name":"bash","arguments":{"command":"ls"}}\n</tool_call>',
  );
});
