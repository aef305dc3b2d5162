import { partsOf, type Expression } from "../expression/expression.ts";

type Sign = "%" | "°";

/** An expression without its unit. */
export interface Unsigned {
  readonly sign: Sign;
  readonly of: Expression;
}

const KINDS: Readonly<Record<Sign, "percent" | "degree">> = { "%": "percent", "°": "degree" };

function has(expression: Expression, kind: Expression["kind"]): boolean {
  return expression.kind === kind || partsOf(expression).some((part) => has(part, kind));
}

/** Whether a sign of this unit is within the expression. */
export const hasSign = (expression: Expression, unit: string): boolean =>
  (unit === "%" || unit === "°") && has(expression, KINDS[unit]);

/** The expression with its unit as a part: 60 with `%` is 60/100. Other units are left out. */
export function withSign(expression: Expression, unit: string | undefined): Expression {
  return unit === "%" || unit === "°" ? { kind: KINDS[unit], of: expression } : expression;
}

/** The unit of all terms of an expression: 180 − 60 and ° for `180^\circ - 60^\circ`. Undefined: there is none. */
export function withoutSign(expression: Expression): Unsigned | undefined {
  switch (expression.kind) {
    case "percent":
      return { sign: "%", of: expression.of };
    case "degree":
      return { sign: "°", of: expression.of };
    case "negate": {
      const inner = withoutSign(expression.of);
      return inner && { sign: inner.sign, of: { kind: "negate", of: inner.of } };
    }
    case "add":
    case "subtract": {
      const [left, right] = [withoutSign(expression.left), withoutSign(expression.right)];
      const isOne = left !== undefined && left.sign === right?.sign;
      return isOne
        ? { sign: left.sign, of: { kind: expression.kind, left: left.of, right: right.of } }
        : undefined;
    }
    case "multiply":
    case "divide":
      return ofProduct(expression.kind, expression.left, expression.right);
    default:
      return undefined;
  }
}

/** A multiple of an angle is an angle; `50\% \cdot 20` is no percentage. */
function ofProduct(kind: "multiply" | "divide", left: Expression, right: Expression): Unsigned | undefined {
  const [angle, factor] = kind === "divide" || has(left, "degree") ? [left, right] : [right, left];
  const inner = withoutSign(angle);
  if (inner?.sign !== "°" || has(factor, "degree")) return undefined;
  return {
    sign: "°",
    of: angle === left ? { kind, left: inner.of, right: factor } : { kind, left: factor, right: inner.of },
  };
}
