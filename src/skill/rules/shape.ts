import ts from "typescript";
import { baseName, bare, memberName, methodOf, walk, type PfModule } from "../pf-module.ts";
import type { Report } from "../report.ts";
import { didYouMean } from "../suggest.ts";
import { executableIn, isExecutable } from "../vocabulary.ts";

/** The default export must be a class that extends ProgramFunction and has its two methods (HASP200, HASP201). */
export function pfShape(module: PfModule, report: Report): void {
  const { pfClass } = module;
  if (pfClass === undefined) {
    const range = module.text.range(0, 0);
    report.error(
      "HASP200",
      range,
      "The module has no class as its default export.",
      "Write `export default class MySkill extends ProgramFunction { … }`.",
    );
    return;
  }
  const range = module.rangeOf(pfClass.name ?? pfClass.getFirstToken(module.ast) ?? pfClass);
  if (!extendsProgramFunction(module)) {
    report.error(
      "HASP200",
      range,
      "The default export does not extend ProgramFunction.",
      'Add `extends ProgramFunction`, and import it from "hasp".',
    );
    return;
  }
  for (const name of ["shouldActivate", "intervene"]) {
    if (methodOf(module, name) !== undefined) continue;
    report.error(
      "HASP201",
      range,
      `The class has no method \`${name}\`.`,
      name === "intervene"
        ? "Add `intervene(ctx, actionType, arg)` and return modifyAction(…), injectContext(…) or noop(…)."
        : "Add `shouldActivate(ctx, actionType, arg)` and return true or false.",
    );
  }
}

function extendsProgramFunction(module: PfModule): boolean {
  const last = module.lineage.at(-1);
  const clause = last?.heritageClauses?.find((c) => c.token === ts.SyntaxKind.ExtendsKeyword);
  const base = last === undefined ? undefined : baseName(last);
  // `hasp.ProgramFunction` of a namespace import; a mixin or anything else is left to the type checker.
  if (base === undefined) return clause !== undefined;
  const imported = module.topLevel.get(base);
  if (imported === undefined) return base === "ProgramFunction";
  return (
    ts.isImportSpecifier(imported) && (imported.propertyName ?? imported.name).text === "ProgramFunction"
  );
}

/** Everything but "hasp" is out of reach (HASP207). */
export function imports(module: PfModule, report: Report): void {
  const refuse = (node: ts.Node, what: string): void =>
    report.error(
      "HASP207",
      module.rangeOf(node),
      `${what} is refused: a PF is one file and may import from "hasp" alone.`,
      "Copy the function you need into this file.",
    );
  walk(module.ast, (node) => {
    const from =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node) ? node.moduleSpecifier : undefined;
    if (from !== undefined && ts.isStringLiteral(from) && from.text !== "hasp")
      refuse(from, `Importing "${from.text}"`);
    if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference))
      refuse(node, "`import = require`");
    if (!ts.isCallExpression(node)) return;
    if (node.expression.kind === ts.SyntaxKind.ImportKeyword) refuse(node, "A dynamic import");
    const isRequire =
      ts.isIdentifier(node.expression) &&
      node.expression.text === "require" &&
      !module.declared.has("require");
    if (isRequire) refuse(node.expression, "`require`");
  });
}

/** TypeScript that has to be compiled and not only erased (HASP213). */
export function erasable(module: PfModule, report: Report): void {
  const refuse = (node: ts.Node, what: string, next: string): void =>
    report.error(
      "HASP213",
      module.rangeOf(node),
      `${what} cannot be erased: the sandbox runs the file with its types cut out, on the same lines.`,
      next,
    );
  walk(module.ast, (node) => {
    if (
      ts.canHaveModifiers(node) &&
      (ts.getModifiers(node) ?? []).some((m) => m.kind === ts.SyntaxKind.DeclareKeyword)
    )
      return false;
    if (ts.isEnumDeclaration(node)) refuse(node.name, "An enum", 'Write a union: `type Kind = "a" | "b"`.');
    if (ts.isModuleDeclaration(node) && ts.isIdentifier(node.name))
      refuse(node.name, "A namespace", "Write plain functions and constants.");
    if (ts.isParameter(node) && ts.isParameterPropertyDeclaration(node, node.parent)) {
      refuse(
        node,
        "A parameter property",
        "Declare the field in the class and assign it in the constructor.",
      );
    }
    if (ts.isTypeAssertionExpression(node))
      refuse(node.type, "An assertion in angle brackets", "Write `value as Type`.");
    if (ts.isExportAssignment(node) && node.isExportEquals)
      refuse(node, "`export =`", "Write `export default`.");
    if (ts.isDecorator(node)) refuse(node, "A decorator", "Call a function instead.");
    return undefined;
  });
}

/** A literal action type that no environment can run, or a change that changes nothing (HASP214). */
export function interventionTypes(module: PfModule, report: Report, domain: string | undefined): void {
  walk(module.ast, (node) => {
    if (!ts.isObjectLiteralExpression(node)) return;
    const key = isModifyCall(node, module) ? "type" : isModifyLiteral(node) ? "newActionType" : undefined;
    if (key === undefined) return;
    const value = propertyOf(node, key);
    if (value !== undefined && ts.isStringLiteralLike(value) && !isExecutable(value.text, domain)) {
      report.error(
        "HASP214",
        module.rangeOf(value),
        `"${value.text}" is no action that can be run in place of another${domain === undefined ? "" : ` in ${domain}`}.`,
        didYouMean(value.text, executableIn(domain)),
      );
    }
    const arg = key === "type" ? "arg" : "newActionArg";
    if (
      !node.properties.some(
        (p) => ts.isSpreadAssignment(p) || [key, arg].includes(p.name?.getText(module.ast) ?? ""),
      )
    ) {
      report.warning(
        "HASP214",
        module.rangeOf(node),
        "This changes neither the type nor the argument of the action.",
        "Give `type`, `arg` or both, or return noop(…).",
      );
    }
  });
}

function isModifyCall(node: ts.ObjectLiteralExpression, module: PfModule): boolean {
  const call = node.parent;
  if (!ts.isCallExpression(call) || call.arguments[0] !== node) return false;
  const callee = bare(call.expression);
  if (!ts.isIdentifier(callee))
    return memberName(callee) === "modifyAction" && ts.isPropertyAccessExpression(callee);
  const imported = module.topLevel.get(callee.text);
  return (
    imported !== undefined &&
    ts.isImportSpecifier(imported) &&
    (imported.propertyName ?? imported.name).text === "modifyAction"
  );
}

function isModifyLiteral(node: ts.ObjectLiteralExpression): boolean {
  const type = propertyOf(node, "type");
  return type !== undefined && ts.isStringLiteralLike(type) && type.text === "MODIFY_ACTION";
}

function propertyOf(node: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  for (const property of node.properties) {
    if (ts.isPropertyAssignment(property) && property.name.getText() === name)
      return bare(property.initializer);
  }
  return undefined;
}
