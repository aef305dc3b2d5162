/** A value as the driver sends it (encode.py). Two values that Python's `==` takes for equal have one text. */
export interface Encoded {
  /** Absent where it is too long to be sent. */
  readonly text?: string;
  /** SHA-256 of a long text. */
  readonly digest?: string;
  /** Equals nothing, itself included: it holds an object without a text, or no number. */
  readonly isUnequal?: boolean;
  /** A float, or a list or tuple of floats: where it is expected, others may be near it. */
  readonly isFloats?: boolean;
  /** For people, cut. */
  readonly shown: string;
}

/** How a value is compared with the one that is expected. */
export type Oracle =
  /** Equal, or with numbers so near: |a - b| <= `absolute` + 1e-7 |b|, as numpy's `allclose`. `absolute` 0: equal. */
  | { readonly kind: "near"; readonly absolute: number }
  /** Any root of the polynomial with these coefficients, the constant first: its value there is at most `absolute`. */
  | { readonly kind: "root"; readonly coefficients: readonly number[]; readonly absolute: number }
  /** As Python's `math.isclose`. */
  | { readonly kind: "isclose"; readonly relative: number; readonly absolute: number };

const RELATIVE = 1e-7;

const TOKEN = /s"|b"[0-9a-f]*"|t"[^"]*"|i-?[0-9a-f]+;|f[^;]*;|q[^;]*;|r\([^)]*\)|[\s\S]/y;

/** The pieces of a text: numbers, strings, and single marks. */
function* tokensOf(text: string): Generator<string, undefined> {
  const pattern = new RegExp(TOKEN);
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (match[0] === 's"') pattern.lastIndex = endOfString(text, pattern.lastIndex);
    yield text.slice(match.index, pattern.lastIndex);
  }
  return undefined;
}

/** Behind the quote that ends a string; a pattern would need a stack as long as the string. */
function endOfString(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let at = quote;
    while (at > from && text[at - 1] === "\\") at--;
    if ((quote - at) % 2 === 0) return quote + 1;
  }
  return text.length;
}

/** Hexadecimal digits of the largest double. */
const DIGITS = 256;

/** The number of a token; undefined where it is none. */
function numberOf(token: string): number | undefined {
  const [kind, body] = [token[0], token.slice(1, -1)];
  if (!token.endsWith(";")) return undefined;
  if (kind === "f") return body === "+" ? Infinity : body === "-" ? -Infinity : Number(body);
  if (kind !== "i") return undefined;
  const digits = body.replace("-", "");
  // A program may write any text.
  if (!/^[0-9a-f]+$/.test(digits)) return undefined;
  const size = digits.length > DIGITS ? Infinity : Number(BigInt(`0x${digits}`));
  return body.startsWith("-") ? -size : size;
}

/** An object without a text, and no number. */
const EQUALS_NOTHING = new Set(["o", "n"]);

function isNear(given: string, expected: string, absolute: number): boolean {
  if (given === expected) return !EQUALS_NOTHING.has(given);
  const [a, b] = [numberOf(given), numberOf(expected)];
  if (a === undefined || b === undefined || !Number.isFinite(b)) return false;
  return Math.abs(a - b) <= absolute + RELATIVE * Math.abs(b);
}

/** Both texts have the same marks, and numbers that are near. Linear in their lengths. */
function areNear(given: string, expected: string, absolute: number): boolean {
  const others = tokensOf(given);
  for (const token of tokensOf(expected)) {
    const { value, done } = others.next();
    if (done === true || !isNear(value, token, absolute)) return false;
  }
  return others.next().done === true;
}

function areEqual(given: Encoded, expected: Encoded): boolean {
  if (given.isUnequal === true || expected.isUnequal === true) return false;
  if (given.digest !== undefined || expected.digest !== undefined) return given.digest === expected.digest;
  return given.text !== undefined && given.text === expected.text;
}

const valueAt = (coefficients: readonly number[], x: number): number =>
  coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);

/** Whether a value is right. Of both, only `given` comes from a program that nobody trusts. */
export function agrees(given: Encoded, expected: Encoded, oracle: Oracle): boolean {
  const [one, other] = [given.text, expected.text];
  if (oracle.kind === "near") {
    if (areEqual(given, expected)) return true;
    if (oracle.absolute === 0 || one === undefined || other === undefined) return false;
    return areNear(one, other, oracle.absolute);
  }
  const [a, b] = [numberOf(one ?? ""), numberOf(other ?? "")];
  if (oracle.kind === "root")
    return a !== undefined && Math.abs(valueAt(oracle.coefficients, a)) <= oracle.absolute;
  if (a === undefined || b === undefined) return false;
  const { relative, absolute } = oracle;
  if (a === b || !Number.isFinite(a) || !Number.isFinite(b)) return a === b;
  return Math.abs(a - b) <= Math.max(relative * Math.max(Math.abs(a), Math.abs(b)), absolute);
}

const linesOf = (text: string): readonly string[] =>
  text
    .trim()
    .split("\n")
    .map((line) => line.trimEnd());

/** `+1.50` as `1.5`; a word as it is. */
function plainNumber(word: string): string {
  const [, sign = "", whole = "", fraction = ""] =
    /^([+-]?)(\d{1,1000})(?:\.(\d{0,1000}))?$/.exec(word) ?? [];
  if (whole === "") return word;
  const digits = whole.replace(/^0+(?=\d)/, "");
  const rest = trimZeros(fraction);
  const isZero = digits === "0" && rest === "";
  return `${sign === "-" && !isZero ? "-" : ""}${digits}${rest === "" ? "" : `.${rest}`}`;
}

function trimZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end--;
  return digits.slice(0, end);
}

/** Whether a script printed what is expected: line by line, without blanks at their ends, words that are numbers by value. */
export function samePrinted(given: string, expected: string): boolean {
  const [lines, others] = [linesOf(given), linesOf(expected)];
  if (lines.length !== others.length) return false;
  return lines.every((line, i) => {
    const other = others[i] ?? "";
    if (line === other) return true;
    const [words, wanted] = [line.trim().split(/\s+/), other.trim().split(/\s+/)];
    return (
      words.length === wanted.length &&
      words.every((word, n) => plainNumber(word) === plainNumber(wanted[n] ?? ""))
    );
  });
}
