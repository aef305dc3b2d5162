/** A piece of a program's text in Python, JavaScript, Perl, Ruby, PHP and their like. */
export interface CodeToken {
  /** `command`: a text in backticks or `qx{…}`, which a shell runs. */
  readonly kind: "name" | "string" | "command" | "mark";
  /** A name with the names it is taken from (`os.path.join`), the value of a string, or a mark. */
  readonly text: string;
  /** The string has parts that only a run knows; they stand in it as `$name`. */
  readonly isOpen?: boolean;
}

export type CodeLanguage = "python" | "js" | "perl" | "ruby" | "php" | "other";

const NAME = /[A-Za-z_$@%][\w$]*(?:(?:\.|::|->|\?\.|\\)[A-Za-z_]\w*)*/y;
const BLANK = /\s+/y;
const CLOSING: Readonly<Record<string, string>> = { "{": "}", "(": ")", "[": "]", "<": ">" };

/** The tokens of a text. Comments are left out; a line end is a mark where a statement may end at it. */
export function tokensOf(code: string, language: CodeLanguage): CodeToken[] {
  const tokens: CodeToken[] = [];
  let at = 0;
  while (at < code.length) {
    const c = code[at] ?? "";
    const blank = matchAt(BLANK, code, at);
    if (blank !== "") {
      at += blank.length;
      if (blank.includes("\n")) tokens.push({ kind: "mark", text: "\n" });
    } else if (isComment(code, at, language)) at = endOf(code, "\n", at);
    else if (language === "js" && code.startsWith("/*", at)) at = endOf(code, "*/", at + 2) + 2;
    else if (/["'`]/.test(c)) at = readString(code, at, language, tokens);
    else at = readWord(code, at, language, tokens);
  }
  return tokens;
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

function endOf(code: string, mark: string, from: number): number {
  const at = code.indexOf(mark, from);
  return at === -1 ? code.length : at;
}

function isComment(code: string, at: number, language: CodeLanguage): boolean {
  if (code[at] === "#") return language !== "js";
  return code.startsWith("//", at) && (language === "js" || language === "php");
}

/** A name, a text in marks of its own (`qx{…}`, `%x(…)`, `q(…)`, `qw(…)`), or a mark. */
function readWord(code: string, at: number, language: CodeLanguage, tokens: CodeToken[]): number {
  const [opening, kind = "", mark = ""] =
    language === "perl" || language === "ruby" ? (QUOTED.exec(code.slice(at, at + 8)) ?? []) : [];
  if (opening !== undefined) {
    const start = at + opening.length;
    const end = endOf(code, CLOSING[mark] ?? mark, start);
    const text = code.slice(start, end);
    if (/w$/i.test(kind)) tokens.push(...listOf(text, language));
    else tokens.push({ kind: kind.endsWith("x") ? "command" : "string", text });
    return end + 1;
  }
  const name = matchAt(NAME, code, at);
  tokens.push(name === "" ? { kind: "mark", text: code[at] ?? "" } : { kind: "name", text: name });
  return at + Math.max(1, name.length);
}

/** The words of `qw(…)` and `%w[…]` as a list of strings. */
function listOf(text: string, language: CodeLanguage): CodeToken[] {
  const [opening, closing] = language === "perl" ? ["(", ")"] : ["[", "]"];
  const words = text.split(/\s+/).filter(Boolean);
  const items = words.flatMap((word): CodeToken[] => [
    { kind: "mark", text: "," },
    { kind: "string", text: word },
  ]);
  return [{ kind: "mark", text: opening ?? "(" }, ...items.slice(1), { kind: "mark", text: closing ?? ")" }];
}

const QUOTED = /^(q[xqw]?|%[xqQwW])\s*([{([<|!/])/;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "0": "\0" };

function readString(code: string, start: number, language: CodeLanguage, tokens: CodeToken[]): number {
  const quote = code[start] ?? "";
  const isTriple = language === "python" && code.startsWith(quote.repeat(3), start);
  const close = isTriple ? quote.repeat(3) : quote;
  const prefix = stringPrefix(tokens, language);
  const isRaw = /r/i.test(prefix) || (quote === "'" && /^(?:perl|ruby|php)$/.test(language));
  let text = "";
  let isOpen = false;
  let at = start + close.length;
  while (at < code.length && !code.startsWith(close, at)) {
    const c = code[at] ?? "";
    const part = c === "\\" ? "" : insertAt(code, at, language, quote, prefix);
    if (c === "\\" && !isRaw) {
      const hex = /^\\x([0-9a-fA-F]{2})/.exec(code.slice(at, at + 4))?.[1];
      const next = code[at + 1] ?? "";
      text += hex === undefined ? (ESCAPES[next] ?? next) : String.fromCharCode(Number.parseInt(hex, 16));
      at += hex === undefined ? 2 : 4;
    } else if (part !== "") {
      const isHome = /\bHOME\b|\b(?:homedir|Path\.home|Dir\.home)\b|expanduser\(["']~["']\)/.test(part);
      const name = /[A-Za-z_]\w*/.exec(part)?.[0] ?? "_";
      text += isHome ? "~" : `$${name}`;
      isOpen ||= !isHome;
      at += part.length;
    } else {
      text += c;
      at++;
    }
  }
  tokens.push({
    kind: quote === "`" && language !== "js" ? "command" : "string",
    text,
    ...(isOpen ? { isOpen } : {}),
  });
  return at + close.length;
}

/** Takes `f`, `rb` and their like from the tokens: they belong to the string behind them. */
function stringPrefix(tokens: CodeToken[], language: CodeLanguage): string {
  const last = tokens.at(-1);
  if (language !== "python" || last?.kind !== "name" || !/^[rbfuRBFU]{1,2}$/.test(last.text)) return "";
  tokens.pop();
  return last.text;
}

/** A part of a string that a run fills in: `{x}`, `${x}`, `#{x}`, `$x`. */
function insertAt(code: string, at: number, language: CodeLanguage, quote: string, prefix: string): string {
  const c = code[at];
  if (c !== "{" && c !== "$" && c !== "#" && c !== "@") return "";
  const text = code.slice(at, at + 200);
  const found =
    language === "python"
      ? /f/i.test(prefix)
        ? /^\{[^{}]*\}/.exec(text)
        : null
      : language === "js"
        ? quote === "`"
          ? /^\$\{[^{}]*\}/.exec(text)
          : null
        : language === "ruby"
          ? quote === "'"
            ? null
            : /^#\{[^{}]*\}/.exec(text)
          : quote === "'"
            ? null
            : /^\$(?:\{\w+\}|\w+)(?:[{[][^}\]]*[}\]])?/.exec(text);
  return found?.[0] ?? "";
}
