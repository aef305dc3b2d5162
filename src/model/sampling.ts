/** How a policy's model is sampled. */
export interface Sampling {
  readonly temperature: number;
  /** The longest reply, in tokens. */
  readonly maxTokens: number;
  readonly topP?: number;
  /** The run's: each question is sampled with a seed of its own, made from it. */
  readonly seed?: number;
  /** Which of several samples of one question this is. */
  readonly sample?: number;
}

/** Greedy, with room for a thought of a paragraph and an action. */
export const DEFAULT_SAMPLING: Sampling = { temperature: 0, maxTokens: 512 };
