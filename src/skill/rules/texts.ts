import ts from "typescript";
import { nameScopes } from "../name-scopes.ts";
import { bare, walk, type PfModule } from "../pf-module.ts";
import { MOST_QUESTIONS, questionMarks, signIn, warnOfQuestion } from "../question-marks.ts";
import type { Report } from "../report.ts";
import { writtenTexts, type TextPart } from "../written-texts.ts";

/** The text that a node gives the policy to read: the first argument of `injectContext`, or the `contextText` of an intervention. */
function contextIn(node: ts.Node, module: PfModule): ts.Expression | undefined {
  if (ts.isShorthandPropertyAssignment(node) && node.name.text === "contextText") return node.name;
  if (ts.isPropertyAssignment(node) && isName(node.name, "contextText")) return node.initializer;
  if (!ts.isCallExpression(node)) return undefined;
  const callee = bare(node.expression);
  const imported = ts.isIdentifier(callee) ? module.topLevel.get(callee.text) : undefined;
  const isInjection =
    imported !== undefined &&
    ts.isImportSpecifier(imported) &&
    (imported.propertyName ?? imported.name).text === "injectContext";
  return isInjection ? node.arguments[0] : undefined;
}

const isName = (name: ts.PropertyName, wanted: string): boolean =>
  (ts.isIdentifier(name) || ts.isStringLiteral(name)) && name.text === wanted;

/** Offsets in the file of the questions of one text; of a sign that an escape hides, where its literal begins. */
function questionsOf(parts: readonly TextPart[], module: PfModule): readonly number[] {
  const marks = questionMarks(parts.map(({ text }) => text).join("")).slice(0, MOST_QUESTIONS);
  let from = 0;
  return parts.flatMap(({ text, node }) => {
    const own = marks.filter((mark) => mark >= from && mark < from + text.length).map((mark) => mark - from);
    from += text.length;
    if (node === undefined) return [];
    const start = node.getStart(module.ast);
    const written = module.ast.text.slice(start, node.end);
    return own.map((mark) => start + (signIn(written, text, mark) ?? 0));
  });
}

/** A question in what the policy is given to read (HASP856), as far as literals of the file show it. */
export function questionInContext(module: PfModule, report: Report): void {
  const names = nameScopes(module.ast);
  const found = new Set<number>();
  walk(module.ast, (node) => {
    const context = contextIn(node, module);
    const texts = context === undefined ? [] : writtenTexts(context, module, names);
    for (const place of texts.flatMap((parts) => questionsOf(parts, module))) found.add(place);
  });
  for (const place of [...found].toSorted((a, b) => a - b))
    warnOfQuestion(report, module.text.range(place, place + 1));
}
