/** Faults of an attempt that are ours and not the model's: each is a list of sentences, empty where all is well. */
import type { Answered, Attempt } from "./attempt.ts";
import type { Exchange } from "../../support/recording-proxy.ts";
import { CORPUS, QUESTIONS } from "./world.ts";

type Messages = Exchange["request"]["messages"];

const plain = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** Characters of a line that nobody writes again by chance. */
const TELLING = 20;

const passages = plain(CORPUS.map(({ title, text }) => `${title} ${text}`).join(" "));
const isOfTheWorld = (line: string): boolean =>
  passages.includes(line) ||
  CORPUS.some(({ text }) => line.includes(text.slice(0, TELLING * 2))) ||
  QUESTIONS.some(({ question }) => line.includes(question));

/** Lines that the harness has written: of the system text, of corrections, of skills, and of notes on steps. */
function ownLines(messages: Messages): readonly string[] {
  const lines = messages
    .filter(({ role }) => role !== "assistant")
    .flatMap(({ content }) => content.split("\n"));
  return lines.map(plain).filter((line) => line.length >= TELLING && !isOfTheWorld(line));
}

/** Replies that repeat a line of ours word for word. */
export function copies({ exchanges }: Attempt): string[] {
  return exchanges.flatMap(({ request, reply }) => {
    const said = plain(reply);
    const line = ownLines(request.messages).find((own) => said.includes(own));
    return line === undefined ? [] : [`“${line}” in the reply ${JSON.stringify(reply)}`];
  });
}

/** Of all replies, in percent, those in which no action was read; the text says which. */
export function invalidShare({ answered }: Pick<Attempt, "answered">): {
  readonly percent: number;
  readonly replies: readonly string[];
} {
  const replies = answered.flatMap((one) => one.replies);
  const invalid = replies.filter(({ isInvalid }) => isInvalid).map(({ text }) => text);
  return { percent: replies.length === 0 ? 0 : (100 * invalid.length) / replies.length, replies: invalid };
}

const ANSWER = /\bFINAL[*`\s]{0,4}\[\s*[^\]\s][^\]\n]*\]/i;

/** Episodes without an answer although a reply gave one. */
export function lostAnswers({ answered }: Attempt): string[] {
  return answered
    .filter(({ answer }) => answer === undefined)
    .flatMap(({ question, replies }) => {
      const given = replies.find(({ text }) => ANSWER.test(text));
      return given === undefined ? [] : [`${question}: ${JSON.stringify(given.text)}`];
    });
}

/** Requests that let the model go on after its action. */
export function withoutStop({ exchanges }: Attempt): string[] {
  const texts = ({ stop }: Exchange["request"]): readonly string[] =>
    typeof stop === "string" ? [stop] : (stop ?? []);
  return exchanges
    .filter(({ request }) => !texts(request).some((text) => text.includes("Observation:")))
    .map(({ request }) => `stop is ${JSON.stringify(request.stop ?? null)}`);
}

const said = (message: Messages[number] | undefined): string => JSON.stringify(message ?? null);

/** Requests that changed what the server had read before the end of the last prompt, so that it has to read it anew. */
export function changedPrefixes({ exchanges }: Attempt): string[] {
  return QUESTIONS.flatMap(({ question }) => {
    const prompts = exchanges
      .map(({ request }) => request.messages)
      .filter((messages) => messages.some(({ content }) => content.includes(question)));
    return prompts.slice(1).flatMap((messages, index) => {
      const earlier = (prompts[index] ?? []).slice(0, -1);
      const at = earlier.findIndex((message, i) => said(message) !== said(messages[i]));
      return at < 0
        ? []
        : [
            `${question}: message ${at} of step ${index + 2}: ${said(earlier[at])} became ${said(messages[at])}`,
          ];
    });
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** One line of figures, for the person who reads the stage's output. */
export function figures(name: string, attempt: Attempt): string {
  const { answered, exchanges } = attempt;
  const of = (is: (one: Answered) => boolean): string =>
    `${answered.filter(is).length} of ${answered.length}`;
  const replies = answered.flatMap((one) => one.replies);
  const each = (total: number): string => (total / Math.max(1, answered.length)).toFixed(0);
  return [
    `${name}: right ${of(({ isRight }) => isRight)}`,
    `without an answer ${of(({ answer }) => answer === undefined)}`,
    `replies ${replies.length}, invalid ${replies.filter(({ isInvalid }) => isInvalid).length}, read leniently ${replies.filter(({ isLenient }) => isLenient).length}`,
    `a question: ${each(sum(exchanges.map(({ seconds }) => seconds)))} s, ${each(sum(exchanges.map((one) => one.promptTokens)))} prompt tokens, ` +
      `${each(sum(exchanges.map((one) => one.promptTokens - one.cachedTokens)))} of them read anew, ${each(sum(exchanges.map((one) => one.completionTokens)))} generated`,
  ].join("; ");
}
