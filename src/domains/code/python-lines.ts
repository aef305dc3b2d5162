const KEYWORDS = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from global if import in is " +
    "lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
);
/** Words that a name or a value may follow although they are no keywords everywhere. */
const SOFT_KEYWORDS = new Set(["match", "case", "type", "print", "exec"]);

/** Characters of a line that tell whether it is prose. */
const LOOKED_AT = 400;

/** Marks of lists and of bold text that no program has at the start of a line. A heading, `## Usage`, is a comment of Python, too. */
const MARK = /^(?:[*>-][ \t]+\S|\d{1,3}[.)][ \t]+\p{L}|\*\*\S)/u;

/**
 * Whether a line at the left margin is prose. Python never has two names side by side, so that two words that are no keywords are enough,
 * before a quote or a comment. An indented line and an empty one never are prose.
 */
export function isProse(line: string): boolean {
  if (line === "" || /^[\s@]/.test(line)) return false;
  if (MARK.test(line)) return true;
  const text = line.slice(0, LOOKED_AT);
  if (text.startsWith("#")) return false;
  if (
    /^(?:(?:async[ \t]+)?def|class|import|from)[ \t]+[A-Za-z_.]\w*[ \t]*(?:[(:.,[]|import\b|as\b|$)/.test(
      text,
    )
  )
    return false;
  const code = text.split(/["'#`]/, 1)[0] ?? "";
  const words = [...code.matchAll(/(?<![\w.])[\p{L}_][\p{L}\d_]*(?:,?[ \t]+(?=[\p{L}_])|)/gu)].map(
    ([word]) => word,
  );
  const isAdjacent = (word: string, next: string | undefined): boolean => {
    if (next === undefined || !/[ \t]$/.test(word) || word.includes(",")) return false;
    const [one, other] = [word.trim(), next.trim()];
    return !KEYWORDS.has(one) && !KEYWORDS.has(other.replace(/,$/, ""));
  };
  const [first = ""] = words;
  if (SOFT_KEYWORDS.has(first.trim())) return false;
  if (words.some((word, i) => isAdjacent(word, words[i + 1]))) return true;
  // "Explanation:" and "Sure!" are prose; `else:` and `x: int` are not.
  const bare = code.trim();
  return (
    /^\p{Lu}[\p{L} ,]*[:!.?]$/u.test(bare) ||
    (!/[\w"')\]}:,\\]$/.test(bare) && /^\p{Lu}\p{L}+ .*[.!?]$/u.test(bare))
  );
}

/** Whether a line is one that a program has and prose has not: it defines, imports, assigns, calls, branches or returns. */
export function opensProgram(line: string): boolean {
  const text = line.slice(0, LOOKED_AT);
  return (
    /^[ \t]*(?:(?:async[ \t]+)?def[ \t]+\w|class[ \t]+\w+[ \t]*[(:]|import[ \t]+\w|from[ \t]+[\w.]+[ \t]+import\b|@\w)/.test(
      text,
    ) ||
    /^[ \t]*(?:return\b|raise\b|yield\b|pass[ \t]*$|print[ \t]*\(|(?:if|elif|for|while|with|try|else)\b.*:[ \t]*(?:#.*)?$)/.test(
      text,
    ) ||
    /^[ \t]*[A-Za-z_][\w.]*(?:\[[^\]]*\])?(?:,[ \t]*[A-Za-z_]\w*){0,8}[ \t]*(?:[-+*/%|&^]|\/\/|\*\*|<<|>>)?=(?!=)/.test(
      text,
    ) ||
    /^[ \t]*[A-Za-z_][\w.]*\(.*\)[ \t]*(?:#.*)?$/.test(text)
  );
}
