import type { SentVote, VoteRequest, VotingPf } from "../wire.ts";
import { freezeJson, isObject, memoryCopy } from "./data.ts";
import { describe, isOutOfMemory, WrongAnswer } from "./fault.ts";
import { filled } from "./intervention.ts";
import { call, programOf } from "./programs.ts";

const REASON_CHARS = 2_000;
const QUERY_CHARS = 2_000;

function readVote(skillId: string, answer: unknown): SentVote {
  if (answer === undefined) return { skillId, kind: "stands" };
  if (!isObject(answer) || answer instanceof Promise)
    throw new WrongAnswer("vote must return undefined, or an object with a reason; it must not be async.");
  const { reason, query } = answer as Record<string, unknown>;
  return {
    skillId,
    kind: "against",
    reason: filled(reason, "vote's reason", REASON_CHARS),
    ...(query !== undefined && { query: filled(query, "vote's query", QUERY_CHARS) }),
  };
}

function voteOf({ skillId, memory }: VotingPf, { question }: VoteRequest): SentVote {
  const { traits, create } = programOf(skillId);
  if (!traits.votes) return { skillId, kind: "none" };
  try {
    // Frozen, because a vote leaves no trace: it would not be there when the record is judged.
    const ctx = Object.freeze({ ...question.context, memory: freezeJson(memoryCopy(memory)) });
    return readVote(skillId, call(create(), "vote", [ctx, question.proposed.arg]));
  } catch (thrown) {
    if (isOutOfMemory(thrown)) throw thrown;
    return { skillId, kind: "error", ...describe(thrown, skillId) };
  }
}

/** The votes of all PFs of the request, as `Reply<SentVote[]>` in JSON. */
export function votes(request: VoteRequest): string {
  freezeJson(request.question.context);
  try {
    return JSON.stringify({ value: request.pfs.map((pf) => voteOf(pf, request)) });
  } catch (thrown) {
    return JSON.stringify({ broken: describe(thrown, "") });
  }
}
