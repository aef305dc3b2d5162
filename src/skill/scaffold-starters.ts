import type { SkillKind } from "./scaffold-kinds.ts";
import {
  BARE_ANSWER,
  CHECK_EDITS,
  CHECK_FIRST,
  LOCKED_INSTALL,
  NO_GUESS,
  NO_RED_STOP,
  READ_FIRST,
  SHORT_QUERY,
  type StarterCode,
} from "./scaffold-pf.ts";
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

const GUESS: Starter = {
  phase: "answer",
  trigger: "The proposed action is a FINAL that declines to answer.",
  does: "It holds the answer back once. If the answer comes again, its vote is for going back to search.",
  handler: "code",
  code: NO_GUESS,
};

const askedOf = (question: string, vote: string): string => `
## Handler

${TODO_TEXT} ${question}

${TODO_TEXT} ${vote}
`;

const WELL_FOUNDED: Starter = {
  phase: "answer",
  trigger: "Every FINAL: the teacher is asked the question below.",
  does: "It has none. Where there is no teacher, the handler abstains.",
  handler: "llm",
  sections: askedOf(
    "Does anything that was found state the answer, or follow from it in one step?",
    "Vote for going back when nothing does, and let the query name what is missing. Let the answer stand when something does.",
  ),
};

const BEFORE_ANSWERING: readonly string[] = [
  "phases:",
  "  pre_final:",
  "    conditions: []",
  "    priority_boost: 0.1",
  "    action: verify_solution",
];

const section = (name: string, text: string): string => `\n## Phase: ${name}\n\n${TODO_TEXT} ${text}\n`;

const RECHECK: Starter = {
  phase: "answer",
  trigger: "The policy is about to answer.",
  does: "It has none: the description and the instruction below are all that it says.",
  keys: BEFORE_ANSWERING,
  sections: section(
    "pre_final",
    "Read the question once more. Does your answer give what it asks for, and all of it?",
  ),
};

const ANY: Readonly<Record<SkillKind, Starter>> = {
  rewrite: {
    phase: "answer",
    trigger: "The proposed action is a FINAL that begins with words such as “the answer is”.",
    does: "It cuts those words off.",
    code: BARE_ANSWER,
  },
  inject: {
    phase: "answer",
    trigger: "The proposed action is a FINAL, and no step has been taken.",
    does: "It asks the policy to check, once per episode.",
    code: CHECK_FIRST,
  },
  "final-code": GUESS,
  "final-llm": WELL_FOUNDED,
  prompt: RECHECK,
};

const WEB_SEARCH: Readonly<Record<SkillKind, Starter>> = {
  ...ANY,
  rewrite: {
    phase: "search",
    trigger: "The proposed action is a SEARCH with a long query.",
    does: "It keeps the first words of the query.",
    code: SHORT_QUERY,
  },
  inject: {
    phase: "answer",
    trigger: "The proposed action is a FINAL, and nothing has been read.",
    does: "It reminds the policy to read a source, once per episode.",
    code: READ_FIRST,
  },
  prompt: {
    ...RECHECK,
    trigger: "Something was searched and nothing read, and the policy is about to answer.",
    keys: [
      "phases:",
      "  pre_final:",
      "    conditions: [no_read_yet]",
      "    priority_boost: 0.2",
      "    action: force_read_best_doc",
    ],
    sections: section(
      "pre_final",
      "Nothing has been read yet. Open the best document found so far before you answer.",
    ),
  },
};

const CODING_AGENT: Readonly<Record<SkillKind, Starter>> = {
  rewrite: {
    phase: "think",
    trigger: "A command line runs `npm install` without naming a package.",
    does: "It runs `npm ci` in its place; the rest of the command line stays as it was.",
    code: LOCKED_INSTALL,
  },
  inject: {
    phase: "answer",
    trigger: "The agent wants to stop, and no check has run since it changed a file.",
    does: "It names the command to run, once.",
    code: CHECK_EDITS,
  },
  "final-code": {
    phase: "answer",
    trigger: "The agent wants to stop, and the latest check failed.",
    does: "It holds the agent back once. If it wants to stop again, its vote is against it.",
    handler: "code",
    code: NO_RED_STOP,
  },
  "final-llm": {
    ...WELL_FOUNDED,
    sections: askedOf(
      "Is everything that the person asked for done, and nothing that they did not ask for?",
      "Vote for going on when something is missing, and let the query name it. Let it stop when all is done.",
    ),
  },
  prompt: {
    ...RECHECK,
    trigger: "The agent is about to stop.",
    sections: section(
      "pre_final",
      "Look at your changes once more. Is anything left that was meant for debugging only?",
    ),
  },
};

/** What a skill of this kind begins with in a domain; a domain of one's own has answers and nothing else that is known. */
export function starterOf(kind: SkillKind, domain: string): Starter {
  if (domain === "web-search") return WEB_SEARCH[kind];
  return domain === "coding-agent" ? CODING_AGENT[kind] : ANY[kind];
}
