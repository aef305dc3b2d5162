import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import path from "node:path";
import { backtest } from "../../src/analysis/backtest.ts";
import type { PlacedEpisode } from "../../src/trace/placed-episodes.ts";
import { recordedQuestions } from "../../src/analysis/judge.ts";
import { FRESH_STATE, type PfQuestion, type PfState } from "../../src/sandbox/pf-host.ts";
import { lineImporter } from "../../src/trace/import-react.ts";
import { again, idled, openIn, shippedFolders, type Opened } from "./library.mts";
import { benchWorth } from "./worth.mts";
import { compare, median, milliseconds, type BenchRow } from "./measure.mts";

const SOURCES: readonly (readonly ["reflexion" | "fireact", string])[] = [
  ["reflexion", "reflexion-hotpotqa.jsonl"],
  ["fireact", "fireact-hotpotqa-even.jsonl"],
];
/** Every so many-th episode gives its steps to the rows about a step. */
const STRIDE = 12;
/** Each step is judged so often, and its fastest time counts: what is slower was a neighbour's doing. */
const REPEATS = 5;
const ROUNDS = 3;

/** The recorded episodes of other systems, Reflexion's first; `folder`: where their files are. */
export async function realEpisodes(folder: string): Promise<PlacedEpisode[]> {
  const runs = SOURCES.map(async ([format, name]) => {
    const file = path.join(folder, name);
    const importLine = lineImporter(format, file);
    const lines = (await readFile(file, "utf8")).split("\n").filter((text) => text !== "");
    return lines.flatMap((text, line) => {
      const { value } = importLine({ line, text, readBytes: 0 });
      return value === undefined ? [] : [{ run: format, index: line, episode: value }];
    });
  });
  return (await Promise.all(runs)).flat();
}

async function fastest(work: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < REPEATS; i++) best = Math.min(best, await milliseconds(work));
  return best;
}

/** Medians over the steps of three ways: all PFs in one crossing, one crossing a PF, all PFs idle in one crossing. */
async function stepTimes(shipped: Opened, idle: Opened, questions: readonly PfQuestion[]) {
  const states = new Map<string, PfState>(
    shipped.library.active.map(({ skill }) => [skill.skillId, FRESH_STATE]),
  );
  const apart = [...states].map(([id, state]) => new Map([[id, state]]));
  const times = {
    together: [] as number[],
    apart: [] as number[],
    idle: [] as number[],
    one: [] as number[],
  };
  const alone = apart.slice(0, 1);
  for (const question of questions) {
    times.together.push(await fastest(() => shipped.host.step(states, question)));
    times.idle.push(await fastest(() => idle.host.step(states, question)));
    for (const state of alone) times.one.push(await fastest(() => idle.host.step(state, question)));
    times.apart.push(
      await fastest(async () => {
        for (const state of apart) await shipped.host.step(state, question);
      }),
    );
  }
  return times;
}

async function benchSteps(
  shipped: Opened,
  idle: Opened,
  episodes: readonly PlacedEpisode[],
): Promise<BenchRow[]> {
  const questions = episodes
    .filter((_, i) => i % STRIDE === 0)
    .flatMap(({ episode }) => recordedQuestions(episode));
  const times = await stepTimes(shipped, idle, questions);
  const ours = median(times.together);
  const count = shipped.library.active.length;
  const method = `${count} PFs, ${questions.length} real steps, median over steps of the fastest of ${REPEATS}, worker and messages included`;
  return [
    {
      name: "a real step, all PFs in one crossing",
      ours,
      baseline: median(times.apart),
      unit: "ms",
      method: `${method}; aim: under 1 ms; baseline: one crossing a PF`,
    },
    {
      name: "  beside idle PFs",
      ours,
      baseline: median(times.idle),
      unit: "ms",
      method: "baseline: as many PFs that look at nothing, in one crossing",
    },
    {
      name: "  beside an empty crossing",
      ours,
      baseline: median(times.one),
      unit: "ms",
      method: "baseline: a crossing with one PF that looks at nothing",
    },
  ];
}

async function benchWhole(
  shipped: Opened,
  idle: Opened,
  episodes: readonly PlacedEpisode[],
): Promise<BenchRow> {
  let evaluations = 0;
  const run = async ({ library, host }: Opened): Promise<void> => {
    evaluations = (await backtest(library, again(episodes, 1), host)).evaluations;
  };
  const baseline = (await milliseconds(() => run(idle))) / 1_000;
  const before = process.cpuUsage();
  const ours = (await milliseconds(() => run(shipped))) / 1_000;
  const { user, system } = process.cpuUsage(before);
  const cpu = ((user + system) / 1e6).toFixed(1);
  const method = `${shipped.library.active.length} skills over ${episodes.length} real episodes, ${evaluations} PF evaluations, once, episodes in memory, ${cpu} s of processor time; aim: under 5 s; baseline: PFs that look at nothing`;
  return { name: "backtest of all real episodes", ours, baseline, unit: "s", method };
}

/** The same backtest in one worker and in as many as there are cores. */
async function benchCores({ library, host }: Opened, episodes: readonly PlacedEpisode[]): Promise<BenchRow> {
  const single = { ...host, further: () => [] };
  const [ours, baseline] = await compare(
    ROUNDS,
    () => backtest(library, again(episodes, 1), host),
    () => backtest(library, again(episodes, 1), single),
  );
  const method = `${library.active.length} skills over ${episodes.length} real episodes, ${availableParallelism()} cores, median of ${ROUNDS} in turn, start of the further workers included; baseline: one worker`;
  return {
    name: "  with all cores",
    ours: ours / 1_000,
    baseline: baseline / 1_000,
    unit: "s",
    limit: 0.6,
    method,
  };
}

/** Where the recorded runs of other systems are; undefined where they are not at hand. */
export function realData(root: string): string | undefined {
  const data = path.join(root, "../shared/data/trajectories");
  return SOURCES.every(([, name]) => existsSync(path.join(data, name))) ? data : undefined;
}

/** What the shipped library costs on the recorded runs of other systems; no rows where they are not at hand. */
export async function benchRealLibrary(root: string, workerFile: string): Promise<BenchRow[]> {
  const data = realData(root);
  if (data === undefined) return [];
  const episodes = await realEpisodes(data);
  const folders = await shippedFolders(root, workerFile);
  const shipped = await openIn(workerFile, folders);
  const idle = await openIn(workerFile, idled(folders));
  try {
    const whole = await benchWhole(shipped, idle, episodes);
    const cores = await benchCores(shipped, episodes);
    const worth = await benchWorth(shipped, episodes, path.join(data, ".."));
    return [...(await benchSteps(shipped, idle, episodes)), whole, cores, ...worth];
  } finally {
    await Promise.all([shipped.host.close(), idle.host.close()]);
  }
}
