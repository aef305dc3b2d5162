import type { Expression } from "./expression.ts";
import { toText } from "./rational.ts";

/** The same for expressions that differ only in the order of terms and factors, and in how their numbers are written. */
export function keyOf(expression: Expression): string {
  switch (expression.kind) {
    case "number":
      return toText(expression.value);
    case "constant":
    case "variable":
      return `${expression.kind} ${expression.name}`;
    case "add":
    case "subtract":
      return `(sum ${termsOf(expression).toSorted().join(" ")})`;
    case "multiply":
      return `(product ${factorsOf(expression).toSorted().join(" ")})`;
    case "divide":
    case "power":
      return `(${expression.kind} ${keyOf(expression.left)} ${keyOf(expression.right)})`;
    case "call":
      return `(${expression.name} ${expression.args.map(keyOf).join(" ")})`;
    default:
      return `(${expression.kind} ${keyOf(expression.of)})`;
  }
}

/** `a - b` has the terms `a` and `-b`. */
function termsOf(expression: Expression): readonly string[] {
  if (expression.kind === "add") return [...termsOf(expression.left), ...termsOf(expression.right)];
  if (expression.kind !== "subtract") return [keyOf(expression)];
  return [...termsOf(expression.left), `(negate ${keyOf(expression.right)})`];
}

function factorsOf(expression: Expression): readonly string[] {
  if (expression.kind !== "multiply") return [keyOf(expression)];
  return [...factorsOf(expression.left), ...factorsOf(expression.right)];
}
