import type { StepContext } from "../../model/step-context.ts";
import { singleStepRules } from "../single-step/context-rules.ts";
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

export const codeRules = singleStepRules<CodeContext>((draft) => ({ code: readCode(draft) }));
