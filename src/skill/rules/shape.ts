import ts from "typescript";
import type { Fix } from "../../model/diagnostic.ts";
import { executableIn, isExecutable, type DomainScope } from "../../model/domain-spec.ts";
import { baseName, bare, memberName, methodOf, walk, type PfModule } from "../pf-module.ts";
import type { Report } from "../report.ts";
import { closest, didYouMean } from "../suggest.ts";
import {
  cut,
  cutStatement,
  fix,
  replace,
  importing,
  withBase,
  withDefaultClass,
  withMethod,
} from "./fixes.ts";

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
      withDefaultClass(module),
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
      withBase(module),
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
      withMethod(module, name),
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

/** `"@hasp/hasp"` and `"./hasp"` mean "hasp"; anything else can only go. */
function importFixes(from: ts.StringLiteral, statement: ts.Node, module: PfModule): readonly Fix[] {
  const base =
    from.text
      .split("/")
      .at(-1)
      ?.replace(/\.(?:d\.)?[tj]s$/, "") ?? "";
  const meant =
    closest(base, ["hasp"]) === undefined
      ? []
      : [fix('Import from "hasp"', [replace(module, from, '"hasp"')])];
  return [...meant, fix("Delete the import", [cutStatement(module, statement)], "by hand")];
}

/** Everything but "hasp" is out of reach (HASP207). */
export function imports(module: PfModule, report: Report): void {
  const refuse = (node: ts.Node, what: string, fixes: readonly Fix[] = []): void =>
    report.error(
      "HASP207",
      module.rangeOf(node),
      `${what} is refused: a PF is one file and may import from "hasp" alone.`,
      "Copy the function you need into this file.",
      fixes,
    );
  walk(module.ast, (node) => {
    const from =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node) ? node.moduleSpecifier : undefined;
    if (from !== undefined && ts.isStringLiteral(from) && from.text !== "hasp")
      refuse(from, `Importing "${from.text}"`, importFixes(from, node, module));
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
  const refuse = (node: ts.Node, what: string, next: string, fixes: readonly Fix[] = []): void =>
    report.error(
      "HASP213",
      module.rangeOf(node),
      `${what} cannot be erased: the sandbox runs the file with its types cut out, on the same lines.`,
      next,
      fixes,
    );
  walk(module.ast, (node) => {
    if (
      ts.canHaveModifiers(node) &&
      (ts.getModifiers(node) ?? []).some((m) => m.kind === ts.SyntaxKind.DeclareKeyword)
    )
      return false;
    if (ts.isEnumDeclaration(node))
      refuse(node.name, "An enum", 'Write a union: `type Kind = "a" | "b"`.', enumFixes(node, module));
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
      refuse(node.type, "An assertion in angle brackets", "Write `value as Type`.", [
        fix("Write it with `as`", [
          replace(
            module,
            node,
            `(${node.expression.getText(module.ast)} as ${node.type.getText(module.ast)})`,
          ),
        ]),
      ]);
    if (ts.isExportAssignment(node) && node.isExportEquals)
      refuse(node, "`export =`", "Write `export default`.", [
        fix("Write `export default`", [
          replace(module, node, `export default ${node.expression.getText(module.ast)};`),
        ]),
      ]);
    if (ts.isDecorator(node))
      refuse(node, "A decorator", "Call a function instead.", [
        fix("Delete the decorator", [cut(module, node)], "by hand"),
      ]);
    return undefined;
  });
}

/** An object of constants with the enum's names and values, and the union of the values as a type. */
function enumFixes(node: ts.EnumDeclaration, module: PfModule): readonly Fix[] {
  const { ast } = module;
  let next: number | undefined = 0;
  const members: string[] = [];
  for (const { name, initializer } of node.members) {
    const isText = initializer !== undefined && ts.isStringLiteralLike(initializer);
    if (initializer !== undefined && !isText && !ts.isNumericLiteral(initializer)) return [];
    const value: string | undefined = initializer?.getText(ast) ?? next?.toString();
    if (value === undefined) return [];
    next = isText ? undefined : Number(value) + 1;
    members.push(`${name.getText(ast)}: ${value}`);
  }
  const { text } = node.name;
  const exported = node.modifiers?.some((m) => m.kind === ts.SyntaxKind.ExportKeyword) ? "export " : "";
  const object = `${exported}const ${text} = { ${members.join(", ")} } as const;`;
  const type = `${exported}type ${text} = (typeof ${text})[keyof typeof ${text}];`;
  return [fix("Make it an object and a union", [replace(module, node, `${object}\n${type}`)])];
}

/** A change in a domain that has none, a literal action type that no environment can run, or a change that changes nothing (HASP214). */
export function interventionTypes(module: PfModule, report: Report, scope: DomainScope): void {
  walk(module.ast, (node) => {
    if (!ts.isObjectLiteralExpression(node)) return;
    const key = isModifyCall(node, module) ? "type" : isModifyLiteral(node) ? "newActionType" : undefined;
    if (key === undefined) return;
    if (scope.own?.neverModifies === true) {
      report.error(
        "HASP214",
        module.rangeOf(node),
        `No action is changed in ${scope.own.name}: the policy revises its answer itself.`,
        "Return injectContext(…) with what is wrong, or noop(…).",
      );
      return;
    }
    const value = propertyOf(node, key);
    if (value !== undefined && ts.isStringLiteralLike(value) && !isExecutable(value.text, scope)) {
      report.error(
        "HASP214",
        module.rangeOf(value),
        `"${value.text}" is no action that can be run in place of another${scope.own === undefined ? "" : ` in ${scope.own.name}`}.`,
        didYouMean(value.text, executableIn(scope)),
        typeFixes(value, scope, module),
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
        noopFixes(node, module),
      );
    }
  });
}

function typeFixes(value: ts.StringLiteralLike, scope: DomainScope, module: PfModule): readonly Fix[] {
  const match = closest(value.text, executableIn(scope));
  return match === undefined
    ? []
    : [fix(`Write "${match}"`, [replace(module, value, JSON.stringify(match))])];
}

/** `modifyAction({ reason })` that changes nothing, as the `noop(reason)` that it is. */
function noopFixes(node: ts.ObjectLiteralExpression, module: PfModule): readonly Fix[] {
  const call = node.parent;
  const reason = propertyOf(node, "reason");
  if (!ts.isCallExpression(call) || reason === undefined) return [];
  const edits = [...importing(module, "noop"), replace(module, call, `noop(${reason.getText(module.ast)})`)];
  return [fix("Return `noop(…)`", edits, "by hand")];
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
