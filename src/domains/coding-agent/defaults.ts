import type { Control } from "../../model/control.ts";

/**
 * No skill of this domain votes: a Program Function that gives a reason holds the agent back. A session may last a day, and a guard must
 * not fall silent in it, so a PF may change 1,000 calls; in a question it may change two.
 */
export const CODING_DEFAULTS = { maxModifyFires: 1000 } as const satisfies Partial<Control>;
