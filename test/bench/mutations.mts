import process from "node:process";
import { loadavg } from "node:os";
import { Worker } from "node:worker_threads";
import type { BenchRow } from "./measure.mts";
import type { MemoryLook, MutationsNews, MutationsOrder, MutationsReport } from "./mutations-worker.mts";

const SEED = 20_26;
const COUNT = 100_000;
/** One file takes milliseconds; one that takes so long on busy cores hangs. */
const HANGS_AFTER_MS = 60_000;
const LOOK_EVERY_MS = 5_000;
/** That of the product's compiler (worker-thread.ts): nesting has to be survived on it. */
const STACK_MB = 8;

/** Tells on stderr how far it is, and calls `onHang` with the number of a mutant that does not come to its end. */
function watch(at: Int32Array, count: number, onHang: (n: number) => void): NodeJS.Timeout {
  let known = { n: -1, since: performance.now() };
  return setInterval(() => {
    const n = Atomics.load(at, 0);
    process.stderr.write(`mutations: ${n} of ${count}\n`);
    if (n !== known.n) known = { n, since: performance.now() };
    else if (performance.now() - known.since > HANGS_AFTER_MS) onHang(n);
  }, LOOK_EVERY_MS);
}

async function checkIn(workerFile: string, count: number): Promise<MutationsReport> {
  const at = new Int32Array(new SharedArrayBuffer(4));
  const order: MutationsOrder = { seed: SEED, count, at };
  const worker = new Worker(workerFile, { workerData: order, resourceLimits: { stackSizeMb: STACK_MB } });
  const ended = Promise.withResolvers<MutationsReport>();
  const fail = (what: string, cause?: unknown): void =>
    ended.reject(new Error(`Mutant ${Atomics.load(at, 0)} of seed ${SEED} ${what}`, { cause }));
  const watching = watch(at, count, () => fail(`was not done in ${HANGS_AFTER_MS / 1000} s`));
  worker.on("message", (news: MutationsNews) => {
    if ("report" in news) ended.resolve(news.report);
    else process.stderr.write(`mutations: heap ${told(news.look)}\n`);
  });
  worker.on("error", (error) => fail("was not survived", error));
  worker.on("exit", () => fail("ended its thread"));
  try {
    return await ended.promise;
  } finally {
    clearInterval(watching);
    await worker.terminate();
  }
}

const told = ({ after, heap, rss }: MemoryLook): string =>
  `${heap.toFixed(1)} after ${after} (rss ${rss.toFixed(0)})`;

/**
 * 100,000 mutated files of skills through the checker, in a thread of their own. One that throws, hangs or takes the thread down ends
 * the bench with its number.
 */
export async function benchMutations(workerFile: string, count = COUNT): Promise<BenchRow[]> {
  const { withFindings, seconds, median, p99, slowest, looks } = await checkIn(workerFile, count);
  const load = `load ${loadavg()[0]?.toFixed(1)} at the end`;
  const last = slowest.map(({ name, ms, n }) => `${name} ${ms.toFixed(0)} ms (#${n})`).join(", ");
  const row = (name: string, ours: number, unit: string, method: string, baseline?: number): BenchRow => ({
    name,
    ours,
    baseline,
    unit,
    method,
  });
  const survived = `seed ${SEED}, 5 SKILL.md : 4 cases.yaml : 1 pf.ts; ${withFindings} with findings, none thrown, none hung; ${seconds.toFixed(0)} s; ${load}`;
  const quarters = `after a collection; baseline: after the first quarter; all looks: ${looks.map(told).join(", ")}`;
  return [
    row("mutations: checked", count, "files", survived),
    row("mutations: rate", count / seconds, "files/s", `median ${median.toFixed(2)} ms a file`),
    row("mutations: 99th percentile", p99, "ms", `slowest: ${last}`),
    row("mutations: heap at the end", looks.at(-1)?.heap ?? 0, "MB", quarters, looks[1]?.heap),
  ];
}
