import type { SkillBacktest } from "../analysis/backtest.ts";
import type { BacktestRun } from "../app/backtest.ts";
import { analyseFailures, knownSkills } from "../app/failures.ts";
import { episodeOf, openRunAt } from "../app/open-run.ts";
import type { Judging } from "../app/ports.ts";
import { progressOf, type Progress } from "../app/progress.ts";
import { checked, need, take } from "../app/refusal.ts";
import type { Domain } from "../domains/domain.ts";
import { ModelError, type ChatModel } from "../llm/chat-model.ts";
import { counted } from "../model/counted.ts";
import { START_OF_FILE, type Checked, type Diagnostic } from "../model/diagnostic.ts";
import type { CandidateChecks, CandidateRefusal } from "../model/evolution.ts";
import type { FailureCluster } from "../model/failure.ts";
import { readSkillFolder, type SkillFolder } from "../skill/read-skill.ts";
import { standingEpisodes } from "../trace/placed-episodes.ts";
import { exampleSkill } from "./author/author-prompt.ts";
import { exampleOf, type AuthorExample, type ProposedFiles, type Proposal } from "./author/author-task.ts";
import { skillsOf } from "./domain-skills.ts";
import { memoryFiles } from "./author/draft-skill.ts";
import { proposeSkill } from "./author/propose.ts";
import { checkCandidate, type CandidateSkill, type OtherSkill } from "./check-candidate.ts";
import { measureCandidates } from "./measure.ts";
import { renamedFinding, withFreeId } from "./free-id.ts";
import { chosenClusters, spread } from "./phases/proposals.ts";
import { clustersOfRecovered, recoveredIn } from "./recovered.ts";
import { indexSeed, type SeedIndex } from "./refusals/copied-texts.ts";

/** A first library of recorded runs, as a person asks for it. */
export interface BootstrapOrder {
  readonly runs: readonly BacktestRun[];
  readonly domain: Domain;
  /** Gets a folder for each skill that passes: `skills/<domain>`. */
  readonly output: string;
  /** Skills that are there: none is written twice. */
  readonly acting: readonly SkillFolder[];
  /** Skills to write at most. */
  readonly candidates: number;
  readonly minClusterSize: number;
}

/** Services of a bootstrap. An abort ends it before the next skill is written. */
export interface BootstrapServices extends Judging {
  readonly author: ChatModel;
  /** Makes the folder with these files as a whole; answers false, and writes nothing, where something is there. */
  readonly writeSkill: (folder: string, files: ProposedFiles) => Promise<boolean>;
  readonly signal: AbortSignal;
  readonly on: (event: Progress) => void;
}

/** A skill that the author proposed, and what became of it. */
export interface BootstrapCandidate {
  readonly id: string;
  readonly cluster: { readonly id: string; readonly category: string; readonly size: number };
  /** Undefined where no reply held a readable skill. */
  readonly skillId: string | undefined;
  /** Of the author. */
  readonly replies: number;
  /** Undefined where no reply held a skill, or the bootstrap ended before. */
  readonly checks: CandidateChecks | undefined;
  /** The folder that it was written into; undefined: it was not. */
  readonly folder: string | undefined;
  /** Why it was not written; empty where it was. */
  readonly refusals: readonly CandidateRefusal[];
}

export interface Bootstrapped {
  /** Questions with a judged episode. */
  readonly questions: number;
  /** Of these, questions that failed in one episode and were answered right in another. */
  readonly recovered: number;
  /** Clusters of recovered failures that are large enough. */
  readonly clusters: number;
  readonly candidates: readonly BootstrapCandidate[];
  /** Why it ended before all candidates were written. */
  readonly endedBy?: string;
}

interface Proposed {
  readonly cluster: FailureCluster;
  readonly proposal: Proposal;
}

/**
 * Makes a first library of recovered failures (SPEC §7, bootstrap): candidates for the clusters of failures that another episode of the same question
 * shows to be avoidable, phase D, no review. What passes is written where nothing is yet. No value where the runs cannot be read;
 * findings: HASP655 no recovered failure, HASP656 no cluster that is large enough. A model that fails ends it, and what was proposed until then is
 * checked and written.
 */
export function bootstrap(
  order: BootstrapOrder,
  services: BootstrapServices,
): Promise<Checked<Bootstrapped>> {
  return checked(async (found) => {
    const recovered = recoveredIn(order.runs, order.domain.keys.question);
    const counts = { questions: recovered.judged, recovered: recovered.questions.size };
    if (counts.recovered === 0) {
      found.push(...order.runs.flatMap(({ diagnostics }) => diagnostics), nothingRecovered(recovered.judged));
      return { ...counts, clusters: 0, candidates: [] };
    }
    const clusters = clustersOfRecovered(
      await allClusters(order, services, found),
      recovered,
      order.minClusterSize,
    );
    if (clusters.length === 0) found.push(noCluster(counts.recovered, order.minClusterSize));
    const { proposed, endedBy } = await proposeAll(clusters, order, services, found);
    const { candidates, isInterrupted } = await checkedUnlessAborted(proposed, order, services);
    const end = isInterrupted ? INTERRUPTED.message : endedBy;
    return { ...counts, clusters: clusters.length, candidates, ...(end !== undefined && { endedBy: end }) };
  });
}

/** Interrupted, none of the proposals is written that was not before. */
async function checkedUnlessAborted(
  proposed: readonly Proposed[],
  order: BootstrapOrder,
  services: BootstrapServices,
): Promise<{ readonly candidates: readonly BootstrapCandidate[]; readonly isInterrupted: boolean }> {
  const { signal } = services;
  const unwritten = proposed.map((one) => reportOf(one, undefined, undefined, [INTERRUPTED]));
  if (signal.aborted) return { candidates: unwritten, isInterrupted: true };
  try {
    return { candidates: await checkAll(proposed, order, services), isInterrupted: signal.aborted };
  } catch (error) {
    if (!signal.aborted) throw error;
    return { candidates: unwritten, isInterrupted: true };
  }
}

async function allClusters(
  { runs, acting }: BootstrapOrder,
  { files, signal, on }: BootstrapServices,
  found: Diagnostic[],
): Promise<readonly FailureCluster[]> {
  const about = { runs, split: undefined, known: knownSkills(acting), minClusterSize: 1, signal };
  return take(await analyseFailures(about, { files, model: undefined, concurrency: 1, on }), found).clusters;
}

/** Until all are written, the order is cancelled, or the author fails. */
async function proposeAll(
  clusters: readonly FailureCluster[],
  order: BootstrapOrder,
  services: BootstrapServices,
  found: Diagnostic[],
): Promise<{ readonly proposed: readonly Proposed[]; readonly endedBy: string | undefined }> {
  const { domain, acting, output } = order;
  const { author, compiler, startHost, signal, on } = services;
  const chosen = chosenClusters(clusters, new Map(), order.candidates);
  const existing = skillsOf(acting, domain.name).flatMap(({ skill }) => skill ?? []);
  const tools = { compiler, startHost, folder: `${output}/.proposed`, mode: "full", signal } as const;
  const proposed: Proposed[] = [];
  try {
    for (const [i, cluster] of chosen.entries()) {
      on(progressOf(i, chosen.length, "skills proposed"));
      const examples = await examplesOf(cluster, order, services);
      const about = {
        domain,
        cluster: { ...cluster, size: cluster.examples.length },
        examples,
        library: existing,
      };
      const written = await proposeSkill({ id: `b-c${i + 1}`, ...about }, author, tools);
      const ids = proposed.flatMap((one) => one.proposal.skillId ?? []);
      const { proposal, renamedFrom } = withFreeId(written, acting, ids);
      if (renamedFrom !== undefined && proposal.skillId !== undefined)
        found.push(renamedFinding(proposal.id, renamedFrom, proposal.skillId));
      proposed.push({ cluster, proposal });
    }
  } catch (error) {
    if (signal.aborted) return { proposed, endedBy: undefined };
    if (!(error instanceof ModelError)) throw error;
    return { proposed, endedBy: [error.message, error.next].filter((text) => text !== undefined).join(" ") };
  }
  return { proposed, endedBy: undefined };
}

async function examplesOf(
  { examples }: FailureCluster,
  { runs }: BootstrapOrder,
  { files }: BootstrapServices,
): Promise<readonly AuthorExample[]> {
  const found: AuthorExample[] = [];
  for (const { run, index, steps } of spread(examples)) {
    const folder = runs.find((one) => one.run === run)?.folder ?? run;
    const { value } = await episodeOf(files, need(await openRunAt(files, folder)), index);
    if (value !== undefined) found.push(exampleOf(value, steps));
  }
  return found;
}

/** A proposal whose skill can be looked at. */
interface Readable extends Proposed {
  readonly skill: CandidateSkill;
  readonly files: ProposedFiles;
}

async function readable(one: Proposed, { compiler }: BootstrapServices): Promise<Readable | undefined> {
  const { files, folder } = one.proposal;
  if (files === undefined || folder === undefined) return undefined;
  const read = await readSkillFolder(memoryFiles(folder, files), compiler, folder);
  return { ...one, files, skill: { folder: read, texts: files } };
}

const textsOf = ({ skillMd, pfSource }: SkillFolder): OtherSkill["texts"] => ({
  ...(skillMd !== undefined && { "SKILL.md": skillMd }),
  ...(pfSource !== undefined && { "pf.ts": pfSource }),
});

async function seedOf({ runs }: BootstrapOrder, { files }: BootstrapServices): Promise<SeedIndex> {
  const seed = new Map<string, { readonly question: string; readonly gold: readonly string[] }>();
  for await (const { episode } of standingEpisodes(files, runs, () => undefined))
    seed.set(episode.question.trim(), { question: episode.question, gold: episode.gold ?? [] });
  return indexSeed([...seed.values()]);
}

/** Phase D on each in turn; a later one must be no copy of an earlier one that was written. */
async function checkAll(
  proposed: readonly Proposed[],
  order: BootstrapOrder,
  services: BootstrapServices,
): Promise<readonly BootstrapCandidate[]> {
  const { runs, acting } = order;
  const { signal, on } = services;
  const usable = await Promise.all(proposed.map((one) => readable(one, services)));
  const measurable = usable.flatMap((one) =>
    one === undefined ? [] : { id: one.proposal.id, folder: one.skill.folder },
  );
  const about = { runs, split: undefined, base: [], others: acting.filter(({ skill }) => skill), signal };
  const measured = await measureCandidates(measurable, about, services, on);
  const seed = measurable.length === 0 ? indexSeed([]) : await seedOf(order, services);
  const acted = about.others.flatMap((one) =>
    one.skill === undefined ? [] : [{ skillId: one.skill.skillId, texts: textsOf(one) }],
  );
  const others: OtherSkill[] = [...acted, exampleSkill()];
  const backtests: SkillBacktest[] = [...measured.others];
  const candidates: BootstrapCandidate[] = [];
  for (const [i, one] of proposed.entries()) {
    const read = usable[i];
    if (read === undefined) {
      candidates.push(reportOf(one, undefined, undefined, [noSkill(one.proposal)]));
      continue;
    }
    const own = measured.candidates.get(one.proposal.id)?.skill;
    const against = { mode: "full", others, seed, backtests: { candidate: own, others: backtests } } as const;
    const checks = await checkCandidate(read.skill, services, against);
    const candidate = await written(read, checks, others, order, services);
    candidates.push(candidate);
    if (candidate.folder === undefined) continue;
    const skillId = read.proposal.skillId ?? read.proposal.id;
    others.push({ skillId, texts: read.files });
    if (own !== undefined) backtests.push({ ...own, skillId });
  }
  return candidates;
}

/** Writes it where its checks passed, its id is free, and its folder is not there yet. */
async function written(
  one: Readable,
  checks: CandidateChecks,
  others: readonly OtherSkill[],
  { output }: BootstrapOrder,
  { signal, writeSkill }: BootstrapServices,
): Promise<BootstrapCandidate> {
  const { skillId, name = "" } = one.proposal;
  const failed = checks.checks.flatMap(({ finding }) => finding ?? []);
  const isTaken = others.some((other) => other.skillId === skillId);
  const refusals = [...failed, ...checks.refusals, ...(isTaken ? [taken(skillId ?? "")] : [])];
  if (refusals.length > 0 || checks.score < 1) return reportOf(one, checks, undefined, refusals);
  if (signal.aborted) return reportOf(one, checks, undefined, [INTERRUPTED]);
  const folder = `${output}/${name}`;
  const isWritten = await writeSkill(folder, one.files);
  return isWritten ? reportOf(one, checks, folder, []) : reportOf(one, checks, undefined, [isThere(folder)]);
}

function reportOf(
  { cluster, proposal }: Proposed,
  checks: CandidateChecks | undefined,
  folder: string | undefined,
  refusals: readonly CandidateRefusal[],
): BootstrapCandidate {
  const { id, skillId, replies } = proposal;
  const about = { id: cluster.id, category: cluster.category, size: cluster.examples.length };
  return { id, cluster: about, skillId, replies: replies.length, checks, folder, refusals };
}

const INTERRUPTED: CandidateRefusal = {
  code: "HASP658",
  message: "The command was interrupted before this skill was written.",
};

function noSkill({ diagnostics }: Proposal): CandidateRefusal {
  const first = diagnostics.find(({ severity }) => severity === "error");
  return { code: first?.code ?? "HASP645", message: first?.message ?? "The author's replies held no skill." };
}

const taken = (skillId: string): CandidateRefusal => ({
  code: "HASP401",
  message: `The skill_id "${skillId}" is taken by a skill that is there already.`,
});

const isThere = (folder: string): CandidateRefusal => ({
  code: "HASP657",
  message: `${folder} is there already; nothing was overwritten.`,
});

function nothingRecovered(questions: number): Diagnostic {
  return {
    code: "HASP655",
    severity: "warning",
    message: `No question failed in one episode and was answered right in another: ${counted(questions, "judged question")}.`,
    next: "Name further runs of the same questions, or runs with several samples of each.",
    range: START_OF_FILE,
  };
}

function noCluster(recovered: number, minClusterSize: number): Diagnostic {
  return {
    code: "HASP656",
    severity: "warning",
    message: `${counted(recovered, "question")} failed and was recovered, and no ${minClusterSize} of these failures are alike.`,
    next: "Name further runs, or allow smaller clusters with --min-cluster.",
    range: START_OF_FILE,
  };
}
