import ts from "typescript";
import { bare, memberName, type PfModule } from "./pf-module.ts";
import type { NameScopes } from "./name-scopes.ts";
import { returnedBy, type Body } from "./returned.ts";

/** What tells constant texts from built ones; `seen` holds the functions on the way, so that recursion ends. */
export interface TextScope {
  readonly module: PfModule;
  readonly names: NameScopes;
  /** The function of the file that a call runs; undefined where it cannot be told. */
  calledBy(call: ts.CallExpression): Body | undefined;
}

/**
 * True when the text is known before the PF runs: a literal, a constant of the file, several of them put together, or a choice
 * among them. Whatever cannot be followed to such an end counts as built at run time.
 */
export function isConstantText(
  node: ts.Expression,
  scope: TextScope,
  seen: ReadonlySet<ts.Node> = new Set(),
): boolean {
  const text = bare(node);
  const again = (part: ts.Expression): boolean => isConstantText(part, scope, seen);
  if (ts.isStringLiteralLike(text) || ts.isNumericLiteral(text)) return true;
  if (ts.isTemplateExpression(text)) return text.templateSpans.every((span) => again(span.expression));
  if (ts.isBinaryExpression(text)) return joins(text) && again(text.left) && again(text.right);
  if (ts.isConditionalExpression(text)) return again(text.whenTrue) && again(text.whenFalse);
  if (ts.isIdentifier(text)) return isOfConstant(text, scope, seen);
  if (ts.isPropertyAccessExpression(text) || ts.isElementAccessExpression(text))
    return isOfField(text, scope, seen) || isOfTable(text.expression, scope, seen);
  return ts.isCallExpression(text) && isOfCall(text, scope, seen);
}

function joins(node: ts.BinaryExpression): boolean {
  return [ts.SyntaxKind.PlusToken, ts.SyntaxKind.QuestionQuestionToken, ts.SyntaxKind.BarBarToken].includes(
    node.operatorToken.kind,
  );
}

function isOfConstant(name: ts.Identifier, scope: TextScope, seen: ReadonlySet<ts.Node>): boolean {
  const value = scope.names.constantOf(name);
  if (value === undefined || seen.has(value)) return false;
  return isConstantText(value, scope, new Set([...seen, value]));
}

/** `this.hint` and `Sample.HINT`: a readonly field that a constant fills and that nothing writes to. */
function isOfField(
  node: ts.PropertyAccessExpression | ts.ElementAccessExpression,
  scope: TextScope,
  seen: ReadonlySet<ts.Node>,
): boolean {
  const name = memberName(node);
  const owner = bare(node.expression);
  const isStatic = ts.isIdentifier(owner);
  if (name === undefined || scope.names.isWritten(name)) return false;
  if (!isStatic && owner.kind !== ts.SyntaxKind.ThisKeyword) return false;
  const from = isStatic ? scope.names.declarationOf(owner) : undefined;
  for (const line of scope.module.lineage) {
    if (isStatic && line !== from) continue;
    const field = line.members.find((member) => member.name?.getText() === name);
    if (field === undefined) continue;
    return isFixed(field, isStatic) && isConstantText(field.initializer, scope, seen);
  }
  return false;
}

type FixedField = ts.PropertyDeclaration & { readonly initializer: ts.Expression };

function isFixed(field: ts.ClassElement, isStatic: boolean): field is FixedField {
  if (!ts.isPropertyDeclaration(field) || field.initializer === undefined) return false;
  const modifiers = field.modifiers ?? [];
  const has = (kind: ts.SyntaxKind): boolean => modifiers.some((modifier) => modifier.kind === kind);
  return has(ts.SyntaxKind.ReadonlyKeyword) && has(ts.SyntaxKind.StaticKeyword) === isStatic;
}

/** `HINTS[kind]`: a choice among the texts of a constant list or object, which the file neither changes nor hands on. */
function isOfTable(table: ts.Expression, scope: TextScope, seen: ReadonlySet<ts.Node>): boolean {
  const values = tableValues(table, scope);
  return values !== undefined && values.every((value) => isConstantText(value, scope, seen));
}

function tableValues(node: ts.Expression, scope: TextScope): readonly ts.Expression[] | undefined {
  const inner = bare(node);
  if (ts.isIdentifier(inner)) {
    const value = scope.names.constantOf(inner);
    if (value === undefined || scope.names.isWritten(inner.text)) return undefined;
    if (!isOnlyRead(inner.text, scope.module)) return undefined;
    return ts.isIdentifier(bare(value)) ? undefined : tableValues(value, scope);
  }
  if (ts.isArrayLiteralExpression(inner))
    return inner.elements.some(ts.isSpreadElement) ? undefined : inner.elements;
  if (!ts.isObjectLiteralExpression(inner)) return undefined;
  const values = inner.properties.flatMap((property) =>
    ts.isPropertyAssignment(property) && !ts.isComputedPropertyName(property.name)
      ? [property.initializer]
      : [],
  );
  return values.length === inner.properties.length ? values : undefined;
}

/** Every mention of the name looks something up in it: `T.a`, `T[k]` that nothing assigns to, or `T.join(…)`. */
function isOnlyRead(name: string, module: PfModule): boolean {
  let onlyRead = true;
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === name) onlyRead &&= isDeclaredHere(node) || isLookedUp(node);
    ts.forEachChild(node, visit);
  };
  visit(module.ast);
  return onlyRead;
}

function isDeclaredHere(node: ts.Identifier): boolean {
  return (
    (ts.isVariableDeclaration(node.parent) && node.parent.name === node) || ts.isTypeQueryNode(node.parent)
  );
}

function isLookedUp(node: ts.Identifier): boolean {
  const access = node.parent;
  if (!ts.isPropertyAccessExpression(access) && !ts.isElementAccessExpression(access)) return false;
  if (access.expression !== node) return ts.isElementAccessExpression(access);
  const { parent } = access;
  // A write has been ruled out, so that a call is all that could change it.
  return !ts.isCallExpression(parent) || parent.expression !== access || memberName(access) === "join";
}

/** `[A, B].join(" ")`, or a function of the file that returns constants only. */
function isOfCall(call: ts.CallExpression, scope: TextScope, seen: ReadonlySet<ts.Node>): boolean {
  const again = (part: ts.Expression): boolean => isConstantText(part, scope, seen);
  const callee = bare(call.expression);
  if (ts.isPropertyAccessExpression(callee) && callee.name.text === "join")
    return isOfTable(callee.expression, scope, seen) && call.arguments.every(again);
  const body = scope.calledBy(call);
  if (body === undefined) return false;
  // What a function adds to itself on the way round is not constant, so a loop ends here with a no.
  if (seen.has(body)) return false;
  const returned = returnedBy(body);
  if (returned === undefined || returned.length === 0) return false;
  const deeper = new Set([...seen, body]);
  return returned.every((value) => isConstantText(value, scope, deeper));
}
