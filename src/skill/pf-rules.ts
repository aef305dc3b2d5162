import type { Diagnostic } from "../model/diagnostic.ts";
import type { Checker } from "./checker.ts";
import { parsePf, type PfModule } from "./pf-module.ts";
import { reportOn, type Report } from "./report.ts";
import { forbiddenNames, patchedBuiltIns } from "./rules/names.ts";
import { erasable, imports, interventionTypes, pfShape } from "./rules/shape.ts";
import { instanceState, moduleState } from "./rules/state.ts";
import { promptActivation, teacherIsOptional } from "./rules/teacher.ts";

type Rule = (module: PfModule, report: Report) => void;

/** To add a rule, write it in `rules/`, put it here, and describe its code in docs/rules.md. */
const RULES: readonly Rule[] = [
  pfShape,
  imports,
  forbiddenNames,
  patchedBuiltIns,
  moduleState,
  instanceState,
  promptActivation,
  teacherIsOptional,
  interventionTypes,
  erasable,
];

/** A longer `pf.ts` is not looked at: whatever it is, nobody wrote it as a skill. In UTF-16 code units. */
export const MAX_PF_SOURCE = 500_000;

/**
 * HASP's own rules (`HASP2xx`) on one `pf.ts`, in the order of the text: same input, same answer, and nothing from outside.
 * A rule keeps silent where it is not sure; the sandbox has the last word.
 */
export function checkPfRules(file: string, source: string): readonly Diagnostic[] {
  const report = reportOn(file);
  const refusal = unreadable(source);
  if (refusal !== undefined) {
    const at = { line: 0, character: 0 };
    report.error("HASP215", { start: at, end: at }, refusal.message, refusal.next);
    return report.diagnostics;
  }
  const module = parsePf(source);
  for (const rule of RULES) rule(module, report);
  return inOrder(report.diagnostics);
}

/** Why a source cannot be a PF at all, or undefined. */
export function unreadable(source: string): { message: string; next: string } | undefined {
  if (source.trim() === "") return { message: "The file is empty.", next: "Write a class that extends ProgramFunction, or delete the file: a skill may do without." };
  if (source.includes("\0")) return { message: "This is not a text file: it holds a NUL character.", next: "Save it as UTF-8 text." };
  if (source.length <= MAX_PF_SOURCE) return undefined;
  return { message: `The file has ${source.length} characters; a PF may have ${MAX_PF_SOURCE}.`, next: "Move data that the PF does not need out of it." };
}

/** Types and rules together. Where a rule and the compiler complain about the same place, the rule, which says what to do, stands alone. */
export function checkPf(checker: Checker, file: string, source: string): readonly Diagnostic[] {
  const rules = checkPfRules(file, source);
  if (unreadable(source) !== undefined) return rules;
  const told = new Set(rules.map(place));
  return inOrder([...rules, ...checker.check(file, source).filter((d) => !told.has(place(d)))]);
}

function place({ range: { start, end } }: Diagnostic): string {
  return `${start.line}:${start.character}-${end.line}:${end.character}`;
}

function inOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.toSorted(
    (a, b) => a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character,
  );
}
