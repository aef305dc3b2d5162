export type Relation = "=" | "≈" | "≠" | "<" | ">" | "≤" | "≥";

const RELATIONS: ReadonlyMap<string, Relation> = new Map([
  ["=", "="],
  ["==", "="],
  ["≡", "="],
  [String.raw`\equiv`, "="],
  ["≈", "≈"],
  ["≅", "≈"],
  [String.raw`\approx`, "≈"],
  ["≠", "≠"],
  ["!=", "≠"],
  [String.raw`\neq`, "≠"],
  [String.raw`\ne`, "≠"],
  ["<", "<"],
  [String.raw`\lt`, "<"],
  [">", ">"],
  [String.raw`\gt`, ">"],
  ["≤", "≤"],
  ["<=", "≤"],
  [String.raw`\le`, "≤"],
  [String.raw`\leq`, "≤"],
  [String.raw`\leqslant`, "≤"],
  ["≥", "≥"],
  [">=", "≥"],
  [String.raw`\ge`, "≥"],
  [String.raw`\geq`, "≥"],
  [String.raw`\geqslant`, "≥"],
]);
/** A command, an escaped character, a sign or a bracket. */
const PIECE = /\\[a-zA-Z]+|\\.|[<>!=]=|[=≈≠<>≤≥≅≡]|[([{)\]}]/g;

/** The text between the relations outside of all brackets, and the relations; one side where there is none. */
export function splitRelations(text: string): {
  readonly sides: readonly string[];
  readonly relations: readonly Relation[];
} {
  const sides: string[] = [];
  const relations: Relation[] = [];
  let depth = 0;
  let start = 0;
  for (const found of text.matchAll(PIECE)) {
    if ("([{".includes(found[0])) depth += 1;
    else if (")]}".includes(found[0])) depth -= 1;
    const relation = depth === 0 ? RELATIONS.get(found[0]) : undefined;
    if (relation === undefined) continue;
    sides.push(text.slice(start, found.index).trim());
    relations.push(relation);
    start = found.index + found[0].length;
  }
  return { sides: [...sides, text.slice(start).trim()], relations };
}
