import type { Checked } from "../model/diagnostic.ts";
import { PHASES, type EvolvedCandidate, type Phase } from "../model/evolution.ts";
import type { FailureCluster } from "../model/failure.ts";
import type { SkillFiles } from "../skill/skill-files.ts";
import { checked, need, refuse } from "../app/refusal.ts";
import { evolutionSchema, readArtifact, type EvolutionFile, type PhaseResult } from "./artifacts.ts";
import { readResult } from "./epoch.ts";
import { evolutionPaths } from "./evolution-paths.ts";
import { candidatesIn } from "./read-evolved.ts";
import { readFinalReadings, type FinalReading } from "./final-worth.ts";

/** A phase of an epoch; `words` are its result, undefined where it is not done. */
export interface ReportedPhase {
  readonly phase: Phase;
  readonly words: string | undefined;
}

/** An epoch as it is on the disk. */
export interface ReportedEpoch {
  readonly number: number;
  readonly phases: readonly ReportedPhase[];
  readonly clusters: readonly FailureCluster[];
  readonly candidates: readonly EvolvedCandidate[];
  readonly admission: PhaseResult<"admission"> | undefined;
  /** Candidates by Q_skill, ten bins of 0.1 from 0; those without a review are in none. */
  readonly scores: readonly number[];
  /** Share of the candidates that passed the executable checks; undefined without a candidate. */
  readonly passed: number | undefined;
}

/** An evolution as it is on the disk, whether it is running or not. */
export interface EvolutionReport {
  readonly folder: string;
  readonly order: EvolutionFile;
  readonly epochs: readonly ReportedEpoch[];
  readonly final: readonly FinalReading[];
}

type Files = Pick<SkillFiles, "readText">;

const BINS = 10;

/** How many candidates have each score, in bins of 0.1. */
export function scoreBins(candidates: readonly Pick<EvolvedCandidate, "review">[]): readonly number[] {
  const bins = Array.from({ length: BINS }, () => 0);
  for (const { review } of candidates) {
    if (review === undefined) continue;
    const at = Math.min(BINS - 1, Math.floor(review.qSkill * BINS));
    bins[at] = (bins[at] ?? 0) + 1;
  }
  return bins;
}

async function reportEpoch(files: Files, folder: string, number: number): Promise<ReportedEpoch> {
  const paths = evolutionPaths(folder).epoch(number);
  const resultOf = async <P extends Phase>(phase: P) => (await readResult(files, paths, phase)).value;
  const phases: ReportedPhase[] = [];
  for (const phase of PHASES) phases.push({ phase, words: (await resultOf(phase))?.words });
  const { candidates } = await candidatesIn(files, paths.candidates);
  const checks = (await resultOf("checks"))?.candidates ?? [];
  const passed = checks.filter(({ checks: { score } }) => score === 1).length;
  return {
    number,
    phases,
    candidates,
    clusters: (await resultOf("failures"))?.clusters ?? [],
    admission: await resultOf("admission"),
    scores: scoreBins(candidates),
    passed: checks.length === 0 ? undefined : passed / checks.length,
  };
}

/** Reads the folder of an evolution; HASP674 where there is none. A broken artifact is shown as not done. Rejects on I/O errors. */
export async function readEvolution(files: Files, folder: string): Promise<Checked<EvolutionReport>> {
  return checked(async () => {
    const read = await readArtifact(files, evolutionPaths(folder).state, evolutionSchema);
    if (read.value === undefined && read.diagnostics.length === 0)
      refuse("HASP674", `There is no evolution in ${folder}.`, "Begin one with `hasp evolve`.", folder);
    const order = need(read);
    const epochs: ReportedEpoch[] = [];
    for (let number = 1; number <= order.epochs; number++)
      epochs.push(await reportEpoch(files, folder, number));
    return { folder, order, epochs, final: await readFinalReadings(files, folder) };
  });
}
