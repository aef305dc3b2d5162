import type { Rational } from "./rational.ts";

/** A mathematical expression, as it is written: nothing is simplified. */
export type Expression =
  | {
      readonly kind: "number";
      readonly value: Rational;
      /** As written: `0.50`, `1,250`. */
      readonly text: string;
    }
  | { readonly kind: "constant"; readonly name: "pi" | "e" | "i" | "infinity" }
  | {
      readonly kind: "variable";
      /** With its index: `x_1`. */
      readonly name: string;
    }
  | { readonly kind: Unary; readonly of: Expression }
  | { readonly kind: Binary; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "call"; readonly name: FunctionName; readonly args: readonly Expression[] };

export type Unary = "negate" | "factorial" | "percent" | "degree";

/** A mixed number `3\frac{1}{2}` is the sum of its parts. */
export type Binary = "add" | "subtract" | "multiply" | "divide" | "power";

/** `sqrt` has the degree as its second argument where one is written, `log` its base; `log` without one is decimal. */
export type FunctionName =
  | "sqrt"
  | "abs"
  | "floor"
  | "ceil"
  | "binomial"
  | "log"
  | "ln"
  | "exp"
  | "sin"
  | "cos"
  | "tan"
  | "cot"
  | "sec"
  | "csc"
  | "arcsin"
  | "arccos"
  | "arctan"
  | "sinh"
  | "cosh"
  | "tanh";

/** The parts of an expression from left to right. */
export function partsOf(expression: Expression): readonly Expression[] {
  if ("of" in expression) return [expression.of];
  if ("left" in expression) return [expression.left, expression.right];
  return expression.kind === "call" ? expression.args : [];
}

/** Names of the variables, each once, in the order of the text. */
export function variablesOf(expression: Expression): readonly string[] {
  const names = new Set<string>();
  const visit = (one: Expression): void => {
    if (one.kind === "variable") names.add(one.name);
    partsOf(one).forEach(visit);
  };
  visit(expression);
  return [...names];
}
