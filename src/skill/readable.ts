import { withoutNuls } from "./frontmatter-fixes.ts";
import type { Report } from "./report.ts";
import { EMPTY_PF } from "./rules/fixes.ts";
import type { SourceText } from "./source-text.ts";
import { limitOfError, tooComplex } from "./too-complex.ts";

/** A longer `pf.ts` is not looked at: whatever it is, nobody wrote it as a skill. In UTF-16 code units. */
const MAX_PF_SOURCE = 500_000;

/** Reports why a source cannot be a PF at all (HASP215): empty, binary, huge. True when it can. */
export function isReadable(text: SourceText, report: Report): boolean {
  const source = text.text;
  const nul = source.indexOf("\0");
  if (source.trim() === "") {
    report.error(
      "HASP215",
      text.range(0, 0),
      "The file is empty.",
      "Write a class that extends ProgramFunction, or delete the file: a skill may do without.",
      [
        {
          title: "Write an empty Program Function",
          edits: [{ range: text.range(0, source.length), newText: EMPTY_PF }],
          byHand: true,
        },
        { title: "Delete the file", edits: [], deletes: [report.file], byHand: true },
      ],
    );
  } else if (nul !== -1) {
    report.error(
      "HASP215",
      text.range(nul, nul + 1),
      "This is not a text file: it holds a NUL character.",
      "Save it as UTF-8 text.",
      withoutNuls(text),
    );
  } else if (source.length > MAX_PF_SOURCE) {
    report.error(
      "HASP215",
      text.firstLine(),
      `The file has ${source.length} characters; a PF may have ${MAX_PF_SOURCE}.`,
      "Move data that the PF does not need out of it.",
    );
  } else return true;
  return false;
}

/**
 * Does `work`, which walks a syntax tree. The compiler and all walks recurse, so some thousand nested brackets exhaust the
 * stack: that is a fault of the file (HASP220), and `undefined` is the answer.
 */
export function unlessTooDeep<T>(text: SourceText, report: Report, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    const limit = limitOfError(error);
    if (limit === undefined) throw error;
    const { code, range, message, next } = tooComplex(report.file, text, limit);
    report.error(code, range, message, next);
    return undefined;
  }
}
