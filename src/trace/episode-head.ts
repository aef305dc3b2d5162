import { readJson } from "../model/read-json.ts";
import {
  EPISODE_SCHEMA,
  EPISODE_SCHEMA_1,
  episodeHeadSchema,
  outcomeSchema,
  type EpisodeHead,
} from "../model/episode.ts";

/** Longest question that a head keeps, in UTF-16 code units; a longer one is cut and ends in `…`. */
const HEAD_QUESTION_CHARS = 200;

const STRING = String.raw`"((?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)`;
const HEAD = new RegExp(
  String.raw`^\s*\{\s*"schema"\s*:\s*"(?:${EPISODE_SCHEMA}|${EPISODE_SCHEMA_1})"\s*,\s*"id"\s*:\s*${STRING}"\s*,\s*"questionId"\s*:\s*${STRING}"` +
    String.raw`(?:\s*,\s*"sample"\s*:\s*(0|[1-9]\d{0,14}))?\s*,\s*"outcome"\s*:\s*"(correct|wrong|halted|unjudged|abandoned)"\s*,\s*"length"\s*:\s*(0|[1-9]\d{0,14})\s*,\s*"question"\s*:\s*${STRING}("?)`,
);
/** Enough for almost every head; decoding the whole window costs more than the match. */
const FIRST_TRY_BYTES = 512;
/** One for all heads: a window that ends within a character is no reason to keep its half for the next. */
const decoder = new TextDecoder();

/**
 * The index fields from the first bytes of a line, or undefined where they do not stand in the order the schema
 * gives (an episode that another program wrote or reordered), so that the whole line has to be read.
 */
export function parseHead(head: Uint8Array): EpisodeHead | undefined {
  const plain = plainHead(head);
  if (plain !== undefined) return plain;
  const first = matchHead(decoder.decode(head.subarray(0, FIRST_TRY_BYTES)));
  if (first !== undefined || head.length <= FIRST_TRY_BYTES) return first;
  return matchHead(decoder.decode(head));
}

function matchHead(text: string): EpisodeHead | undefined {
  const match = HEAD.exec(text);
  if (match === null) return undefined;
  const [, id = "", questionId = "", sample, outcome, length, question = "", closed] = match;
  const [ownId, ownQuestionId, words] = ownStrings(id, questionId, question);
  // A question that the window cut is enough when what is there fills the clip.
  if (id === "" || (closed === "" && words.length <= HEAD_QUESTION_CHARS + 1)) return undefined;
  return {
    id: ownId,
    questionId: ownQuestionId,
    ...(sample !== undefined && { sample: Number(sample) }),
    outcome: outcome as EpisodeHead["outcome"],
    length: Number(length),
    question: clipQuestion(words),
  };
}

/**
 * The values of three JSON string bodies. Parsed even where nothing is escaped: what a pattern captures is a view into
 * the whole window, and would keep it alive as long as the index. The pattern lets only valid bodies through.
 */
function ownStrings(...bodies: readonly [string, string, string]): [string, string, string] {
  return JSON.parse(`["${bodies.join('","')}"]`) as [string, string, string];
}

function clipQuestion(question: string): string {
  if (question.length <= HEAD_QUESTION_CHARS) return question;
  const cut = question.slice(0, HEAD_QUESTION_CHARS - 1);
  // Half of a surrogate pair is no character.
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

const ascii = new TextEncoder();
type HeadField = keyof EpisodeHead;
const NUMBERS: ReadonlySet<HeadField> = new Set(["sample", "length"]);

/** A field of a head as we write it: the bytes before its value, and the byte that ends it. */
interface WrittenField {
  readonly before: Uint8Array;
  readonly end: number;
  /** The largest byte of its value. Only the question may hold more than ASCII, so that bytes before it count as characters. */
  readonly most: number;
}

function written(schema: string, names: readonly HeadField[]): readonly WrittenField[] {
  const quote = (name: HeadField | undefined): string => (name === undefined || NUMBERS.has(name) ? "" : '"');
  return names.map((name, i) => {
    const open = i === 0 ? `{"schema":"${schema}",` : `${quote(names[i - 1])},`;
    const before = ascii.encode(`${open}"${name}":${quote(name)}`);
    return { before, end: NUMBERS.has(name) ? COMMA : QUOTE, most: name === "question" ? 255 : ASCII_MOST };
  });
}

/** The fields do not begin the line, so that nothing in front of them is a byte order mark. */
const fieldDecoder = new TextDecoder("utf-8", { ignoreBOM: true });
const OUTCOMES: ReadonlyMap<string, EpisodeHead["outcome"]> = new Map(
  outcomeSchema.options.map((outcome) => [outcome, outcome]),
);
const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const SPACE = 32;
const ASCII_MOST = 127;
/** The heads that this version writes, and those of the versions before samples. */
const WRITTEN = written(EPISODE_SCHEMA, ["id", "questionId", "sample", "outcome", "length", "question"]);
const WRITTEN_1 = written(EPISODE_SCHEMA_1, ["id", "questionId", "outcome", "length", "question"]);

/** Whether `text` stands in `bytes` at `at`. */
function standsAt(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text[i]) return false;
  return true;
}

/**
 * Where a value ends that needs no unescaping: at the first `end`; -1 where an escape, a control character or a byte over `most`
 * comes before.
 */
function plainEnd(bytes: Uint8Array, from: number, end: number, most: number): number {
  const to = Math.min(bytes.length, FIRST_TRY_BYTES);
  for (let i = from; i < to; i++) {
    const byte = bytes[i] ?? 0;
    if (byte === end) return i;
    if (byte === BACKSLASH || byte < SPACE || byte > most) return -1;
  }
  return -1;
}

/** Begin and end of each field in the bytes; undefined where the line is not written so, or anything in it is escaped. */
function plainPlaces(bytes: Uint8Array, fields: readonly WrittenField[]): readonly number[] | undefined {
  const places: number[] = [];
  let at = 0;
  for (const { before, end, most } of fields) {
    if (!standsAt(bytes, at, before)) return undefined;
    const from = at + before.length;
    at = plainEnd(bytes, from, end, most);
    if (at === -1) return undefined;
    places.push(from, at);
  }
  return places;
}

const WHOLE = /^(0|[1-9]\d{0,14})$/;

/**
 * The head of a line that we wrote ourselves and in which nothing is escaped, as nearly every line is. Undefined for any other, which
 * is then read with care. All fields are views into one short text, which is little more than they are.
 */
function plainHead(bytes: Uint8Array): EpisodeHead | undefined {
  const places = plainPlaces(bytes, WRITTEN);
  if (places !== undefined) return headAt(bytes, places, true);
  const places1 = plainPlaces(bytes, WRITTEN_1);
  return places1 === undefined ? undefined : headAt(bytes, places1, false);
}

/** Fields are taken by their position: an index of a large run reads hundreds of thousands of heads. */
function headAt(bytes: Uint8Array, places: readonly number[], hasSample: boolean): EpisodeHead | undefined {
  const start = places[0] ?? 0;
  const text = fieldDecoder.decode(bytes.subarray(start, places.at(-1)));
  const field = (i: number): string =>
    text.slice((places[2 * i] ?? 0) - start, (places[2 * i + 1] ?? 0) - start);
  const after = hasSample ? 3 : 2;
  const id = field(0);
  const outcome = OUTCOMES.get(field(after));
  const length = field(after + 1);
  if (id === "" || outcome === undefined || !WHOLE.test(length)) return undefined;
  const questionId = field(1);
  // The question is the last field, so it ends where the text does.
  const question = clipQuestion(text.slice((places[2 * (after + 2)] ?? 0) - start));
  if (!hasSample) return { id, questionId, outcome, length: Number(length), question };
  const sample = field(2);
  if (!WHOLE.test(sample)) return undefined;
  return { id, questionId, sample: Number(sample), outcome, length: Number(length), question };
}

export function schemaOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "schema" in value ? value.schema : undefined;
}

/** Whether a reader of episodes takes a line of this schema. */
export function isEpisodeSchema(schema: unknown): boolean {
  return schema === EPISODE_SCHEMA || schema === EPISODE_SCHEMA_1;
}

/** What a line that `parseHead` could not read turns out to be. */
export type HeadResult =
  | { readonly kind: "episode"; readonly head: EpisodeHead }
  | { readonly kind: "not-json" }
  | { readonly kind: "past-limit"; readonly why: string }
  | { readonly kind: "foreign"; readonly schema: unknown }
  | { readonly kind: "malformed"; readonly problem: string };

/** The index fields from a whole line, in any order. */
export function readHead(text: string): HeadResult {
  const { value, problem } = readJson(text);
  if (problem !== undefined)
    return problem.kind === "syntax" ? { kind: "not-json" } : { kind: "past-limit", why: problem.why };
  const schema = schemaOf(value);
  if (!isEpisodeSchema(schema)) return { kind: "foreign", schema };
  const parsed = episodeHeadSchema.safeParse(value);
  if (!parsed.success) return { kind: "malformed", problem: firstIssue(parsed.error) };
  return { kind: "episode", head: { ...parsed.data, question: clipQuestion(parsed.data.question) } };
}

/** `steps.3.proposals: …`, from a zod error. */
export function firstIssue(error: {
  readonly issues: readonly { path: readonly PropertyKey[]; message: string }[];
}): string {
  const [issue] = error.issues;
  if (issue === undefined) return "it does not fit the schema";
  const path = issue.path.map(String).join(".");
  return path === "" ? issue.message : `\`${path}\`: ${issue.message}`;
}
