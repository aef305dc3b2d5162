import { MOST_LISTED, READ_CHARS } from "./limits.ts";

/** Characters of an entry. */
const LONGEST = 200;

const HEADING = /^[\s>#*\-\d.)]*(?:sub-?)?case\s?(?:\d{1,3}|[ivx]{1,4}|[a-z])\b/i;
const HEADING_INSIDE =
  /\b(?:in the )?(?:first|second|third|next|last) case\b|\bcase (?:\d{1,3}|[ivx]{1,4})\b/i;
/** `x = 1: …`, `If n = 2, …`: a value that is tried. */
const TRIED =
  /^[\s>*•\-\d.)]{0,8}(?:(?:if|when|for|with|let|try|suppose)\s)?([a-zA-Z])\s?=\s?-?\d{1,6}\s?(?:[:,;]|->|→|⇒|\\(?:to|implies|Rightarrow)\b|then\b|gives?\b)/i;
/** `(1, 2, -3)`: two to six whole numbers. */
const TUPLE = /\((-?\d{1,9}(?:\s?,\s?-?\d{1,9}){1,5})\)/g;
/** Stands between what is listed and what comes of it. */
const ARROW =
  /->|→|⇒|=>|⟶|\\(?:to|implies|Rightarrow|rightarrow|mapsto)\b|\b(?:gives?|makes?|yields?|leads? to|corresponds? to)\b/;
const ENUMERATES =
  /\b(?:ordered|enumerat\w*|triples?|pairs?|tuples?|combinations?|possibilities|permutations?|arrangements?|list)\b/i;

const LEAST_TRIED = 3;
const LEAST_TUPLES = 3;

export interface Cases {
  readonly cases: readonly string[];
  readonly permutations: readonly (readonly string[])[];
}

/** Reads how a thought distinguishes or lists cases; nothing where it does neither. */
export function readCases(question: string, thought: string): Cases {
  const lines = thought
    .slice(0, READ_CHARS)
    .replaceAll(/[$]|\\[()]/g, "")
    .split("\n");
  const enumerates = ENUMERATES.test(question.slice(-2_000)) || lines.some((line) => ENUMERATES.test(line));
  const tuples = enumerates ? lines.flatMap(tuplesOf) : [];
  const listed = new Set(tuples.map(normalised)).size < LEAST_TUPLES ? [] : tuples;
  const headings = headingsOf(lines);
  const tried = triedValues(lines);
  const cases = [...(headings.length < 2 ? [] : headings), ...tried, ...listed].map(entry);
  return { cases: [...new Set(cases)].slice(0, MOST_LISTED), permutations: permutationsOf(listed) };
}

/** Lines that begin with a case. A draft without any may name its cases within its lines. */
function headingsOf(lines: readonly string[]): readonly string[] {
  const headings = lines.filter((line) => HEADING.test(line));
  return headings.length > 0 ? headings : lines.filter((line) => HEADING_INSIDE.test(line));
}

function entry(text: string): string {
  return text.trim().slice(0, LONGEST);
}

/** Tuples of a line, of one with an arrow the part in front: behind it is what each tuple makes. */
function tuplesOf(line: string): string[] {
  const at = line.search(ARROW);
  const part = at < 0 ? line : line.slice(0, at);
  return [...part.slice(0, 2_000).matchAll(TUPLE)].map(([tuple]) => tuple);
}

function triedValues(lines: readonly string[]): string[] {
  const byVariable = new Map<string, string[]>();
  for (const line of lines) {
    const [, variable] = TRIED.exec(line.slice(0, LONGEST)) ?? [];
    if (variable !== undefined) byVariable.set(variable, [...(byVariable.get(variable) ?? []), line]);
  }
  return [...byVariable.values()].filter((tries) => tries.length >= LEAST_TRIED).flat();
}

function normalised(tuple: string): string {
  return tuple.replaceAll(/\s/g, "");
}

/** Groups of tuples with the same numbers in another order. */
function permutationsOf(tuples: readonly string[]): string[][] {
  const groups = new Map<string, Map<string, string>>();
  for (const tuple of tuples) {
    const key = normalised(tuple).slice(1, -1).split(",").toSorted().join(",");
    const group = groups.get(key) ?? new Map<string, string>();
    groups.set(key, group.set(normalised(tuple), tuple));
  }
  return [...groups.values()]
    .filter(({ size }) => size > 1)
    .map((group) => [...group.values()].slice(0, MOST_LISTED))
    .slice(0, MOST_LISTED);
}
