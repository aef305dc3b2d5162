import ts from "typescript";
import type { Decision, Term } from "./decision.ts";
import { bare, isConstant, walk } from "./pf-module.ts";
import type { Tracer } from "./tracer.ts";

/** Reads the decision that an expression in function `fn` makes, and has its operands probed. */
export type ReadDecision = (
  node: ts.Expression,
  fn: number,
  tracer: Tracer,
  role?: "return" | "value",
) => Decision;

const COMPARISONS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
]);

const LOGICAL: ReadonlyMap<ts.SyntaxKind, "and" | "or" | "nullish"> = new Map([
  [ts.SyntaxKind.AmpersandAmpersandToken, "and"],
  [ts.SyntaxKind.BarBarToken, "or"],
  [ts.SyntaxKind.QuestionQuestionToken, "nullish"],
]);

export const readDecision: ReadDecision = (outer, fn, tracer, role = "value") => {
  const node = bare(outer);
  const decision = tracer.decisions.get(node) ?? read(node, fn, tracer, role);
  tracer.decisions.set(node, decision);
  return decision;
};

function read(node: ts.Expression, fn: number, tracer: Tracer, role: "return" | "value"): Decision {
  const again = (part: ts.Expression): Decision => readDecision(part, fn, tracer);
  const term = tracer.wrap(node, fn, role);
  const constant = constantOf(node);
  if (constant !== undefined) return { ...term, kind: "constant", value: constant };
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    return { ...term, kind: "not", operand: again(node.operand) };
  }
  if (ts.isConditionalExpression(node)) {
    return {
      ...term,
      kind: "choice",
      test: again(node.condition),
      yes: again(node.whenTrue),
      no: again(node.whenFalse),
    };
  }
  if (ts.isBinaryExpression(node)) {
    const logical = LOGICAL.get(node.operatorToken.kind);
    if (logical !== undefined)
      return { ...term, kind: logical, left: again(node.left), right: again(node.right) };
    if (COMPARISONS.has(node.operatorToken.kind)) return comparison(node, term, fn, tracer);
  }
  if (ts.isCallExpression(node)) return call(node, term, fn, tracer);
  const origin = ts.isIdentifier(node) ? originOf(node, fn, tracer) : undefined;
  return origin === undefined ? { ...term, kind: "leaf", parts: [] } : { ...term, kind: "name", origin };
}

function constantOf(node: ts.Expression): boolean | undefined {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  return node.kind === ts.SyntaxKind.FalseKeyword ? false : undefined;
}

function comparison(node: ts.BinaryExpression, term: Term, fn: number, tracer: Tracer): Decision {
  const side = (part: ts.Expression): Term => operand(bare(part), fn, tracer);
  const operator = ts.tokenToString(node.operatorToken.kind) ?? "===";
  return { ...term, kind: "compare", operator, left: side(node.left), right: side(node.right) };
}

/** A literal needs no probe: its text is its value. */
function operand(node: ts.Expression, fn: number, tracer: Tracer): Term {
  const isSigned = ts.isPrefixUnaryExpression(node) && ts.isNumericLiteral(node.operand);
  const isNull =
    node.kind === ts.SyntaxKind.NullKeyword || (ts.isIdentifier(node) && node.text === "undefined");
  if (isSigned || isNull || ts.isLiteralExpression(node) || constantOf(node) !== undefined) {
    return { ...tracer.placeOf(node), id: undefined };
  }
  return tracer.wrap(node, fn);
}

function call(node: ts.CallExpression, term: Term, fn: number, tracer: Tracer): Decision {
  const callee = node.expression;
  const receiver = ts.isPropertyAccessExpression(callee) && callee.expression;
  const seen = [...(receiver ? [receiver] : []), ...node.arguments].filter((part) => isPlainValue(part));
  const parts = seen.map((part) => tracer.wrap(part, fn));
  const target = tracer.calleeOf(node);
  return target === undefined
    ? { ...term, kind: "leaf", parts }
    : { ...term, kind: "call", fn: target, parts };
}

/** A variable or a chain of properties, outside optional chains: to look at it changes nothing. Built-ins tell nothing. */
function isPlainValue(node: ts.Expression): boolean {
  if (ts.isIdentifier(node)) return !/^[A-Z][a-z]/.test(node.text) && node.text !== "undefined";
  if (!ts.isPropertyAccessExpression(node) || ts.isOptionalChain(node)) return false;
  return node.expression.kind === ts.SyntaxKind.ThisKeyword || isPlainValue(node.expression);
}

/** How a local constant got its value, when that was a decision: `const isLong = words.length > 15`. */
function originOf(node: ts.Identifier, fn: number, tracer: Tracer): Decision | undefined {
  const owner = ts.findAncestor(node, ts.isFunctionLike);
  if (owner === undefined) return undefined;
  const found: ts.Node[] = [];
  walk(owner, (at) => {
    const isDeclared = ts.isVariableDeclaration(at) || ts.isParameter(at) || ts.isBindingElement(at);
    if (isDeclared && ts.isIdentifier(at.name) && at.name.text === node.text) found.push(at);
  });
  const [only, ...others] = found;
  if (only === undefined || others.length > 0 || !ts.isVariableDeclaration(only) || !isConstant(only))
    return undefined;
  // A name used before its declaration ends would lead back to itself.
  if (
    only.initializer === undefined ||
    node.pos < only.end ||
    ts.findAncestor(only, ts.isFunctionLike) !== owner
  )
    return undefined;
  return isDecision(bare(only.initializer), tracer) ? readDecision(only.initializer, fn, tracer) : undefined;
}

function isDecision(node: ts.Expression, tracer: Tracer): boolean {
  if (ts.isBinaryExpression(node))
    return LOGICAL.has(node.operatorToken.kind) || COMPARISONS.has(node.operatorToken.kind);
  if (ts.isPrefixUnaryExpression(node)) return node.operator === ts.SyntaxKind.ExclamationToken;
  return (
    ts.isConditionalExpression(node) || (ts.isCallExpression(node) && tracer.calleeOf(node) !== undefined)
  );
}
