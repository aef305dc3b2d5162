import type { Domain } from "../../domains/domain.ts";
import { textsOf, type DomainTexts } from "../../domains/texts.ts";
import type { Decision } from "../../model/decision.ts";
import type { TeacherCall } from "../../model/intervention.ts";
import type { StepContext } from "../../model/step-context.ts";
import { jsonOf, whyUnusable } from "../select/json-reply.ts";
import type { TeacherClient } from "../teacher.ts";
import { groundsOf } from "./evidence.ts";

export interface RetryInput {
  readonly t: number;
  readonly answer: string;
  readonly context: StepContext;
  /** 1 for the first round. */
  readonly round: number;
  readonly maxRounds: number;
  readonly teacher: TeacherClient;
  readonly domain: Pick<Domain, "texts">;
}

export interface Retry {
  /** What the policy reads at the start of the next round; undefined: the answer stands. */
  readonly note: string | undefined;
  /** Undefined where there was nothing to decide. */
  readonly decision: Decision | undefined;
}

const REPLY_TOKENS = 150;
const NO_ANSWER =
  /^\W*(?:(?:unknown|none|n\/?a)\W*$|not (?:known|found|sure|available|specified|mentioned)|unanswerable|(?:i (?:do not|don['’]t|cannot|can['’]t) )|(?:it )?(?:cannot|can['’]t|could not) be (?:determined|found|answered)|no (?:answer|information)|insufficient)\b/i;

/** Why an answer is none, by its words. */
function emptiness(answer: string): string | undefined {
  if (!/[\p{L}\p{N}]/u.test(answer)) return "the answer is empty";
  return NO_ANSWER.test(answer) ? "the answer says that there is none" : undefined;
}

const formOf = ({ doubtful }: DomainTexts): string =>
  [
    `Another round is worth it only where the answer is missing, does not answer this question, or is ${doubtful}.`,
    'Answer with JSON alone: {"retry": true or false, "advice": "what to do differently, one sentence"}',
  ].join("\n\n");

function promptFor({ answer, context }: RetryInput, texts: DomainTexts): string {
  return [
    "An agent has given its final answer. Decide whether it should have another round.",
    `Question: ${context.question}`,
    `Answer: ${answer.slice(0, 1_000)}`,
    groundsOf(context, texts),
    formOf(texts),
  ].join("\n\n");
}

interface Judgement {
  readonly again: boolean;
  readonly advice: string;
}

function readReply(call: TeacherCall, form: string): Judgement | undefined {
  const json = jsonOf(call, form);
  if (typeof json?.retry !== "boolean") return undefined;
  const advice = typeof json.advice === "string" ? json.advice.trim().slice(0, 500) : "";
  return { again: json.retry, advice };
}

/** Why no further round is possible. */
function barred({ round, maxRounds, context }: RetryInput): string | undefined {
  if (round >= maxRounds) return `round ${round} of ${maxRounds}`;
  return context.stepCount + 1 >= context.maxSteps ? "no step is left" : undefined;
}

/**
 * Whether the answer is taken or the episode has another round (SPEC §4, "multi-round retry"): the teacher decides; where it fails, an
 * answer that is none has another round. Without a teacher every answer is taken (SPEC §5). Rounds share the budgets of the episode. An
 * answer that was not taken stays as a step, with the note as its observation; if no other comes, it is the answer.
 */
export async function decideRetry(input: RetryInput): Promise<Retry> {
  const { t, answer, teacher } = input;
  const ask = teacher.at("retry");
  if (ask === undefined) return { note: undefined, decision: undefined };
  const bar = barred(input);
  const empty = emptiness(answer);
  if (bar !== undefined)
    return {
      note: undefined,
      decision:
        empty === undefined
          ? undefined
          : { part: "retry", t, by: "settings", reason: `No other round, although ${empty}: ${bar}.` },
    };
  const texts = textsOf(input.domain);
  const call = await ask({ prompt: promptFor(input, texts), maxTokens: REPLY_TOKENS, temperature: 0 });
  const form = formOf(texts);
  const said = readReply(call, form);
  const again = said?.again ?? empty !== undefined;
  const advice = said?.advice || texts.advice;
  const reason =
    said === undefined
      ? `${empty ?? "the answer is one"} (${whyUnusable(call, "decision", form)})`
      : said.advice || "the teacher says so";
  return {
    note: again
      ? `Your answer ${JSON.stringify(answer.slice(0, 200))} was not taken: ${empty ?? "a check found it wanting"}. ${advice}`
      : undefined,
    decision: {
      part: "retry",
      t,
      by: said === undefined ? "code" : "teacher",
      reason: `${again ? "Another round" : "The answer stands"}: ${reason}.`,
      value: again,
      calls: [call],
    },
  };
}
