import type { Diagnostic, Position, Range } from "../../model/diagnostic.ts";
import { NOT_YAML } from "../../skill/frontmatter-fixes.ts";

/** Something that VS Code itself shows for the same text. */
export interface TheirProblem {
  /** `2304` for a type error, without letters; empty where it has none. */
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

function isPfDouble(ours: Diagnostic, theirs: TheirProblem): boolean {
  if (ours.code.startsWith("TS"))
    return ours.code === `TS${theirs.code}` && overlaps(ours.range, theirs.range);
  return covers(theirs.range, ours.range) || sameStart(theirs.range, ours.range);
}

const BROKEN_YAML = "HASP106";
/** A required standard key is missing: VS Code says so at the opening fence. */
const MISSING_KEY = "HASP110";

function isSkillDouble(ours: Diagnostic, theirs: TheirProblem): boolean {
  if (ours.code === BROKEN_YAML) {
    // Two parsers give up at different places over one mistake; a mistake that we know by itself is where it was made.
    return ours.message.startsWith(NOT_YAML) || overlaps(ours.range, theirs.range);
  }
  const { line, character } = theirs.range.start;
  if (ours.code === MISSING_KEY && line === 0 && character === 0) return true;
  return sameStart(theirs.range, ours.range);
}

type Filter = (ours: readonly Diagnostic[], theirs: readonly TheirProblem[]) => readonly Diagnostic[];

function without(isDouble: (ours: Diagnostic, theirs: TheirProblem) => boolean): Filter {
  return (ours, theirs) =>
    ours.filter((diagnostic) => !theirs.some((problem) => isDouble(diagnostic, problem)));
}

/**
 * The diagnostics of ours for a `pf.ts` that are shown beside VS Code's own type errors, so that a person sees each
 * problem once: a type error goes where theirs has its code and place, a rule of ours where their error covers it.
 */
export const withoutPfDoubles = without(isPfDouble);

/** The same for a SKILL.md, whose standard keys and YAML VS Code checks itself. */
export const withoutSkillDoubles = without(isSkillDouble);
