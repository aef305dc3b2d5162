import { finalActionOf, SEARCH } from "../../model/action-types.ts";
import type { Action } from "../../model/action.ts";
import type { Decision, Vote } from "../../model/decision.ts";
import type { DomainFacts } from "../../model/episode.ts";
import type { TeacherCall } from "../../model/intervention.ts";
import type { Skill } from "../../model/skill.ts";
import type { StepContext } from "../../model/step-context.ts";
import type { Control } from "../../model/control.ts";
import type { PfHost, PfState, PfVote } from "../../sandbox/pf-host.ts";
import { jsonOf, whyUnusable } from "../select/json-reply.ts";
import type { TeacherClient } from "../teacher.ts";
import { evidenceOf, verifyingQuery } from "./evidence.ts";

export interface HandlerInput {
  readonly t: number;
  /** The final action that would stand. */
  readonly answer: string;
  /** As the PFs saw it. */
  readonly context: StepContext;
  readonly facts: Pick<DomainFacts, "actionTypes" | "finalAction">;
  /** Skills with a handler that take part, in the order of Γ. */
  readonly skills: readonly Skill[];
  /** Runs the `vote` of code and inline handlers. */
  readonly host: Pick<PfHost, "votes">;
  /** Program Functions that are loaded in the host. */
  readonly loaded: ReadonlySet<string>;
  readonly states: ReadonlyMap<string, PfState>;
  readonly control: Pick<Control, "handlerVoteThreshold" | "maxFinalOverrides" | "maxSearchCalls">;
  /** Final actions that handlers have overridden in this episode. */
  readonly overridden: number;
  readonly teacher: TeacherClient;
}

export interface HandlerRuling {
  /** What runs in place of the final action; undefined: it stands. */
  readonly action: Action | undefined;
  /** Undefined where no skill has a handler that votes. */
  readonly decision: Decision | undefined;
}

interface Ballot {
  readonly vote: Vote;
  readonly call?: TeacherCall;
}

const REPLY_TOKENS = 120;
const MOST_QUERY_WORDS = 20;

const FORM =
  'Answer with JSON alone: {"override": true if it should search once more before it answers, else false, "query": "the search, 3 to 12 words", "reason": "a few words"}';

function promptFor({ answer, context }: HandlerInput, question: string): string {
  return [
    "An agent is about to give its final answer. Check one thing about it.",
    `Question: ${context.question}`,
    `Answer: ${answer}`,
    `What it thought: ${context.thought.slice(0, 800)}`,
    `What it has found:\n${evidenceOf(context)}`,
    `Check: ${question}`,
    FORM,
  ].join("\n\n");
}

function usableQuery(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const words = value.trim().split(/\s+/).filter(Boolean);
  return words.length >= 2 && words.length <= MOST_QUERY_WORDS ? words.join(" ") : undefined;
}

function readBallot(skillId: string, call: TeacherCall): Ballot {
  const json = jsonOf(call, FORM);
  if (typeof json?.override !== "boolean") {
    const reason = `abstains: ${whyUnusable(call, "vote", FORM)}`;
    return { vote: { skillId, override: false, reason }, call };
  }
  const reason = typeof json.reason === "string" ? json.reason.slice(0, 500) : "no reason given";
  const query = json.override ? usableQuery(json.query) : undefined;
  return {
    vote: { skillId, override: json.override, reason, ...(query !== undefined && { query }) },
    call,
  };
}

/** An LLM-assisted handler; where its site is off it abstains. */
async function askHandler(input: HandlerInput, skillId: string, question: string): Promise<Ballot> {
  const ask = input.teacher.at(`handler.${skillId}`);
  if (ask === undefined) return { vote: { skillId, override: false, reason: "abstains: no teacher here" } };
  return readBallot(
    skillId,
    await ask({ prompt: promptFor(input, question), maxTokens: REPLY_TOKENS, temperature: 0 }),
  );
}

function ballotOf(vote: PfVote, kind: "code" | "inline"): Ballot[] {
  const { skillId } = vote;
  if (vote.kind === "against") {
    const { reason, query } = vote;
    return [{ vote: { skillId, override: true, reason, ...(query !== undefined && { query }) } }];
  }
  if (vote.kind === "error")
    return [{ vote: { skillId, override: false, reason: `abstains: ${vote.message}` } }];
  // An inline handler that returns nothing casts no vote (SPEC §2).
  if (kind === "inline") return [];
  const reason = vote.kind === "stands" ? "lets the answer stand" : "abstains: its pf.ts has no vote";
  return [{ vote: { skillId, override: false, reason } }];
}

/** The votes of handlers that are code, in one crossing. */
async function askCode({
  host,
  loaded,
  states,
  context,
  facts,
  answer,
  skills,
}: HandlerInput): Promise<Ballot[]> {
  const kinds = new Map(
    skills.flatMap(({ skillId, handler }) =>
      handler !== undefined && handler.kind !== "llm" && loaded.has(skillId)
        ? [[skillId, handler.kind] as const]
        : [],
    ),
  );
  if (kinds.size === 0) return [];
  const proposed = { type: finalActionOf(facts), arg: answer };
  const { actionTypes } = facts;
  const votes = await host.votes([...kinds.keys()], states, { context, proposed, actionTypes });
  return votes.flatMap((vote) => ballotOf(vote, kinds.get(vote.skillId) ?? "code"));
}

async function ballotsOf(input: HandlerInput): Promise<Ballot[]> {
  const asked = input.skills.flatMap(({ skillId, handler }) =>
    input.teacher.isThere && handler?.kind === "llm" && handler.question !== undefined
      ? [askHandler(input, skillId, handler.question)]
      : [],
  );
  const [code, ...others] = await Promise.all([askCode(input), ...asked]);
  const turns = new Map(input.skills.map(({ skillId }, i) => [skillId, i]));
  const turn = ({ vote }: Ballot): number => turns.get(vote.skillId) ?? 0;
  return [...code, ...others].toSorted((a, b) => turn(a) - turn(b));
}

/** Why the final action stands whatever the votes are, so that nobody is asked; undefined where they decide. */
function barred({ overridden, control, context, facts }: HandlerInput): string | undefined {
  if (!facts.actionTypes.includes(SEARCH)) return `the environment has no ${SEARCH} to run in its place`;
  if (overridden >= control.maxFinalOverrides)
    return `${overridden} of ${control.maxFinalOverrides} overrides are used up`;
  if (context.stepCount + 1 >= context.maxSteps) return "no step is left for a search";
  if (context.searchCount >= control.maxSearchCalls) return "no search is left";
  return undefined;
}

/**
 * The vote on a final action that Γ let stand (SPEC §2, §4): LLM-assisted handlers ask the teacher, all at once; code and inline handlers
 * run the `vote` of their Program Function. Without a teacher the former are skipped (SPEC §5, "PF-only"). More votes than the threshold turn it into a SEARCH, a limited number of times in an episode.
 * It stands where the environment has no SEARCH, and on the last step, where an override would leave no answer.
 */
export async function voteOnFinal(input: HandlerInput): Promise<HandlerRuling> {
  if (input.skills.length === 0) return { action: undefined, decision: undefined };
  const final = finalActionOf(input.facts);
  const bar = barred(input);
  if (bar !== undefined)
    return {
      action: undefined,
      decision: { part: "handler_vote", t: input.t, by: "settings", reason: `The ${final} stands: ${bar}.` },
    };
  const ballots = await ballotsOf(input);
  if (ballots.length === 0) return { action: undefined, decision: undefined };
  const votes = ballots.map(({ vote }) => vote);
  const calls = ballots.flatMap(({ call }) => call ?? []);
  const against = votes.filter(({ override }) => override);
  const { handlerVoteThreshold: threshold } = input.control;
  const isOver = against.length > threshold;
  const query = isOver
    ? (against.find((vote) => vote.query !== undefined)?.query ?? verifyingQuery(input.context, input.answer))
    : undefined;
  const compared = `${against.length} of ${votes.length} handlers vote for a search; it takes more than ${threshold}`;
  return {
    action: query === undefined ? undefined : { type: SEARCH, arg: query },
    decision: {
      part: "handler_vote",
      t: input.t,
      by: calls.length > 0 ? "teacher" : "code",
      reason: `The ${final} ${isOver ? `becomes a ${SEARCH}` : "stands"}: ${compared}.`,
      votes,
      value: isOver,
      ...(calls.length > 0 && { calls }),
    },
  };
}
