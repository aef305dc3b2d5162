import { singleStepPrompt } from "../single-step/prompt.ts";
import { lastBox } from "./find-answer.ts";
import { parseReply } from "./parse-reply.ts";

/** Problems solved in one reply: the working, and the answer in a box. */
export const mathPrompt = singleStepPrompt({
  version: "math/1",
  order: "Solve the problem.",
  form: "Work step by step, and write the answer alone on the last line as \\boxed{…}.",
  noun: "question",
  skills: (texts) => `What has helped with such problems:\n${texts.map((text) => `- ${text}`).join("\n")}`,
  /** A working that has its answer in a box already, as in its last sentence, is the whole reply. */
  render: ({ thought, action }) =>
    lastBox(thought)?.text === action.arg ? thought : `${thought}\n\\boxed{${action.arg}}`.trim(),
  parseReply,
});
