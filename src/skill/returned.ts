import ts from "typescript";
import { walk } from "./pf-module.ts";

/** A function or method with a body. */
export type Body = ts.FunctionDeclaration | ts.FunctionExpression | ts.ArrowFunction | ts.MethodDeclaration;

/** What a function may return, in source order; undefined for a generator, or where a `return` gives nothing back. */
export function returnedBy(node: Body): readonly ts.Expression[] | undefined {
  const { body } = node;
  if (body === undefined || node.asteriskToken !== undefined) return undefined;
  if (!ts.isBlock(body)) return [body];
  const values: ts.Expression[] = [];
  let isWhole = true;
  walk(body, (part) => {
    if (ts.isFunctionLike(part) || ts.isClassLike(part)) return false;
    if (!ts.isReturnStatement(part)) return undefined;
    if (part.expression === undefined) isWhole = false;
    else values.push(part.expression);
    return undefined;
  });
  return isWhole ? values : undefined;
}
