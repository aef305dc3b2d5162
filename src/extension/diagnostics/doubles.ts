import type { Diagnostic, Position, Range } from "../../model/diagnostic.ts";

/** An error that VS Code's own TypeScript shows for the same text. */
export interface TheirError {
  /** `2304`, without letters. */
  readonly code: string;
  readonly range: Range;
}

function before(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}

function overlaps(a: Range, b: Range): boolean {
  return !before(a.end, b.start) && !before(b.end, a.start);
}

function covers(outer: Range, inner: Range): boolean {
  return !before(inner.start, outer.start) && !before(outer.end, inner.end);
}

function sameStart(a: Range, b: Range): boolean {
  return a.start.line === b.start.line && a.start.character === b.start.character;
}

function isDouble(ours: Diagnostic, theirs: TheirError): boolean {
  if (ours.code.startsWith("TS"))
    return ours.code === `TS${theirs.code}` && overlaps(ours.range, theirs.range);
  return covers(theirs.range, ours.range) || sameStart(theirs.range, ours.range);
}

/**
 * What of our diagnostics for a `pf.ts` remains to be shown beside VS Code's own errors, so that a person sees each
 * problem once: a type error goes where theirs has its code and place, a rule of ours where their error covers it.
 */
export function withoutDoubles(
  ours: readonly Diagnostic[],
  theirs: readonly TheirError[],
): readonly Diagnostic[] {
  if (theirs.length === 0) return ours;
  return ours.filter((diagnostic) => !theirs.some((error) => isDouble(diagnostic, error)));
}
