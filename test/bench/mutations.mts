import process from "node:process";
import { createChecker } from "../../src/skill/checker.ts";
import { checkMutant, mutant, shippedFiles, type SkillFileName } from "../support/mutations.ts";
import { percentile, type BenchRow } from "./measure.mts";

const SEED = 20_26;
const COUNT = 100_000;
/** Where memory is looked at: what grows between the second look and the last is a leak. */
const LOOKS = 10;

function heapMegabytes(): number {
  // Only with --expose-gc; without it the figure holds what has not been collected yet.
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}

interface Slowest {
  ms: number;
  n: number;
}

/** 100,000 mutated files of skills through the checker. A crash ends the bench with the number of the mutant. */
export function benchMutations(count = COUNT): BenchRow[] {
  const shipped = shippedFiles();
  const checker = createChecker();
  checker.warmUp();
  const times: number[] = [];
  const slowest = new Map<SkillFileName, Slowest>();
  const heaps: number[] = [];
  let wrong = 0;
  for (let n = 0; n < count; n++) {
    const one = mutant(shipped, SEED, n);
    const start = performance.now();
    try {
      if (checkMutant(one, checker) > 0) wrong += 1;
    } catch (error) {
      throw new Error(`Mutant ${n} (seed ${SEED}) of ${one.file} was not survived`, { cause: error });
    }
    const ms = performance.now() - start;
    times.push(ms);
    if (ms > (slowest.get(one.name)?.ms ?? 0)) slowest.set(one.name, { ms, n });
    if ((n + 1) % Math.ceil(count / LOOKS) === 0) heaps.push(heapMegabytes());
  }
  checker.dispose();
  const last = [...slowest].map(([name, { ms, n }]) => `${name} ${ms.toFixed(0)} ms (#${n})`).join(", ");
  const row = (name: string, ours: number, unit: string, method: string, baseline?: number): BenchRow => ({
    name,
    ours,
    baseline,
    unit,
    method,
  });
  return [
    row("mutations: checked", count, "files", `seed ${SEED}; ${wrong} with findings, no crash`),
    row("mutations: 99th percentile", percentile(times, 99), "ms", `slowest: ${last}`),
    row("mutations: memory at the end", heaps.at(-1) ?? 0, "MB", "against that after a fifth", heaps[1]),
  ];
}
