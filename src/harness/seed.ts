import type { RunSampling, Sampling } from "../model/sampling.ts";
import { hashText } from "../trace/hash.ts";

/** Seeds stay positive in a signed 32-bit integer, which every endpoint takes. */
const SEEDS = 2 ** 31;

/**
 * The sampling seed of one sample: a function of these three alone, so that no reply depends on which questions were asked
 * before, and two questions with the same words are still sampled apart. The first sample is 1.
 */
export function seedFor(runSeed: number, questionId: string, sample: number): number {
  return Number.parseInt(hashText(JSON.stringify([runSeed, questionId, sample - 1])), 16) % SEEDS;
}

/** The sampling of one sample of a question. */
export function samplingOf(run: RunSampling, questionId: string, sample: number): Sampling {
  const { temperature: given, seed, ...rest } = run;
  const temperatures = typeof given === "number" ? [given] : given;
  const temperature = temperatures[(sample - 1) % temperatures.length] ?? 0;
  return { ...rest, temperature, ...(seed !== undefined && { seed: seedFor(seed, questionId, sample) }) };
}
