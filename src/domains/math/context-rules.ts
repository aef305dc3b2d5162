import type { StepContext } from "../../model/step-context.ts";
import { singleStepRules } from "../single-step/context-rules.ts";
import type { MathDraft } from "./math-types.d.ts";
import types from "./math-types.d.ts?text";
import { readDraft } from "./read-draft.ts";

/** Facts that a Program Function of math has besides those of every domain. */
export interface MathContext extends StepContext {
  readonly draft: MathDraft;
}

/** The same for authors of Program Functions. */
export const MATH_PF_TYPES = `${types.trim()}

/** Facts of the domain math, for its PFs. Write it as the type of \`ctx\`. */
export interface MathContext extends StepContext {
  readonly draft: MathDraft;
}
`;

export const mathRules = singleStepRules<MathContext>((draft) => ({ draft: readDraft(draft) }));
