import type { Token } from "./token.ts";
import { calculates, CONNECTIVES, WORDS, wordsAt } from "./words.ts";

/** One side of an equation, whole: numbers, variables, operators, and the words between them that are units. */
export interface Side {
  /** Indexes of its tokens; the second is behind the last. */
  readonly from: number;
  readonly to: number;
  /** For the parser of expressions; in `12 ÷ 3/4` the fraction without blanks is one number. */
  readonly expression: string;
  /** The same in the order of its signs, `12 / 3 / 4`; absent where no fraction is behind a sign that divides. */
  readonly inOrder?: string;
  readonly operands: readonly Token[];
  readonly operators: readonly string[];
  /** Words and currency signs beside its operands, those of a remark in brackets too. */
  readonly units: readonly string[];
  /** It has a variable. */
  readonly isOpen: boolean;
}

const OPERAND = new Set(["number", "group", "variable"]);
const SPOKEN_OPERATORS: ReadonlyMap<string, string> = new Map([
  ["plus", "+"],
  ["minus", "-"],
  ["times", "*"],
]);

/** All sides of the text, in its order. They do not overlap. */
export function sidesOf(tokens: readonly Token[]): readonly Side[] {
  const sides: Side[] = [];
  let at = 0;
  while (at < tokens.length) {
    const kind = tokens[at]?.kind ?? "wall";
    const isStart = OPERAND.has(kind) || kind === "open" || isSign(tokens, at);
    if (!isStart) at++;
    else {
      const reader = new SideReader(tokens, at);
      const side = reader.read();
      if (side !== undefined) sides.push(side);
      at = Math.max(reader.at, at + 1);
    }
  }
  return sides;
}

/** A sign in front of a number: nothing that it could be subtracted from stands before it. */
function isSign(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]?.text !== "-" || tokens[at]?.kind !== "operator") return false;
  const before = tokens[at - 1]?.kind ?? "wall";
  const isFirst = ["wall", "relation", "open", "mark", "currency"].includes(before);
  return isFirst || (before === "word" && tokens[at + 1]?.glued === true);
}

const isGluedSlash = (token: Token | undefined): boolean =>
  token?.text === "/" && token.glued && token.divides !== true;
const isGluedNumber = (token: Token | undefined): boolean => token?.kind === "number" && token.glued;

class SideReader {
  at: number;
  private readonly tokens: readonly Token[];
  private readonly parts: string[] = [];
  private readonly operands: Token[] = [];
  private readonly operators: string[] = [];
  private readonly units: string[] = [];
  private readonly opened: { at: number; part: number; operand: number; operator: number }[] = [];
  /** Indexes of the slashes of fractions that are one number. */
  private slashes: number[] = [];
  private isWhole = true;
  private from: number;

  constructor(tokens: readonly Token[], from: number) {
    this.tokens = tokens;
    this.at = from;
    this.from = from;
    const before = tokens[from - 1];
    if (before?.kind === "currency") this.units.push(before.text);
  }

  read(): Side | undefined {
    do if (!this.operand()) return undefined;
    while (this.behindOperand());
    this.leaveBrackets();
    if (!this.isWhole) return undefined;
    const { from, at: to, operands, operators, units } = this;
    const isOpen = operands.some(
      ({ kind, text }) =>
        kind === "variable" || (kind === "group" && /[A-Za-z]/.test(text.replaceAll(/\\[a-z]+/g, ""))),
    );
    return { from, to, ...this.expressions(), operands, operators, units, isOpen };
  }

  private expressions(): Pick<Side, "expression" | "inOrder"> {
    const inOrder = this.parts.join(" ");
    if (this.slashes.length === 0) return { expression: inOrder };
    const bracketed = this.parts.map((part, at) => {
      if (this.slashes.includes(at + 1)) return `( ${part}`;
      return this.slashes.includes(at - 1) ? `${part} )` : part;
    });
    return { expression: bracketed.join(" "), inOrder };
  }

  private token(ahead = 0): Token | undefined {
    return this.tokens[this.at + ahead];
  }

  /** Signs, brackets that open, a currency, and the operand. */
  private operand(): boolean {
    for (let signs = 0; ; this.at++) {
      const token = this.token();
      if (token === undefined) return false;
      if (OPERAND.has(token.kind)) break;
      if (token.kind === "open") {
        const { parts, operands, operators } = this;
        this.opened.push({
          at: this.at,
          part: parts.length,
          operand: operands.length,
          operator: operators.length,
        });
        this.parts.push("(");
        signs = 0;
      } else if (token.kind === "currency") this.units.push(token.text);
      else if (token.kind === "operator" && token.text === "-" && signs++ === 0) this.parts.push("-");
      else return false;
    }
    this.take();
    return true;
  }

  private take(): void {
    const token = this.token();
    if (token === undefined) return;
    this.parts.push(token.text);
    this.operands.push(token);
    this.units.push(...(token.words ?? []));
    this.at++;
  }

  /** Whether an operator comes, and so another operand. */
  private behindOperand(): boolean {
    for (;;) {
      const token = this.token();
      if (token === undefined) return false;
      if (this.isPerWord(token)) {
        if (!this.perWord()) return false;
      } else if (token.kind === "operator") return this.operator(token);
      else if (token.kind === "postfix" && this.isPostfix(token)) this.postfix(token);
      else if (token.kind === "close" && this.opened.length > 0) this.close();
      else if (token.kind === "word") {
        const ends = this.words();
        if (ends !== undefined) return ends;
      } else if (this.isMixed()) this.mixed();
      else if (this.multiplies(token)) return this.product();
      else if (token.kind === "open" && this.skipsRemark()) continue;
      else {
        this.isWhole &&= !["opaque", "number", "group", "variable", "open", "currency"].includes(token.kind);
        return false;
      }
    }
  }

  private isPerWord({ kind, text }: Token): boolean {
    return kind === "operator" && text === "/" && this.token(1)?.kind === "word";
  }

  /** `40 miles/hour`: whether the side goes on behind the unit. */
  private perWord(): boolean {
    const slash = this.at;
    this.at += 1;
    const goesOn = this.words() === undefined;
    if (!goesOn) this.at = slash + 2;
    return goesOn;
  }

  private operator(token: Token): true {
    if (this.isFractionDividedBy()) this.slashes.push(this.parts.length);
    this.at++;
    this.parts.push(token.text);
    this.operators.push(token.text);
    return true;
  }

  /** `12 ÷ 3/4`: the slash of a fraction without blanks behind a sign that divides. A row such as `24/4/3` has none. */
  private isFractionDividedBy(): boolean {
    const [before, top, slash, bottom, next] = [-2, -1, 0, 1, 2].map((ahead) => this.token(ahead));
    const isFraction = top?.kind === "number" && isGluedSlash(slash) && isGluedNumber(bottom);
    const isDividedBy = this.parts.at(-2) === "/" && !isGluedSlash(before);
    return isFraction && isDividedBy && !isGluedSlash(next) && next?.kind !== "postfix" && next?.text !== "^";
  }

  /** `!` ends a sentence, unless the expression goes on. */
  private isPostfix({ text }: Token): boolean {
    if (text !== "!") return true;
    const next = this.token(1)?.kind ?? "wall";
    return ["operator", "relation", "close"].includes(next);
  }

  private postfix({ text }: Token): void {
    this.parts.push(text);
    if (text === "%") this.units.push("%");
    this.at++;
  }

  private close(): void {
    this.opened.pop();
    this.parts.push(")");
    this.at++;
  }

  /** Units. Undefined: the side goes on behind them; otherwise whether with an operand. */
  private words(): boolean | undefined {
    const { words, behind } = wordsAt(this.tokens, this.at);
    const spoken = this.spokenOperator(words);
    if (spoken !== undefined) {
      this.at += words.length;
      this.parts.push(spoken);
      this.operators.push(spoken);
      return true;
    }
    const next = this.tokens[behind]?.kind ?? "wall";
    const goesOn = next === "operator" || next === "relation" || (next === "close" && this.opened.length > 0);
    if (!goesOn || words.length > WORDS) return false;
    if (words.some(calculates) || (next === "operator" && words.some((word) => CONNECTIVES.has(word)))) {
      this.isWhole = false;
      return false;
    }
    this.units.push(...words);
    this.at = behind;
    return undefined;
  }

  /** `5 times 3`, `20 apples plus 4`, `18 divided by 3`, `25% of 80`. */
  private spokenOperator(words: readonly string[]): string | undefined {
    const next = this.tokens[this.at + words.length]?.kind ?? "wall";
    if (!OPERAND.has(next) && next !== "currency" && next !== "open") return undefined;
    const last = words.at(-1) ?? "";
    const spoken = SPOKEN_OPERATORS.get(last);
    if (spoken !== undefined && !words.slice(0, -1).some(calculates)) return spoken;
    const both = words.slice(0, -2).some(calculates) ? "" : words.slice(-2).join(" ");
    if (both === "divided by") return "/";
    if (both === "multiplied by") return "*";
    const isPart =
      this.parts.at(-1) === "%" || this.operands.at(-1)?.kind === "group" || this.operators.at(-1) === "/";
    return words.length === 1 && last === "of" && isPart ? "*" : undefined;
  }

  /** `2 1/2`, `2\frac{1}{2}`. */
  private isMixed(): boolean {
    const whole = this.tokens[this.at - 1];
    if (whole?.kind !== "number" || whole.text.includes(".")) return false;
    const [first, slash, last] = [this.token(), this.token(1), this.token(2)];
    if (first?.kind === "group") return first.text.startsWith("\\frac");
    const isSlash = slash?.text === "/" && slash.glued && last?.kind === "number" && last.glued;
    return first?.kind === "number" && isSlash && Number(first.text) < Number(last.text);
  }

  private mixed(): void {
    const whole = this.parts.pop() ?? "";
    const part =
      this.token()?.kind === "group" ? [this.token()] : [this.token(), this.token(1), this.token(2)];
    this.parts.push(`(${whole} + ${part.map((token) => token?.text ?? "").join("")})`);
    this.at += part.length;
  }

  /** A product without a sign: `2x`, `2(3 + 4)`, `(1 + 2)(3 + 4)`. */
  private multiplies(token: Token): boolean {
    const last = this.tokens[this.at - 1]?.kind ?? "wall";
    if (token.kind === "open")
      return token.glued && (last === "number" || last === "close" || last === "group");
    return (
      token.kind === "variable" &&
      (last === "close" || last === "group" || (last === "number" && token.glued))
    );
  }

  private product(): boolean {
    this.parts.push("*");
    this.operators.push("*");
    return true;
  }

  /** `5 (apples)`. */
  private skipsRemark(): boolean {
    let behind = this.at + 1;
    while (this.tokens[behind]?.kind === "word" && behind - this.at <= WORDS) behind++;
    const isRemark = behind > this.at + 1 && this.tokens[behind]?.kind === "close";
    if (!isRemark) return false;
    this.units.push(...this.tokens.slice(this.at + 1, behind).map(({ text }) => text));
    this.at = behind + 1;
    return true;
  }

  /** `(5 + 3 = 8)`: the side begins behind the last bracket that is still open. */
  private leaveBrackets(): void {
    const last = this.opened.at(-1);
    if (last === undefined) return;
    this.from = last.at + 1;
    this.parts.splice(0, last.part + 1);
    this.slashes = this.slashes.map((at) => at - last.part - 1).filter((at) => at > 0);
    this.operands.splice(0, last.operand);
    this.operators.splice(0, last.operator);
  }
}
