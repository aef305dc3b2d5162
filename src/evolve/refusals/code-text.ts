/** Comments, texts and regular expressions of TypeScript, in the order of the file. A reading by eye: PFs hold no JSX. */
const PIECE =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`|(?<=[=(,:!&|?;{}[\]\n]\s*|return\s+)\/(?![/*])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g;

const isComment = (piece: string): boolean => piece.startsWith("/*") || piece.startsWith("//");

/** As many lines, and nothing on them. */
const blank = (piece: string): string => piece.replaceAll(/[^\n]/g, " ");

/** Code without its comments, on the same lines. */
export function withoutComments(source: string): string {
  return source.replaceAll(PIECE, (piece) => (isComment(piece) ? blank(piece) : piece));
}

/** The texts and regular expressions of code alone, on the same lines. */
export function literalsOf(source: string): string {
  let end = 0;
  let text = "";
  for (const { 0: piece, index } of source.matchAll(PIECE)) {
    text += blank(source.slice(end, index)) + (isComment(piece) ? blank(piece) : piece);
    end = index + piece.length;
  }
  return text + blank(source.slice(end));
}

/**
 * The words and numbers of a Program Function, each once: without comments, imports and the name of its class, which differ between copies.
 */
export function codeTokens(source: string): ReadonlySet<string> {
  const code = withoutComments(source).replaceAll(/^\s*import\b[\s\S]*?from\s*["'][^"'\n]*["'];?/gm, " ");
  const name = /\bclass\s+(\w+)/.exec(code)?.[1];
  const tokens = code.match(/[\p{L}\p{N}_$]+|[<>=!&|?+*%-]+/gu) ?? [];
  return new Set(tokens.filter((token) => token !== name));
}

/** Code without comments and layout. */
export function bareCode(source: string): string {
  const literals: string[] = [];
  const code = source.replaceAll(PIECE, (piece) =>
    isComment(piece) ? " " : `\0${literals.push(piece) - 1}\0`,
  );
  const dense = code.replaceAll(/\s+/g, " ").replaceAll(/ ?([^\w$\0 ]) ?/g, "$1");
  return [dense.trim(), ...literals].join("\n");
}
