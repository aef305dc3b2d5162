import { REGISTERED } from "../../src/domains/registered.ts";
import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { workerData } from "node:worker_threads";
import { channelToParent } from "../../src/platform/worker-channel.ts";
import { createChecker } from "../../src/skill/checker.ts";
import { checkMutant, mutant, shippedFiles, type SkillFileName } from "../support/mutations.ts";
import { percentile } from "./measure.mts";

/** What the worker is given. */
export interface MutationsOrder {
  readonly seed: number;
  readonly count: number;
  /** Number of the mutant that is being checked, for the thread that watches. */
  readonly at: Int32Array;
}

/** Megabytes after a collection. */
export interface MemoryLook {
  readonly after: number;
  readonly heap: number;
  /** Of the whole process, which has other threads too. */
  readonly rss: number;
}

/** What the worker answers at its end. */
export interface MutationsReport {
  readonly withFindings: number;
  readonly seconds: number;
  /** Milliseconds for one file. */
  readonly median: number;
  readonly p99: number;
  readonly slowest: readonly { readonly name: SkillFileName; readonly ms: number; readonly n: number }[];
  readonly looks: readonly MemoryLook[];
}

/** What the worker posts: each look when it is taken, the report at the end. */
export type MutationsNews = { readonly look: MemoryLook } | { readonly report: MutationsReport };

/** `gc` is there in contexts that are made after the flag was set. */
function collector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}

function checkAll({ seed, count, at }: MutationsOrder, post: (news: MutationsNews) => void): MutationsReport {
  const collect = collector();
  const shipped = shippedFiles();
  const checker = createChecker(REGISTERED);
  checker.warmUp();
  const times = new Float64Array(count);
  const slowest = new Map<SkillFileName, { ms: number; n: number }>();
  const looks: MemoryLook[] = [];
  let withFindings = 0;
  const look = (after: number): void => {
    collect();
    const { heapUsed, rss } = process.memoryUsage();
    const one = { after, heap: heapUsed / 1e6, rss: rss / 1e6 };
    looks.push(one);
    post({ look: one });
  };
  const began = performance.now();
  for (let n = 0; n < count; n++) {
    if (n % Math.ceil(count / 4) === 0) look(n);
    Atomics.store(at, 0, n);
    const one = mutant(shipped, seed, n);
    const start = performance.now();
    if (checkMutant(one, checker) > 0) withFindings += 1;
    const ms = performance.now() - start;
    times[n] = ms;
    if (ms > (slowest.get(one.name)?.ms ?? 0)) slowest.set(one.name, { ms, n });
  }
  const seconds = (performance.now() - began) / 1000;
  look(count);
  checker.dispose();
  const all = [...times];
  return {
    withFindings,
    seconds,
    median: percentile(all, 50),
    p99: percentile(all, 99),
    slowest: [...slowest].map(([name, { ms, n }]) => ({ name, ms, n })),
    looks,
  };
}

const channel = channelToParent();
const post = (news: MutationsNews): void => channel.post(news);
post({ report: checkAll(workerData as MutationsOrder, post) });
