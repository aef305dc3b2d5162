/** Brackets of one text, in which a comma or a sign does not part the whole. */
const OPENING = new Set(["(", "[", "{", "\\{", "\\langle", "\\lbrace", "⟨"]);
const CLOSING = new Set([")", "]", "}", "\\}", "\\rangle", "\\rbrace", "⟩"]);
const PIECE = /\\[a-zA-Z]+|\\.|[^\\]/gsu;

export interface Piece {
  readonly text: string;
  readonly at: number;
}

/** Commands and characters outside of all brackets. Brackets that do not pair end the search. */
export function topPieces(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let depth = 0;
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    if (OPENING.has(piece)) depth += 1;
    else if (CLOSING.has(piece)) depth -= 1;
    else if (depth === 0) pieces.push({ text: piece, at: index });
    if (depth < 0) return pieces;
  }
  return pieces;
}

/** Start and end of each separator, in order. */
export type Cuts = readonly (readonly [from: number, to: number])[];

export function cutAt(text: string, cuts: Cuts): readonly string[] {
  const starts = [0, ...cuts.map(([, to]) => to)];
  const ends = [...cuts.map(([from]) => from), text.length];
  return starts.map((start, n) => text.slice(start, ends[n]).trim()).filter((part) => part !== "");
}

/** `1,234`: a comma within a number; `(1,234)` is a pair. */
function isGroup(text: string, comma: number): boolean {
  const before = /(?:^|[^\d.])([1-9]\d{0,2}(?:,\d{3}){0,10})$/.exec(
    text.slice(Math.max(0, comma - 50), comma),
  );
  return before !== null && /^,\d{3}(?!\d)/.test(text.slice(comma, comma + 5));
}

const WORDS = /^\s(and|or)(?=[\s$\\({[-])/;
const OR_SIGNS = new Set(["\\lor", "\\vee", "∨"]);
const AND_SIGNS = new Set(["\\land", "\\wedge", "∧"]);

export interface List {
  readonly parts: readonly string[];
  /** Words between them, each once; none for commas. */
  readonly joins: ReadonlySet<"and" | "or">;
}

/** A list: parts at commas, semicolons, and the words "and" and "or". `within`: in brackets, where each comma parts. */
export function readList(text: string, within = false): List {
  const cuts: (readonly [number, number])[] = [];
  const joins = new Set<"and" | "or">();
  for (const { text: piece, at } of topPieces(text)) {
    if (piece === ";" || (piece === "," && (within || !isGroup(text, at)))) cuts.push([at, at + 1]);
    const [word, join] = joinAt(text, piece, at);
    if (join === undefined) continue;
    cuts.push([at, at + word.length]);
    joins.add(join);
  }
  return { parts: cutAt(text, cuts).map((part) => part.replace(/^(?:and|or)\s+/, "")), joins };
}

function joinAt(text: string, piece: string, at: number): readonly [string, ("and" | "or" | undefined)?] {
  if (OR_SIGNS.has(piece)) return [piece, "or"];
  if (AND_SIGNS.has(piece)) return [piece, "and"];
  const [word = "", join] = /\s/.test(piece) ? (WORDS.exec(text.slice(at, at + 5)) ?? []) : [];
  return [word, join === "and" || join === "or" ? join : undefined];
}

/** The parts between signs such as `\cup`, outside of all brackets. */
export function partsAt(text: string, signs: readonly string[]): readonly string[] {
  const found = topPieces(text).filter((piece) => signs.includes(piece.text));
  return cutAt(
    text,
    found.map(({ text: sign, at }) => [at, at + sign.length] as const),
  );
}

export interface Bracketed {
  readonly open: string;
  readonly close: string;
  readonly inner: string;
}

const NAMES: Readonly<Record<string, string>> = {
  "\\lbrace": "\\{",
  "\\rbrace": "\\}",
  "\\langle": "(",
  "⟨": "(",
  "\\rangle": ")",
  "⟩": ")",
};

/** One pair of brackets around the whole text; those of an interval may differ: `[0, 1)`. Braces without backslashes may be a group of LaTeX. */
export function bracketed(text: string): Bracketed | undefined {
  const pieces = [...text.matchAll(PIECE)];
  const [first, last] = [pieces[0]?.[0] ?? "", pieces.at(-1)?.[0] ?? ""];
  if (pieces.length < 2 || !OPENING.has(first) || !CLOSING.has(last)) return undefined;
  if ((first === "{") !== (last === "}")) return undefined;
  let depth = 0;
  for (const [n, { 0: piece }] of pieces.entries()) {
    if (OPENING.has(piece)) depth += 1;
    if (CLOSING.has(piece)) depth -= 1;
    if (depth === 0 && n < pieces.length - 1) return undefined;
  }
  if (depth !== 0) return undefined;
  const inner = text.slice(first.length, text.length - last.length);
  return { open: NAMES[first] ?? first, close: NAMES[last] ?? last, inner };
}
