import { exactValue } from "./evaluate.ts";
import { variablesOf, type Expression } from "./expression.ts";

/** Degree in all variables together, of a polynomial as it is written; undefined where the text is none: `1/x`, `\sqrt x`. */
export function degreeOf(expression: Expression): number | undefined {
  if (variablesOf(expression).length === 0) return 0;
  if (expression.kind === "variable") return 1;
  if (expression.kind === "negate" || expression.kind === "percent") return degreeOf(expression.of);
  if (!("left" in expression)) return undefined;
  const left = degreeOf(expression.left);
  if (left === undefined) return undefined;
  if (expression.kind === "power") return degreeOfPower(left, expression.right);
  const right = degreeOf(expression.right);
  if (right === undefined) return undefined;
  if (expression.kind === "multiply") return left + right;
  if (expression.kind === "divide") return right === 0 ? left : undefined;
  return Math.max(left, right);
}

function degreeOfPower(base: number, exponent: Expression): number | undefined {
  if (variablesOf(exponent).length > 0) return undefined;
  const exact = exactValue(exponent);
  return exact !== undefined && exact.den === 1n && exact.num >= 0n ? base * Number(exact.num) : undefined;
}
