/** "hasp" for people who work on these skills here. Elsewhere `hasp init` writes the same as one file. */
import type { CodeDraft } from "../src/domains/code/code-types";
import type { MathDraft } from "../src/domains/math/math-types";
import type { StepContext } from "../src/skill/lib/hasp";

export * from "../src/domains/code/code-types";
export * from "../src/domains/math/math-types";
export * from "../src/skill/lib/hasp";

export interface CodeContext extends StepContext {
  readonly code: CodeDraft;
}

export interface MathContext extends StepContext {
  readonly draft: MathDraft;
}
