import ts from "typescript";
import { ANY, both, either, NONE, type TypeSet } from "./type-set.ts";
import { bare, methodOf, walk, writtenBy, type PfModule } from "./pf-module.ts";

const EQUALS = new Map([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, true],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, false],
]);

/** The literal that a comparison holds the parameter against. */
function comparedWith({ left, right }: ts.BinaryExpression, parameter: string): string | undefined {
  const sides = [bare(left), bare(right)];
  const isOf = sides.some((side) => ts.isIdentifier(side) && side.text === parameter);
  const literal = sides.find((side) => ts.isStringLiteralLike(side));
  return isOf && literal !== undefined && ts.isStringLiteralLike(literal) ? literal.text : undefined;
}

function typesOfBinary(node: ts.BinaryExpression, truth: boolean, parameter: string): TypeSet {
  const { kind } = node.operatorToken;
  const types = (side: ts.Expression): TypeSet => typesIf(side, truth, parameter);
  if (kind === ts.SyntaxKind.AmpersandAmpersandToken)
    return (truth ? both : either)(types(node.left), types(node.right));
  if (kind === ts.SyntaxKind.BarBarToken) return (truth ? either : both)(types(node.left), types(node.right));
  const equals = EQUALS.get(kind);
  const literal = equals === undefined ? undefined : comparedWith(node, parameter);
  return literal === undefined ? ANY : { only: equals === truth, names: [literal] };
}

/** The types on which an expression may be true, or false; more than these where the code does not tell. */
function typesIf(node: ts.Expression, truth: boolean, parameter: string): TypeSet {
  const inner = bare(node);
  if (inner.kind === ts.SyntaxKind.TrueKeyword) return truth ? ANY : NONE;
  if (inner.kind === ts.SyntaxKind.FalseKeyword) return truth ? NONE : ANY;
  if (ts.isPrefixUnaryExpression(inner) && inner.operator === ts.SyntaxKind.ExclamationToken)
    return typesIf(inner.operand, !truth, parameter);
  if (ts.isBinaryExpression(inner)) return typesOfBinary(inner, truth, parameter);
  if (!ts.isConditionalExpression(inner)) return ANY;
  const { condition, whenTrue, whenFalse } = inner;
  return either(
    both(typesIf(condition, true, parameter), typesIf(whenTrue, truth, parameter)),
    both(typesIf(condition, false, parameter), typesIf(whenFalse, truth, parameter)),
  );
}

/** A walk through statements: the types that get to a place, and those on which true was returned before it. */
interface Flow {
  readonly here: TypeSet;
  readonly fires: TypeSet;
}

function hasReturn(node: ts.Node): boolean {
  let found = false;
  walk(node, (part) => {
    if (ts.isFunctionLike(part)) return false;
    found ||= ts.isReturnStatement(part);
    return !found;
  });
  return found;
}

function after(statement: ts.Statement, { here, fires }: Flow, parameter: string): Flow {
  if (ts.isBlock(statement)) return through(statement.statements, { here, fires }, parameter);
  if (ts.isReturnStatement(statement)) {
    const { expression } = statement;
    const now = expression === undefined ? NONE : both(here, typesIf(expression, true, parameter));
    return { here: NONE, fires: either(fires, now) };
  }
  if (ts.isIfStatement(statement)) {
    const { expression, thenStatement, elseStatement } = statement;
    const branch = (truth: boolean): TypeSet => both(here, typesIf(expression, truth, parameter));
    const then = after(thenStatement, { here: branch(true), fires }, parameter);
    const other = { here: branch(false), fires };
    const otherwise = elseStatement === undefined ? other : after(elseStatement, other, parameter);
    return { here: either(then.here, otherwise.here), fires: either(then.fires, otherwise.fires) };
  }
  // Of a loop or a switch that returns nobody knows when it does.
  return hasReturn(statement) ? { here, fires: either(fires, here) } : { here, fires };
}

function through(statements: readonly ts.Statement[], flow: Flow, parameter: string): Flow {
  return statements.reduce((now, statement) => after(statement, now, parameter), flow);
}

/** The types of action on which `shouldActivate` may be true, read from its comparisons with literals; undefined: any. */
export function triggerTypes(module: PfModule): TypeSet | undefined {
  const method = methodOf(module, "shouldActivate");
  const name = method?.parameters[1]?.name;
  if (method?.body === undefined || name === undefined || !ts.isIdentifier(name)) return undefined;
  const parameter = name.text;
  let isWritten = false;
  walk(method.body, (node) => {
    const written = writtenBy(node);
    isWritten ||= written !== undefined && ts.isIdentifier(written) && written.text === parameter;
    isWritten ||= ts.isParameter(node) && node.name.getText(module.ast) === parameter;
  });
  if (isWritten) return undefined;
  const { body } = method;
  const fires = ts.isBlock(body)
    ? through(body.statements, { here: ANY, fires: NONE }, parameter).fires
    : typesIf(body, true, parameter);
  return !fires.only && fires.names.length === 0 ? undefined : fires;
}
