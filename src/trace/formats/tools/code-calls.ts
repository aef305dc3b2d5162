import { quoted } from "./shell-words.ts";

/** What runs code that is handed to it as one word. */
const INTERPRETERS: Readonly<Record<string, string>> = {
  python: "python3 -c",
  javascript: "node -e",
  ruby: "ruby -e",
  perl: "perl -e",
  php: "php -r",
};
const LANGUAGES: readonly (readonly [RegExp, string])[] = [
  [/^(?:i?python[\d.]*|py|jupyter|notebook)$/, "python"],
  [/^(?:javascript|js|node(?:js)?|typescript|ts|deno|bun|repl|eval)$/, "javascript"],
  [/^(?:ruby|rb|irb)$/, "ruby"],
  [/^(?:perl|pl)$/, "perl"],
  [/^php$/, "php"],
  [/^(?:bash|sh|zsh|shell|terminal)$/, "bash"],
  [/^(?:powershell|pwsh)$/, "powershell"],
];
const PYTHON = /^(?:import|from|def|class|with|print|subprocess|os)\b|^[!%]/m;
const JAVASCRIPT = /\b(?:const|let|var|await|function)\b|\brequire\(|=>|\bconsole\.|\bprocess\./;

/** The language that words such as a tool's name or its key `language` speak of. */
export function languageIn(words: readonly string[]): string | undefined {
  for (const word of words)
    for (const [name, language] of LANGUAGES) if (name.test(word.toLowerCase())) return language;
  return undefined;
}

function guessed(code: string): string {
  if (PYTHON.test(code)) return "python";
  return JAVASCRIPT.test(code) ? "javascript" : "bash";
}

/** `Bash({ command: "…" })`: a call of a shell tool, as code writes it. The literal alone says what runs. */
const CALLED =
  /\b(?:command|cmd)["']?\s*[:=]\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`)/g;
/** A notebook's line for the shell: `!ls`, `%sx ls`. */
const ESCAPED = /^[ \t]*(?:!|%sx[ \t]|%system[ \t])(.+)$/gm;
const CELL = /^\s*%%(?:bash|sh|script[ \t]+\S+)[^\n]*\n/;
/** Shell lines of one piece of code that are looked at. */
const MAX_CALLED = 50;

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

function literal(text: string): string {
  return text.slice(1, -1).replaceAll(/\\([^])/g, (_, char: string) => ESCAPES[char] ?? char);
}

/** The shell lines that a piece of code hands to a tool of its host, or to a notebook's shell. */
export function calledIn(code: string, language: string): readonly string[] {
  const called = [...code.matchAll(CALLED)].slice(0, MAX_CALLED).map(([, text = ""]) => literal(text));
  if (language !== "python") return called;
  return [...called, ...[...code.matchAll(ESCAPED)].slice(0, MAX_CALLED).map(([, line = ""]) => line)];
}

/** A piece of code as a shell line that runs it, and the shell lines that it calls, each on a line of its own. */
export function lineOfCode(
  code: string,
  words: readonly string[],
): { readonly tool: "Bash" | "PowerShell"; readonly line: string } {
  const cell = CELL.exec(code);
  if (cell !== null) return { tool: "Bash", line: code.slice(cell[0].length) };
  const language = languageIn(words) ?? guessed(code);
  if (language === "powershell") return { tool: "PowerShell", line: code };
  const interpreter = INTERPRETERS[language];
  if (interpreter === undefined) return { tool: "Bash", line: code };
  return { tool: "Bash", line: [`${interpreter} ${quoted(code)}`, ...calledIn(code, language)].join("\n") };
}
