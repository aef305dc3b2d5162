import { openContainment } from "../../../src/platform/containment/open-containment.ts";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import os from "node:os";
import { Worker } from "node:worker_threads";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { backtest, type BacktestOptions, type BacktestReport } from "../../../src/analysis/backtest.ts";
import { openLibrary } from "../../../src/analysis/library.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { latePfHost } from "../../../src/platform/late-pf-host.ts";
import { pfHosts } from "../../../src/platform/pf-hosts.ts";
import { startPfHost } from "../../../src/platform/worker-pf-host.ts";
import type { PfHost } from "../../../src/sandbox/pf-host.ts";
import type { SkillFolder } from "../../../src/skill/read-skill.ts";
import type { PlacedEpisode } from "../../../src/trace/placed-episodes.ts";
import { episodesIn, openCore, readFolders, SAMPLE_RUN } from "../../support/core.ts";
import { paperSkill } from "../../support/shipped.ts";
import { manyHosts, type ManyHosts } from "../../support/many-hosts.ts";
import { THOROUGH } from "../../support/thorough.ts";
import { bundleWorker } from "../../support/worker-bundle.ts";

const NAMES = ["insufficient-exploration", "retrieval-failure", "temporal-confusion"];
/** Episodes of a backtest: the sample run so many times. */
const TIMES = 8;
/** All hosts are at work from this episode on. */
const JOINED = 50;

const core = openCore();
let bundle: Awaited<ReturnType<typeof bundleWorker>>;
let folders: readonly SkillFolder[];
let episodes: readonly Episode[];
beforeAll(async () => {
  bundle = await bundleWorker();
  folders = await readFolders(core.compiler, ...NAMES.map(paperSkill));
  episodes = await episodesIn(SAMPLE_RUN);
});
afterAll(async () => {
  await Promise.all([core.host.close(), core.compiler.close()]);
  await bundle.remove();
});

const workers: Worker[] = [];
const onWorker = (message: unknown): void => {
  if (message instanceof Object && "worker" in message && message.worker instanceof Worker)
    workers.push(message.worker);
};
beforeEach(() => subscribe("worker_threads", onWorker));
afterEach(() => {
  unsubscribe("worker_threads", onWorker);
  vi.restoreAllMocks();
  workers.length = 0;
});
/** A worker that has ended has no thread. */
const running = (): readonly Worker[] => workers.filter(({ threadId }) => threadId !== -1);

const start = (): PfHost => startPfHost({ workerFile: bundle.file, stepMs: 100 });

/** Waits in the middle until all hosts are at work. The last episode of the sample run asks for a hang from then on. */
async function* placed(joined: Promise<void>): AsyncGenerator<PlacedEpisode> {
  for (let i = 0; i < TIMES; i++)
    for (const [j, episode] of episodes.entries()) {
      const index = i * episodes.length + j;
      if (index === JOINED) await joined;
      const hangs = index > JOINED && j === episodes.length - 1;
      yield { run: SAMPLE_RUN, index, episode: hangs ? { ...episode, question: "HANG" } : episode };
    }
}

async function report(
  { host, joined }: Pick<ManyHosts, "host" | "joined">,
  options: BacktestOptions,
  skills = folders,
): Promise<BacktestReport> {
  try {
    return await backtest(await openLibrary(skills, host), placed(joined), host, options);
  } finally {
    await host.close();
  }
}

const alone = (options: BacktestOptions, skills = folders): Promise<BacktestReport> =>
  report({ host: start(), joined: Promise.resolve() }, options, skills);

describe("a backtest in several workers", { timeout: 60_000 }, () => {
  it("has the report of one in one worker, and leaves none", async () => {
    const options = {
      worth: { openContainment },
      interventions: true,
      split: { parts: [1, 2, 3], of: 4, seed: 42 },
    };
    const one = await alone(options);
    const hosts = manyHosts(3, start);
    const progress: number[] = [];
    const three = await report(hosts, { ...options, onProgress: (done) => progress.push(done) });
    expect(JSON.stringify(three)).toBe(JSON.stringify(one));
    expect(progress).toEqual(Array.from({ length: TIMES * episodes.length }, (_, i) => i + 1));
    expect(Math.min(...hosts.folds)).toBeGreaterThan(0);
    expect(workers.length).toBe(4);
    expect(running()).toEqual([]);
  });

  it("goes on where a worker dies", async () => {
    const one = await alone({});
    workers.length = 0;
    const hosts = manyHosts(3, start);
    // One of the first host and one of a further one, among episodes that they judge.
    const onProgress = (done: number): void => {
      if (done === 70) for (const worker of workers.slice(0, 2)) void worker.terminate();
    };
    expect(await report(hosts, { onProgress })).toEqual(one);
    expect(workers.length).toBe(5);
    expect(running()).toEqual([]);
  });

  // A hang takes its time: with fake hosts in analysis/judge-in-order.test.ts.
  it.runIf(THOROUGH)("counts the breaks of a PF as one worker does", async () => {
    const code = `import { ProgramFunction, noop } from "hasp";
      export default class Hanging extends ProgramFunction {
        shouldActivate({ question }) { while (question === "HANG"); return false; }
        intervene() { return noop("no"); }
      }`;
    const hanging = folders.map((folder, i) =>
      i > 0 || folder.program === undefined ? folder : { ...folder, program: { ...folder.program, code } },
    );
    const three = await report(manyHosts(3, start), {}, hanging);
    const [skill] = three.skills.filter(({ errors }) => errors > 0);
    expect(skill?.hits.some(({ reason }) => reason.includes("no longer run"))).toBe(true);
    expect(three).toEqual(await alone({}, hanging));
    expect(running()).toEqual([]);
  });

  it("that is cancelled has the episodes that are done, in their order, and leaves no worker", async () => {
    const hosts = manyHosts(3, start);
    const controller = new AbortController();
    const onProgress = (done: number): void => void (done === 70 && controller.abort());
    const { episodes: counts } = await report(hosts, { signal: controller.signal, onProgress });
    expect(Object.values(counts).reduce((a, b) => a + b)).toBe(70);
    expect(hosts.open()).toBe(0);
    expect(running()).toEqual([]);
  });
});

describe("the hosts of this machine", () => {
  it.each([
    [1, 0],
    [2, 1],
    [64, 3],
  ])("with %i cores are one and %i further ones", async (cores, count) => {
    vi.spyOn(os, "availableParallelism").mockReturnValue(cores);
    const host = pfHosts(() => latePfHost(bundle.file));
    const further = host.further?.() ?? [];
    expect(further).toHaveLength(count);
    await Promise.all([host, ...further].map((one) => one.close()));
    expect(workers).toEqual([]);
  });
});
