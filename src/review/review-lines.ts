import type { Dimension, Said } from "../model/review.ts";

/** What a line that begins with the name of a dimension holds. */
export type ScoreLine = { readonly dimension: Dimension } & (
  | { readonly kind: "score"; readonly score: number; readonly text: string }
  /** Something stands where the score belongs, and it is no number from 0 to 1. */
  | { readonly kind: "unreadable"; readonly text: string }
  | { readonly kind: "comment"; readonly text: string }
  /** The name alone, as in a Markdown heading. */
  | { readonly kind: "heading" }
);

export type DecisionLine =
  | { readonly kind: "heading"; readonly word?: undefined }
  /** `word` is undefined where it is none, or more than one. */
  | { readonly kind: "said"; readonly word: Said | undefined };

const NAMES: readonly (readonly [Dimension, string])[] = [
  ["concept", "concept"],
  ["trigger", "trigger"],
  ["intervene", "interven(?:e|tion)"],
  ["exec", "exec(?:utab(?:ility|le)|ution)?"],
  ["val", "val(?:idation)?(?:[ _]utility)?"],
];
const BEFORE = "^(?:dimension\\s*\\d\\s*[:.–—-]?\\s*)?(?:q[ _-]?)?";
/** As in `Concept (Q_concept)`. */
const ASIDE = "\\s*(?:\\([^)]*\\))?\\s*";

const LINES = NAMES.map(([dimension, name]) => ({
  dimension,
  comment: new RegExp(`${BEFORE}${name}${ASIDE}(?:why|comments?|feedback|reason(?:ing)?)\\s*[:=–—]`, "i"),
  score: new RegExp(`${BEFORE}${name}${ASIDE}(?:score|rating)?\\s*[:=|–—-]\\s*(.*)$`, "i"),
  heading: new RegExp(`${BEFORE}${name}${ASIDE}[:|]?$`, "i"),
}));

/** Number, then nothing, `/1`, or a sign that ends it: `1 of the searches` and `0.7–0.8` are no scores. */
const SCORE =
  /^\[?((?:\d+(?:\.\d+)?|\.\d+))\]?(?:\s*(?:\/|out of)\s*1(?:\.0+)?(?![\d.]))?(?:\s*$|\s*[,;.|]\s*$|\s*(?:[–—|;(:]|-(?=\s)|--)(?!\s*\.?\d)\s*(.*)$)/i;
/** `0.8. Good`: a full stop only after a fraction, since `1. Good` begins a list. */
const SCORE_SENTENCE = /^(\d+\.\d+)[.,]\s+(?!\d)(.*)$/;
/** What can only be meant as a score, though it is none. */
const MEANT_AS_SCORE =
  /^(?:[[<(]?\s*[+-]?[\d.,]*\d[\d.,]*\s*(?:%|[\])>]|\/\s*\d+|[-–—]\s*[\d.]+|\s*$)|n\/?a\b|nan\b|\?|(?:±?infinity|∞))/i;

/** A label and what stands beside it are shorter. */
const LONGEST_LINE = 4000;

/**
 * Without Markdown's signs, in the plain forms of letters and digits, and with single blanks: the patterns above have
 * optional blanks side by side, which long runs of them would slow down.
 */
export function plain(raw: string): string {
  return raw
    .slice(0, LONGEST_LINE)
    .normalize("NFKC")
    .replace(/[*`]|__+/g, "")
    .replace(/\s+/g, " ")
    .replace(/^(?:[\s#|]+|[-+]\s+)+/, "")
    .replace(/^\d{1,2}[.)]\s+/, "")
    .trim();
}

/** Reads a line with the name of a dimension; with `heading`, also a bare score below it. Undefined for any other line. */
export function readScoreLine(raw: string, heading?: Dimension): ScoreLine | undefined {
  const text = plain(raw);
  for (const { dimension, comment, score, heading: alone } of LINES) {
    if (alone.test(text)) return { dimension, kind: "heading" };
    if (comment.test(text)) return { dimension, kind: "comment", text: afterLabel(raw) };
    const rest = score.exec(text)?.[1];
    const read = rest === undefined ? undefined : readScore(rest, dimension);
    if (read !== undefined) return read;
  }
  const below = heading === undefined ? undefined : text.replace(/^(?:score|rating)\s*[:=–—-]?\s*/i, "");
  return heading === undefined || below === undefined ? undefined : readScore(below, heading);
}

/** As it was written: a comment may quote code. */
function afterLabel(raw: string): string {
  return withoutPipe(raw.replace(/^[^:=–—]*[:=–—][\s*_]*/, ""));
}

/** The end of a table's row is no part of its last cell. */
function withoutPipe(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.endsWith("|") ? trimmed.slice(0, -1).trimEnd() : trimmed;
}

/** Undefined where the text is prose. */
function readScore(text: string, dimension: Dimension): ScoreLine | undefined {
  const match = SCORE.exec(text) ?? SCORE_SENTENCE.exec(text);
  const score = match?.[1] === undefined ? Number.NaN : Number(match[1]);
  if (score >= 0 && score <= 1) {
    return { dimension, kind: "score", score, text: withoutPipe(match?.[2] ?? "") };
  }
  return match !== null || MEANT_AS_SCORE.test(text) ? { dimension, kind: "unreadable", text } : undefined;
}

/** Reads a DECISION line; `below`: the line stands under a heading that says Decision. Undefined for any other line. */
export function readDecisionLine(raw: string, below = false): DecisionLine | undefined {
  const text = plain(raw);
  if (/^(?:final )?decision\s*:?$/i.test(text)) return { kind: "heading" };
  const rest =
    /^(?:final )?decision\s*[:=|–—-]\s*(.*)$/i.exec(text)?.[1] ?? (below && text !== "" ? text : undefined);
  if (rest === undefined) return undefined;
  const [, word, after = ""] = /^[[<"']?(accept|revise|reject)(?:e?d)?\b(.*)$/i.exec(rest) ?? [];
  const several = /^["'\]>]?\s*(?:[/|,]|or\b)\s*(?:or\s+)?["'[<]?(?:accept|revise|reject)/i.test(after);
  if (word === undefined || several) return { kind: "said", word: undefined };
  return { kind: "said", word: word.toUpperCase() as Said };
}
