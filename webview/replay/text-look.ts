import { answersAreCode } from "./answer-code.ts";
import { drawsFormulas } from "./formula-source.ts";
import type { ReplayState } from "./state.ts";

/** What the domain of an episode says of its texts. */
export interface TextLook {
  /** Formulas are drawn. */
  readonly formulas: boolean;
  /** Answers are Python programs. */
  readonly code: boolean;
}

/** How texts of the episode shown are shown. */
export function textLook(state: ReplayState): TextLook {
  return { formulas: drawsFormulas(state), code: answersAreCode(state) };
}
