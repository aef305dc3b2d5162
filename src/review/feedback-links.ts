import { REVIEWED_FILES, type ReviewedFile } from "../model/review.ts";
import type { Feedback, FeedbackPart } from "../protocol/review.ts";

/** The files of a skill as they are now; a missing one is absent. */
export type SkillTexts = Readonly<Partial<Record<ReviewedFile, string>>>;

interface Target {
  readonly file: ReviewedFile;
  readonly line?: number;
}

const FILE = String.raw`(SKILL\.md|pf\.ts|cases\.yaml)`;
const NUMBER = String.raw`(\d{1,6})`;

/** `pf.ts:12`, `SKILL.md, line 3`, `pf.ts#L12`, or the file alone. */
const FILE_PLACE = String.raw`${FILE}(?:(?:\s?:\s?L?|#L|,?\s\(?(?:at\s)?lines?\s)${NUMBER})?`;
/** `line 12`, `Lines 3-5 of SKILL.md`. */
const LINE_PLACE = String.raw`\b[Ll]ines?\s${NUMBER}(?:\s?(?:[-–]|to|and)\s?\d{1,6})?(?:\s(?:of|in)\s${FILE})?`;
const CODE = "`([^`\\n]{2,200})`";
const QUOTED = String.raw`["“]([^"“”\n]{2,200})["”]`;

const MENTION = new RegExp(`${CODE}|${QUOTED}|${LINE_PLACE}|${FILE_PLACE}`, "g");
const ONLY_FILE_PLACE = new RegExp(`^${FILE_PLACE}$`);

/** Shorter quotations occur by chance. */
const SHORTEST_CODE = 3;
const SHORTEST_QUOTATION = 8;

/**
 * A teacher's text with its mentions of lines, code and headings of the skill's files as links. A mention of a line that the
 * file does not have, or of text that is in no file, stays text. A line without a file is one of `pf.ts`, where there is one.
 */
export function linkFeedback(text: string, files: SkillTexts): Feedback {
  const parts: FeedbackPart[] = [];
  let end = 0;
  for (const match of text.matchAll(MENTION)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index) });
    parts.push(partOf(match, files));
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

function partOf(match: RegExpExecArray, files: SkillTexts): FeedbackPart {
  const [whole, code, quoted, line, lineFile, file, fileLine] = match;
  if (code !== undefined) {
    return {
      text: code,
      code: true,
      ...(namedPlace(code, files) ?? placeOfText(code, SHORTEST_CODE, files)),
    };
  }
  if (quoted !== undefined) {
    return {
      text: whole,
      ...(headingPlace(quoted, files) ?? placeOfText(quoted, SHORTEST_QUOTATION, files)),
    };
  }
  if (line !== undefined) return { text: whole, ...place(lineFile ?? fileOfLines(files), line, files) };
  return { text: whole, ...place(file, fileLine, files) };
}

function fileOfLines(files: SkillTexts): ReviewedFile {
  return files["pf.ts"] === undefined ? "SKILL.md" : "pf.ts";
}

function place(name: string | undefined, line: string | undefined, files: SkillTexts): Target | undefined {
  const file = REVIEWED_FILES.find((known) => known === name);
  const text = file === undefined ? undefined : files[file];
  if (file === undefined || text === undefined) return undefined;
  if (line === undefined) return { file };
  const number = Number(line);
  return number >= 1 && number <= text.split("\n").length ? { file, line: number } : undefined;
}

/** Code that is itself a place: `pf.ts:12` between backticks. */
function namedPlace(code: string, files: SkillTexts): Target | undefined {
  const match = ONLY_FILE_PLACE.exec(code.trim());
  return match === null ? undefined : place(match[1], match[2], files);
}

function headingPlace(quoted: string, files: SkillTexts): Target | undefined {
  const wanted = quoted
    .replace(/^#+\s*/, "")
    .trim()
    .toLowerCase();
  const lines = (files["SKILL.md"] ?? "").split("\n");
  const found = lines.findIndex(
    (line) =>
      /^#+\s/.test(line) &&
      line
        .replace(/^#+\s*/, "")
        .trim()
        .toLowerCase() === wanted,
  );
  return found < 0 ? undefined : { file: "SKILL.md", line: found + 1 };
}

/** The first line that holds the text: of the code first, since that is what a quotation is mostly of. */
function placeOfText(quoted: string, shortest: number, files: SkillTexts): Target | undefined {
  const wanted = quoted.trim();
  if (wanted.length < shortest) return undefined;
  for (const file of ["pf.ts", "SKILL.md", "cases.yaml"] as const) {
    const at = files[file]?.indexOf(wanted) ?? -1;
    if (at >= 0) return { file, line: (files[file] ?? "").slice(0, at).split("\n").length };
  }
  return headingPlace(quoted, files);
}
