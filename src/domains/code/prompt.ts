import { singleStepPrompt } from "../single-step/prompt.ts";
import { parseReply } from "./parse-reply.ts";

/** The least fence that a program does not close: more marks than it has in a row. */
function fenceFor(program: string): string {
  const runs = program.match(/`{3,}/g) ?? [];
  return "`".repeat(runs.reduce((most, { length }) => Math.max(most, length + 1), 3));
}

/** Tasks solved in one reply: a plan, and a program between fences. */
export const codePrompt = singleStepPrompt({
  version: "code/1",
  order: "Solve the programming task in Python.",
  form: "Plan in a few words, then write the complete code, with its imports, in one ```python block.",
  noun: "task",
  skills: (bodies) => `What has helped with such tasks:\n\n${bodies.join("\n\n")}`,
  render: ({ thought, action }) => {
    const fence = fenceFor(action.arg);
    return `${thought}\n\n${fence}python\n${action.arg}\n${fence}`.trim();
  },
  parseReply,
});
