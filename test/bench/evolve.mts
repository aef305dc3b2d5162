import { openContainment } from "../../src/platform/containment/open-containment.ts";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { backtest } from "../../src/analysis/backtest.ts";
import type { BacktestRun } from "../../src/app/backtest.ts";
import { analyseFailures, knownSkills } from "../../src/app/failures.ts";
import { inLibrary } from "../../src/app/library.ts";
import type { Judging } from "../../src/app/ports.ts";
import { checkCandidate } from "../../src/evolve/check-candidate.ts";
import { decideBy } from "../../src/evolve/gate.ts";
import { baseRateWorths } from "../../src/evolve/base-rate-worth.ts";
import { alphaOfNext } from "../../src/evolve/worth-alpha.ts";
import { measureCandidates } from "../../src/evolve/measure.ts";
import { recordedParts } from "../../src/evolve/question-parts.ts";
import { indexSeed } from "../../src/evolve/refusals/copied-texts.ts";
import { worthEpisodes } from "../../src/evolve/worth-episodes.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { pfHosts } from "../../src/platform/pf-hosts.ts";
import { startCompiler } from "../../src/platform/worker-compiler.ts";
import { startPfHost } from "../../src/platform/worker-pf-host.ts";
import type { SkillFolder } from "../../src/skill/read-skill.ts";
import { importRun } from "../../src/trace/import-run.ts";
import { placedEpisodes } from "../../src/trace/placed-episodes.ts";
import { SPLIT_SEED } from "../../src/trace/question-split.ts";
import { openRun } from "../../src/trace/run-folder.ts";
import { shippedFolders } from "./library.mts";
import { compare, type BenchRow } from "./measure.mts";
import { paperSkill } from "../support/shipped.ts";
import { sha256 } from "../../src/platform/sha256.ts";

const CANDIDATES = 5;
const ROUNDS = 3;
const files = nodeFiles();
const { signal } = new AbortController();
const nothing = (): void => undefined;

const SOURCES = [
  ["reflexion", "reflexion-hotpotqa.jsonl"],
  ["fireact", "fireact-hotpotqa-even.jsonl"],
] as const;

async function imported(data: string, place: string): Promise<readonly BacktestRun[]> {
  const runs: BacktestRun[] = [];
  for (const [format, name] of SOURCES) {
    const folder = path.join(place, format);
    const clock = { now: () => "2026-01-01T00:00:00.000Z" };
    await importRun(files, { clock, sha256 }, { sources: [path.join(data, name)], format, folder });
    runs.push({ ...(await openRun(files, folder)), run: format });
  }
  return runs;
}

/** Copies of shipped skills under other ids. */
const asCandidates = (shipped: readonly SkillFolder[]) =>
  shipped
    .filter(({ program }) => program !== undefined)
    .slice(0, CANDIDATES)
    .map((folder, i) => ({ id: `candidate_${i}`, folder }));

/** Phases B and D, held-out worth and the gate of one epoch: everything that asks no model. */
async function modelFree(
  runs: readonly BacktestRun[],
  shipped: readonly SkillFolder[],
  judging: Judging,
): Promise<number> {
  const parts = recordedParts(SPLIT_SEED);
  const failures = { runs, split: parts.author, known: knownSkills(shipped), minClusterSize: 3, signal };
  await analyseFailures(failures, { files, model: undefined, concurrency: 1, on: nothing });
  const candidates = asCandidates(shipped);
  const about = { runs, base: [], signal };
  const own = await measureCandidates(
    candidates,
    { ...about, split: parts.author, others: shipped },
    judging,
    nothing,
  );
  const gate = await measureCandidates(
    candidates,
    { ...about, split: parts.gate, others: [] },
    judging,
    nothing,
  );
  const worths = baseRateWorths(
    candidates.map(({ id }) => ({
      id,
      program: id,
      episodes: worthEpisodes(gate.episodes, gate.candidates.get(id)?.skill ?? { hits: [] }),
    })),
    { alpha: alphaOfNext(1, []), epoch: 1, earlier: [] },
  );
  let admitted = 0;
  for (const [i, { id, folder }] of candidates.entries()) {
    const texts = { "SKILL.md": folder.skillMd ?? "", "pf.ts": folder.pfSource ?? "" };
    const backtests = { candidate: own.candidates.get(id)?.skill, others: own.others };
    const checks = await checkCandidate({ folder, texts }, judging, {
      mode: "full",
      others: [],
      seed: indexSeed([]),
      backtests,
    });
    const decision = decideBy("exec-only", true, { checks, worth: worths[i], newCategory: false });
    if (decision.admitted) admitted++;
  }
  return admitted;
}

/** Megabytes of a process that are in memory. */
const residentOf = (pid: number): number => {
  const [, kilobytes = "0"] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
};

/** Memory of `hasp evolve` after these epochs of twenty, with an author that never writes a skill. */
async function residentAfter(root: string, run: string, place: string, epochs: readonly number[]) {
  const script = path.join(place, "author.json");
  const pf = readFileSync(path.join(root, paperSkill("question-echo"), "pf.ts"), "utf8");
  const md = readFileSync(path.join(root, paperSkill("question-echo"), "SKILL.md"), "utf8");
  const reply = `## SKILL.md\n\n\`\`\`\`markdown\n${md}\n\`\`\`\`\n\n## pf.ts\n\n\`\`\`\`ts\n${pf}\n\`\`\`\`\n`;
  writeFileSync(script, JSON.stringify([{ when: ["category"], text: reply }]));
  const last = Math.max(...epochs);
  const child = spawn(
    process.execPath,
    [
      path.join(root, "dist/hasp.cjs"),
      "evolve",
      "-o",
      "evolution",
      "--episodes",
      run,
      "--author",
      `scripted:${script}`,
      "--gate",
      "exec-only",
      "--no-skills",
      "--generated",
      "generated/web-search/generated",
      "--epochs",
      String(last),
    ],
    { cwd: place, stdio: ["ignore", "pipe", "inherit"] },
  );
  const found = new Map<number, number>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    for (const [, epoch] of text.matchAll(/^epoch (\d+) {2}H/gm))
      if (epochs.includes(Number(epoch)) && child.pid !== undefined)
        found.set(Number(epoch), residentOf(child.pid));
  });
  await new Promise((resolve) => child.once("close", resolve));
  return found;
}

/** The cost of an epoch beside its models, and whether its memory grows; no rows where the recorded runs are not at hand. */
export async function benchEvolve(
  root: string,
  workerFile: string,
  data: string | undefined,
): Promise<BenchRow[]> {
  if (data === undefined) return [];
  const place = mkdtempSync(path.join(tmpdir(), "hasp-bench-evolve-"));
  const compiler = startCompiler({ workerFile });
  const startHost = () => pfHosts(() => startPfHost({ workerFile }));
  const judging = { files, compiler, startHost, openContainment };
  try {
    const runs = await imported(data, place);
    const shipped = await shippedFolders(root, workerFile);
    const episodes = runs.reduce((sum, { index }) => sum + index.entries.length, 0);
    const plain = () =>
      inLibrary(shipped, judging, (library, host) =>
        backtest(library, placedEpisodes(files, runs, nothing), host, { worth: judging }),
      );
    const [ours, baseline] = await compare(ROUNDS, () => modelFree(runs, shipped, judging), plain);
    const memory = await residentAfter(root, path.join(place, "reflexion"), place, [5, 20]);
    return [
      {
        name: "an epoch without its models",
        ours: ours / 1_000,
        baseline: baseline / 1_000,
        unit: "s",
        method: `failures, checks of ${CANDIDATES} candidates beside ${shipped.length} acting skills, held-out worth and gate over ${episodes} episodes on disk, median of ${ROUNDS}; aim: at most 1.5; baseline: one backtest of the shipped library with worth`,
      },
      {
        name: "memory of an evolution after epoch 20",
        ours: memory.get(20) ?? Number.NaN,
        baseline: memory.get(5) ?? Number.NaN,
        unit: "MB",
        method:
          "resident memory of `hasp evolve` over 527 episodes; aim: at most 1.1; baseline: after epoch 5",
      },
    ];
  } finally {
    await compiler.close();
    rmSync(place, { recursive: true, force: true });
  }
}
