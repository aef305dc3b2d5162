import { expect, it } from "vitest";
import { code } from "../../../../src/domains/code/code.ts";
import { codePrompt } from "../../../../src/domains/code/prompt.ts";
import type { PromptSeen } from "../../../../src/domains/domain.ts";

const TASK = 'def third(items):\n    """Give the third item, or None."""\n';
const FORM = "Plan in a few words, then write the complete code, with its imports, in one ```python block.";
const PROGRAM = "def third(items):\n    return items[3]";
const proposal = { thought: "Take it.", action: { type: "FINAL", arg: PROGRAM } };
const messages = (seen: readonly PromptSeen[], more = {}) =>
  codePrompt.messages({ question: TASK, seen, t: 0, maxSteps: 1, ...more });

it("asks for a plan and one program between fences; the task stays as it is", () => {
  expect(messages([])).toEqual([
    { role: "system", content: `Solve the programming task in Python. ${FORM}` },
    { role: "user", content: TASK },
  ]);
});

it("has the texts of skills whole, each a part of its own", () => {
  const [system] = messages([], { summaries: ["# Ends\n\n- Look at `n = 0`.", "# Speed\n\nCount loops."] });
  expect(system?.content).toBe(
    `Solve the programming task in Python. ${FORM}\n\nWhat has helped with such tasks:\n\n# Ends\n\n- Look at \`n = 0\`.\n\n# Speed\n\nCount loops.`,
  );
});

it("shows a draft that was held back as a fenced program behind its plan, then hints, the task and the form", () => {
  const heldBack = {
    kind: "held-back",
    t: 0,
    instructions: [],
    proposal,
    injected: ["No return at 2."],
  } as const;
  expect(messages([heldBack]).slice(2)).toEqual([
    { role: "assistant", content: `Take it.\n\n\`\`\`python\n${PROGRAM}\n\`\`\`` },
    {
      role: "user",
      content: `This answer has not been given yet.\nHint: No return at 2.\n\nThe task is still: def third(items): """Give the third item, or None."""\n${FORM}`,
    },
  ]);
});

it("takes programs that differ in the ends of lines alone for one, and no others", () => {
  const { answer } = code.keys;
  expect(answer("def f():\r\n\treturn 1  \r\n\r\n")).toBe(answer("def f():\n\treturn 1"));
  expect(answer("  return 1")).not.toBe(answer("return 1"));
  expect(answer("a  = 1")).not.toBe(answer("a = 1"));
  expect(answer("x = 'A'")).not.toBe(answer("x = 'a'"));
});
