import { counted } from "../model/counted.ts";
import { type Diagnostic, START_OF_FILE, type Severity } from "../model/diagnostic.ts";
import {
  type ImportCounts,
  type ImportReport,
  isNeededInNone,
  type LedgerEntry,
} from "../model/import-report.ts";
import type { ForeignFormat } from "./formats/foreign.ts";
import type { FormatProblem } from "./formats/format-reader.ts";
import type { ImportLedger, WrongNumber } from "./formats/ledger.ts";
import { lineDiagnostic } from "./line-diagnostics.ts";

/** Largest document that is read as one value: 256 MiB. Lines of a file may be as many as they like. */
export const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024;

/** The code of `unknownFormat`, by which an editor knows that it has to ask. */
export const UNKNOWN_FORMAT = "HASP535";

/** The code of findings that nothing of a file or folder can be imported, by which an editor offers to choose anew. */
export const NOTHING_FOUND = "HASP532";

function about(
  code: string,
  file: string,
  message: string,
  next: string,
  severity: Severity = "error",
): Diagnostic {
  return { code, severity, message, next, file, range: START_OF_FILE };
}

/** What a format's reader found at a line. */
export function problemDiagnostic(file: string, problem: FormatProblem): Diagnostic {
  return lineDiagnostic({ code: "HASP530", file, ...problem });
}

/** `before`: the file in which it was used first. */
export function repeatedId(file: string, id: string, renamed: string, before: string): Diagnostic {
  const where = before === file ? "" : ` in ${before}`;
  const message = `The id ${quoted(id)} was used before${where}; this episode is imported as ${quoted(renamed)}.`;
  const next =
    before === file
      ? "Check whether the episode was given twice."
      : "Check whether both files hold the same episodes, as a copy of a resumed session does; then import one of them.";
  return about("HASP531", file, message, next, "warning");
}

/** Another episode of another file has the same question and first steps: a resumed session begins with a copy of the first one. */
export function repeatedSteps(
  file: string,
  id: string,
  before: { readonly id: string; readonly file: string },
): Diagnostic {
  const message = `The episode ${quoted(id)} begins with the same steps as ${quoted(before.id)} of ${before.file}.`;
  const next =
    "Import one of the two files where one is a copy that a resumed session made: steps count twice.";
  return about("HASP525", file, message, next, "warning");
}

/** The code of `episodeTooLarge`. */
const TOO_LARGE = "HASP538";

/**
 * A file of which no episode was made; `others`: what was found about it besides. Nothing where these say that its episode was too large,
 * or where a search found the file and the counts of what is needed in no episode say enough. `isNamed`: a person named it, and it is not one of many in a folder.
 */
export function nothingFound(
  { file, format }: { readonly file: string; readonly format: string },
  ledger: ImportLedger,
  others: readonly Diagnostic[],
  isNamed: boolean,
): readonly Diagnostic[] {
  const isIdle = isNeededInNone(ledger);
  const isLeftOut = others.some(({ code }) => code === TOO_LARGE);
  if (isLeftOut || (isIdle && !isNamed && others.length === 0)) return [];
  const [first, ...more] = [...ledger.dropped, ...ledger.kept];
  const why = isIdle
    ? `what it holds is needed in none (${first?.what}${more.length > 0 ? " and others" : ""})`
    : ledger.mapped.length > 0
      ? "nothing in it was done by an agent"
      : `nothing in it fits the format ${format}`;
  const message = `No episode was made of the file: ${why}.`;
  const next =
    isIdle || ledger.mapped.length > 0
      ? "Nothing to do, unless you know of an agent's work in it."
      : "Check the file, and the format named with --from.";
  return [about(NOTHING_FOUND, file, message, next, isNamed ? "error" : "information")];
}

/** Nothing of a known format is in a folder that a person named. */
export function nothingInFolder(folder: string, unread: number): Diagnostic {
  const seen = unread === 0 ? "" : `: ${counted(unread, "file")} of no known format`;
  const next =
    "Name a file, with --from where its format is not recognised; `hasp import --help` lists the formats.";
  return about(NOTHING_FOUND, folder, `No trajectory file was found${seen}.`, next);
}

/** `why`: a clause about the place. */
export function tooManySources(place: string, why: string): Diagnostic {
  const message = `The search for trajectory files ended here: this ${why}.`;
  return about("HASP526", place, message, "Import the folders below one by one.", "warning");
}

/** An error of the file system, by its code. */
export function isIoError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}

export function unreadableSource(file: string, error: Error): Diagnostic {
  const message = `This cannot be read: ${error.message}.`;
  return about("HASP534", file, message, "Give yourself the permission to read it, or leave it out.");
}

export function foreignFolder(folder: string, found: string): Diagnostic {
  const message = `The folder ${found}, so nothing was written into it.`;
  return about("HASP533", folder, message, "Name an empty or a new folder with -o.");
}

export function missingSource(file: string): Diagnostic {
  return about("HASP534", file, "There is no such file.", "Check the path of the file to import.");
}

export function notPlainSource(file: string): Diagnostic {
  const message = "This is no plain file but a pipe or a device, and is not read.";
  return about("HASP534", file, message, "Name a file or a folder; write what a pipe gives into one first.");
}

export function packedSource(file: string): Diagnostic {
  const message = "The file is packed with Zstandard, which Node has from version 22.15 on.";
  return about("HASP534", file, message, "Use Node 22.15 or newer, or unpack the file first: zstd -d.");
}

export function damagedPack(file: string, why: string): Diagnostic {
  const message = `The file is not read to its end: ${why}; what stands before is imported.`;
  return about("HASP536", file, message, "Copy the file again.");
}

export function unknownFormat(file: string): Diagnostic {
  const message = "The format of the file was not recognised by its content.";
  return about(UNKNOWN_FORMAT, file, message, "Name it with --from; `hasp import --help` lists the formats.");
}

export function emptyFile(file: string): Diagnostic {
  const next = "Check whether the program that was to write it has ended, and copy it again.";
  return about(UNKNOWN_FORMAT, file, "The file is empty.", next);
}

export function unknownInUtf16(file: string): Diagnostic {
  const message = "The file is in UTF-16, and the format of its lines was not recognised by their content.";
  return about(UNKNOWN_FORMAT, file, message, "Save it in UTF-8, or name its format with --from.");
}

/** The code of `foreignFile`. */
export const FOREIGN_FORMAT = "HASP507";

/** The file is of a program that is known, and HASP does not read it. */
export function foreignFile(file: string, { what, next }: ForeignFormat): Diagnostic {
  return about(FOREIGN_FORMAT, file, `This is ${what}. HASP does not read it.`, next);
}

/** Recorded answers say nothing of how their solutions are to be read. `isNamed`: a person named the file, no search found it. */
export function domainMissing(file: string, lacksQuestions: boolean, isNamed: boolean): Diagnostic {
  const message = "The file holds recorded answers, and their domain is not named.";
  const questions = lacksQuestions ? " Its rows have no `question`: add --questions <file> as well." : "";
  return about(
    "HASP528",
    file,
    message,
    `Name it with --domain; \`hasp import --help\` lists them.${questions}`,
    isNamed ? "error" : "information",
  );
}

/** What was named for recorded answers, and no file holds any. */
export function answersUnused({ domain, questions }: ImportReport["order"]): readonly Diagnostic[] {
  const given = [domain !== undefined && "domain", questions !== undefined && "questions"].filter(Boolean);
  if (given.length === 0) return [];
  const message = `The ${given.join(" and ")} that you named ${given.length > 1 ? "are" : "is"} not used: no file holds recorded answers.`;
  const next = "Leave it out, or add --from answers where the files hold such rows.";
  return [{ code: "HASP527", severity: "information", message, next, range: START_OF_FILE }];
}

/** `line` and `character` are 0-based: where the text stops being JSON. */
export function damaged(file: string, line: number, character: number, why: string): Diagnostic {
  const at = { line, character };
  return {
    code: "HASP536",
    severity: "warning",
    message: `Line ${line + 1}: the JSON is damaged here: ${why}. What stands before this place is imported.`,
    next: "Get the file again where you can; an episode that breaks off has the stop reason `interrupted`.",
    file,
    range: { start: at, end: at },
  };
}

export function documentTooLarge(file: string): Diagnostic {
  const limit = MAX_DOCUMENT_BYTES / 1024 / 1024;
  const message = `The file is one document of more than ${limit} MiB and is not read.`;
  return about("HASP537", file, message, "Split it, or write it as JSON lines, one episode each.");
}

/** `why`: why it could not be read again as it was. */
export function episodeTooLarge(file: string, id: string, why: string, cut: boolean): Diagnostic {
  const name = `The episode ${quoted(id)}`;
  const message = cut
    ? `${name} could not be read again: ${why}; what is only in \`extra\` was left out.`
    : `${name} could not be read again and was left out: ${why}.`;
  const next = "Shorten what is too long in it; docs/formats.md lists the limits.";
  return about(TOO_LARGE, file, message, next, cut ? "warning" : "error");
}

/** Characters of a stranger's text that a message shows. */
const SHOWN = 200;

const quoted = (text: string): string => JSON.stringify(text.slice(0, SHOWN));

/** A number that no episode can hold; `line` is 0-based. */
export function wrongNumber(file: string, line: number, { field, given, became }: WrongNumber): Diagnostic {
  // An object may have a `toString` of its own, which is no function.
  const kind = typeof given === "object" ? "holds no number" : `is ${JSON.stringify(given).slice(0, SHOWN)}`;
  const fate = became === undefined ? "it is left out" : `it is rounded to ${became}`;
  return lineDiagnostic({
    code: "HASP529",
    severity: "warning",
    file,
    line,
    message: `\`${field.slice(0, SHOWN)}\` ${kind}, and a number from 0 to 2^53-1 is expected; ${fate}.`,
    next: "Check what wrote the file; the episode is imported otherwise.",
  });
}

/** What a person should know of a file's episodes as a whole: lines that nobody knows, and episodes that lack something. */
export function oddities(
  file: string,
  { episodes, withoutStep, withoutQuestion }: ImportCounts,
  unknown: readonly LedgerEntry[],
): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  if (unknown.length > 0) {
    const named = unknown.slice(0, 5).map(({ what, times }) => `${what.slice(0, SHOWN)} ×${times}`);
    const more = unknown.length > 5 ? ` and ${unknown.length - 5} more kinds` : "";
    const message = `Of kinds that HASP does not know, and in no episode: ${named.join(", ")}${more}.`;
    found.push(about("HASP522", file, message, UNKNOWN_NEXT, "warning"));
  }
  const some = (count: number, what: string): string =>
    `${count} of ${episodes} ${episodes === 1 ? "episode" : "episodes"} ${count === 1 ? "has" : "have"} ${what}`;
  if (withoutStep > 0)
    found.push(
      about(
        "HASP523",
        file,
        `${some(withoutStep, "no step")}: nothing in it was done by an agent.`,
        "Check whether the file is whole.",
        "warning",
      ),
    );
  if (withoutQuestion > 0)
    found.push(
      about(
        "HASP524",
        file,
        `${some(withoutQuestion, "no question")}: no words of a person stand before the first step.`,
        "Check whether the exporter records what the person said.",
        "information",
      ),
    );
  return found;
}

const UNKNOWN_NEXT =
  "Check what wrote them; if it is a newer version of this program, report it, with a line of each kind.";

export function notNumbers(file: string, count: number): Diagnostic {
  const message = `${count} ${count === 1 ? "value is" : "values are"} NaN or Infinity, which JSON does not know; null stands there now.`;
  return about("HASP539", file, message, "Nothing to do, unless you need them.", "information");
}

/** The run has no `import.json`. */
export function noReport(folder: string): Diagnostic {
  const message = "The run has no import.json: no import made it, or one before reports were kept.";
  return about("HASP506", folder, message, "Import its files again to get a report.");
}

export function unreadableReport(file: string, problem: string): Diagnostic {
  const message = `This is no report of an import: ${problem}.`;
  return about("HASP506", file, message, "Import the files again.");
}
