import { finalActionOf } from "../model/action-types.ts";
import type { Episode, Proposal } from "../model/episode.ts";
import type { Policy, Seen } from "./policy.ts";

/** The proposals of one recorded episode, step by step; a second one in a step answered a held-back FINAL. */
export interface Recording {
  readonly episodeId: string;
  readonly steps: readonly (readonly Proposal[])[];
  readonly finalAction: string;
}

/** Finds the recordings of a question, by its id or else by its text. */
export interface Recordings {
  /** `nth` counts the samples that were recorded of the question, the lowest first, from 1. */
  find(questionId: string, question: string, nth: number): Recording | undefined;
  readonly count: number;
}

interface Candidate extends Recording {
  readonly sample: number;
}

/** Words, and the signs by which questions of math differ: `arccos 1` is not `arccos (-1)`. */
const TELLING = /[\p{L}\p{N}]+|-(?=[\d(.])|[\p{Sm}/*^()[\]{}]/gu;

/** Equal for texts of one question: files differ in blanks, case and punctuation where they quote it. */
export function textKey(question: string): string {
  return `text:${(question.toLowerCase().match(TELLING) ?? []).join(" ")}`;
}

/** What the policy of that episode cost then is not what it costs now. */
function recordingOf(episode: Episode): Candidate {
  const steps = episode.steps.map(({ proposals }) =>
    proposals.map(({ thought, action }) => ({ thought, action })),
  );
  const finalAction = finalActionOf(episode.facts);
  return { episodeId: episode.id, sample: episode.sample, steps, finalAction };
}

/**
 * The samples of each question, the lowest first, and of several with one number the first in the file; with `sample` that one alone.
 * Holds only the proposals.
 */
export async function collectRecordings(
  episodes: AsyncIterable<Episode>,
  sample?: number,
): Promise<Recordings> {
  const found = new Map<string, Map<number, Candidate>>();
  const ids = new Set<string>();
  for await (const episode of episodes) {
    const candidate = recordingOf(episode);
    if (sample !== undefined && candidate.sample !== sample) continue;
    ids.add(candidate.episodeId);
    for (const key of [`id:${episode.questionId}`, textKey(episode.question)]) {
      const known = found.get(key) ?? new Map<number, Candidate>();
      if (!known.has(candidate.sample)) known.set(candidate.sample, candidate);
      found.set(key, known);
    }
  }
  const chosen = new Map(
    [...found].map(([key, known]) => [key, [...known.values()].toSorted((a, b) => a.sample - b.sample)]),
  );
  return {
    find: (questionId, question, nth) =>
      (chosen.get(`id:${questionId}`) ?? chosen.get(textKey(question)))?.[nth - 1],
    count: ids.size,
  };
}

/** FINALs that a Program Function replaced: the recorded policy still wants to give that answer. */
function replacedFinals(seen: readonly Seen[], finalAction: string): number {
  return seen.filter(
    (one) =>
      one.kind === "step" && one.proposal.action.type === finalAction && one.executed.type !== finalAction,
  ).length;
}

/**
 * Re-drives recorded proposals, while the environment answers for real: an open-loop what-if. It does not look at what comes
 * back, so after a changed action it goes on with what the record said next. Its answer it insists on: a FINAL that is held back
 * today and was not then is proposed again in the same step, one that was replaced in the next step. Past the end of the record, or
 * without one for this sample, the episode ends with `policy_ended`.
 */
export function recordedPolicy(id: string, recordings: Recordings): Policy {
  return {
    id,
    async propose({ questionId, question, sample, seen, t, proposal }) {
      const recording = recordings.find(questionId, question, sample);
      if (recording === undefined) return undefined;
      const said = recording.steps[t - replacedFinals(seen, recording.finalAction)];
      return said?.[proposal] ?? said?.at(-1);
    },
  };
}
