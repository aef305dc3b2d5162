import { SKILL_KINDS, type SkillKind } from "./scaffold-kinds.ts";
import { bareAnswer, checkFirst, noGuess, type StarterCode } from "./scaffold-pf.ts";
import { TODO_TEXT } from "./template-text.ts";

/** A new skill before its author has changed it, besides name and description. */
export interface Starter {
  /** One of the vocabulary's `applicable_phases`. */
  readonly phase: "think" | "search" | "answer";
  readonly trigger: string;
  /** Under the heading "What the Program Function does". */
  readonly does: string;
  readonly handler?: "code" | "llm";
  /** Further keys under `metadata.hasp`, a line each. */
  readonly keys?: readonly string[];
  /** Further sections of the body. */
  readonly sections?: string;
  /** Undefined for a skill of text alone. */
  readonly code?: StarterCode;
}

/** What a new skill of each kind begins with, in one domain. Without `rewrite`, no skill of the domain changes an action. */
export type Starters = Readonly<Record<Exclude<SkillKind, "rewrite">, Starter>> & {
  readonly rewrite?: Starter;
};

/** The kinds of new skills that a domain has, in the order in which they are offered. */
export function kindsIn(starters: Starters): readonly SkillKind[] {
  return SKILL_KINDS.map(({ kind }) => kind).filter((kind) => starters[kind] !== undefined);
}

/** Why a domain has no skills of this kind, and what to do; undefined where it has. */
export function missingKind(
  { name, starters }: { readonly name: string; readonly starters: Starters },
  kind: SkillKind,
): { readonly message: string; readonly next: string } | undefined {
  const kinds = kindsIn(starters);
  if (kinds.includes(kind)) return undefined;
  return {
    message: `Skills of the domain ${name} change no action, so none is of kind ${kind}.`,
    next: `Choose another one: ${kinds.join(", ")}.`,
  };
}

/** The section of a handler that asks the teacher. */
export const handlerSection = (question: string, vote: string): string => `
## Handler

${TODO_TEXT} ${question}

${TODO_TEXT} ${vote}
`;

/** The section of a phase, which the policy reads. */
export const phaseSection = (name: string, text: string): string =>
  `\n## Phase: ${name}\n\n${TODO_TEXT} ${text}\n`;

const BEFORE_ANSWERING: readonly string[] = [
  "phases:",
  "  pre_final:",
  "    conditions: []",
  "    priority_boost: 0.1",
  "    action: verify_solution",
];

/** Starters for any domain that ends with an answer. */
export function plainStarters(finalAction: string): Starters {
  return {
    rewrite: {
      phase: "answer",
      trigger: `The proposed action is a ${finalAction} that begins with words such as “the answer is”.`,
      does: "It cuts those words off.",
      code: bareAnswer(finalAction),
    },
    inject: {
      phase: "answer",
      trigger: `The proposed action is a ${finalAction}, and no step has been taken.`,
      does: "It asks the policy to check, once per episode.",
      code: checkFirst(finalAction),
    },
    "final-code": {
      phase: "answer",
      trigger: `The proposed action is a ${finalAction} that declines to answer.`,
      does: "It holds the answer back once. If the answer comes again, its vote is for going back to search.",
      handler: "code",
      code: noGuess(finalAction),
    },
    "final-llm": {
      phase: "answer",
      trigger: `Every ${finalAction}: the teacher is asked the question below.`,
      does: "It has none. Where there is no teacher, the handler abstains.",
      handler: "llm",
      sections: handlerSection(
        "Does anything that was found state the answer, or follow from it in one step?",
        "Vote for going back when nothing does, and let the query name what is missing. Let the answer stand when something does.",
      ),
    },
    prompt: {
      phase: "answer",
      trigger: "The policy is about to answer.",
      does: "It has none: the description and the instruction below are all that it says.",
      keys: BEFORE_ANSWERING,
      sections: phaseSection("pre_final", "Give an answer that covers every part of the question."),
    },
  };
}
