import type { Control } from "../../model/control.ts";

/**
 * No skill of this domain votes: a Program Function that gives a reason holds the agent back. A session may last a day, and a guard must
 * not fall silent in it, so a PF may change 1,000 calls; in a question it may change two.
 */
export const CODING_DEFAULTS = { maxModifyFires: 1000 } as const satisfies Partial<Control>;

/**
 * What differs for a coding agent from an agent that answers a question: the skills are guards, so all of them judge every call, whatever
 * the task sounds like; its stop is no answer that could be voted on, formatted or tried once more; and its work may take a day.
 */
export const CODING_SERVED: Partial<Control> = {
  enableDifficultyGating: false,
  enableSkillHandlers: false,
  enableAnswerFormatting: false,
  enableRetry: false,
  maxModifyFires: 1000,
  maxSteps: 1000,
  timeoutSeconds: 86_400,
};
