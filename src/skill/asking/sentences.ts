import { PROGRAMS } from "./programs.ts";

/** A piece of a prompt that may be the person's own wish. */
export interface AskingLine {
  readonly text: string;
  /** A command may stand here without a verb before it: under "Run:", or as the whole prompt. */
  readonly bare: boolean;
}

/** A word, a code span or a quotation of a sentence. */
export interface Token {
  readonly kind: "word" | "code" | "quoted";
  /** Without backticks, quotes and the punctuation behind it. */
  readonly text: string;
  /** In lower case, with straight apostrophes: how vocabulary is compared. Empty for a code span and a quotation. */
  readonly low: string;
  /** Punctuation that follows at once: `,`, `:` or a dash. */
  readonly after: "" | "," | ":";
  /** Its offset in the sentence, backtick or quote included. */
  readonly start: number;
}

export interface Sentence {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly isQuestion: boolean;
  readonly bare: boolean;
}

const ABBREVIATION = /(?:^|[\s(])(?:e\.?g|i\.?e|cf|vs|etc|approx|mr|ms|dr|no|z\.?b|bzw|p\.?ej)$/i;
const PAIRS: Readonly<Record<string, string>> = {
  "`": "`",
  '"': '"',
  "“": "”",
  "„": "“",
  "«": "»",
  "「": "」",
  "『": "』",
  "‘": "’",
};
/** In a sentence before a bare command it says that the command is spoken of. */
const SPOKEN_OF =
  /\b(?:look|see|saw|seen|read|this|these|command|commands|line|explain|says?|said|docs?|readme|log|logs|error|errors|output|stop|wait|found|got|ran|typed|tried|used|hangs?|fails?|failed|broken?)\b|\bwhat\b/i;

/** The sentences of a line, split outside of code spans and quotations. */
export function sentencesOf({ text: line, bare }: AskingLine): Sentence[] {
  const text = spaced(line);
  const sentences: Sentence[] = [];
  const isBare = (): boolean =>
    bare &&
    !sentences.some(
      (before) => SPOKEN_OF.test(before.text) || (before.isQuestion && before.tokens.length > 2),
    );
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const end = spanEnd(text, i);
    if (end !== undefined) i = end;
    else if (endsSentence(text, i)) {
      add(text.slice(start, i), text.charAt(i), isBare(), sentences);
      start = i + 1;
    }
  }
  add(text.slice(start), "", isBare(), sentences);
  return sentences;
}

/** "The command is `x`. Run it." */
const POINTED_AT =
  /^((?:please |ok,? |so )?)(?:the|this|here(?:'s| is)(?: the)?) (?:command(?: is)?|is the command)\s?:? (`[^`]{1,300}`)[.,;]? (?:please |now |then )?((?:run|execute) )(?:it|that|this)(?=[\s.!]|$)/i;

/** Chinese and Japanese write no spaces: one between them and a command. Bold and slanted type is no part of a command. */
function spaced(text: string): string {
  return text
    .replace(POINTED_AT, "$1$3$2")
    .replace(/\s+(?:[:;]-?[)DP]|\p{Extended_Pictographic}\uFE0F?)(?=[\s.!]|$)/gu, "")
    .replace(
      /(^|[\s(])(\*{1,2}|_)([`a-z][^*_\n]{1,300})\2(?=$|[\s.,:;!?)])/g,
      (all, before: string, _, inner: string) =>
        inner.startsWith("`") || PROGRAMS.has(inner.split(" ", 1)[0] ?? "") ? before + inner : all,
    )
    .replace(/([\u3040-\u30ff\u3400-\u9fff：，])(?=[`!-~])/g, "$1 ")
    .replace(/([`!-~])(?=[\u3040-\u30ff\u3400-\u9fff])/g, "$1 ");
}

function endsSentence(text: string, at: number): boolean {
  const letter = text.charAt(at);
  if ("。！？；".includes(letter)) return true;
  if (!".!?;".includes(letter) || at === 0) return false;
  const next = text.charAt(at + 1);
  if (next !== "" && !/\s/.test(next)) return false;
  // A dot that stands alone, as in `rm -rf .`, is a word; so is `..`.
  if (letter === "." && /[\s.]/.test(text.charAt(at - 1))) return false;
  // `cd build; rm -rf *` is one line of commands.
  if (letter === ";" && PROGRAMS.has(/^\s*(\S{1,20})/.exec(text.slice(at + 1, at + 40))?.[1] ?? ""))
    return false;
  return letter !== "." || !ABBREVIATION.test(text.slice(Math.max(0, at - 8), at));
}

/** The last letter of the code span or quotation that begins here; undefined where none does. */
function spanEnd(text: string, at: number): number | undefined {
  const letter = text.charAt(at);
  const close = PAIRS[letter] ?? (letter === "'" ? "'" : undefined);
  if (close === undefined) return undefined;
  if (letter === "`") return codeEnd(text, at);
  // Within a word it is an apostrophe or an inch.
  if (/[\p{L}\p{N}=]/u.test(text.charAt(at - 1)) || /^\s?$/.test(text.charAt(at + 1))) return undefined;
  const end = text.indexOf(close, at + 1);
  // A quotation without an end goes on to the end of the line.
  if (end === -1) return letter === "'" ? undefined : text.length - 1;
  return end;
}

function codeEnd(text: string, at: number): number {
  const marks = /^`+/.exec(text.slice(at, at + 20))?.[0] ?? "`";
  const end = text.indexOf(marks, at + marks.length);
  return end === -1 ? text.length - 1 : end + marks.length - 1;
}

function add(written: string, mark: string, bare: boolean, sentences: Sentence[]): void {
  if (written.trim() === "") return;
  const text = written.replace(/!+$/, "");
  sentences.push({ text, tokens: tokensOf(text), isQuestion: "?？".includes(mark) && mark !== "", bare });
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let i = 0;
  while (i < text.length) {
    if (/\s/.test(text.charAt(i))) {
      i++;
      continue;
    }
    const end = spanEnd(text, i);
    const isSpan = end !== undefined;
    const stop = isSpan ? end + 1 : wordEnd(text, i);
    tokens.push(isSpan ? spanToken(text, i, stop) : wordToken(text, i, stop));
    i = stop;
    // Characters directly behind a span are its punctuation.
    if (isSpan) while (/[,:;.，：)]/.test(text.charAt(i))) i++;
  }
  return tokens;
}

function wordEnd(text: string, at: number): number {
  let i = at;
  while (i < text.length && !/[\s`]/.test(text.charAt(i))) i++;
  return Math.max(i, at + 1);
}

function afterOf(text: string): Token["after"] {
  if (/^[,，、—–]/.test(text)) return ",";
  return /^[:：]/.test(text) ? ":" : "";
}

function spanToken(text: string, start: number, stop: number): Token {
  const marks = /^`+/.exec(text.slice(start, stop))?.[0].length ?? 1;
  const inner = text.slice(start + marks, stop - marks).trim();
  const kind = text.charAt(start) === "`" ? "code" : "quoted";
  return { kind, text: inner, low: "", after: afterOf(text.slice(stop, stop + 1)), start };
}

function wordToken(text: string, start: number, stop: number): Token {
  const written = text.slice(start, stop);
  const mark = /[,:;!?，：、)]+$/.exec(written)?.[0] ?? "";
  const word = mark.length === written.length ? written : written.slice(0, written.length - mark.length);
  const isDash = /^(?:[—–→]|--?|[-=]>)$/.test(word);
  const low = isDash ? "" : word.toLowerCase().replaceAll("’", "'");
  return { kind: "word", text: word, low, after: isDash ? "," : afterOf(mark), start };
}
