import type { AgentPrompt } from "../domain.ts";
import { parseReply } from "./parse-reply.ts";

/** Goes into run.json. Raise it with every change of the texts below: runs with different prompts do not compare. */
const PROMPT_VERSION = "math/1";

const FORM = "Work step by step, and end with the answer in \\boxed{}.";

export const mathPrompt: AgentPrompt = {
  version: PROMPT_VERSION,
  messages: ({ question, seen, summaries = [], instructions = [] }) => [
    { role: "system", content: [FORM, ...summaries].join("\n") },
    { role: "user", content: question },
    ...seen.flatMap((one) => [
      { role: "assistant" as const, content: one.proposal.thought },
      { role: "user" as const, content: "injected" in one ? one.injected.join("\n") : "" },
    ]),
    ...(instructions.length === 0 ? [] : [{ role: "user" as const, content: instructions.join("\n") }]),
  ],
  render: ({ thought, action }) => `${thought}\n\\boxed{${action.arg}}`,
  withoutContexts: () => undefined,
  form: () => FORM,
  stop: [],
  parseReply,
};
