import type { Relation } from "../expression/chains.ts";
import { parseExpression } from "../expression/parse.ts";

/** The relation with its sides exchanged. */
export const TURNED: Readonly<Record<Relation, Relation>> = {
  "=": "=",
  "≈": "≈",
  "≠": "≠",
  "<": ">",
  ">": "<",
  "≤": "≥",
  "≥": "≤",
};

export function isVariable(text: string): boolean {
  return parseExpression(text)?.kind === "variable";
}
