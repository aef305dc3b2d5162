import { parseExpression } from "../expression/parse.ts";
import type { ValueShape } from "./shapes.ts";

const QUOTIENT = /^([-−]?\d{1,40}(?:\.\d{1,40})?\s?\/\s?\d{1,40}(?:\.\d{1,40})?)\s?\\?%$/;

/**
 * `3/4%` as a whole answer is three quarters of a percent. Within a chain, `15/30\% = 50` divides by a percentage, as the sign belongs to the
 * number before it there.
 */
export function readPercentage(text: string): ValueShape | undefined {
  const [, quotient] = QUOTIENT.exec(text) ?? [];
  const expression = quotient === undefined ? undefined : parseExpression(quotient);
  return expression && { kind: "value", text, expression, unit: "%" };
}
