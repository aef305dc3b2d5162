import ts from "typescript";
import {
  bare,
  isConstant,
  isInFunction,
  keywordOf,
  memberName,
  rootOf,
  walk,
  writtenBy,
  type PfModule,
} from "../pf-module.ts";
import type { Report } from "../report.ts";
import { edit, fix, replace } from "./fixes.ts";

const USE_MEMORY =
  "Keep what must last within an episode in `ctx.memory`, and everything else inside the function.";

const MUTATORS: ReadonlySet<string> = new Set(
  "push pop shift unshift splice sort reverse fill copyWithin set add delete clear".split(" "),
);

/** State that would survive a call: `let` at the top, or writes to what stands at the top (HASP208). */
export function moduleState(module: PfModule, report: Report): void {
  for (const statement of module.ast.statements) {
    if (ts.isVariableStatement(statement) && !isAmbient(statement)) checkKeyword(statement, module, report);
  }
  walk(module.ast, (node) => {
    const target = isInFunction(node) ? changedBy(node) : undefined;
    const root = target === undefined ? undefined : rootOf(target);
    if (target === undefined || root === undefined || !ts.isIdentifier(root)) return;
    if (!isConstantOfModule(root, target, module) || isOwnMethod(root.text, node, module)) return;
    report.error(
      "HASP208",
      module.rangeOf(node),
      `This changes \`${root.text}\`, which every call and every episode would share.`,
      USE_MEMORY,
    );
  });
  walk(module.ast, (node) => checkStickyPattern(node, module, report));
}

function isAmbient(statement: ts.VariableStatement): boolean {
  return (statement.modifiers ?? []).some((m) => m.kind === ts.SyntaxKind.DeclareKeyword);
}

function checkKeyword(statement: ts.VariableStatement, module: PfModule, report: Report): void {
  const { declarationList } = statement;
  const keyword = keywordOf(declarationList);
  if (keyword === "const") return;
  const start = declarationList.getStart(module.ast);
  report.error(
    "HASP208",
    module.text.range(start, start + keyword.length),
    `\`${keyword}\` at the top of the module is state that every call and every episode would share.`,
    `Write \`const\`. ${USE_MEMORY}`,
    isNeverWritten(declarationList, module)
      ? [fix("Write `const`", [edit(module, start, start + keyword.length, "const")])]
      : [],
  );
}

/** All of them have a value from the start, and nothing gives them another. */
function isNeverWritten({ declarations }: ts.VariableDeclarationList, module: PfModule): boolean {
  const names = new Set(declarations.map(({ name }) => name.getText(module.ast)));
  let written = declarations.some(
    ({ name, initializer }) => !ts.isIdentifier(name) || initializer === undefined,
  );
  walk(module.ast, (node) => {
    const target = writtenBy(node);
    const inner = target === undefined ? undefined : bare(target);
    written ||=
      inner !== undefined &&
      (!ts.isIdentifier(inner) ? names.has(rootOf(inner).getText(module.ast)) : names.has(inner.text));
  });
  return !written;
}

/** What the node changes: an assignment's target, or the receiver of a mutating method. */
function changedBy(node: ts.Node): ts.Expression | undefined {
  const written = writtenBy(node);
  if (written !== undefined) return written;
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { name, expression } = node.expression;
  if (ts.isIdentifier(expression) && expression.text === "Object" && name.text === "assign")
    return node.arguments[0];
  return MUTATORS.has(name.text) ? expression : undefined;
}

/** A top-level variable (or a static of a top-level class) that no inner declaration hides. */
function isConstantOfModule(root: ts.Identifier, target: ts.Expression, module: PfModule): boolean {
  const declaration = module.topLevel.get(root.text);
  if (declaration === undefined || module.inner.has(root.text)) return false;
  // `let` itself is reported where it is declared; one complaint is enough.
  if (bare(target) === root && ts.isVariableDeclaration(declaration) && !isConstant(declaration))
    return false;
  return ts.isVariableDeclaration(declaration) || ts.isClassLike(declaration);
}

/** `table.add(1, 2)` where the author's own object or class has a method of that name. */
function isOwnMethod(name: string, node: ts.Node, module: PfModule): boolean {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const declaration = module.topLevel.get(name);
  if (declaration === undefined) return false;
  if (ts.isClassLike(declaration)) return true;
  const value =
    ts.isVariableDeclaration(declaration) && declaration.initializer
      ? bare(declaration.initializer)
      : undefined;
  if (value === undefined) return false;
  if (ts.isNewExpression(value))
    return !/^(Map|Set|WeakMap|Array)$/.test(value.expression.getText(module.ast));
  return (
    ts.isObjectLiteralExpression(value) &&
    bare(node.expression.expression) === rootOf(node.expression.expression)
  );
}

/** `/x/g.test()` remembers where it stopped, so the next call begins there. */
function checkStickyPattern(node: ts.Node, module: PfModule, report: Report): void {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression) || !isInFunction(node))
    return;
  const { name, expression } = node.expression;
  if (name.text !== "test" || !ts.isIdentifier(expression) || module.inner.has(expression.text)) return;
  const declaration = module.topLevel.get(expression.text);
  const value =
    declaration !== undefined && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
  if (value === undefined || !ts.isRegularExpressionLiteral(value) || !/\/[a-z]*[gy][a-z]*$/.test(value.text))
    return;
  report.error(
    "HASP208",
    module.rangeOf(node),
    `\`${expression.text}\` has the flag g or y: \`test\` remembers where it stopped, and the next call begins there.`,
    "Drop the flag; `test` does not need it.",
    [
      fix("Drop the flag", [
        replace(module, value, value.text.replace(/[gy]+(?=[a-z]*$)|(?<=\/[a-z]*)[gy]/g, "")),
      ]),
    ],
  );
}

/** Writes to the PF's own fields after construction (HASP209). */
export function instanceState(module: PfModule, report: Report): void {
  for (const owner of module.lineage) {
    for (const member of owner.members) {
      if (ts.isConstructorDeclaration(member)) continue;
      walk(member, (node) => {
        if (ts.isClassLike(node) || ts.isFunctionExpression(node) || ts.isFunctionDeclaration(node))
          return false;
        const target = instanceTarget(node, owner);
        if (target !== undefined) {
          report.error(
            "HASP209",
            module.rangeOf(node),
            `This changes \`${target}\` of the PF, which every step and every episode would share.`,
            USE_MEMORY,
          );
        }
        return undefined;
      });
    }
  }
}

function instanceTarget(node: ts.Node, owner: ts.ClassLikeDeclaration): string | undefined {
  const target = changedBy(node);
  if (target === undefined || rootOf(target).kind !== ts.SyntaxKind.ThisKeyword) return undefined;
  const field = firstMember(target);
  if (field === undefined) return undefined;
  return writtenBy(node) === undefined && !holdsCollection(owner, field) ? undefined : `this.${field}`;
}

/** `x` in `this.x.y[0]`. */
function firstMember(node: ts.Expression): string | undefined {
  const inner = bare(node);
  if (!ts.isPropertyAccessExpression(inner) && !ts.isElementAccessExpression(inner)) return undefined;
  if (bare(inner.expression).kind === ts.SyntaxKind.ThisKeyword) return memberName(inner) ?? "[…]";
  return firstMember(inner.expression);
}

function holdsCollection(owner: ts.ClassLikeDeclaration, field: string): boolean {
  return owner.members.some((member) => {
    if (!ts.isPropertyDeclaration(member) || member.initializer === undefined) return false;
    const isField =
      (ts.isIdentifier(member.name) || ts.isPrivateIdentifier(member.name)) && member.name.text === field;
    const value = bare(member.initializer);
    const isCollection =
      ts.isArrayLiteralExpression(value) ||
      (ts.isNewExpression(value) &&
        ts.isIdentifier(value.expression) &&
        /^(Map|Set|WeakMap|Array)$/.test(value.expression.text));
    return isField && isCollection;
  });
}
