import { exactValue } from "./evaluate.ts";
import { partsOf, type Expression } from "./expression.ts";

/** Degree in all variables together, of a polynomial as it is written; undefined for other functions: `1/x`, `\sqrt x`. */
export function degreeOf(expression: Expression): number | undefined {
  if (expression.kind === "variable") return 1;
  const degrees = partsOf(expression).map(degreeOf);
  if (degrees.every((degree) => degree === 0)) return 0;
  const [left, right] = degrees;
  if (left === undefined) return undefined;
  switch (expression.kind) {
    case "negate":
    case "percent":
      return left;
    case "power":
      return right === 0 ? degreeOfPower(left, expression.right) : undefined;
    case "divide":
      return right === 0 ? left : undefined;
    case "multiply":
      return right === undefined ? undefined : left + right;
    case "add":
    case "subtract":
      return right === undefined ? undefined : Math.max(left, right);
    default:
      return undefined;
  }
}

function degreeOfPower(base: number, exponent: Expression): number | undefined {
  const exact = exactValue(exponent);
  return exact !== undefined && exact.den === 1n && exact.num >= 0n ? base * Number(exact.num) : undefined;
}
