import { conversation } from "../conversation.ts";
import type { AgentPrompt, PromptInput, PromptSeen } from "../domain.ts";
import { rewordedEnd } from "../reworded-end.ts";
import { taskAgain } from "../task-again.ts";
import { lastBox } from "./find-answer.ts";
import { parseReply } from "./parse-reply.ts";

/** Goes into run.json. Raise it with every change of the texts below: runs with different prompts do not compare. */
const PROMPT_VERSION = "math/1";

/** Small models keep to a form that is one sentence. */
const FORM = "Work step by step, and write the answer alone on the last line as \\boxed{…}.";
const SYSTEM = `Solve the problem. ${FORM}`;
const HELD_BACK = "This answer has not been given yet.";
const NO_ANSWER = "This is no answer.";

type Said = Parameters<AgentPrompt["render"]>[0];

/** A working that has its answer in a box already, as in its last sentence, is the whole reply. */
function render({ thought, action }: Said): string {
  if (action.type === "invalid") return (action.raw ?? action.arg).trim() || "(nothing)";
  if (lastBox(thought)?.text === action.arg) return thought;
  return `${thought}\n\\boxed{${action.arg}}`.trim();
}

const hints = (texts: readonly string[]): string => texts.map((text) => `Hint: ${text}`).join("\n");

const form = ({ question }: Pick<PromptInput, "question">): string =>
  `${taskAgain(question, "question")}\n${FORM}`;

function cameOf(seen: PromptSeen): string {
  if (seen.kind === "next-round") return seen.note;
  const [first, texts] =
    seen.kind === "held-back" ? [HELD_BACK, seen.injected] : [seen.observation || NO_ANSWER, seen.injected];
  return texts.length === 0 ? first : `${first}\n${hints(texts)}`;
}

type End = Pick<PromptInput, "instructions">;

/** The end of the message before a proposal. It depends on the step alone, so that a message stays as it was sent. */
function endOf(input: PromptInput, { instructions = [] }: End, before: PromptSeen | undefined): string {
  if (instructions.length === 0 && before === undefined) return "";
  return [hints(instructions), form(input)]
    .filter((part) => part !== "")
    .map((part) => `\n\n${part}`)
    .join("");
}

function list(texts: readonly string[]): string {
  if (texts.length === 0) return "";
  return `\n\nWhat has helped with such problems:\n${texts.map((text) => `- ${text}`).join("\n")}`;
}

const messages: AgentPrompt["messages"] = (input) =>
  conversation(input, {
    system: `${SYSTEM}${list(input.summaries ?? [])}`,
    question: input.question,
    replyOf: ({ proposal }) => render(proposal),
    cameOf,
    endOf: (step, before) => endOf(input, step, before),
  });

/** Problems solved in one reply: the working, and the answer in a box. */
export const mathPrompt: AgentPrompt = {
  version: PROMPT_VERSION,
  messages,
  render,
  form,
  stop: [],
  withoutContexts: (given, step) => rewordedEnd(given, cameOf(step), cameOf({ ...step, injected: [] })),
  parseReply,
};
