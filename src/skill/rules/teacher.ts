import ts from "typescript";
import type { Fix, TextEdit } from "../../model/diagnostic.ts";
import {
  bare,
  isAssignment,
  isReference,
  methodOf,
  walk,
  type PfFunction,
  type PfModule,
} from "../pf-module.ts";
import type { Report } from "../report.ts";
import { atTop, cut, edit, fix, importing, withField } from "./fixes.ts";

/** `shouldActivate` answers at once and asks nobody (HASP210). */
export function promptActivation(module: PfModule, report: Report): void {
  const method = methodOf(module, "shouldActivate");
  if (method === undefined) return;
  const modifier = (method.modifiers ?? []).find((m) => m.kind === ts.SyntaxKind.AsyncKeyword);
  const slow = modifier ?? method.asteriskToken;
  if (slow !== undefined) {
    report.error(
      "HASP210",
      module.rangeOf(slow),
      "`shouldActivate` runs at every step and must answer at once: it cannot be async or a generator.",
      "Return true or false, and leave waiting to `intervene`.",
      [
        fix(modifier === undefined ? "Take the `*` away" : "Take `async` away", [
          cut(module, slow),
          ...promised(method, module),
        ]),
      ],
    );
  }
  const fourth = method.parameters[3];
  if (fourth !== undefined && fourth.initializer === undefined) {
    report.error(
      "HASP210",
      module.rangeOf(fourth),
      "`shouldActivate` gets no teacher: it runs at every step and must not cost a model call.",
      "Ask the teacher in `intervene`.",
      usesIn(method.body ?? method, fourth.name.getText(module.ast))
        ? []
        : [fix("Delete the parameter", [withoutParameter(method, module)])],
    );
  }
}

/** `Promise<boolean>` of a method that is no longer async. */
function promised(method: PfFunction, module: PfModule): readonly TextEdit[] {
  const { type } = method;
  if (type === undefined || !/^(?:Promise|Generator|Iterable\w*)</.test(type.getText(module.ast))) return [];
  return [edit(module, type.getStart(module.ast), type.getEnd(), "boolean")];
}

/** The fourth parameter, with the comma before it. */
function withoutParameter(method: PfFunction, module: PfModule): TextEdit {
  const [, , third, fourth] = method.parameters;
  const from = third?.getEnd() ?? fourth?.getStart(module.ast) ?? method.pos;
  return edit(module, from, fourth?.getEnd() ?? from, "");
}

/** A PF that may ask a teacher must work when there is none (HASP211). */
export function teacherIsOptional(module: PfModule, report: Report): void {
  const method = methodOf(module, "intervene");
  const name = method?.parameters[3]?.name;
  if (method?.body === undefined || name === undefined || !ts.isIdentifier(name)) return;
  const uses = usesOf(name.text, method);
  const first = uses.find((use) => isAsked(use));
  if (first === undefined) return;
  if (!uses.some(isCheck) && !isGuarded(method, name.text)) {
    report.error(
      "HASP211",
      module.rangeOf(first),
      `\`${name.text}\` is undefined when no teacher is at hand, and \`intervene\` has no path for that.`,
      `Write \`if (${name.text} === undefined) return …\` first; a PF must work without a teacher.`,
      guardFixes(method.body, name.text, module),
    );
  }
  if (wantsTeacher(module) === false) {
    report.warning(
      "HASP211",
      module.rangeOf(first),
      "The PF never gets a teacher: `needsTeacher` is not set.",
      "Add `override needsTeacher = true;` to the class.",
      [withField(module, "needsTeacher", "true")].filter((one) => one !== undefined),
    );
  }
}

/** Does nothing where there is no teacher. */
function guardFixes(body: ts.ConciseBody, name: string, module: PfModule): readonly Fix[] {
  if (!ts.isBlock(body)) return [];
  const guard = `    if (${name} === undefined) return noop("no teacher is at hand");`;
  return [
    fix(`Add \`if (${name} === undefined) return …\``, [
      ...importing(module, "noop"),
      atTop(module, body, guard),
    ]),
  ];
}

function usesOf(name: string, method: PfFunction): ts.Identifier[] {
  const uses: ts.Identifier[] = [];
  walk(method.body ?? method, (node) => {
    if (ts.isIdentifier(node) && node.text === name && isReference(node)) uses.push(node);
  });
  return uses;
}

/** The outermost of parentheses and assertions around a node. */
function dressed(node: ts.Expression): ts.Expression {
  const { parent } = node;
  const isDress =
    ts.isParenthesizedExpression(parent) || ts.isNonNullExpression(parent) || ts.isAsExpression(parent);
  return isDress ? dressed(parent) : node;
}

/** `teacher.ask` without `?.`. */
function isAsked(use: ts.Identifier): boolean {
  const outer = dressed(use);
  return (
    ts.isPropertyAccessExpression(outer.parent) &&
    outer.parent.expression === outer &&
    outer.parent.questionDotToken === undefined
  );
}

/** Any use that looks whether there is a teacher: a condition, a comparison, `?.`, `??`. */
function isCheck(use: ts.Identifier): boolean {
  const outer = dressed(use);
  const { parent } = outer;
  if (ts.isPropertyAccessExpression(parent) && parent.questionDotToken !== undefined) return true;
  if (ts.isIfStatement(parent) || ts.isConditionalExpression(parent) || ts.isPrefixUnaryExpression(parent))
    return true;
  if (ts.isWhileStatement(parent) || ts.isTypeOfExpression(parent) || ts.isSwitchStatement(parent))
    return true;
  return ts.isBinaryExpression(parent) && !isAssignment(parent);
}

/** A default value, a `try` around the call, or a check by way of another function's result: give it the benefit. */
function isGuarded(method: PfFunction, name: string): boolean {
  if (method.parameters[3]?.initializer !== undefined) return true;
  let guarded = false;
  walk(method.body ?? method, (node) => {
    if (ts.isTryStatement(node) && node.catchClause !== undefined && usesIn(node.tryBlock, name))
      guarded = true;
    if (
      ts.isCallExpression(node) &&
      node.arguments.some((a) => ts.isIdentifier(bare(a)) && a.getText() === name)
    ) {
      guarded ||= ts.isIfStatement(node.parent) || ts.isPrefixUnaryExpression(node.parent);
    }
  });
  return guarded;
}

function usesIn(block: ts.Node, name: string): boolean {
  let found = false;
  walk(block, (node) => {
    found ||= ts.isIdentifier(node) && node.text === name;
  });
  return found;
}

/** The literal value of `needsTeacher`, false when it is absent, undefined when it is computed. */
function wantsTeacher(module: PfModule): boolean | undefined {
  for (const owner of module.lineage) {
    for (const member of owner.members) {
      if (member.name?.getText(module.ast) !== "needsTeacher") continue;
      const value = ts.isPropertyDeclaration(member) ? member.initializer : undefined;
      return value === undefined ? undefined : value.kind === ts.SyntaxKind.FalseKeyword ? false : undefined;
    }
  }
  return false;
}
