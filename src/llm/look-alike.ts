import { START_OF_FILE, type Diagnostic } from "../model/diagnostic.ts";
import type { ChatRequest } from "./chat-model.ts";

/**
 * Replies that only look like one. A small model often gives back the form it was shown, with its placeholders, or the text of its prompt.
 * Such a reply can be read, and says nothing.
 */

/** Words in a row that two texts share by more than chance. */
const RUN = 5;
/** A field with fewer runs, of less than ten words, may answer the instructions in their own words. */
const FIELD_RUNS = 6;
/** Share of a field's runs in the instructions from which on the field is a copy of them. */
const FIELD_COPIED_FROM = 0.8;
/** A whole reply with fewer runs may well quote the prompt and answer in one word. */
const REPLY_RUNS = 20;
/** Share of a reply's runs in its prompt from which on the reply mostly repeats it. */
const REPLY_COPIED_FROM = 0.6;
/** Characters of a reply that are looked at. A server may send any number. */
const READ_CHARS = 50_000;
/** Shorter phrases of the form are everyday words, such as "none". */
const FORM_WORDS = 3;
/** Characters of a value beyond which it is no phrase of the form. */
const LONGEST_PHRASE = 300;

/** With the vowel signs of Indic and Thai letters. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const wordsOf = (text: string): readonly string[] =>
  text.slice(0, READ_CHARS).normalize("NFKC").toLowerCase().match(WORD) ?? [];

function runsOf(text: string): readonly string[] {
  const words = wordsOf(text);
  return words.slice(RUN - 1).map((_, i) => words.slice(i, i + RUN).join(" "));
}

const FENCE = /^\s*(?:`{3}|~{3})/;
/** Lengths are bounded: a line of opening marks alone must not be read once for each of them. */
const QUOTATION = /`[^`]{0,200}`|"[^"]{0,200}"|“[^”]{0,200}”|„[^“]{0,200}“|«[^»]{0,200}»/g;

/** A text without what it may quote: code, blocks, quotations. All of it where it is nothing else. */
function ownWords(text: string): string {
  const read = text.slice(0, READ_CHARS);
  const own: string[] = [];
  let inFence = false;
  for (const line of read.split("\n")) {
    if (FENCE.test(line)) inFence = !inFence;
    else if (!inFence && !line.trimStart().startsWith(">")) own.push(line.replaceAll(QUOTATION, " "));
  }
  const joined = own.join("\n");
  return wordsOf(joined).length === 0 ? read : joined;
}

/** The share of the runs of five words in `text`, outside of quotations, that `source` has, too; 0 for a text that is shorter. */
export function copiedShare(text: string, source: string): { readonly share: number; readonly runs: number } {
  const runs = runsOf(ownWords(text));
  if (runs.length === 0) return { share: 0, runs: 0 };
  const known = new Set(runsOf(source));
  return { share: runs.filter((run) => known.has(run)).length / runs.length, runs: runs.length };
}

/** `{{name}}`, `…` and the like. */
const PLACEHOLDER = /^(?:\{\{[^{}\n]{1,100}\}\}|\[?(?:\.{3,}|…)\]?)[.,;]?$/;
/** `<a number>` */
const BRACKETED = /^<[^<>\n]{1,200}>[.,;]?$/;
/** A digit, or a letter of a script in which no form of ours is written. */
const OF_A_VALUE = /\p{N}|(?!\p{Script=Latin})\p{L}/u;
const bare = (text: string): string =>
  text
    .trim()
    .replaceAll(/^["'*_`]+|["'*_`]+$/g, "")
    .trim();

/** The form that instructions ask for. */
interface Form {
  /** The texts between angle brackets, those behind the label of a line, and the values of JSON. */
  readonly phrases: ReadonlySet<string>;
  /** Values take the place of angle brackets. */
  readonly hasBrackets: boolean;
}

function formOf(instructions: string): Form {
  const inBrackets = [...instructions.matchAll(/<([^<>\n]{1,200})>/g)].map(([, phrase = ""]) => phrase);
  const inJson = [...instructions.matchAll(/"\w{1,40}": ?"([^"\n]{1,200})"/g)].map(
    ([, phrase = ""]) => phrase,
  );
  const afterLabels = instructions.split("\n").map((line) => line.replace(/^[^:\n]{1,40}:|^\s*[-*] /, ""));
  const long = [...inBrackets, ...inJson, ...afterLabels]
    .map(wordsOf)
    .filter(({ length }) => length >= FORM_WORDS);
  return { phrases: new Set(long.map((words) => words.join(" "))), hasBrackets: inBrackets.length > 0 };
}

/** Whether a value is a placeholder of the form, or a phrase of the form in the place of a value. */
function isPlaceholder(value: string, { phrases, hasBrackets }: Form): boolean {
  if (value.length > LONGEST_PHRASE) return false;
  const text = bare(value);
  const words = wordsOf(text);
  if (PLACEHOLDER.test(text) || phrases.has(words.join(" "))) return true;
  // Some models write their value between the brackets of the form.
  const isFilledIn = hasBrackets && (words.length > FORM_WORDS || OF_A_VALUE.test(text));
  return BRACKETED.test(text) && !isFilledIn;
}

/** Labels of a reply whose value is a placeholder, as in `SCORE: <number>` or `"score": …`. */
const LABELLED = /^[^\p{L}\n]*(\p{L}[\p{L}\p{N}_ ]{0,40})["*_`]*[ \t]*[:=][ \t]*([^\n]{1,220})$/gmu;
const labelledPlaceholders = (reply: string, form: Form): readonly string[] =>
  [...reply.slice(0, READ_CHARS).matchAll(LABELLED)].flatMap(([, label = "", value = ""]) =>
    isPlaceholder(value.trim().replace(/[\s,}]+$/, ""), form) ? [label.trim()] : [],
  );

/** A reply, as it was asked for and as it was read. */
interface AnsweredRequest {
  readonly request: Pick<ChatRequest, "messages">;
  readonly reply: string;
  /** The values in the model's own words by the name of their field; undefined where the reply cannot be read. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** The names of the fields that hold nothing but the form or the instructions. */
export function emptyFields(
  fields: Readonly<Record<string, string>>,
  instructions: string,
): readonly string[] {
  const form = formOf(instructions);
  return Object.entries(fields).flatMap(([name, value]) => {
    if (isPlaceholder(value, form)) return [name];
    const { share, runs } = copiedShare(value, instructions);
    return runs >= FIELD_RUNS && share >= FIELD_COPIED_FROM ? [name] : [];
  });
}

/** The texts of the request, or of its system messages. A model that repairs its earlier reply repeats that, and not its prompt. */
const textOf = ({ messages }: Pick<ChatRequest, "messages">, role?: "system"): string =>
  messages
    .filter((message) => (role === undefined ? message.role !== "assistant" : message.role === role))
    .map(({ content }) => content)
    .join("\n");

/**
 * Why a reply only looks like one, as a sentence; undefined where it is one, or is just wrong. Instructions are the system messages of the request:
 * a field that repeats them is empty, whereas the material after them may be quoted. Never throws.
 */
export function lookAlike({ request, reply, fields }: AnsweredRequest): string | undefined {
  const instructions = textOf(request, "system");
  const empty =
    fields === undefined
      ? labelledPlaceholders(reply, formOf(instructions))
      : emptyFields(fields, instructions);
  const text = fields === undefined ? reply : Object.values(fields).join("\n");
  const { share, runs } = copiedShare(text, textOf(request));
  const isCopy = runs >= REPLY_RUNS && share >= REPLY_COPIED_FROM;
  if (empty.length === 0 && !isCopy) return undefined;
  const named = [...new Set(empty)].slice(0, 10).join(", ");
  const parts = [
    ...(empty.length > 0
      ? [`${named} ${named.includes(",") ? "repeat" : "repeats"} the form in place of a value`]
      : []),
    ...(isCopy ? [`${Math.round(share * 100)}% of its words are copied from the prompt`] : []),
  ];
  return `The reply only looks like one: ${parts.join("; ")}.`;
}

/** The finding on a reply that only looks like one. */
export const lookAlikeFinding = (why: string): Diagnostic => ({
  code: "HASP858",
  severity: "error",
  message: why,
  next: "Ask again, perhaps with another model: a small one often repeats its prompt.",
  range: START_OF_FILE,
});
