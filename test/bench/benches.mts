import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { recordedQuestions } from "../../src/analysis/judge.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { readEpisode } from "../../src/trace/episode-file.ts";
import { openRun } from "../../src/trace/run-folder.ts";
import { backtest } from "../../src/analysis/backtest.ts";
import type { PlacedEpisode } from "../../src/trace/placed-episodes.ts";
import type { BenchRow } from "./measure.mts";
import { benchActivation } from "./activation.mts";
import { again, openIn, shippedFolders } from "./library.mts";
import { benchCodeRun } from "./code-run.mts";
import { benchContainment } from "./containment.mts";
import { benchDrafts } from "./drafts.mts";
import { benchDashboard } from "./dashboard.mts";
import { benchKeystroke } from "./keystroke.mts";
import { benchMutations } from "./mutations.mts";
import { benchEvolve } from "./evolve.mts";
import { benchRealLibrary, realData } from "./real-library.mts";
import { benchRecheck } from "./recheck.mts";
import { benchReplay } from "./replay.mts";
import { benchRestore } from "./realm.mts";
import { benchImport } from "./import.mts";
import { benchSize } from "./run-size.mts";
import { benchSearch } from "./search.mts";
import { benchStep } from "./step.mts";
import { benchThroughput } from "./run-throughput.mts";
import { benchHook } from "./hook.mts";
import { benchJob } from "./job.mts";
import { benchMathBacktest } from "./math-backtest.mts";
import { benchMathJudge } from "./math-judge.mts";
import { benchIndex } from "./trace-index.mts";
import { benchTrainData } from "./train-data.mts";
import { paperSkill } from "../support/shipped.ts";

const files = nodeFiles();

async function sampleEpisodes(root: string): Promise<PlacedEpisode[]> {
  const run = await openRun(files, path.join(root, "samples/.hasp/runs/first-look"), { save: false });
  const read = await Promise.all(run.index.entries.map((_, i) => readEpisode(files, run.index, i)));
  return read.flatMap(({ value }, index) =>
    value === undefined ? [] : [{ run: run.folder, index, episode: value }],
  );
}

/** PFs judged a second in a backtest, reading of episodes excluded. */
async function benchBacktest(root: string, workerFile: string): Promise<BenchRow[]> {
  const { library, host } = await openIn(workerFile, await shippedFolders(root, workerFile));
  try {
    const episodes = await sampleEpisodes(root);
    await backtest(library, again(episodes, 20), host);
    const start = performance.now();
    const report = await backtest(library, again(episodes, 300), host);
    const seconds = (performance.now() - start) / 1000;
    const programs = library.active.map(({ program }) => program);
    const longest = episodes.toSorted((a, b) => b.episode.length - a.episode.length)[0];
    const question = longest === undefined ? undefined : recordedQuestions(longest.episode).at(-1);
    const steps = question === undefined ? [] : await benchStep(workerFile, programs, question);
    const method = `${library.active.length} PFs over ${episodes.length * 300} episodes, one crossing an episode, once after a warm-up`;
    const row = {
      name: "backtest",
      ours: report.evaluations / seconds,
      baseline: undefined,
      unit: "PF evaluations/s",
      method,
    };
    const restored = longest === undefined ? [] : await benchRestore(programs, longest);
    return [row, ...steps, ...restored];
  } finally {
    await host.close();
  }
}

function benchVsix(root: string, version: string): BenchRow[] {
  const file = path.join(root, `hasp-studio-${version}.vsix`);
  const method = existsSync(file) ? "aim: 8 MB" : "not there: run `npm run package` first";
  const ours = existsSync(file) ? statSync(file).size / 1e6 : Number.NaN;
  return [{ name: "size of the .vsix", ours, baseline: undefined, unit: "MB", method }];
}

export interface BenchOrder {
  readonly root: string;
  /** Where the bundles of replay-server.mts and mutations-worker.mts lie. */
  readonly folder: string;
  readonly version: string;
  /** Names of the benches to run; none: all. */
  readonly only: readonly string[];
}

/** A bench without rows, or with one that is no number, has measured nothing: it fails instead of printing NaN. */
function measured(bench: string, rows: readonly BenchRow[]): readonly BenchRow[] {
  if (rows.length === 0) throw new Error(`The bench ${bench} has no row.`);
  for (const { name, ours, baseline = 0, method } of rows)
    if (!Number.isFinite(ours) || !Number.isFinite(baseline))
      throw new Error(`The bench ${bench} measured nothing for "${name}" (${method}).`);
  return rows;
}

/** All rows of the table, one after the other: two cores are shared by everything here. */
export async function runBenches({ root, folder, version, only }: BenchOrder): Promise<BenchRow[]> {
  const workerFile = path.join(root, "dist/hasp.cjs");
  const pf = path.join(root, paperSkill("retrieval-failure"), "pf.ts");
  const benches: Record<string, () => Promise<BenchRow[]>> = {
    recheck: () => benchRecheck(workerFile, pf),
    backtest: () => benchBacktest(root, workerFile),
    library: () => benchRealLibrary(root, workerFile),
    throughput: () => benchThroughput(root, workerFile),
    drafts: () => benchDrafts(workerFile),
    size: () => benchSize(root, workerFile),
    index: () => benchIndex(),
    import: () => benchImport(workerFile),
    replay: () => benchReplay(root, path.join(folder, "replay-server.mjs")),
    dashboard: () => benchDashboard(root),
    search: () => benchSearch(root, path.join(folder, "replay-server.mjs")),
    activation: () => benchActivation(root),
    keystroke: () => benchKeystroke(root),
    hook: () => benchHook(root),
    job: () => benchJob(root),
    mutations: () => benchMutations(path.join(folder, "mutations-worker.mjs")),
    containment: () => benchContainment(),
    "code-run": () => benchCodeRun(root),
    "math-judge": () => benchMathJudge(root),
    "math-backtest": () => benchMathBacktest(root, workerFile),
    "train-data": () => benchTrainData(),
    evolve: () => benchEvolve(root, workerFile, realData(root)),
    vsix: () => Promise.resolve(benchVsix(root, version)),
  };
  const unknown = only.filter((name) => !(name in benches));
  if (unknown.length > 0)
    throw new Error(`No bench ${unknown.join(", ")}: there are ${Object.keys(benches).join(", ")}.`);
  const rows: BenchRow[] = [];
  for (const [name, bench] of Object.entries(benches)) {
    if (only.length === 0 || only.includes(name)) rows.push(...measured(name, await bench()));
  }
  return rows;
}
