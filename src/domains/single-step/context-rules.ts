import type { StepContext } from "../../model/step-context.ts";
import type { ContextRules } from "../../trace/context-at.ts";

/** All that an episode of one step says of its answer; thought and answer are empty before the first proposal. */
export interface DraftTexts {
  readonly question: string;
  readonly thought: string;
  readonly answer: string;
}

/** The context rules of a domain of one step. `fieldsOf`: its own fields of the step context, computed from a draft. */
export function singleStepRules<Context extends StepContext>(
  fieldsOf: (draft: DraftTexts) => Omit<Context, keyof StepContext>,
): ContextRules {
  return {
    isEmptySearch: (observation) => observation.trim() === "",
    contradicts: () => false,
    own: {
      initial: (question) => fieldsOf({ question, thought: "", answer: "" }),
      proposed: ({ question }, { thought, action }) => fieldsOf({ question, thought, answer: action.arg }),
      advance: () => ({}),
      remembered: ({ type, arg }) => ({ type, arg }),
    },
  };
}
