import type { Range } from "../model/diagnostic.ts";
import type { Report } from "./report.ts";
import type { SourceText } from "./source-text.ts";

/** Questions of one text that are reported: the first few show the author what to change. */
export const MOST_QUESTIONS = 10;

/** Also the interrobang, the doubled signs, the Armenian sign and the small form. The Greek sign is a semicolon and is not told from one. */
const SIGN = /[?？؟\u2047-\u2049\u203d\u055e\ufe56]/g;

/** Text that is quoted, shown as code, linked to or struck through by a fence: words of others. Bounded, so that no text costs its square. */
const FOREIGN =
  /^[ \t]*(?:```|~~~)[^]*?(?:^[ \t]*(?:```|~~~)|(?![^]))|^[ \t]*>.*|`[^`\n]{0,400}`|https?:\/\/[^\s?]{0,2000}(?:\?[^\s?]+)?|"[^"]{0,400}"|“[^“”]{0,400}”|„[^„“”]{0,400}[“”]|«[^«»]{0,400}»|(?<![\p{L}\p{N}])['‘][^'‘’\n]{0,200}['’](?![\p{L}\p{N}])/gmu;

/**
 * A sign that ends a sentence: after a word, with or without a blank between, and before a blank, a closing sign, a dash or the end. A
 * full stop with a letter behind it is no end: `file?.txt`, `a?.b`.
 */
const ASKS =
  /[？؟\u2047-\u2049\u203d\u055e\ufe56]|(?<=[\p{L}\p{M}\p{N}"'”’»)\]*_`.…%][\u00a0\u202f]?)\?(?=$|[\s?!"'”’»)\]*_`…—–]|\.(?![\p{L}\p{N}]))|(?<=\p{L} )\?(?=\s*$|\s+\p{Lu})/gmu;

/** Offsets of the question marks with which a text itself asks; not those of quotes, code and addresses (`?x=1`). */
export function questionMarks(text: string): readonly number[] {
  if (text.search(SIGN) === -1) return [];
  const own = text.replace(FOREIGN, (words) => words.replace(/[^\n]/g, "x"));
  return [...own.matchAll(ASKS)].map(({ index }) => index);
}

/** Offset of the sign at `at` of a text in the source that the text is read from; undefined where an escape hides one. */
export function signIn(written: string, text: string, at: number): number | undefined {
  const offsets = (words: string): number[] => [...words.matchAll(SIGN)].map(({ index }) => index);
  const inSource = offsets(written);
  const inText = offsets(text);
  return inText.length === inSource.length ? inSource[inText.indexOf(at)] : undefined;
}

/** HASP856 on one sign, or on the whole text where the sign cannot be placed. */
export function warnOfQuestion(report: Report, range: Range): void {
  report.warning(
    "HASP856",
    range,
    "A question to the policy: a small model answers it in prose and forgets to act.",
    "Write it as a statement with one deed, such as “Read the document that names the author.”",
  );
}

/** HASP856 on each question of a text that is written at a range of SKILL.md. */
export function warnOfQuestions(text: string, range: Range, source: SourceText, report: Report): void {
  const start = source.offsetAt(range.start);
  const written = source.slice(range);
  for (const mark of questionMarks(text).slice(0, MOST_QUESTIONS)) {
    const at = signIn(written, text, mark);
    warnOfQuestion(report, at === undefined ? range : source.range(start + at, start + at + 1));
    if (at === undefined) return;
  }
}
