// A ReAct loop as a person writes it in an hour, without the product: the yardstick of `npm run demo:model`. It searches
// the same passages by the product's own index and is scored by the product's own scorers, so only the loop differs.
import type { PassageSearch } from "../../src/domains/passages/search-index.ts";
import { z } from "../../src/model/zod.ts";
import { exactMatch } from "../../src/scoring/exact-match.ts";
import { tokenF1 } from "../../src/scoring/f1.ts";

/** A question with its accepted answers. */
export interface PlainQuestion {
  readonly id: string;
  readonly question: string;
  readonly gold: readonly string[];
}

/** An endpoint of the chat-completions protocol. */
export interface PlainEndpoint {
  /** Without a slash at the end: `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly key?: string | undefined;
}

export interface PlainRow {
  readonly id: string;
  /** Undefined where no reply gave one. */
  readonly answer: string | undefined;
  readonly em: boolean;
  readonly f1: number;
  readonly replies: number;
  /** Replies without an action that could be read. */
  readonly invalid: number;
  readonly steps: number;
  readonly promptTokens: number;
  /** Prompt tokens that the server did not take from its cache; undefined where it does not say. */
  readonly promptTokensReadAnew: number | undefined;
  readonly generatedTokens: number;
  /** Waiting for the model. */
  readonly seconds: number;
}

interface Message {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

const TURNS = 6;
const RESULTS = 3;
const PASSAGE_CHARS = 420;
const MAX_TOKENS = 160;
/** Much more than a thought and an action; bounds the search for an action in a hostile reply. */
const REPLY_CHARS = 20_000;
const ANSWER_CHARS = 100;
const OBSERVATION = "Observation:";

const SYSTEM = `You find the answer to a question with a search engine. Each time, write two lines and stop:
Thought: <the fact that is still missing>
Action: SEARCH[<a few key words>]
Once nothing is missing, the second line is:
Action: FINAL[<the answer alone>]
Keep the answer as short as it can be: a name, a place, a date, a number, yes or no.`;

const EXAMPLE: readonly Message[] = [
  {
    role: "user",
    content: "Question: Which instrument did the composer of the opera Rusalka play in an orchestra?",
  },
  {
    role: "assistant",
    content: "Thought: The composer of Rusalka is missing.\nAction: SEARCH[Rusalka opera composer]",
  },
  {
    role: "user",
    content: `${OBSERVATION} [1] Rusalka (opera): Rusalka is an opera in three acts by Antonín Dvořák, first given in Prague in 1901.
[2] Prague: Prague is the capital of the Czech Republic, on the river Vltava.`,
  },
  {
    role: "assistant",
    content:
      "Thought: Antonín Dvořák wrote it. His instrument is missing.\nAction: SEARCH[Antonín Dvořák orchestra]",
  },
  {
    role: "user",
    content: `${OBSERVATION} [1] Antonín Dvořák: As a young man Dvořák earned his living in the orchestra of the Provisional Theatre, where he played the viola.`,
  },
  { role: "assistant", content: "Thought: Nothing is missing.\nAction: FINAL[viola]" },
];

/** An action wherever it stands in a reply, with or without its label, in any case, in bold or in backticks. */
const ACTION = /\b(SEARCH|FINAL)[*`\s]{0,4}\[([^]{0,600}?)\](?=[\s.,;:*`"')<]|$)/i;

export interface PlainReply {
  readonly type: "SEARCH" | "FINAL" | "invalid";
  readonly arg: string;
}

/** The reply as the conversation keeps it: without a model's hidden thinking and without an observation that it invents. */
export function spoken(reply: string): string {
  const said = (reply.split("</think>").at(-1) ?? "").split("<think>", 1)[0] ?? "";
  const [own = ""] = said.slice(0, REPLY_CHARS).split(OBSERVATION, 1);
  return own.trim();
}

/** The first action of a reply. A reply without one is invalid, and its last line stands for an answer. */
export function readReply(said: string): PlainReply {
  const [, type, arg] = ACTION.exec(said) ?? [];
  if (type !== undefined && arg !== undefined)
    return { type: type.toUpperCase() === "FINAL" ? "FINAL" : "SEARCH", arg: arg.trim() };
  return { type: "invalid", arg: (said.split("\n").at(-1) ?? "").slice(0, ANSWER_CHARS).trim() };
}

const tokens = z.number().int().nonnegative().catch(0);
const completionSchema = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }) })).min(1),
  usage: z
    .object({
      prompt_tokens: tokens,
      completion_tokens: tokens,
      prompt_tokens_details: z.object({ cached_tokens: z.number().optional() }).nullish().catch(undefined),
    })
    .nullish(),
});

interface Reply {
  readonly text: string;
  readonly prompt: number;
  readonly cached: number | undefined;
  readonly generated: number;
  readonly seconds: number;
}

async function chat(
  { baseUrl, model, key }: PlainEndpoint,
  messages: readonly Message[],
  signal: AbortSignal,
): Promise<Reply> {
  const start = performance.now();
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ model, messages, temperature: 0, max_tokens: MAX_TOKENS, stop: [OBSERVATION] }),
    // A key goes to its own origin alone.
    redirect: "error",
    signal,
  });
  const body = await response.text();
  if (!response.ok) throw new Error(`status ${response.status}: ${body.slice(0, 200)}`);
  const { choices, usage } = completionSchema.parse(JSON.parse(body));
  return {
    text: choices[0]?.message.content ?? "",
    prompt: usage?.prompt_tokens ?? 0,
    cached: usage?.prompt_tokens_details?.cached_tokens,
    generated: usage?.completion_tokens ?? 0,
    seconds: (performance.now() - start) / 1_000,
  };
}

async function observe(search: Pick<PassageSearch, "search">, query: string): Promise<string> {
  const found = await search.search(query, RESULTS);
  const listed = found.map(({ title, text }, i) => `[${i + 1}] ${title}: ${text.slice(0, PASSAGE_CHARS)}`);
  return `${OBSERVATION} ${listed.length === 0 ? "Nothing found." : listed.join("\n")}`;
}

export interface PlainWorld {
  readonly endpoint: PlainEndpoint;
  readonly search: Pick<PassageSearch, "search">;
  readonly signal: AbortSignal;
}

/** Answers one question. Rejects where the server fails, or on `signal`. */
export async function answerPlainly(
  { id, question, gold }: PlainQuestion,
  { endpoint, search, signal }: PlainWorld,
): Promise<PlainRow> {
  const messages: Message[] = [{ role: "system", content: SYSTEM }, ...EXAMPLE];
  const replies: Reply[] = [];
  let next = `Question: ${question}`;
  let invalid = 0;
  let answer: string | undefined;
  for (let turn = 1; turn <= TURNS && answer === undefined; turn++) {
    const last = turn === TURNS ? "\nThis is the last turn: answer with FINAL." : "";
    messages.push({ role: "user", content: next + last });
    const reply = await chat(endpoint, messages, signal);
    replies.push(reply);
    const said = spoken(reply.text);
    const { type, arg } = readReply(said);
    if (type === "invalid") invalid++;
    if (type !== "SEARCH") {
      answer = arg;
      break;
    }
    messages.push({ role: "assistant", content: said });
    next = await observe(search, arg);
  }
  const sum = (of: (reply: Reply) => number): number => replies.reduce((all, reply) => all + of(reply), 0);
  const isCacheTold = replies.some(({ cached }) => cached !== undefined);
  return {
    id,
    answer: answer === "" ? undefined : answer,
    em: answer !== undefined && exactMatch(answer, gold),
    f1: answer === undefined ? 0 : tokenF1(answer, gold),
    replies: replies.length,
    invalid,
    steps: replies.length,
    promptTokens: sum(({ prompt }) => prompt),
    promptTokensReadAnew: isCacheTold ? sum(({ prompt, cached = 0 }) => prompt - cached) : undefined,
    generatedTokens: sum(({ generated }) => generated),
    seconds: sum(({ seconds }) => seconds),
  };
}

/** Answers the questions in their order, one after the other. */
export async function* answerAllPlainly(
  questions: readonly PlainQuestion[],
  world: PlainWorld,
): AsyncGenerator<PlainRow> {
  for (const question of questions) yield await answerPlainly(question, world);
}
