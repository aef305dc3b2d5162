import { canonicalPath } from "./command-words.ts";
import type { Token } from "./sentences.ts";
import { sameOrigin } from "./web-address.ts";

/**
 * The objects that the slots of a pattern stand for: every one of a slot's things must be named. `path` compares paths, `url` hosts, `table` and
 * `database` without regard to case, every other slot letter by letter.
 */
export type Things = Readonly<Record<string, readonly string[]>>;

interface Part {
  readonly words: readonly (readonly string[])[];
  readonly slot?: string;
  readonly gap: boolean;
  readonly optional: boolean;
}

/** Words that change nothing about what is meant. */
const FILLER = new Set(
  "the a an my our your this that these those all of whole entire named called old existing just el la los las le les der die das den".split(
    " ",
  ),
);
const NOUNS: Readonly<Record<string, RegExp>> = {
  path: /^(?:folders?|director(?:y|ies)|dirs?|files?|paths?|worktree)$/,
  branch: /^branch(?:es)?$/,
  table: /^(?:tables?|collections?)$/,
  database: /^(?:databases?|db|schema)$/,
  name: /^(?:packages?|crates?|images?|tags?|versions?|releases?)$/,
  url: /^(?:url|address|link|site)$/,
};
/** Words that a gap may span. */
const GAP = 8;

/**
 * Reads a pattern: words in lower case; `a|b` is either, `a_b` two words, `a?` may be missing, `{path}` a slot, `*` up to eight words
 * or, at the end, whatever follows; `|` alone is a pipe.
 */
function partsOf(pattern: string): readonly Part[] {
  const before = compiled.get(pattern);
  if (before !== undefined) return before;
  const parts = readParts(pattern);
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  compiled.set(pattern, parts);
  return parts;
}

/** Patterns are few and constant, and each is tried at every wish of a prompt. */
const compiled = new Map<string, readonly Part[]>();
const MAX_COMPILED = 300;

function readParts(pattern: string): Part[] {
  return pattern.split(" ").map((written) => {
    const optional = written.length > 1 && written.endsWith("?");
    const text = optional ? written.slice(0, -1) : written;
    const slot = /^\{(\w+)\}$/.exec(text)?.[1];
    const words = text === "|" ? [["|"]] : text.split("|").map((word) => word.split("_"));
    return { words, gap: text === "*", optional, ...(slot === undefined ? {} : { slot }) };
  });
}

export interface Matching {
  readonly things: Things;
  readonly cwd: string | undefined;
  /** The tokens are those of a command: switches are passed over. */
  readonly isCommand: boolean;
  /** Whether a wish may end before this token. */
  readonly ends: (at: number) => boolean;
}

/** The index behind the tokens that a pattern matches from `at` on, where a wish may end; undefined where it does not. */
export function matchWish(
  pattern: string,
  tokens: readonly Token[],
  at: number,
  matching: Matching,
): number | undefined {
  return matchParts(partsOf(pattern), 0, tokens, at, matching);
}

function matchParts(
  parts: readonly Part[],
  index: number,
  tokens: readonly Token[],
  at: number,
  matching: Matching,
): number | undefined {
  const part = parts[index];
  if (part === undefined) return matching.ends(at) ? at : undefined;
  const next = (to: number): number | undefined => matchParts(parts, index + 1, tokens, to, matching);
  if (part.gap) return index === parts.length - 1 ? tokens.length : matchGap(tokens, at, next);
  const ends =
    part.slot === undefined
      ? wordEnds(part, tokens, at, matching)
      : slotEnds(part.slot, tokens, at, matching);
  for (const end of ends) {
    const isBroken = tokens[end - 1]?.after !== "" && end < tokens.length && needsMore(parts, index + 1);
    const behind = isBroken ? undefined : next(end);
    if (behind !== undefined) return behind;
  }
  const isSkipped = index > 0 && isFiller(tokens[at], matching) && tokens[at]?.after === "";
  const skipped = isSkipped ? matchParts(parts, index, tokens, at + 1, matching) : undefined;
  return skipped ?? (part.optional ? next(at) : undefined);
}

const needsMore = (parts: readonly Part[], index: number): boolean =>
  parts.slice(index).some(({ optional }) => !optional);

function isFiller(token: Token | undefined, { isCommand }: Matching): boolean {
  if (token === undefined) return false;
  return isCommand ? token.text.startsWith("-") : FILLER.has(token.low);
}

function matchGap(
  tokens: readonly Token[],
  at: number,
  next: (to: number) => number | undefined,
): number | undefined {
  for (let to = at; to <= at + GAP && to < tokens.length; to++) {
    const end = next(to);
    if (end !== undefined) return end;
    if (tokens[to]?.after !== "") return undefined;
  }
  return undefined;
}

function wordEnds({ words }: Part, tokens: readonly Token[], at: number, matching: Matching): number[] {
  const same = (word: string, token: Token | undefined): boolean =>
    token?.kind === "word" && (matching.isCommand ? token.text : token.low) === word;
  return words.flatMap((alternative) =>
    alternative.every((word, i) => same(word, tokens[at + i])) ? [at + alternative.length] : [],
  );
}

/** The end of a list of things that names each one of the slot: "build, dist and .cache". */
function slotEnds(slot: string, tokens: readonly Token[], from: number, matching: Matching): number[] {
  const wanted = matching.things[slot] ?? [];
  if (wanted.length === 0 || (slot === "path" && wanted.some((path) => !isNamed(path, matching.cwd))))
    return [];
  const noun = NOUNS[slot];
  const isNoun = (token: Token | undefined): boolean =>
    token?.kind === "word" && noun?.test(token.low) === true;
  const found = new Set<number>();
  let at = from;
  let end: number | undefined;
  for (;;) {
    let hit = fits(slot, tokens[at], wanted, matching);
    while (hit === -1 && at < tokens.length && (isNoun(tokens[at]) || isFiller(tokens[at], matching))) {
      at++;
      hit = fits(slot, tokens[at], wanted, matching);
    }
    if (hit === -1 && !looksNamed(tokens[at]) && !isListed(tokens, at, from) && !isNoun(tokens[at + 1]))
      break;
    if (hit !== -1) found.add(hit);
    at++;
    if (tokens[at - 1]?.after === "" && isNoun(tokens[at])) at++;
    end = at;
    const isComma = tokens[at - 1]?.after === ",";
    const isAnd = /^(?:and|&|plus|und|y|et)$/.test(tokens[at]?.low ?? "");
    if (!isComma && !isAnd) break;
    if (isAnd) at++;
  }
  return end !== undefined && found.size === wanted.length ? [end] : [];
}

/** A path with a name in it: in plain words nobody gets the root, a home or what a pattern finds. */
function isNamed(path: string, cwd: string | undefined): boolean {
  const plain = canonicalPath(path, cwd);
  return (
    !/^(?:[./~]*|[A-Za-z]:\/?)$/.test(plain) &&
    !/[*?[\]{}$`]/.test(plain) &&
    !/(?:^|\/)\.\.(?:\/|$)/.test(plain)
  );
}

function looksNamed(token: Token | undefined): boolean {
  return token !== undefined && (token.kind !== "word" || /\w[./_\\]\w|^[./~]./.test(token.text));
}

/** A plain word that is one of a list: "dist, build and docs". */
function isListed(tokens: readonly Token[], at: number, from: number): boolean {
  const token = tokens[at];
  const next = tokens[at + 1];
  if (token?.kind !== "word" || token.low === "") return false;
  const isLast = next === undefined && at > from && tokens[at - 1]?.low === "and";
  return isLast || token.after === "," || next?.low === "and";
}

/** The index of the thing that a token names; -1 where it names none. */
function fits(slot: string, token: Token | undefined, wanted: readonly string[], { cwd }: Matching): number {
  if (token === undefined || token.text === "") return -1;
  const { text } = token;
  if (slot === "url") return wanted.findIndex((address) => sameOrigin(text, address));
  if (slot === "path") {
    const named = canonicalPath(text.replace(/^@/, ""), cwd);
    return wanted.findIndex((path) => canonicalPath(path, cwd) === named);
  }
  const folds = slot === "table" || slot === "database";
  return wanted.findIndex((thing) => (folds ? thing.toLowerCase() === text.toLowerCase() : thing === text));
}
