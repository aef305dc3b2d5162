import { sharedSteps } from "../analysis/shared-steps.ts";
import { recordedFindings } from "../analysis/trigger-rules.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import { failedLines, type EvidenceSection } from "../model/evidence.ts";
import { gatherEvidence, notedHits, type BacktestEvidence, type ReviewEvidence } from "../review/evidence.ts";
import { evidenceSections } from "../review/evidence-text.ts";
import { readSubject, type ReviewSubject } from "../review/review-subject.ts";
import type { SkillFolder } from "../skill/read-skill.ts";
import type { ReadNotes } from "../trace/notes-fold.ts";
import { readNotes } from "../trace/notes.ts";
import type { QuestionSplit } from "../trace/question-split.ts";
import { judgeRuns, type BacktestRun } from "./backtest.ts";
import type { Judging } from "./ports.ts";
import type { Progress } from "./progress.ts";
import { worthSources } from "./worth-sources.ts";

/** `cluster` and `worth`: known to a caller that wrote the skill for a cluster of failures. */
export interface EvidenceOrder extends Pick<ReviewEvidence, "cluster" | "worth"> {
  /** Folder of the skill. */
  readonly folder: string;
  /** Runs on which the skill is backtested, alone and beside its library. */
  readonly runs: readonly BacktestRun[];
  /** Only episodes whose question falls into these parts; undefined for all. */
  readonly split?: QuestionSplit | undefined;
  /** The skills of its library. A skill with its own id counts as an earlier version and is left out. */
  readonly library: readonly SkillFolder[];
}

export type EvidenceEvent = { readonly kind: "checking" } | Progress;

/** `files` show the skill as it is measured. */
export interface EvidenceServices extends Judging {
  readonly signal: AbortSignal;
  readonly on: (event: EvidenceEvent) => void;
}

/** Measurements of a skill that asked no model. */
export interface SkillEvidence {
  readonly subject: ReviewSubject;
  readonly evidence: ReviewEvidence;
  /** The same in words. */
  readonly sections: readonly EvidenceSection[];
  /** Nothing that was measured speaks against the skill. */
  readonly isClean: boolean;
}

/** Enough to say what is there already; more would crowd out the skill. */
const MOST_NEIGHBOURS = 40;

/**
 * Runs a skill through its checks and cases, and backtests it: where it fires and what that is worth, which other skills change the same
 * steps, and what people noted there. Calls no model and writes nothing. No value where its files cannot be read. Rejects with the
 * signal's reason.
 */
export async function measureSkill(
  order: EvidenceOrder,
  services: EvidenceServices,
): Promise<Checked<SkillEvidence>> {
  const { files, compiler, signal, on } = services;
  on({ kind: "checking" });
  const { subject, diagnostics } = await readSubject(files, compiler, order.folder);
  if (subject === undefined) return { value: undefined, diagnostics };
  const library = order.library.filter(
    ({ folder, skill }) =>
      folder !== order.folder && skill !== undefined && skill.skillId !== subject.skill.skillId,
  );
  const recorded = await measureEpisodes(subject, library, order, services);
  const measured = await measure(subject, services);
  signal.throwIfAborted();
  const { cluster, worth } = order;
  const evidence = {
    ...measured,
    ...(recorded.evidence && { backtest: recorded.evidence }),
    ...(cluster && { cluster }),
    ...(worth && { worth }),
    neighbours: library.flatMap(({ skill }) => skill ?? []).slice(0, MOST_NEIGHBOURS),
  };
  const sections = evidenceSections(evidence);
  const isClean = failedLines(sections).length === 0;
  return {
    value: { subject, evidence, sections, isClean },
    diagnostics: [...diagnostics, ...recorded.diagnostics],
  };
}

async function measure(
  subject: ReviewSubject,
  { compiler, startHost }: EvidenceServices,
): Promise<ReviewEvidence> {
  const host = startHost();
  try {
    return await gatherEvidence(subject, { compiler, host });
  } finally {
    await host.close();
  }
}

interface Recorded {
  readonly evidence: BacktestEvidence | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** No evidence without runs, and where the PF does not load. */
async function measureEpisodes(
  { folder, skill: { skillId } }: ReviewSubject,
  library: readonly SkillFolder[],
  { runs, split }: Pick<EvidenceOrder, "runs" | "split">,
  services: EvidenceServices,
): Promise<Recorded> {
  if (runs.length === 0) return { evidence: undefined, diagnostics: [] };
  const { signal, on } = services;
  const order = { skills: [folder], runs, split, signal };
  const sources = await worthSources(services, order);
  const { report, unreadable } = await judgeRuns(order, sources.value, services, on);
  signal.throwIfAborted();
  const notes = await readAllNotes(runs, services);
  const onNotes = [...notes.values()].flatMap((read) => read.diagnostics);
  const onRuns = runs.flatMap((run) => run.diagnostics);
  const diagnostics = [...sources.diagnostics, ...onRuns, ...onNotes, ...unreadable];
  const [skill] = report?.skills ?? [];
  if (report === undefined || skill === undefined) return { evidence: undefined, diagnostics };
  const noted = notedHits(skill, (run) => notes.get(run)?.notes ?? []);
  const alone = recordedFindings(report, [folder]).map(({ diagnostic }) => diagnostic);
  const beside = await measureBeside(folder, skillId, library, { runs, split }, services);
  const findings = [...alone, ...(beside?.findings ?? [])];
  const evidence = {
    skill,
    episodes: report.episodes,
    noted,
    ...(beside && { shared: beside.shared }),
    findings,
  };
  return { evidence, diagnostics };
}

async function readAllNotes(
  runs: readonly BacktestRun[],
  { files }: EvidenceServices,
): Promise<ReadonlyMap<string, ReadNotes>> {
  const notes = new Map<string, ReadNotes>();
  for (const { run, folder } of runs) notes.set(run, await readNotes(files, folder));
  return notes;
}

/** Collisions with the other skills of the library; undefined without any that acts. */
async function measureBeside(
  own: SkillFolder,
  skillId: string,
  library: readonly SkillFolder[],
  { runs, split }: Pick<EvidenceOrder, "runs" | "split">,
  services: EvidenceServices,
): Promise<Required<Pick<BacktestEvidence, "shared" | "findings">> | undefined> {
  const acting = library.filter(({ program }) => program !== undefined);
  if (acting.length === 0) return undefined;
  const { signal, on } = services;
  const skills = [own, ...acting];
  const { report } = await judgeRuns({ skills, runs, split, signal }, undefined, services, on);
  signal.throwIfAborted();
  if (report === undefined) return undefined;
  const findings = recordedFindings(report, skills).flatMap(({ diagnostic }) =>
    diagnostic.code === "HASP409" && diagnostic.file === `${own.folder}/SKILL.md` ? [diagnostic] : [],
  );
  return { shared: sharedSteps(report, skillId), findings };
}
