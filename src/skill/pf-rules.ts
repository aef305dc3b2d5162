import type { Diagnostic } from "../model/diagnostic.ts";
import { scopeOf, type DomainScope, type DomainSpec } from "../model/domain-spec.ts";
import type { Checker } from "./checker.ts";
import { parsePf, pfModuleOf, type PfModule } from "./pf-module.ts";
import { isReadable, unlessTooDeep } from "./readable.ts";
import { reportOn, type Report } from "./report.ts";
import { afterTypes, changeAfter } from "./rules/after.ts";
import { endlessExpression } from "./rules/expressions.ts";
import { constantTrigger, endlessModify } from "./rules/limits.ts";
import { forbiddenNames, patchedBuiltIns } from "./rules/names.ts";
import { erasable, imports, interventionTypes, pfShape } from "./rules/shape.ts";
import { instanceState, moduleState } from "./rules/state.ts";
import { questionInContext } from "./rules/texts.ts";
import { promptActivation, teacherIsOptional } from "./rules/teacher.ts";
import { sourceText, type SourceText } from "./source-text.ts";
import { TOO_COMPLEX } from "./too-complex.ts";

type Rule = (module: PfModule, report: Report, scope: DomainScope) => void;

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
  afterTypes,
  changeAfter,
  questionInContext,
  endlessExpression,
];

/**
 * HASP's own rules (`HASP2xx`) on one `pf.ts`, in the order of the text: same input, same answer, and nothing from outside.
 * A rule keeps silent where it is not sure; the sandbox has the last word.
 */
export function checkPfRules(
  file: string,
  source: string,
  domains: readonly DomainSpec[],
): readonly Diagnostic[] {
  const report = reportOn(file);
  const text = sourceText(source);
  if (isReadable(text, report)) applyRules(text, report, domains, () => parsePf(source));
  return inOrder(report.diagnostics);
}

function applyRules(
  text: SourceText,
  report: Report,
  domains: readonly DomainSpec[],
  parse: () => PfModule,
): void {
  unlessTooDeep(text, report, () => {
    const module = parse();
    const scope = scopeOf(report.file, domains);
    for (const rule of RULES) rule(module, report, scope);
  });
}

/** Types and rules together. Where a rule and the compiler complain about the same place, the rule, which says what to do, stands alone. */
export function checkPf(
  checker: Checker,
  file: string,
  source: string,
  domains: readonly DomainSpec[],
): readonly Diagnostic[] {
  const report = reportOn(file);
  const text = sourceText(source);
  if (!isReadable(text, report)) return report.diagnostics;
  const typed = checker.check(file, source);
  if (typed.some(isUnreadable)) return typed;
  const { tree } = checker;
  applyRules(text, report, domains, () => (tree === undefined ? parsePf(source) : pfModuleOf(tree)));
  const rules = inOrder(report.diagnostics);
  if (rules.some(isUnreadable)) return rules;
  const told = new Set(rules.map(place));
  return inOrder([...rules, ...typed.filter((d) => !told.has(place(d)))]);
}

const isUnreadable = ({ code }: Diagnostic): boolean => code === "HASP215" || code === TOO_COMPLEX;

function place({ range: { start, end } }: Diagnostic): string {
  return `${start.line}:${start.character}-${end.line}:${end.character}`;
}

function inOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.toSorted(
    (a, b) => a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character,
  );
}
