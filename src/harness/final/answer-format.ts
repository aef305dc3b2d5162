import type { Domain } from "../../domains/domain.ts";
import type { AnswerFormat } from "../../domains/answer-format.ts";
import type { Decision } from "../../model/decision.ts";
import type { TeacherClient } from "../teacher.ts";

export interface Formatted {
  readonly answer: string;
  /** Undefined where no teacher formats. */
  readonly decision: Decision | undefined;
}

/** A formatted answer is the same answer in fewer words: most words of it stand in what the policy said. */
const SHARED = 0.5;

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function promptFor(question: string, answer: string, { form, shown }: AnswerFormat): string {
  return [
    "Bring an agent's answer into the form that the question asks for. Do not change what it says, and add nothing from your own knowledge.",
    `Question: ${question}`,
    `Answer: ${answer.slice(0, shown)}`,
    form,
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
function usable(
  reply: string,
  question: string,
  answer: string,
  { tidy, words: most, keeps }: AnswerFormat,
): string | undefined {
  const text = tidy(reply.split("\n", 1)[0] ?? "");
  const words = wordsOf(text);
  if (words.length === 0 || words.length > Math.max(most, wordsOf(answer).length)) return undefined;
  if (keeps !== undefined) return keeps(text, answer) ? text : undefined;
  const said = new Set(wordsOf(answer));
  const shared = words.filter((word) => said.has(word)).length;
  if (isVerdict(text, question, answer)) return text;
  return shared / words.length >= SHARED && !addsNumber(text, answer) ? text : undefined;
}

/**
 * Post-processing of the final answer (SPEC §4, last line): by the teacher where it keeps the answer, by code where it fails. Without a
 * teacher the answer loses the blanks around it and nothing else (SPEC §5). In a domain without a form it stays as it is: the first
 * blanks of code are its indentation.
 */
export async function formatAnswer(
  question: string,
  answer: string,
  teacher: TeacherClient,
  { answerFormat: format }: Pick<Domain, "answerFormat">,
): Promise<Formatted> {
  if (format === undefined) return { answer, decision: undefined };
  const ask = answer.trim() === "" ? undefined : teacher.at("answer_format");
  if (ask === undefined) return { answer: answer.trim(), decision: undefined };
  const call = await ask({
    prompt: promptFor(question, answer, format),
    maxTokens: format.replyTokens,
    temperature: 0,
  });
  const said = call.reply === undefined ? undefined : usable(call.reply, question, answer, format);
  const formatted = said ?? format.tidy(answer);
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
