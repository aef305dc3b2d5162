import { DIMENSIONS, type Review, type ReviewEdit, type ReviewedFile } from "../model/review.ts";
import { linkFeedback, type SkillTexts } from "./feedback-links.ts";
import { linesOf } from "./numbered-lines.ts";

/** Lines of a file, 1-based and both inclusive. */
export interface LinePlace {
  readonly first: number;
  readonly last: number;
}

/** A piece of a review that speaks of lines of a file. */
export interface FeedbackThread extends LinePlace {
  readonly file: ReviewedFile;
  /** `Trigger 0.70`, `Suggestion`. */
  readonly title: string;
  /** The teacher's words. */
  readonly text: string;
  /** The lines as they were reviewed, joined by \n; undefined where nobody knows, since the file has changed. */
  readonly original: string | undefined;
  /** There to be applied. */
  readonly edit?: ReviewEdit;
}

const TITLES = {
  concept: "Concept",
  trigger: "Trigger",
  intervene: "Intervention",
  exec: "Execution",
  val: "Value",
} as const;

/**
 * The comments, suggestions and edits of a review that name a line, each at the first line that it names. `texts` is the skill as
 * it is now, `changed` the files of it that the review did not see so: of these only edits know the lines that they mean.
 */
export function feedbackThreads(
  {
    scores,
    comments,
    suggestions,
    edits = [],
  }: Pick<Review, "scores" | "comments" | "suggestions" | "edits">,
  texts: SkillTexts,
  changed: readonly ReviewedFile[],
): readonly FeedbackThread[] {
  const said = [
    ...DIMENSIONS.map((name) => ({
      title: `${TITLES[name]} ${scores[name].toFixed(2)}`,
      text: comments[name] ?? "",
    })),
    ...suggestions.map((text) => ({ title: "Suggestion", text })),
  ];
  const named = said.flatMap(({ title, text }) => {
    const place = firstPlace(text, texts);
    if (place === undefined) return [];
    const { file, line } = place;
    const lines = linesOf(texts[file] ?? "");
    // A file has an empty line after its last end, which is nothing to speak of.
    const at = Math.max(1, Math.min(line, lines.length));
    const original = changed.includes(file) ? undefined : lines[at - 1];
    return [{ file, title, text, first: at, last: at, original }];
  });
  const applicable = edits
    .filter(({ file }) => texts[file] !== undefined)
    .map((edit) => {
      const { file, first, last, original, why } = edit;
      return { file, title: "Suggestion", text: why, first, last, original, edit };
    });
  return [...named, ...applicable];
}

function firstPlace(text: string, texts: SkillTexts): { file: ReviewedFile; line: number } | undefined {
  for (const { file, line } of linkFeedback(text, texts))
    if (file !== undefined && line !== undefined) return { file, line };
  return undefined;
}

/** Whether these lines of the text are those that were reviewed. White space at their ends counts, since it is replaced too. */
function isAt(text: string, { first, last }: LinePlace, original: string): boolean {
  const lines = linesOf(text);
  return last <= lines.length && lines.slice(first - 1, last).join("\n") === original;
}

/** The one place in the text with these lines; undefined where there is none, or more than one. */
function onlyPlace(text: string, original: string): LinePlace | undefined {
  const lines = linesOf(text);
  const wanted = original.split("\n");
  const found = lines.flatMap((_, at) => (wanted.every((line, i) => lines[at + i] === line) ? [at] : []));
  const [only] = found;
  return only === undefined || found.length > 1 ? undefined : { first: only + 1, last: only + wanted.length };
}

/** The place of the lines in a text: one of the places where they may be, else the only one that has them; undefined: they are stale. */
export function placeNow(
  text: string,
  original: string | undefined,
  candidates: readonly LinePlace[],
): LinePlace | undefined {
  if (original === undefined) return undefined;
  const known = candidates.find((place) => isAt(text, place, original));
  return known === undefined ? onlyPlace(text, original) : { first: known.first, last: known.last };
}

/** A change of a text as editors tell it: 0-based lines of the text before it, and what they became. */
export interface LineChange {
  readonly firstLine: number;
  readonly lastLine: number;
  /** It ends before the first character of its last line. */
  readonly endsAtStart: boolean;
  readonly text: string;
}

/** The place after changes above it; a change inside leaves it, and whoever asks looks whether the lines are still there. */
export function shifted({ first, last }: LinePlace, changes: readonly LineChange[]): LinePlace {
  const delta = changes.reduce((sum, { firstLine, lastLine, endsAtStart, text }) => {
    const isAbove = lastLine < first - 1 || (lastLine === first - 1 && endsAtStart);
    return isAbove ? sum + (text.split("\n").length - 1) - (lastLine - firstLine) : sum;
  }, 0);
  return { first: first + delta, last: last + delta };
}

/** The text with an edit at this place, with the line ends that it has. */
export function withEdit(text: string, { first, last }: LinePlace, replacement: string): string {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/\r\n|\n/);
  const taken = replacement === "" ? [] : replacement.split("\n");
  return [...lines.slice(0, first - 1), ...taken, ...lines.slice(last)].join(end);
}
