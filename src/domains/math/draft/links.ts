import { sidesOf, type Side } from "./sides.ts";
import { isCutBefore, isCutBehind, isDenied, isInBase, isSupposed, saysRounded } from "./surroundings.ts";
import type { Token } from "./token.ts";

/** Two whole sides with `=` or `≈` between them; a chain `a = b = c` has two links. */
export interface Link {
  readonly left: Side;
  readonly right: Side;
  readonly isAbout: boolean;
  /** The words around it do not suppose, ask or deny it, and name no base of its digits. */
  readonly isStated: boolean;
  /** The words around it say that something is rounded or left over. */
  readonly isRounded: boolean;
  /** Inside of the calculator's mark in front of the right side. */
  readonly mark?: string;
  /** `!` is behind the right side, which ends a sentence or makes a factorial. */
  readonly isExclaimed: boolean;
  /** The word behind the right side, which may be its unit: "miles". */
  readonly unitBehind?: string;
  /** Another relation follows the right side. */
  readonly goesOn: boolean;
  /** Offsets in the text. */
  readonly start: number;
  readonly end: number;
}

/** Links of a text that are read. */
const MOST = 1_000;

/** The links of a text in its order. A relation whose sides cannot be read whole is left out. */
export function linksOf(tokens: readonly Token[]): readonly Link[] {
  const sides = sidesOf(tokens);
  const byStart = new Map(sides.map((side) => [side.from, side]));
  const byEnd = new Map(sides.map((side) => [side.to, side]));
  const links: Link[] = [];
  for (const [at, token] of tokens.entries()) {
    if (links.length >= MOST) break;
    if (token.kind !== "relation" || token.text === "other") continue;
    const { mark, from } = behindRelation(tokens, at + 1);
    const left = byEnd.get(at);
    const right = byStart.get(from);
    if (left === undefined || right === undefined) continue;
    if (!isCutBefore(tokens, left) || !isCutBehind(tokens, right)) continue;
    const goesOn = tokens[right.to]?.kind === "relation";
    const { start } = extentOf(tokens, left);
    const { end } = extentOf(tokens, right);
    const isAbout = token.text === "≈";
    const isStated = !isSupposed(tokens, left) && !isInBase(tokens, left) && !isDenied(tokens, left, right);
    const isExclaimed = tokens[right.to]?.text === "!";
    const isRounded = saysRounded(tokens, left, right);
    const words = { isStated, isRounded, isExclaimed };
    const behind = tokens[right.to];
    links.push({
      left,
      right,
      isAbout,
      ...words,
      goesOn,
      start,
      end,
      ...(mark !== undefined && { mark }),
      ...(behind?.kind === "word" && { unitBehind: behind.text }),
    });
  }
  return links;
}

/** Offsets of a side in its text, with the currency in front of it. */
export function extentOf(
  tokens: readonly Token[],
  { from, to }: Side,
): { readonly start: number; readonly end: number } {
  const first = tokens[from - 1]?.kind === "currency" ? tokens[from - 1] : tokens[from];
  return { start: first?.start ?? 0, end: tokens[to - 1]?.end ?? 0 };
}

function behindRelation(tokens: readonly Token[], start: number): { mark?: string; from: number } {
  let from = start;
  let mark: string | undefined;
  for (; ["currency", "mark"].includes(tokens[from]?.kind ?? ""); from++)
    if (tokens[from]?.kind === "mark") mark = tokens[from]?.text;
  return { from, ...(mark !== undefined && { mark }) };
}

/** Marks that no link has: those behind words. */
export function loneMarks(tokens: readonly Token[], links: readonly Link[]): readonly Token[] {
  const linked = new Set(links.flatMap(({ mark }) => mark ?? []));
  return tokens.filter(({ kind, text }) => kind === "mark" && !linked.has(text));
}

const MARKS = /<<[^<>\n]*>>/g;
const LAYOUT =
  /\$(?!\.?\d)|\\[()[\]]|&|\\\\|(?<![\d)])\*\*|\*\*(?![\d(])|\\(?:left|right|displaystyle)(?![a-zA-Z])|\\[,;:! ]/g;
/** `$5$` of LaTeX, and not the money of `$5 + $3`. */
const DELIMITED = /\$([^$\n]{1,200})(?<!\s)\$(?!\d)/g;
const QUOTED = 200;

/** A piece of the text as a person reads it: without marks of layout, on one line. */
export function quoted(text: string, start: number, end: number): string {
  const isMath = text[start] === "$" && text[end] === "$";
  return text
    .slice(isMath ? start + 1 : start, Math.min(end, start + 4 * QUOTED))
    .replaceAll(MARKS, "")
    .replaceAll(DELIMITED, "$1")
    .replaceAll(LAYOUT, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, QUOTED);
}
