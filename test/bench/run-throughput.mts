import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startPfHost } from "../../src/platform/worker-pf-host.ts";
import type { PfHost } from "../../src/sandbox/pf-host.ts";
import { median, milliseconds, type BenchRow } from "./measure.mts";
import { bareLoop, ourRun, startServer, type Load } from "./rollouts.mts";

interface Case {
  readonly name: string;
  readonly load: Load;
  /** Milliseconds until the server answers. */
  readonly latencyMs: number;
  /** Pairs of measurements, ours and the bare loop's in turn, after one pair that does not count. */
  readonly pairs: number;
}

/** The aims are ratios of 0.6 and 0.95: at no latency our own work shows in full, at 1 s only where it makes calls wait. */
const CASES: readonly Case[] = [
  {
    name: "rollouts, model answers at once",
    load: { episodes: 500, steps: 5, atOnce: 16 },
    latencyMs: 0,
    pairs: 7,
  },
  {
    name: "rollouts, model answers after 1 s",
    load: { episodes: 512, steps: 3, atOnce: 256 },
    latencyMs: 1000,
    pairs: 3,
  },
];

/** What one pass took. */
interface Pass {
  readonly ms: number;
  /** Milliseconds of processor time of this process, all threads. */
  readonly cpuMs: number;
}

interface Pair {
  readonly ours: Pass;
  readonly bare: Pass;
}

async function pass(work: () => Promise<void>): Promise<Pass> {
  const before = process.cpuUsage();
  const ms = await milliseconds(work);
  const { user, system } = process.cpuUsage(before);
  return { ms, cpuMs: (user + system) / 1000 };
}

/** Megabytes of resident memory during the last of our passes. */
interface Memory {
  first: number;
  last: number;
}

async function measurePairs(
  { load, pairs }: Case,
  url: string,
  inputs: { readonly root: string; readonly host: PfHost; readonly memory: Memory },
): Promise<Pair[]> {
  const { root, host, memory } = inputs;
  const measured: Pair[] = [];
  for (let i = 0; i <= pairs; i++) {
    const folder = path.join(root, `run-${i}`);
    const onEpisode = (ended: number): void => {
      const rss = process.memoryUsage.rss() / 1e6;
      if (ended === Math.ceil(load.episodes / 10)) memory.first = rss;
      if (ended === load.episodes) memory.last = rss;
    };
    const ours = await pass(() => ourRun(url, load, { folder, host }, onEpisode));
    const bare = await pass(() => bareLoop(url, load));
    await rm(folder, { recursive: true });
    if (i > 0) measured.push({ ours, bare });
  }
  return measured;
}

function methodOf({ load, latencyMs, pairs }: Case, measured: readonly Pair[], memory: Memory): string {
  const { episodes, steps, atOnce } = load;
  const ratios = measured.map(({ ours, bare }) => bare.ms / ours.ms).toSorted((a, b) => a - b);
  const cpu = (side: keyof Pair): string =>
    `${(median(measured.map((pair) => pair[side].cpuMs)) / (episodes * steps)).toFixed(2)} ms`;
  return [
    `${episodes} episodes of ${steps} steps, ${atOnce} at once, the model answers after ${latencyMs} ms, recorded, no skills`,
    `baseline: the openai package alone with the same prompts; ${pairs} pairs in turn after a warm-up`,
    `ratios of the pairs ${ratios.map((ratio) => ratio.toFixed(2)).join(" ")}, median ${median(ratios).toFixed(2)}`,
    `processor time a call ${cpu("ours")} to ${cpu("bare")}`,
    `resident memory after a tenth ${memory.first.toFixed(0)} MB, at the end ${memory.last.toFixed(0)} MB`,
  ].join("; ");
}

async function benchCase(one: Case, root: string, host: PfHost): Promise<BenchRow> {
  const server = await startServer(root, one.latencyMs);
  const folder = await mkdtemp(path.join(tmpdir(), "hasp-throughput-"));
  const memory: Memory = { first: 0, last: 0 };
  try {
    const measured = await measurePairs(one, server.url, { root: folder, host, memory });
    const perSecond = (side: keyof Pair): number =>
      (one.load.episodes * 1000) / median(measured.map((pair) => pair[side].ms));
    return {
      name: one.name,
      ours: perSecond("ours"),
      baseline: perSecond("bare"),
      unit: "episodes/s",
      method: methodOf(one, measured, memory),
    };
  } finally {
    server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Episodes through the whole loop, recorded to disk, against a bare client loop over the same server and number of calls. */
export async function benchThroughput(root: string, workerFile: string): Promise<BenchRow[]> {
  const host = startPfHost({ workerFile });
  try {
    const rows: BenchRow[] = [];
    for (const one of CASES) rows.push(await benchCase(one, root, host));
    return rows;
  } finally {
    await host.close();
  }
}
