import type { Binary, Expression, FunctionName } from "./expression.ts";
import { compare, isWhole, parseNumber } from "./rational.ts";
import { tokensOf, type Token } from "./tokens.ts";

/** Characters of one expression; a longer text is none. */
const MAX_LENGTH = 4_000;
/** Brackets, fractions, exponents and signs within each other. */
const MAX_DEPTH = 100;
/** Also bounds how deep a long sum nests to the left. */
const MAX_NODES = 2_000;

/** Thrown within this file alone, where a text is no expression. */
class NoExpression extends Error {}

const CLOSING: Readonly<Record<string, string>> = {
  "(": ")",
  "[": "]",
  "{": "}",
  "|": "|",
  "⌊": "⌋",
  "⌈": "⌉",
};
const ARC: Readonly<Record<string, FunctionName>> = { sin: "arcsin", cos: "arccos", tan: "arctan" };

class Parser {
  private at = 0;
  private depth = 0;
  private nodes = 0;
  /** Bars that are open: within them a bar closes. */
  private bars = 0;
  private readonly tokens: Token[];

  constructor(tokens: readonly Token[]) {
    this.tokens = [...tokens];
  }

  whole(): Expression {
    const expression = this.sum();
    this.skipUnit();
    if (this.at < this.tokens.length) throw new NoExpression();
    return expression;
  }

  private next(): Token | undefined {
    return this.tokens[this.at];
  }

  private isSymbol(text: string, ahead = 0): boolean {
    const token = this.tokens[this.at + ahead];
    return token?.kind === "symbol" && token.text === text;
  }

  private take(text: string): boolean {
    const isNext = this.isSymbol(text);
    if (isNext) this.at += 1;
    return isNext;
  }

  private expect(text: string): void {
    if (!this.take(text)) throw new NoExpression();
  }

  private made<Node extends Expression>(node: Node): Node {
    this.nodes += 1;
    if (this.nodes > MAX_NODES) throw new NoExpression();
    return node;
  }

  private nested(read: () => Expression): Expression {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new NoExpression();
    const expression = read();
    this.depth -= 1;
    return expression;
  }

  private sum(): Expression {
    let left = this.signed(() => this.product());
    for (;;) {
      const kind = this.operator({ "+": "add", "-": "subtract" });
      if (kind === undefined) return left;
      left = this.made({ kind, left, right: this.signed(() => this.product()) });
    }
  }

  private operator(kinds: Readonly<Record<string, Binary>>): Binary | undefined {
    const token = this.next();
    if (token?.kind !== "symbol" || !Object.hasOwn(kinds, token.text)) return undefined;
    this.at += 1;
    return kinds[token.text];
  }

  private signed(read: () => Expression): Expression {
    if (this.take("-")) return this.nested(() => this.made({ kind: "negate", of: this.signed(read) }));
    if (this.take("+")) return this.nested(() => this.signed(read));
    return read();
  }

  /** Factors from left to right: `1/2x` is `(1/2)x`. */
  private product(): Expression {
    let left = this.powered();
    for (;;) {
      this.skipUnit();
      const written = this.operator({ "*": "multiply", "/": "divide" });
      if (written === undefined && !this.isFactor()) return left;
      const right = written === undefined ? this.powered() : this.signed(() => this.powered());
      left = this.made({ kind: written ?? "multiply", left, right });
    }
  }

  /** A factor without a sign in front. A number follows nothing without one: `2 3` is no product. */
  private isFactor(): boolean {
    const token = this.next();
    if (token === undefined || token.kind === "number") return false;
    if (token.kind !== "symbol") return token.kind !== "unit";
    return token.text === "|" ? this.bars === 0 : token.text in CLOSING;
  }

  /** Units do not count: `3 \text{ cm}^2`. */
  private skipUnit(): void {
    while (this.next()?.kind === "unit") {
      this.at += 1;
      if (this.isSymbol("^")) {
        this.at += 1;
        this.argument();
      }
    }
  }

  /** `isPlain`: a number is none of a mixed one. */
  private powered(isPlain = false): Expression {
    const base = this.postfixed(this.atom(isPlain));
    if (!this.take("^")) return base;
    const degree = this.degreeSign();
    if (degree) return this.made({ kind: "degree", of: base });
    const right = this.exponent();
    return this.postfixed(this.made({ kind: "power", left: base, right }));
  }

  /** `^\circ` and `^{\circ}`, behind the `^`. */
  private degreeSign(): boolean {
    if (this.take("°")) return true;
    const isBraced = this.isSymbol("{") && this.isSymbol("°", 1) && this.isSymbol("}", 2);
    if (isBraced) this.at += 3;
    return isBraced;
  }

  /** Without braces it ends before a fraction: `2^3\frac{1}{2}` is 8 · 1/2. */
  private exponent(): Expression {
    return this.isSymbol("{") ? this.argument() : this.nested(() => this.signed(() => this.powered(true)));
  }

  private postfixed(first: Expression): Expression {
    let of = first;
    for (;;) {
      if (this.take("!")) of = this.made({ kind: "factorial", of });
      else if (this.take("%")) of = this.made({ kind: "percent", of });
      else if (this.take("°")) of = this.made({ kind: "degree", of });
      else return of;
    }
  }

  private atom(isPlain = false): Expression {
    const token = this.next();
    if (token === undefined) throw new NoExpression();
    if (token.kind === "symbol") return this.bracketed(token.text);
    this.at += 1;
    if (token.kind === "number") return isPlain ? this.number(token) : this.mixed(token);
    if (token.kind === "letter") return this.made({ kind: "variable", name: token.text + this.index() });
    if (token.kind === "constant") return this.constant(token.text);
    if (token.kind === "function") return this.nested(() => this.call(token.text));
    throw new NoExpression();
  }

  private bracketed(open: string): Expression {
    const close = CLOSING[open];
    if (close === undefined) throw new NoExpression();
    this.at += 1;
    const outer = this.bars;
    this.bars = open === "|" ? 1 : 0;
    const inner = this.nested(() => this.sum());
    this.bars = outer;
    this.expect(close);
    if (open === "|") return this.made({ kind: "call", name: "abs", args: [inner] });
    if (open === "⌊") return this.made({ kind: "call", name: "floor", args: [inner] });
    return open === "⌈" ? this.made({ kind: "call", name: "ceil", args: [inner] }) : inner;
  }

  private constant(name: string): Expression {
    if (this.isSymbol("_")) return this.made({ kind: "variable", name: name + this.index() });
    if (name === "pi" || name === "e" || name === "i" || name === "infinity")
      return this.made({ kind: "constant", name });
    throw new NoExpression();
  }

  /** `_1`, `_{12}`, `_n`; empty where there is none. */
  private index(): string {
    if (!this.take("_")) return "";
    const isBraced = this.take("{");
    let index = "_";
    for (;;) {
      const token = this.next();
      if (token === undefined || token.kind === "unit") throw new NoExpression();
      if (isBraced && this.take("}")) return index;
      this.at += 1;
      index += token.text;
      if (!isBraced) return index;
    }
  }

  private number({ value, text }: Token & { kind: "number" }): Expression {
    return this.made({ kind: "number", value, text });
  }

  /** A number, and with a proper fraction behind it a mixed number: `3\frac{1}{2}`, `3 1/2`. */
  private mixed(token: Token & { kind: "number" }): Expression {
    const left = this.number(token);
    if (!isWhole(token.value) || !/^\d+$/.test(token.text)) return left;
    const start = this.at;
    const next = this.next();
    const right = this.fractionBehind(next);
    if (right !== undefined) return this.made({ kind: "add", left, right });
    this.at = start;
    return left;
  }

  private fractionBehind(next: Token | undefined): Expression | undefined {
    if (next?.kind === "number" && next.text.length === 1 && next.value.den !== 1n) {
      this.at += 1;
      return this.number(next);
    }
    if (next?.kind === "function" && next.text === "frac") {
      this.at += 1;
      const fraction = this.nested(() => this.call("frac"));
      return isProper(fraction) ? fraction : undefined;
    }
    const bottom = this.tokens[this.at + 2];
    if (next?.kind !== "number" || !this.isSymbol("/", 1) || bottom?.kind !== "number") return undefined;
    this.at += 3;
    const fraction = this.fraction(next, bottom);
    return isProper(fraction) ? fraction : undefined;
  }

  private fraction(top: Token & { kind: "number" }, bottom: Token & { kind: "number" }): Expression {
    return this.made({ kind: "divide", left: this.number(top), right: this.number(bottom) });
  }

  private call(name: string): Expression {
    if (name === "frac") {
      const left = this.argument(true);
      return this.made({ kind: "divide", left, right: this.argument(true) });
    }
    if (name === "binomial") {
      const top = this.argument(true);
      return this.made({ kind: "call", name, args: [top, this.argument(true)] });
    }
    if (name === "sqrt") return this.rootCall();
    if (name === "cbrt") {
      const degree = this.made({ kind: "number" as const, value: { num: 3n, den: 1n }, text: "3" });
      return this.made({ kind: "call", name: "sqrt", args: [this.argument(), degree] });
    }
    return this.functionCall(name as FunctionName);
  }

  private rootCall(): Expression {
    const degree = this.isSymbol("[") ? this.bracketed("[") : undefined;
    const radicand = this.argument();
    return this.made({
      kind: "call",
      name: "sqrt",
      args: degree === undefined ? [radicand] : [radicand, degree],
    });
  }

  /** `\sin x`, `\sin^2 x`, `\sin^{-1} x`, `\log_2 8`, `\log_{10}^2(x)`. */
  private functionCall(name: FunctionName): Expression {
    const base = name === "log" && this.take("_") ? this.argument() : undefined;
    const exponent = this.take("^") ? this.exponent() : undefined;
    const of = this.functionArgument();
    const args = base === undefined ? [of] : [of, base];
    if (exponent === undefined) return this.made({ kind: "call", name, args });
    if (isMinusOne(exponent)) {
      const inverse = ARC[name];
      if (inverse === undefined) throw new NoExpression();
      return this.made({ kind: "call", name: inverse, args });
    }
    return this.made({ kind: "power", left: this.made({ kind: "call", name, args }), right: exponent });
  }

  /** Brackets, or the factors up to the next sign or function: `\sin 2x \cos x`. */
  private functionArgument(): Expression {
    if (["(", "[", "{", "|"].some((open) => this.isSymbol(open)))
      return this.bracketed(this.next()?.text ?? "");
    let of = this.signed(() => this.powered());
    while (this.isFactor() && this.next()?.kind !== "function" && !this.isSymbol("("))
      of = this.made({ kind: "multiply", left: of, right: this.powered() });
    return of;
  }

  /** In braces, in brackets, or one token, never a mixed number; `oneDigit`: of a number its first digit alone, as in `\frac12`. */
  private argument(oneDigit = false): Expression {
    return this.nested(() => {
      const token = this.next();
      if (!oneDigit || token?.kind !== "number") return this.atom(true);
      this.at += 1;
      this.splitDigit(token);
      const first = token.text[0] ?? "";
      const value = /^\d+$/.test(token.text) ? parseNumber(first) : undefined;
      if (value === undefined) throw new NoExpression();
      return this.made({ kind: "number", value, text: first });
    });
  }

  /** The digits behind the first one become the next token. */
  private splitDigit(token: Token): void {
    const rest = token.text.slice(1);
    const value = rest === "" ? undefined : parseNumber(rest);
    if (value === undefined) return;
    this.at -= 1;
    this.tokens[this.at] = { kind: "number", text: rest, value };
  }
}

function isProper(fraction: Expression): boolean {
  if (fraction.kind !== "divide") return false;
  const { left, right } = fraction;
  if (left.kind !== "number" || right.kind !== "number") return false;
  return isWhole(left.value) && isWhole(right.value) && compare(left.value, right.value) < 0;
}

function isMinusOne(exponent: Expression): boolean {
  return exponent.kind === "negate" && exponent.of.kind === "number" && exponent.of.text === "1";
}

/** Reads a text that is one expression as a whole, LaTeX or plain. Undefined where it is none, or longer or deeper than people write. */
export function parseExpression(text: string): Expression | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const tokens = tokensOf(text);
  if (tokens === undefined || tokens.length === 0) return undefined;
  try {
    return new Parser(tokens).whole();
  } catch (error) {
    if (error instanceof NoExpression) return undefined;
    throw error;
  }
}
