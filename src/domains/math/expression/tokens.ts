import { FRACTIONS, LAYOUT, PROSE, SEPARATOR, TEXTS } from "./latex.ts";
import { divide, multiply, parseNumber, power, rational, add, type Rational } from "./rational.ts";

/** The smallest parts of an expression, the same for LaTeX and plain text. */
export type Token =
  | { readonly kind: "number"; readonly text: string; readonly value: Rational }
  | {
      readonly kind: "letter" | "function" | "constant" | "symbol" | "unit";
      readonly text: string;
    };

const GREEK =
  "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi rho sigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Sigma Phi Psi Omega ell";
const GREEK_LETTERS: Readonly<Record<string, string>> = {
  α: "alpha",
  β: "beta",
  γ: "gamma",
  δ: "delta",
  ε: "epsilon",
  θ: "theta",
  λ: "lambda",
  μ: "mu",
  ρ: "rho",
  σ: "sigma",
  τ: "tau",
  φ: "phi",
  ω: "omega",
  Δ: "Delta",
  Ω: "Omega",
  Σ: "Sigma",
};
const LETTER_NAMES = new Set(GREEK.split(" "));

const FUNCTIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh ln log exp sqrt abs floor ceil"
      .split(" ")
      .map((one) => [one, one]),
  ),
  asin: "arcsin",
  acos: "arccos",
  atan: "arctan",
  lg: "log",
  cbrt: "cbrt",
};
const COMMAND_FUNCTIONS: Readonly<Record<string, string>> = {
  ...FUNCTIONS,
  ...Object.fromEntries(FRACTIONS.map((name) => [name, "frac"])),
  binom: "binomial",
  dbinom: "binomial",
  tbinom: "binomial",
};
const CONSTANTS: Readonly<Record<string, string>> = {
  pi: "pi",
  infty: "infinity",
  inf: "infinity",
  infinity: "infinity",
};
const COMMAND_SYMBOLS: Readonly<Record<string, string>> = {
  cdot: "*",
  times: "*",
  ast: "*",
  div: "/",
  circ: "°",
  degree: "°",
  mid: "|",
  vert: "|",
  lvert: "|",
  rvert: "|",
  lfloor: "⌊",
  rfloor: "⌋",
  lceil: "⌈",
  rceil: "⌉",
  lbrace: "set",
  rbrace: "set",
  lbrack: "[",
  rbrack: "]",
};
const LAYOUT_NAMES = new Set(LAYOUT);
const TEXT_NAMES = new Set([...TEXTS, "rm"]);
const PROSE_NAMES = new Set(PROSE);

const SYMBOLS: Readonly<Record<string, string>> = {
  "+": "+",
  "-": "-",
  "−": "-",
  "–": "-",
  "*": "*",
  "×": "*",
  "·": "*",
  "⋅": "*",
  "∗": "*",
  "/": "/",
  "÷": "/",
  "⁄": "/",
  "∕": "/",
  "^": "^",
  "(": "(",
  ")": ")",
  "[": "[",
  "]": "]",
  "{": "{",
  "}": "}",
  "|": "|",
  "!": "!",
  "%": "%",
  "°": "°",
  _: "_",
  "⌊": "⌊",
  "⌋": "⌋",
  "⌈": "⌈",
  "⌉": "⌉",
};
const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const VULGAR: Readonly<Record<string, readonly [number, number]>> = {
  "½": [1, 2],
  "⅓": [1, 3],
  "⅔": [2, 3],
  "¼": [1, 4],
  "¾": [3, 4],
  "⅕": [1, 5],
  "⅛": [1, 8],
};

const GROUPED = new RegExp(String.raw`[1-9]\d{0,2}(?:(?:${SEPARATOR})\d{3})+(?!\d)(?:\.\d+)?`, "y");
const PLAIN = /\d+(?:\.\d+)?|\.\d+/y;
const REPEATING = /(\d{1,200})\.(\d{0,200})\\(?:overline|bar)\{?(\d{1,200})\}?/y;
/** `1e6`, `2.5e-3`, `1E-7`; in `3e-2` the letter is Euler's number. */
const EXPONENT = /e\d{1,4}(?![\d.a-zA-Z^])|E[+-]?\d{1,4}(?![\d.a-zA-Z^])|e[+-]\d{2,4}(?![\d.a-zA-Z^])/y;
const WORD = /[a-zA-Z]+/y;
const COMMAND = /\\[a-zA-Z]+/y;
const SPACE = /(?:\s|~|\\[,;:! ]|\\\\|\$|\\\$|&)+/y;
const CONNECTIVE = /\b(?:and|or|if|when|where|for|to|is|are|not|no)\b/i;

/** Two letters that are no product. */
const SHORT_WORDS = new Set(
  "an as at be by do go he if in is it me my no of oh on or so to up us we am pm cm mm km kg mg ml sq ft mi lb oz hr".split(
    " ",
  ),
);

/** A run of letters is a product of variables where it is short or goes through the alphabet: `xy`, `abc`, never `yes`. */
function isProduct(word: string): boolean {
  if (word.length === 1) return true;
  if (word.length === 2) return !SHORT_WORDS.has(word.toLowerCase());
  return word.length <= 4 && "abcdefghijklmnopqrstuvwxyz".includes(word.toLowerCase());
}

/** End of the braces that open at `from`; undefined where they do not close. */
function closingBrace(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "{") depth += 1;
    if (text[at] === "}") depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}

/** Splits one expression into its tokens. */
class Tokenizer {
  private at = 0;
  private readonly tokens: Token[] = [];
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Undefined where something is in the text that no expression has. */
  run(): readonly Token[] | undefined {
    while (this.at < this.text.length) {
      if (this.match(SPACE) === undefined && !this.read()) return undefined;
    }
    return this.tokens;
  }

  private match(form: RegExp): RegExpExecArray | undefined {
    form.lastIndex = this.at;
    const found = form.exec(this.text) ?? undefined;
    if (found !== undefined) this.at += found[0].length;
    return found;
  }

  private push(kind: Exclude<Token["kind"], "number">, text: string): true {
    this.tokens.push({ kind, text });
    return true;
  }

  private pushNumber(text: string, value: Rational | undefined): boolean {
    if (value === undefined) return false;
    this.tokens.push({ kind: "number", text, value });
    return true;
  }

  private read(): boolean {
    const char = this.text[this.at] ?? "";
    if (/[\d.]/.test(char)) return this.readNumber();
    if (char === "\\") return this.readCommand();
    if (/[a-zA-Z]/.test(char)) return this.readWord();
    return this.readSymbol(char);
  }

  private readNumber(): boolean {
    const repeating = this.match(REPEATING);
    if (repeating !== undefined) return this.pushNumber(repeating[0], repeatingValue(repeating));
    const digits = (this.match(GROUPED) ?? this.match(PLAIN))?.[0];
    if (digits === undefined) return false;
    const value = parseNumber(digits);
    const exponent = this.match(EXPONENT)?.[0];
    if (exponent === undefined || value === undefined) return this.pushNumber(digits, value);
    const scale = power({ num: 10n, den: 1n }, BigInt(Number(exponent.slice(1))));
    return this.pushNumber(digits + exponent, scale && multiply(value, scale));
  }

  private readCommand(): boolean {
    if (this.text.startsWith("\\%", this.at)) {
      this.at += 2;
      return this.push("symbol", "%");
    }
    const name = this.match(COMMAND)?.[0].slice(1);
    if (name === undefined) return false;
    if (LAYOUT_NAMES.has(name)) return true;
    if (TEXT_NAMES.has(name)) return this.readText(name);
    return this.pushName(name, COMMAND_FUNCTIONS) || (LETTER_NAMES.has(name) && this.push("letter", name));
  }

  private pushName(name: string, functions: Readonly<Record<string, string>>): boolean {
    if (Object.hasOwn(functions, name)) return this.push("function", functions[name] ?? name);
    if (Object.hasOwn(CONSTANTS, name)) return this.push("constant", CONSTANTS[name] ?? name);
    return Object.hasOwn(COMMAND_SYMBOLS, name) && functions === COMMAND_FUNCTIONS
      ? this.push("symbol", COMMAND_SYMBOLS[name] ?? name)
      : false;
  }

  /** `\text{ cm}` is a unit, `\mathrm{e}` a letter, `\operatorname{lg}` a function. */
  private readText(command: string): boolean {
    this.match(/\s+/y);
    if (this.text[this.at] !== "{") return command === "rm";
    const end = closingBrace(this.text, this.at);
    if (end === undefined) return false;
    const inner = this.text.slice(this.at + 1, end).trim();
    this.at = end + 1;
    if (!PROSE_NAMES.has(command)) {
      if (/^[a-zA-Z]$/.test(inner)) return this.pushLetter(inner);
      if (this.pushName(inner, FUNCTIONS)) return true;
    }
    if (CONNECTIVE.test(inner) || /\d/.test(inner)) return false;
    return this.push("unit", inner);
  }

  private pushLetter(letter: string): true {
    return letter === "e" || letter === "i" ? this.push("constant", letter) : this.push("letter", letter);
  }

  private readWord(): boolean {
    const word = this.match(WORD)?.[0] ?? "";
    if (word.length > 1 && this.pushName(word.toLowerCase(), FUNCTIONS)) return true;
    if (!isProduct(word)) return false;
    for (const letter of word) this.pushLetter(letter);
    return true;
  }

  private readSymbol(char: string): boolean {
    if (this.text.startsWith("**", this.at)) {
      this.at += 2;
      return this.push("symbol", "^");
    }
    const whole = String.fromCodePoint(this.text.codePointAt(this.at) ?? 0);
    this.at += whole.length;
    if (char === "π") return this.push("constant", "pi");
    if (char === "∞") return this.push("constant", "infinity");
    if (char === "√") return this.push("function", "sqrt");
    if (char === "∛") return this.push("function", "cbrt");
    if (Object.hasOwn(GREEK_LETTERS, char)) return this.push("letter", GREEK_LETTERS[char] ?? char);
    if (Object.hasOwn(VULGAR, char)) {
      const [num, den] = VULGAR[char] ?? [0, 1];
      return this.pushNumber(char, rational(num, den));
    }
    if (char === "⁻" || SUPERSCRIPTS.includes(char)) return this.readSuperscript(char);
    return Object.hasOwn(SYMBOLS, char) && this.push("symbol", SYMBOLS[char] ?? char);
  }

  private readSuperscript(first: string): boolean {
    const isNegative = first === "⁻";
    let digits = isNegative ? "" : `${SUPERSCRIPTS.indexOf(first)}`;
    for (;;) {
      const digit = SUPERSCRIPTS.indexOf(this.text[this.at] ?? " ");
      if (digit < 0) break;
      digits += digit;
      this.at += 1;
    }
    this.push("symbol", "^");
    if (isNegative) this.push("symbol", "-");
    return this.pushNumber(digits, parseNumber(digits));
  }
}

/** `0.1\overline{6}`: 1/6. */
function repeatingValue([, whole = "", fixed = "", repeated = ""]: RegExpExecArray): Rational | undefined {
  const start = parseNumber(fixed === "" ? whole : `${whole}.${fixed}`);
  const period = rational(BigInt(repeated), 10n ** BigInt(repeated.length) - 1n);
  const scale = rational(10n ** BigInt(fixed.length));
  const end = period && scale && divide(period, scale);
  return start && end && add(start, end);
}

/** The tokens of a text; undefined where something is in it that no expression has. */
export function tokensOf(text: string): readonly Token[] | undefined {
  return new Tokenizer(text).run();
}
