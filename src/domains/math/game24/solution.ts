import { FRACTIONS } from "../expression/latex.ts";
import { add, divide, multiply, rational, subtract, type Rational } from "../expression/rational.ts";

/** The longest solution that is read, in characters: nothing of four numbers is nearly as long. */
const LONGEST = 1_000;

/** An expression of whole numbers: its exact value, and its numbers as written. */
export interface Solution {
  readonly value: Rational;
  readonly numbers: readonly string[];
}

/** Why a text is no solution, as the end of a sentence that begins with "it": "`**` is not an operation". */
export interface NoSolution {
  readonly problem: string;
}

type Operation = "+" | "-" | "*" | "/";
type Token =
  | { readonly kind: "number"; readonly text: string }
  | { readonly kind: "operation"; readonly text: Operation }
  | { readonly kind: "(" | ")" | "{" | "}" | "frac" };

const TOKENS: ReadonlyMap<string, Token> = new Map<string, Token>([
  ...each(["+"], { kind: "operation", text: "+" }),
  ...each(["-", "−", "–"], { kind: "operation", text: "-" }),
  ...each(["*", "×", "·", "⋅", "\\times", "\\cdot"], { kind: "operation", text: "*" }),
  ...each(["/", "÷", "\\div"], { kind: "operation", text: "/" }),
  ...each(["(", "[", "\\left(", "\\left["], { kind: "(" }),
  ...each([")", "]", "\\right)", "\\right]"], { kind: ")" }),
  ["{", { kind: "{" }],
  ["}", { kind: "}" }],
  ...each(
    FRACTIONS.map((name) => `\\${name}`),
    { kind: "frac" },
  ),
]);

function each(names: readonly string[], token: Token): (readonly [string, Token])[] {
  return names.map((name) => [name, token] as const);
}

/** Blanks; a LaTeX command with the bracket that `\left` and `\right` take; ASCII digits; whatever else there is. */
const PIECE = /\s+|\\[,;:! ]|\\(?:left|right)[([)\]]|\\[a-zA-Z]+|[0-9]+|./gsu;
const BLANK = /^(?:\s|\\[,;:! ])/;
const DOUBLED = /\*\s?\*|\/\s?\//;

/** Reads `(10 - 6) * (5 - 4)`: whole numbers, + − × ÷, brackets and LaTeX for these; each operation is written, none has one side. */
export function readSolution(text: string): Solution | NoSolution {
  if (text.trim() === "") return { problem: "there is no expression" };
  if (text.length > LONGEST) return { problem: "it has more than 1,000 characters" };
  const doubled = DOUBLED.exec(text)?.[0];
  if (doubled !== undefined) return { problem: `\`${doubled}\` is not an operation` };
  const tokens = tokensOf(text);
  return "problem" in tokens ? tokens : parsed(tokens);
}

function tokensOf(text: string): Token[] | NoSolution {
  const tokens: Token[] = [];
  for (const [piece] of text.matchAll(PIECE)) {
    if (BLANK.test(piece)) continue;
    const token = tokenOf(piece);
    if ("problem" in token) return token;
    tokens.push(token);
  }
  return tokens;
}

function tokenOf(piece: string): Token | NoSolution {
  if (/^0[0-9]/.test(piece)) return { problem: `\`${piece}\` begins with a zero` };
  if (/^[0-9]/.test(piece)) return { kind: "number", text: piece };
  return TOKENS.get(piece) ?? { problem: `\`${piece}\` is not a whole number, a bracket or one of + - * /` };
}

class Broken extends Error {}

function parsed(tokens: readonly Token[]): Solution | NoSolution {
  try {
    return new Parser(tokens).whole();
  } catch (error) {
    if (error instanceof Broken) return { problem: error.message };
    throw error;
  }
}

/** Recursive descent; the length of a solution bounds its depth. */
class Parser {
  readonly #tokens: readonly Token[];
  readonly #numbers: string[] = [];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Solution {
    const value = this.#sum();
    const left = this.#tokens[this.#at];
    if (left === undefined) return { value, numbers: this.#numbers };
    throw new Broken(
      left.kind === ")" || left.kind === "}"
        ? "a bracket closes that none opened"
        : `there is no operation in front of ${named(left)}`,
    );
  }

  #sum(): Rational {
    let value = this.#product();
    for (let next = this.#operation("+", "-"); next !== undefined; next = this.#operation("+", "-"))
      value = known((next === "+" ? add : subtract)(value, this.#product()));
    return value;
  }

  #product(): Rational {
    let value = this.#operand();
    for (let next = this.#operation("*", "/"); next !== undefined; next = this.#operation("*", "/"))
      value = known((next === "*" ? multiply : divide)(value, this.#operand()));
    return value;
  }

  #operand(): Rational {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    if (token?.kind === "number") return this.#number(token.text);
    if (token?.kind === "(") return this.#until(")");
    if (token?.kind === "frac") return this.#fraction();
    throw new Broken(
      token === undefined ? "it ends where a number is due" : `a number is due before ${named(token)}`,
    );
  }

  #number(text: string): Rational {
    this.#numbers.push(text);
    return known(rational(BigInt(text)));
  }

  #fraction(): Rational {
    const numerator = this.#braced();
    return known(divide(numerator, this.#braced()));
  }

  #braced(): Rational {
    if (this.#tokens[this.#at]?.kind !== "{") throw new Broken("`\\frac` has two parts, each in braces");
    this.#at += 1;
    return this.#until("}");
  }

  #until(kind: ")" | "}"): Rational {
    const value = this.#sum();
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new Broken("a bracket is not closed");
    if (token.kind !== kind) throw new Broken(`there is no operation in front of ${named(token)}`);
    this.#at += 1;
    return value;
  }

  #operation(...wanted: readonly Operation[]): Operation | undefined {
    const token = this.#tokens[this.#at];
    if (token?.kind !== "operation" || !wanted.includes(token.text)) return undefined;
    this.#at += 1;
    return token.text;
  }
}

function named(token: Token): string {
  if (token.kind === "frac") return "`\\frac`";
  return "text" in token ? `\`${token.text}\`` : `\`${token.kind}\``;
}

/** Numbers of a text of this length are far from the limit of exact values, so nothing but a division by zero has none. */
function known(value: Rational | undefined): Rational {
  if (value === undefined) throw new Broken("it divides by zero");
  return value;
}
