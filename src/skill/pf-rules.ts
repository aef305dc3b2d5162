import type { Diagnostic } from "../model/diagnostic.ts";
import type { Checker } from "./checker.ts";
import { parsePf, type PfModule } from "./pf-module.ts";
import { isReadable, unlessTooDeep } from "./readable.ts";
import { reportOn, type Report } from "./report.ts";
import { constantTrigger, endlessModify } from "./rules/limits.ts";
import { forbiddenNames, patchedBuiltIns } from "./rules/names.ts";
import { erasable, imports, interventionTypes, pfShape } from "./rules/shape.ts";
import { instanceState, moduleState } from "./rules/state.ts";
import { promptActivation, teacherIsOptional } from "./rules/teacher.ts";
import { sourceText } from "./source-text.ts";
import { domainInPath } from "./vocabulary.ts";

/** `domain`: of the skill, where its path says so. */
type Rule = (module: PfModule, report: Report, domain: string | undefined) => void;

/** To add a rule, write it in `rules/`, put it here, and describe its code in `rule-table.ts` and docs/rules. */
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
  endlessModify,
  constantTrigger,
];

/**
 * HASP's own rules (`HASP2xx`) on one `pf.ts`, in the order of the text: same input, same answer, and nothing from outside.
 * A rule keeps silent where it is not sure; the sandbox has the last word.
 */
export function checkPfRules(file: string, source: string): readonly Diagnostic[] {
  const report = reportOn(file);
  const text = sourceText(source);
  if (!isReadable(text, report)) return report.diagnostics;
  unlessTooDeep(text, report, () => {
    const module = parsePf(source);
    for (const rule of RULES) rule(module, report, domainInPath(file));
  });
  return inOrder(report.diagnostics);
}

/** Types and rules together. Where a rule and the compiler complain about the same place, the rule, which says what to do, stands alone. */
export function checkPf(checker: Checker, file: string, source: string): readonly Diagnostic[] {
  const rules = checkPfRules(file, source);
  if (rules.some((d) => d.code === "HASP215")) return rules;
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
