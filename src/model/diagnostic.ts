/** A place in a text. Zero-based, UTF-16 code units, as in the Language Server Protocol. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** A half-open span of text: `start` inclusive, `end` exclusive. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

export type Severity = "error" | "warning" | "information" | "hint";

/** One piece of text that is replaced. */
export interface TextEdit {
  /** The diagnostic's own file unless given. */
  readonly file?: string;
  readonly range: Range;
  readonly newText: string;
}

/** A change that fixes a finding. Ranges are those of the text in which it was found; edits of one file do not overlap. */
export interface Fix {
  /** What a person reads in the menu: `Rename to "late-read"`. */
  readonly title: string;
  readonly edits: readonly TextEdit[];
  /** The folder of the skill is renamed after the edits. */
  readonly renameFolder?: string;
  /** Files that are deleted after the edits. */
  readonly deletes?: readonly string[];
  /** The text stays, and the diagnostic's file is written again: as UTF-8 without a byte order mark, with plain line breaks. */
  readonly rewrites?: true;
  /** A choice for a person, because a text of theirs goes or is made up: fixing everything at once leaves it out. */
  readonly byHand?: true;
}

/**
 * Something wrong, or worth knowing, in a file a person wrote.
 * `message` says what is wrong and why; `next` says what to do about it.
 */
export interface Diagnostic {
  /** Stable: `HASP1xx` SKILL.md, `2xx` PF, `3xx` cases, `4xx` library, `5xx` episodes and runs, `6xx` models, `7xx` reviews; `TSnnnn` for a type error. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly next?: string;
  /** Path of the file, as the caller named it; absent where the text has none. */
  readonly file?: string;
  readonly range: Range;
  /** The one that is most likely meant first. */
  readonly fixes?: readonly Fix[];
}

/** What reading untrusted input yields: whatever could be read, and all that was wrong with it. */
export interface Checked<T> {
  readonly value: T | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export const START_OF_FILE: Range = {
  start: { line: 0, character: 0 },
  end: { line: 0, character: 0 },
};

/** True when nothing in the list is an error, so the value may be used. */
export function isClean(diagnostics: readonly Diagnostic[]): boolean {
  return !diagnostics.some((d) => d.severity === "error");
}

/** Without repeats: the same complaint can come from two readers of one file, e.g. a syntax error from the checker and the transpiler. */
export function once(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics.filter(({ code, range, file }) => {
    const key = JSON.stringify([code, range, file]);
    return !seen.has(key) && seen.add(key);
  });
}
