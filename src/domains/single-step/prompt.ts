import { conversation } from "../conversation.ts";
import type { AgentPrompt, PromptInput, PromptSeen } from "../domain.ts";
import { rewordedEnd } from "../reworded-end.ts";
import { taskAgain } from "../task-again.ts";

const HELD_BACK = "This answer has not been given yet.";
const NO_ANSWER = "This is no answer.";

type Said = Parameters<AgentPrompt["render"]>[0];

/** The texts of a domain whose questions are answered in one reply. */
export interface SingleStepTexts {
  /** Goes into run.json. To be raised with every change of a text, those of this module included: runs with different prompts do not compare. */
  readonly version: string;
  /** What to do, as the first sentence of the system prompt. */
  readonly order: string;
  /** How a reply is to be written. Small models keep to a form that is one sentence. */
  readonly form: string;
  /** The domain's word for what is answered. */
  readonly noun: "question" | "task";
  /** The selected skills in the system prompt; at least one. */
  readonly skills: (texts: readonly string[]) => string;
  /** A proposal with an answer, as the form asks for it. */
  readonly render: AgentPrompt["render"];
  readonly parseReply: AgentPrompt["parseReply"];
}

const hints = (texts: readonly string[]): string => texts.map((text) => `Hint: ${text}`).join("\n");

function cameOf(seen: PromptSeen): string {
  if (seen.kind === "next-round") return seen.note;
  const [first, texts] =
    seen.kind === "held-back" ? [HELD_BACK, seen.injected] : [seen.observation || NO_ANSWER, seen.injected];
  return texts.length === 0 ? first : `${first}\n${hints(texts)}`;
}

/** The prompt of a domain whose questions are answered in one reply: the working, and the answer in the domain's form. */
export function singleStepPrompt(texts: SingleStepTexts): AgentPrompt {
  const render = (said: Said): string =>
    said.action.type === "invalid"
      ? (said.action.raw ?? said.action.arg).trim() || "(nothing)"
      : texts.render(said);
  const form = ({ question }: Pick<PromptInput, "question">): string =>
    `${taskAgain(question, texts.noun)}\n${texts.form}`;
  const system = ({ summaries = [] }: PromptInput): string =>
    `${texts.order} ${texts.form}${summaries.length === 0 ? "" : `\n\n${texts.skills(summaries)}`}`;
  /** The end of the message before a proposal. It depends on the step alone, so that a message stays as it was sent. */
  const endOf = (input: PromptInput, instructions: readonly string[], before: PromptSeen | undefined) =>
    instructions.length === 0 && before === undefined
      ? ""
      : [hints(instructions), form(input)]
          .filter((part) => part !== "")
          .map((part) => `\n\n${part}`)
          .join("");
  return {
    version: texts.version,
    messages: (input) =>
      conversation(input, {
        system: system(input),
        question: input.question,
        replyOf: ({ proposal }) => render(proposal),
        cameOf,
        endOf: ({ instructions = [] }, before) => endOf(input, instructions, before),
      }),
    render,
    form,
    stop: [],
    withoutContexts: (given, step) => rewordedEnd(given, cameOf(step), cameOf({ ...step, injected: [] })),
    parseReply: texts.parseReply,
  };
}
