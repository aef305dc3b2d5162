import type { Diagnostic } from "../model/diagnostic.ts";
import { REVIEWED_FILES, type ReviewEdit } from "../model/review.ts";
import type { SaidEdit } from "./edit-lines.ts";
import { linesOf, NUMBERED } from "./numbered-lines.ts";
import type { ReviewedTexts } from "./review-subject.ts";

/** The edits of a reply that fit the files, and the others as text. */
export interface CheckedEdits {
  readonly edits: readonly ReviewEdit[];
  /** Suggestions in words, one for each edit that does not fit. */
  readonly asText: readonly string[];
  /** HASP707 for each of them. */
  readonly diagnostics: readonly Diagnostic[];
}

const MOST_EDITS = 30;
/** Characters. */
const LONGEST_EDIT = 20_000;
const LONGEST_TEXT = 4000;

/**
 * Takes an edit only where its file is one that was shown, its lines are there, and the line that it quotes is the first that it
 * replaces: a number that is off by one would put code in a wrong place. White space around the quoted line does not count.
 */
export function checkEdits(said: readonly SaidEdit[], texts: ReviewedTexts): CheckedEdits {
  const edits: ReviewEdit[] = [];
  const asText: string[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const edit of said) {
    const checked = edits.length < MOST_EDITS ? checkEdit(edit, texts) : `there are more than ${MOST_EDITS}`;
    if (typeof checked !== "string") edits.push(checked);
    else {
      asText.push(wordsOf(edit));
      diagnostics.push(refusal(edit, checked));
    }
  }
  return { edits, asText, diagnostics };
}

/** The edit, or why it is none. */
function checkEdit(
  { file: name, first, last, why, was, replacement }: SaidEdit,
  texts: ReviewedTexts,
): ReviewEdit | string {
  const file = REVIEWED_FILES.find((known) => known === name);
  const text = file === undefined ? undefined : texts[file];
  if (file === undefined || text === undefined) return "the skill has no such file";
  const lines = linesOf(text);
  if (first < 1 || last < first || last > lines.length)
    return `the file has ${lines.length} lines, and none of these numbers`;
  if (was === undefined) return "it does not quote the first line that it replaces";
  if (unquoted(was) !== lines[first - 1]?.trim()) return `the line that it quotes is not line ${first}`;
  if (replacement === undefined) return "it has no block with the new lines";
  if (replacement.length > LONGEST_EDIT) return `its block is longer than ${LONGEST_EDIT} characters`;
  if (isNumbered(replacement)) return "the new lines still have their numbers";
  return {
    file,
    first,
    last,
    original: lines.slice(first - 1, last).join("\n"),
    replacement,
    why: why.slice(0, LONGEST_TEXT),
  };
}

/** Without the number that stood before it, and without backticks around it. */
function unquoted(was: string): string {
  const bare = was.replace(NUMBERED, "").trim();
  return /^`[^`]+`$/.test(bare) ? bare.slice(1, -1).trim() : bare;
}

function isNumbered(text: string): boolean {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length > 0 && lines.every((line) => NUMBERED.test(line));
}

const placeOf = ({ file, first, last }: SaidEdit): string =>
  `${file} ${first === last ? first : `${first}-${last}`}`;

function wordsOf(edit: SaidEdit): string {
  const block = edit.replacement === undefined ? "" : `\n${edit.replacement}`;
  return `${placeOf(edit)}: ${edit.why}${block}`.slice(0, LONGEST_TEXT);
}

function refusal(edit: SaidEdit, why: string): Diagnostic {
  const at = { line: edit.line, character: 0 };
  return {
    code: "HASP707",
    severity: "warning",
    message: `The edit of ${placeOf(edit).slice(0, 100)} cannot be applied: ${why}.`,
    next: "Read it among the suggestions, and change the file by hand.",
    file: "the teacher's reply",
    range: { start: at, end: at },
  };
}
