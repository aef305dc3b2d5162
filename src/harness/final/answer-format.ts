import type { Decision } from "../../model/decision.ts";
import type { TeacherClient } from "../teacher.ts";

export interface Formatted {
  readonly answer: string;
  /** Undefined where no teacher formats. */
  readonly decision: Decision | undefined;
}

const REPLY_TOKENS = 60;
/** A formatted answer is the same answer in fewer words: most words of it stand in what the policy said. */
const SHARED = 0.5;

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

const OPENING = new Set("\"'“‘`*");
const CLOSING = new Set("\"'”’`*");

/** The text between quotation marks, which holds no other ones; as it is without them. A loop: a pattern would try each mark at either end. */
function unquoted(text: string): string {
  let [begin, end] = [0, text.endsWith(".") ? text.length - 1 : text.length];
  const last = end;
  while (OPENING.has(text.charAt(begin))) begin++;
  while (end > begin && CLOSING.has(text.charAt(end - 1))) end--;
  const inside = text.slice(begin, end);
  return begin === 0 || end === last || inside === "" || /["“”*]/.test(inside) ? text : inside;
}

/** What models put around an answer, without touching what it says. */
export function tidyAnswer(answer: string): string {
  const line = answer.trim().replace(/\s+/g, " ");
  const bare = line
    .replace(/^(?:the )?(?:final )?answer(?:\s+is\b\s*:?|\s*[:=])\s*/i, "")
    .replace(/^(?:so|thus|therefore),\s*/i, "");
  const trimmed = unquoted(bare)
    .replace(/(?<=\p{L}{3}|\d)\.$/u, "")
    .trim();
  return trimmed === "" ? line : trimmed;
}

function promptFor(question: string, answer: string): string {
  return [
    "Bring an agent's answer into the form that the question asks for. Do not change what it says, and add nothing from your own knowledge.",
    `Question: ${question}`,
    `Answer: ${answer.slice(0, 2_000)}`,
    "Write the shortest text that answers in full: a name, a date, a number, yes or no. Write that text alone.",
  ].join("\n");
}

/** A sentence of the question that yes or no answers. */
const ASKS_WHETHER =
  /(?:^|[.;:,!?]\s+)(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b/i;
/** A word of a statement; a name alone has none. */
const STATES = /(?<!\S)(?:\p{Ll}|(?:Yes|No|True|False|Correct|Both|Neither)\b)/u;

/** Yes or no in place of a longer answer. */
const isVerdict = (text: string, question: string, answer: string): boolean =>
  /^(?:yes|no)$/i.test(text) && ASKS_WHETHER.test(question) && STATES.test(answer);

/** A small model lists what it was told an answer may be: a name, then a date and a number of its own. */
function addsNumber(text: string, answer: string): boolean {
  const said = new Set(answer.match(/\p{N}+/gu));
  return (text.match(/\p{N}+/gu) ?? []).some((number) => !said.has(number));
}

/** The teacher's text where it is the policy's answer and no other. */
function usable(reply: string, question: string, answer: string): string | undefined {
  const text = tidyAnswer(reply.split("\n", 1)[0] ?? "");
  const words = wordsOf(text);
  if (words.length === 0 || words.length > Math.max(8, wordsOf(answer).length)) return undefined;
  const said = new Set(wordsOf(answer));
  const shared = words.filter((word) => said.has(word)).length;
  if (isVerdict(text, question, answer)) return text;
  return shared / words.length >= SHARED && !addsNumber(text, answer) ? text : undefined;
}

/**
 * Post-processing of the final answer (SPEC §4, last line): by the teacher where it keeps the answer, by code where it fails. Without a
 * teacher the answer loses the blanks around it and nothing else (SPEC §5).
 */
export async function formatAnswer(
  question: string,
  answer: string,
  teacher: TeacherClient,
): Promise<Formatted> {
  const ask = answer.trim() === "" ? undefined : teacher.at("answer_format");
  if (ask === undefined) return { answer: answer.trim(), decision: undefined };
  const call = await ask({ prompt: promptFor(question, answer), maxTokens: REPLY_TOKENS, temperature: 0 });
  const said = call.reply === undefined ? undefined : usable(call.reply, question, answer);
  const formatted = said ?? tidyAnswer(answer);
  const byTeacher = said === undefined ? "the teacher's text is another answer; by code" : "by the teacher";
  const why = call.error ?? byTeacher;
  return {
    answer: formatted,
    decision: {
      part: "answer_format",
      by: said === undefined ? "code" : "teacher",
      reason:
        formatted === answer
          ? `Kept as it is (${why}).`
          : `Was ${JSON.stringify(answer.slice(0, 200))} (${why}).`,
      value: formatted,
      calls: [call],
    },
  };
}
