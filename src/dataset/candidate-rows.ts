import { candidateSchema, skillReward, type Candidate } from "../model/candidate.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import { firstIssue } from "../trace/episode-head.ts";
import { jsonEntries } from "../trace/json-entries.ts";
import { diagnosticLog, lineDiagnostic } from "../trace/line-diagnostics.ts";
import { conversation, float, text, whole, type Columns } from "./encode-row.ts";

/** A candidate that can be a row: it has a completion and a reward. */
export interface RewardedCandidate extends Candidate {
  readonly completion: string;
  /** r_skill. */
  readonly reward: number;
}

/** Reasons why a candidate is in no row. */
export const CANDIDATE_DROPS = {
  no_completion: "the author's reply is not recorded",
  no_review: "there is no review, so there is no r_skill",
  rejected: "the review rejected it; it is only the worse side of a pair",
} as const;
export type CandidateDrop = keyof typeof CANDIDATE_DROPS;

/** The candidates of a file, one a line; a line that is none is reported (HASP629) and left out. */
export function parseCandidates(source: string, file: string): Checked<readonly Candidate[]> {
  const log = diagnosticLog(file);
  const candidates: Candidate[] = [];
  for (const { line, value, problem } of jsonEntries(source)) {
    const { data, error } = candidateSchema.safeParse(value);
    if (data === undefined)
      log.add(() => unreadable(file, line, problem ?? (error && firstIssue(error)) ?? ""));
    else candidates.push(data);
  }
  return { value: candidates, diagnostics: log.list() };
}

function unreadable(file: string, line: number, problem: string): Diagnostic {
  return lineDiagnostic({
    code: "HASP629",
    file,
    line,
    message: `This is no candidate: ${problem}. It is left out.`,
    next: "A candidate is one JSON object a line, as docs/training-data.md describes it.",
  });
}

/** The candidates that can be rows, and the count of the others by reason. */
export function rewarded(candidates: readonly Candidate[]): {
  readonly usable: readonly RewardedCandidate[];
  readonly dropped: ReadonlyMap<CandidateDrop, number>;
} {
  const dropped = new Map<CandidateDrop, number>();
  const drop = (reason: CandidateDrop): readonly [] => {
    dropped.set(reason, (dropped.get(reason) ?? 0) + 1);
    return [];
  };
  const usable = candidates.flatMap((one) => {
    const reward = skillReward(one);
    const { completion } = one;
    if (completion === undefined || completion.trim() === "") return drop("no_completion");
    if (reward === undefined) return drop("no_review");
    return { ...one, completion, reward };
  });
  return { usable, dropped };
}

function candidateColumns({
  id,
  skillId,
  version,
  epoch,
  domain,
  reward,
  decision,
  deltaEm,
}: RewardedCandidate): Columns {
  return {
    candidate: text(id),
    skill_id: text(skillId),
    version: whole(version),
    epoch: whole(epoch),
    domain: text(domain),
    decision: text(decision),
    r_skill: float(reward),
    with_delta_em: deltaEm === undefined ? "false" : "true",
  };
}

const assistant = (content: string): string => conversation([{ role: "assistant", content }]);

export const isAdmitted = ({ decision }: Pick<Candidate, "decision">): boolean => decision !== "reject";

export function authorSftRow(one: RewardedCandidate): Columns {
  return {
    prompt: conversation(one.messages),
    completion: assistant(one.completion),
    sample_weight: float(Math.max(0, one.reward)),
    ...candidateColumns(one),
  };
}

/** A better and a worse answer to one task. */
export interface CandidatePair {
  readonly chosen: RewardedCandidate;
  readonly rejected: RewardedCandidate;
}

/**
 * The best candidate of each task against every one with a lower reward. The best is one that the review did not reject; a task without one
 * gives no pair. The order of the candidates has no influence.
 */
export function candidatePairs(candidates: readonly RewardedCandidate[]): readonly CandidatePair[] {
  const tasks = Map.groupBy(candidates, ({ messages }) => JSON.stringify(messages));
  return [...tasks.values()].flatMap((group) => {
    const sorted = group.toSorted((a, b) => b.reward - a.reward || (a.id < b.id ? -1 : 1));
    const chosen = sorted.find(isAdmitted);
    if (chosen === undefined) return [];
    return sorted.flatMap((rejected) => (rejected.reward < chosen.reward ? { chosen, rejected } : []));
  });
}

export function authorDpoRow({ chosen, rejected }: CandidatePair): Columns {
  return {
    prompt: conversation(chosen.messages),
    chosen: assistant(chosen.completion),
    rejected: assistant(rejected.completion),
    sample_weight: float(Math.max(0, chosen.reward)),
    ...candidateColumns(chosen),
    rejected_candidate: text(rejected.id),
    rejected_r_skill: float(rejected.reward),
  };
}
