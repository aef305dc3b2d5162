import type { StepContext } from "../../model/step-context.ts";
import type { ContextRules, OwnFields } from "../../trace/context-at.ts";
import type { CodeDraft } from "./code-types.d.ts";
import types from "./code-types.d.ts?text";
import { readCode } from "./read-code.ts";

/** Facts that a Program Function of code has besides those of every domain. */
export interface CodeContext extends StepContext {
  readonly code: CodeDraft;
}

/** The same for authors of Program Functions. */
export const CODE_PF_TYPES = `${types.trim()}

/** Facts of the domain code, for its PFs. Write it as the type of \`ctx\`. */
export interface CodeContext extends StepContext {
  readonly code: CodeDraft;
}
`;

const own: OwnFields = {
  initial: (question): Partial<CodeContext> => ({ code: readCode({ question, answer: "" }) }),
  proposed: ({ question }, { action }): Partial<CodeContext> => ({
    code: readCode({ question, answer: action.arg }),
  }),
  advance: () => ({}),
  remembered: ({ type, arg }) => ({ type, arg }),
};

export const codeRules: ContextRules = {
  isEmptySearch: (observation) => observation.trim() === "",
  contradicts: () => false,
  own,
};
