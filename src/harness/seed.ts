import { hashText } from "../trace/hash.ts";

/** Seeds stay positive in a signed 32-bit integer, which every endpoint takes. */
const SEEDS = 2 ** 31;

/**
 * The sampling seed of one question: a function of these three alone, so that no reply depends on which questions were asked
 * before, and two questions with the same words are still sampled apart. `sample` tells the tries at one question apart, from 0.
 */
export function seedFor(runSeed: number, questionId: string, sample = 0): number {
  return Number.parseInt(hashText(JSON.stringify([runSeed, questionId, sample])), 16) % SEEDS;
}
