import type { Domain } from "../../domains/domain.ts";
import { textsOf, type DomainTexts } from "../../domains/texts.ts";
import type { Decision } from "../../model/decision.ts";
import type { Control } from "../../model/control.ts";
import type { TeacherCall } from "../../model/intervention.ts";
import type { TeacherClient } from "../teacher.ts";
import { jsonOf, whyUnusable } from "./json-reply.ts";
import { signsOf } from "./question-kind.ts";

/** Difficulties, easiest first. */
const LOWEST = 1;
const HIGHEST = 5;
/** A question this long says more than one thing. */
const LONG_QUESTION_WORDS = 18;

export interface Gate {
  /** False: the question goes without skills. */
  readonly open: boolean;
  readonly decision: Decision;
}

/** The score by code, 1–5 (SPEC §4): one point for length, up to two for hops, one for constraints. */
export function heuristicDifficulty(question: string): number {
  const { words, hops, constraints } = signsOf(question);
  const points = (words >= LONG_QUESTION_WORDS ? 1 : 0) + Math.min(2, hops) + (constraints > 0 ? 1 : 0);
  return Math.min(HIGHEST, LOWEST + points);
}

const FORM = 'Answer with JSON alone: {"difficulty": 1 to 5, "reason": "a few words"}';

function promptFor(question: string, { can, difficulties }: DomainTexts): string {
  return [
    `Rate how hard this question is for an agent that can ${can}.`,
    difficulties,
    `Question: ${question}`,
    FORM,
  ].join("\n");
}

function scoreIn(call: TeacherCall): { readonly score: number; readonly reason: string } | undefined {
  const json = jsonOf(call, FORM);
  const score = Number(json?.difficulty ?? /^\s*([1-5])\b/.exec(call.reply ?? "")?.[1]);
  if (!Number.isInteger(score) || score < LOWEST || score > HIGHEST) return undefined;
  return { score, reason: typeof json?.reason === "string" ? json.reason.slice(0, 300) : "no reason given" };
}

function verdict(score: number, threshold: number): string {
  return score < threshold
    ? `difficulty ${score} is under ${threshold}: no skills for this question`
    : `difficulty ${score} of ${HIGHEST}`;
}

/**
 * Whether a question gets skills at all (SPEC §4, "difficulty gate"): the teacher rates it, code where the teacher fails. Undefined where
 * the gate is switched off or nobody rates: without a teacher every PF is asked (SPEC §5).
 */
export async function passGate(
  question: string,
  control: Control,
  teacher: TeacherClient,
  domain: Pick<Domain, "texts">,
): Promise<Gate | undefined> {
  const ask = control.enableDifficultyGating ? teacher.at("difficulty_gate") : undefined;
  if (ask === undefined) return undefined;
  const { difficultyThreshold: threshold } = control;
  const call = await ask({ prompt: promptFor(question, textsOf(domain)), maxTokens: 60, temperature: 0 });
  const said = scoreIn(call);
  const score = said?.score ?? heuristicDifficulty(question);
  const why = said?.reason ?? whyUnusable(call, "difficulty", FORM);
  return {
    open: score >= threshold,
    decision: {
      part: "difficulty_gate",
      by: said === undefined ? "code" : "teacher",
      reason: `${verdict(score, threshold)} (${why})`,
      value: score,
      calls: [call],
    },
  };
}
