import type { Episode, Outcome } from "../model/episode.ts";
import { noOutcomes } from "../model/outcomes.ts";
import type { FileCounts, ImportedFile } from "./import-counts.ts";
import { repeatedId } from "./import-findings.ts";
import { hashText } from "./hash.ts";
import type { DiagnosticLog } from "./line-diagnostics.ts";

/** What an import counts, over all its files. */
export interface Tally {
  episodes: number;
  readonly outcomes: Record<Outcome, number>;
  invalidSteps: number;
  readonly files: ImportedFile[];
  readonly ids: Map<string, number>;
  /** By question, the numbers that are taken, each with one from which on a free number is looked for. */
  readonly samples: Map<string, Map<number, number>>;
  /** What the judge needs of the questions besides gold, by question. */
  readonly materials: Map<string, string>;
  domain: string | undefined;
}

export function emptyTally(): Tally {
  return {
    episodes: 0,
    outcomes: noOutcomes(),
    invalidSteps: 0,
    files: [],
    ids: new Map(),
    samples: new Map(),
    materials: new Map(),
    domain: undefined,
  };
}

export function countEpisode(tally: Tally, counts: FileCounts, episode: Episode): void {
  const { outcome, steps, origin, question, facts } = episode;
  tally.episodes++;
  tally.outcomes[outcome]++;
  tally.invalidSteps += steps.filter((step) => step.executed.type === "invalid").length;
  tally.domain ??= facts.domain;
  counts.episodes++;
  counts.steps += steps.length;
  if (outcome === "abandoned") {
    counts.abandoned++;
    counts.abandonedSteps += steps.length;
  }
  if (origin?.as === "sub_agent") counts.subAgents++;
  if (steps.length === 0) counts.withoutStep++;
  if (question.trim() === "") counts.withoutQuestion++;
}

/** The episode with an id, a question's id and a sample's number that no other episode of the run has. */
export function withPlace(episode: Episode, file: string, tally: Tally, log: DiagnosticLog): Episode {
  return numbered(named(withoutBlanks(episode), file, tally, log), tally);
}

/** Blanks around an id are slips of whatever wrote it, and would make two of one. */
function withoutBlanks(episode: Episode): Episode {
  const questionId = episode.questionId.trim() || `q-${hashText(episode.question)}`;
  return { ...episode, id: episode.id.trim() || questionId, questionId };
}

/** The episode with an id that no other episode of the run has. */
function named(episode: Episode, file: string, tally: Tally, log: DiagnosticLog): Episode {
  const times = (tally.ids.get(episode.id) ?? 0) + 1;
  tally.ids.set(episode.id, times);
  if (times === 1) return episode;
  const id = `${episode.id}~${times}`;
  log.add(() => repeatedId(file, episode.id, id));
  return named({ ...episode, id }, file, tally, log);
}

/** The episode as a sample that its question has once: tries that their file does not number are counted. */
function numbered(episode: Episode, { samples }: Tally): Episode {
  const taken = samples.get(episode.questionId) ?? new Map<number, number>();
  samples.set(episode.questionId, taken);
  let { sample } = episode;
  for (let next = taken.get(sample); next !== undefined; next = taken.get(sample)) sample = next;
  taken.set(episode.sample, sample + 1);
  taken.set(sample, sample + 1);
  return sample === episode.sample ? episode : { ...episode, sample };
}
