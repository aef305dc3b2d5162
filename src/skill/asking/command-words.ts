/** Marks an operator among the words of a command line, so that a quoted `"|"` is none. */
const OPERATOR = "\u0000";
const OPERATORS = /[|&;<>()\n]/;

/** The words of a command line. */
export type CommandWords = readonly string[];

/** Whether a word is this operator: `|`, `&&`, `;`, … */
export function isOperator(word: string | undefined, ...operators: readonly string[]): boolean {
  return word?.startsWith(OPERATOR) === true && operators.includes(word.slice(1));
}

/**
 * Splits a command line as a shell would, quotes taken off, operators as words of their own. It expands nothing: two texts with the
 * same words are the same command. A `$` within single quotes keeps a backslash, since it means another thing there.
 * Undefined where a quote is not closed.
 */
export function commandWords(text: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let i = 0;
  const end = (): void => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  while (i < text.length) {
    const letter = text.charAt(i);
    if (letter === "'" || letter === '"') {
      const close = closing(text, i);
      if (close === -1) return undefined;
      word = (word ?? "") + quoted(letter, text.slice(i + 1, close));
      i = close + 1;
      continue;
    }
    i++;
    if (letter === "\\" && i < text.length) {
      word = (word ?? "") + text.charAt(i);
      i++;
    } else if (OPERATORS.test(letter)) {
      end();
      const isDouble = letter !== "(" && letter !== ")" && letter !== "\n" && text.charAt(i) === letter;
      words.push(OPERATOR + letter + (isDouble ? letter : ""));
      if (isDouble) i++;
    } else if (/\s/.test(letter)) end();
    else word = (word ?? "") + letter;
  }
  end();
  return words;
}

function closing(text: string, start: number): number {
  const quote = text.charAt(start);
  for (let i = start + 1; i < text.length; i++) {
    if (text.charAt(i) === quote) return i;
    if (quote === '"' && text.charAt(i) === "\\") i++;
  }
  return -1;
}

function quoted(quote: string, inner: string): string {
  return quote === '"' ? inner.replace(/\\(["\\])/g, "$1") : inner.replace(/[$`]/g, "\\$&");
}

/** The commands of a line, apart at `&&`, `||`, `;` and line ends; a pipeline stays whole. */
export function segmentsOf(words: CommandWords): string[][] {
  const segments: string[][] = [[]];
  for (const word of words)
    if (isOperator(word, "&&", "||", ";", "\n", "&")) segments.push([]);
    else segments.at(-1)?.push(word);
  return segments.filter((segment) => segment.length > 0);
}

/**
 * A word of a command in the form in which two are compared: `./dist/`, `dist` and `<cwd>/dist` are one path, `-fr` and `-rf` one
 * cluster. `..` stays as it was written, because a link would lead elsewhere.
 */
export function canonicalWord(word: string, cwd: string | undefined): string {
  if (/^-[a-zA-Z]{2,4}$/.test(word)) return `-${word.slice(1).split("").sort().join("")}`;
  if (word.startsWith("-") || word.startsWith(OPERATOR) || word.includes("://")) return word;
  return canonicalPath(word, cwd);
}

/** A path as it is compared: relative to the working folder where it lies below it, without `./`, `//` and a slash at its end. */
export function canonicalPath(path: string, cwd: string | undefined): string {
  const slashed = /^[A-Za-z]:[\\/]|^\.{1,2}\\/.test(path) ? path.replaceAll("\\", "/") : path;
  const home = slashed.replace(/^(?:\$HOME|\$\{HOME\})(?=\/|$)/, "~");
  const plain = home
    .replace(/\/{2,}/g, "/")
    .replace(/(?:\/\.)+(?=\/|$)/g, "")
    .replace(/^(?:\.\/)+(?=.)/, "");
  const short = plain.length > 1 && plain.endsWith("/") ? plain.slice(0, -1) : plain;
  const folder = cwd?.replaceAll("\\", "/");
  if (folder === undefined || folder === "" || folder === "/") return short === "" ? "/" : short;
  if (short === folder) return ".";
  return short.startsWith(`${folder}/`) ? short.slice(folder.length + 1) : short === "" ? "/" : short;
}
