import { parseJson } from "../../model/read-json.ts";

/** A string in either kind of quotation marks, a word, or a comma before the end of its list. */
const TOKEN = /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|\b(?:True|False|None)\b|,(?=\s{0,100}[}\]])/g;
const WORDS: Readonly<Record<string, string>> = { True: "true", False: "false", None: "null" };
const CONTROLS: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A string as JSON writes it. An escape that JSON does not know stays as it is, so the text is then no JSON. */
function asJsonString(quoted: string): string {
  const inner = quoted
    .slice(1, -1)
    .replaceAll(/\\[^]|["\n\r\t]/g, (sign) =>
      sign === '"' ? '\\"' : sign === "\\'" ? "'" : (CONTROLS[sign] ?? sign),
    );
  return `"${inner}"`;
}

/**
 * The value of JSON as models write it: strings in single quotation marks, line breaks within strings, True, False and None, a comma too
 * many. Undefined where that leaves more than one reading: bare words, an apostrophe within single quotation marks.
 */
export function parseLooseJson(text: string): unknown {
  return parseJson(
    text.replaceAll(TOKEN, (token) => (/^["']/.test(token) ? asJsonString(token) : (WORDS[token] ?? ""))),
  );
}

/** Characters that may still be looked at in one reply. */
export interface Budget {
  left: number;
}

const BACKSLASH = 92;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** Up to the brace that closes the one at `start`; braces within strings do not count. `quotes`: the signs that enclose strings. */
export function objectAt(text: string, start: number, quotes: string, budget: Budget): string | undefined {
  const first = quotes.charCodeAt(0);
  const second = quotes.charCodeAt(quotes.length - 1);
  let depth = 0;
  let quote = 0;
  for (let at = start; at < text.length && budget.left > 0; at++, budget.left--) {
    const code = text.charCodeAt(at);
    if (quote !== 0) {
      if (code === BACKSLASH) at++;
      else if (code === quote) quote = 0;
    } else if (code === first || code === second) quote = code;
    else if (code === OPEN_BRACE) depth++;
    else if (code === CLOSE_BRACE && --depth === 0) return text.slice(start, at + 1);
  }
  return undefined;
}
