import { EPISODE_SCHEMA, episodeHeadSchema, type EpisodeHead } from "../model/episode.ts";

/** Longest question that a head keeps, in UTF-16 code units; a longer one is cut and ends in `…`. */
const HEAD_QUESTION_CHARS = 200;

const STRING = String.raw`"((?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)`;
const HEAD = new RegExp(
  String.raw`^\s*\{\s*"schema"\s*:\s*"${EPISODE_SCHEMA}"\s*,\s*"id"\s*:\s*${STRING}"\s*,\s*"questionId"\s*:\s*${STRING}"` +
    String.raw`\s*,\s*"outcome"\s*:\s*"(correct|wrong|halted|unjudged)"\s*,\s*"length"\s*:\s*(0|[1-9]\d{0,14})\s*,\s*"question"\s*:\s*${STRING}("?)`,
);
/** Enough for almost every head; decoding the whole window costs more than the match. */
const FIRST_TRY_BYTES = 512;

/**
 * The index fields from the first bytes of a line, or undefined where they do not stand in the order the schema
 * gives (an episode that another program wrote or reordered), so that the whole line has to be read.
 */
export function parseHead(head: Uint8Array): EpisodeHead | undefined {
  const decoder = new TextDecoder();
  const first = matchHead(decoder.decode(head.subarray(0, FIRST_TRY_BYTES)));
  if (first !== undefined || head.length <= FIRST_TRY_BYTES) return first;
  return matchHead(decoder.decode(head));
}

function matchHead(text: string): EpisodeHead | undefined {
  const match = HEAD.exec(text);
  if (match === null) return undefined;
  const [, id = "", questionId = "", outcome, length, question = "", closed] = match;
  const [ownId, ownQuestionId, words] = ownStrings(id, questionId, question);
  // A question that the window cut is enough when what is there fills the clip.
  if (id === "" || (closed === "" && words.length <= HEAD_QUESTION_CHARS + 1)) return undefined;
  return {
    id: ownId,
    questionId: ownQuestionId,
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

/** What a line that `parseHead` could not read turns out to be. */
export type HeadResult =
  | { readonly kind: "episode"; readonly head: EpisodeHead }
  | { readonly kind: "not-json" }
  | { readonly kind: "foreign"; readonly schema: unknown }
  | { readonly kind: "malformed"; readonly problem: string };

/** The index fields from a whole line, in any order. */
export function readHead(text: string): HeadResult {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "not-json" };
  }
  const schema = typeof value === "object" && value !== null && "schema" in value ? value.schema : undefined;
  if (schema !== EPISODE_SCHEMA) return { kind: "foreign", schema };
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
