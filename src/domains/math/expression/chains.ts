import type { Expression } from "./expression.ts";
import { parseExpression } from "./parse.ts";

/** `a = b < c`: one relation less than sides. */
export interface Chain {
  readonly sides: readonly { readonly text: string; readonly expression: Expression }[];
  readonly relations: readonly Relation[];
}

export type Relation = "=" | "≈" | "≠" | "<" | ">" | "≤" | "≥";

const COMMANDS: Readonly<Record<string, Relation>> = {
  approx: "≈",
  neq: "≠",
  ne: "≠",
  lt: "<",
  gt: ">",
  le: "≤",
  leq: "≤",
  leqslant: "≤",
  ge: "≥",
  geq: "≥",
  geqslant: "≥",
  equiv: "=",
};
const SYMBOLS: Readonly<Record<string, Relation>> = {
  "=": "=",
  "≈": "≈",
  "≠": "≠",
  "<": "<",
  ">": ">",
  "≤": "≤",
  "≥": "≥",
  "≅": "≈",
  "≡": "=",
};
const RELATION =
  /\\(?:approx|neq|ne|lt|gt|leqslant|leq|le|geqslant|geq|ge|equiv)(?![a-zA-Z])|<=|>=|!=|==|[=≈≠<>≤≥≅≡]|\\[a-zA-Z]+|\\.|[([{)\]}]/g;
const DOUBLED: Readonly<Record<string, Relation>> = { "<=": "≤", ">=": "≥", "!=": "≠", "==": "=" };
const MAX_SIDES = 50;
const MAX_LENGTH = 8_000;

function relationOf(found: string): Relation | undefined {
  if (Object.hasOwn(DOUBLED, found)) return DOUBLED[found];
  if (found.startsWith("\\"))
    return Object.hasOwn(COMMANDS, found.slice(1)) ? COMMANDS[found.slice(1)] : undefined;
  return Object.hasOwn(SYMBOLS, found) ? SYMBOLS[found] : undefined;
}

/** The text between the relations outside of all brackets, and the relations; one side where there is none. */
export function splitRelations(text: string): {
  readonly sides: readonly string[];
  readonly relations: readonly Relation[];
} {
  const sides: string[] = [];
  const relations: Relation[] = [];
  let depth = 0;
  let start = 0;
  for (const found of text.matchAll(RELATION)) {
    if ("([{".includes(found[0])) depth += 1;
    else if (")]}".includes(found[0])) depth -= 1;
    const relation = depth === 0 ? relationOf(found[0]) : undefined;
    if (relation === undefined) continue;
    sides.push(text.slice(start, found.index).trim());
    relations.push(relation);
    start = found.index + found[0].length;
  }
  return { sides: [...sides, text.slice(start).trim()], relations };
}

/** Reads expressions with relations between them, such as `3(x+1) = 12`. Undefined where a side is no expression, or there is no relation. */
export function readChain(text: string): Chain | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const { sides, relations } = splitRelations(text);
  if (relations.length === 0 || sides.length > MAX_SIDES) return undefined;
  const read = sides.map((side) => ({ text: side, expression: parseExpression(side) }));
  return read.every((side): side is Chain["sides"][number] => side.expression !== undefined)
    ? { sides: read, relations }
    : undefined;
}
