import { finalActionOf } from "../model/action-types.ts";
import type { Episode, Proposal } from "../model/episode.ts";
import { recordedTrial } from "../model/trial.ts";
import type { Policy, Seen } from "./policy.ts";

/** The proposals of one recorded episode, step by step; a second one in a step answered a held-back FINAL. */
export interface Recording {
  readonly episodeId: string;
  readonly steps: readonly (readonly Proposal[])[];
  readonly finalAction: string;
}

/** Finds the recording of a question, by its id or else by its text. */
export interface Recordings {
  find(questionId: string, question: string): Recording | undefined;
  readonly count: number;
}

interface Candidate extends Recording {
  readonly trial: number;
}

/** Equal for texts of one question: files differ in blanks and case where they quote it. */
export function textKey(question: string): string {
  return `text:${(question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ")}`;
}

/** `settings.trial`; an episode without it is trial 1. */
export function trialOf(episode: Episode): number {
  return recordedTrial(episode) ?? 1;
}

/** What the policy of that episode cost then is not what it costs now. */
function recordingOf(episode: Episode): Candidate {
  const steps = episode.steps.map(({ proposals }) =>
    proposals.map(({ thought, action }) => ({ thought, action })),
  );
  const finalAction = finalActionOf(episode.facts);
  return { episodeId: episode.id, trial: trialOf(episode), steps, finalAction };
}

/**
 * Chooses one episode for each question: that of the given trial, by default of the lowest; among equals the first in the file.
 * `settings.trial` numbers the tries of imported runs; an episode without it is trial 1. Holds only the proposals.
 */
export async function collectRecordings(
  episodes: AsyncIterable<Episode>,
  trial?: number,
): Promise<Recordings> {
  const chosen = new Map<string, Candidate>();
  for await (const episode of episodes) {
    const candidate = recordingOf(episode);
    if (trial !== undefined && candidate.trial !== trial) continue;
    for (const key of [`id:${episode.questionId}`, textKey(episode.question)]) {
      const known = chosen.get(key);
      if (known === undefined || candidate.trial < known.trial) chosen.set(key, candidate);
    }
  }
  return {
    find: (questionId, question) => chosen.get(`id:${questionId}`) ?? chosen.get(textKey(question)),
    count: new Set([...chosen.values()].map(({ episodeId }) => episodeId)).size,
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
 * without one, the episode ends with `policy_ended`.
 */
export function recordedPolicy(id: string, recordings: Recordings): Policy {
  return {
    id,
    async propose({ questionId, question, seen, t, proposal }) {
      const recording = recordings.find(questionId, question);
      if (recording === undefined) return undefined;
      const said = recording.steps[t - replacedFinals(seen, recording.finalAction)];
      return said?.[proposal] ?? said?.at(-1);
    },
  };
}
