import { literalSource, type TextQuery } from "../model/text-query.ts";

/**
 * Matches, in the bytes of a JSON line (one character for each byte), everything that may be the query's longest word. It
 * misses no line that holds the query, however a writer escaped it; what it matches has to be confirmed on the parsed line.
 * Undefined where no word can be recognised in bytes: then every line has to be parsed.
 */
export function lineSieve({ words }: TextQuery): RegExp | undefined {
  // Bytes that are no UTF-8 are read as U+FFFD, so that one stands for any byte.
  const runs = words.flatMap((word) => word.split("\uFFFD")).map((run) => Array.from(run).slice(0, LONGEST));
  const [longest = []] = runs.toSorted((a, b) => b.length - a.length);
  if (longest.length === 0) return undefined;
  return new RegExp(longest.map(formsOf).join(""), "g");
}

/** Characters of the word that are compared: more would not tell lines apart any better. */
const LONGEST = 24;

/** Every character but surrogates, to which `i` has a counterpart in another case; those beyond have no case. */
const CASED_END = 0x2_0000;
let casedCharacters: string | undefined;

function allCharacters(): string {
  const codes = Array.from({ length: CASED_END }, (_, code) => code);
  return codes.map((code) => (code >= 0xd800 && code <= 0xdfff ? "" : String.fromCodePoint(code))).join("");
}

/** The characters that a regular expression with the flags `iu` takes for this one, itself among them. */
function sameInAnyCase(character: string): readonly string[] {
  casedCharacters ??= allCharacters();
  const found = casedCharacters.match(new RegExp(literalSource(character), "giu")) ?? [];
  return [...new Set([character, ...found])];
}

const encoder = new TextEncoder();
const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  "\b": "b",
};

/** JSON never holds these as they are. */
const isAlwaysEscaped = (character: string): boolean =>
  character === '"' || character === "\\" || character < " ";

/** All that may stand in a line for one character of a text. */
function formsOf(character: string): string {
  const same = sameInAnyCase(character);
  const raw = same.filter((one) => !isAlwaysEscaped(one)).map((one) => byteSource(encoder.encode(one)));
  const short = same.flatMap((one) => {
    const letter = SHORT_ESCAPES[one];
    return letter === undefined ? [] : [`\\\\${literalSource(letter)}`];
  });
  return `(?:${[...joinBytes(raw), ...short, ...same.map(escapeSource)].join("|")})`;
}

const hex = (n: number, digits: number): string => n.toString(16).padStart(digits, "0");

function byteSource(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => `\\x${hex(byte, 2)}`).join("");
}

/** Single bytes as one class, which is compared faster than alternatives. */
function joinBytes(sources: readonly string[]): string[] {
  const single = sources.filter((source) => source.length === 4);
  const longer = sources.filter((source) => source.length > 4);
  return single.length === 0 ? longer : [`[${single.join("")}]`, ...longer];
}

/** `\uXXXX` with hexadecimal digits in either case, two of them for a character outside the basic plane. */
function escapeSource(character: string): string {
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  return units
    .map(
      (unit) => `\\\\u${hex(unit, 4).replaceAll(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)}`,
    )
    .join("");
}
