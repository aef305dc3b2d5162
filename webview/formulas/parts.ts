/** `answer`: a text without marks may be one formula as a whole, as `\frac{1}{2}`. */
export type FormulaText = "text" | "answer";

/** A formula between the signs that mark it, in LaTeX. */
export interface FormulaPart {
  /** As it is written, marks included. */
  readonly source: string;
  /** Without its marks. */
  readonly latex: string;
  /** Set on its own, with large operators. */
  readonly display: boolean;
}

/** Characters of one formula; a longer one stays text. */
export const LONGEST_FORMULA = 2_000;
/** Formulas of one text; those after them stay text. */
export const MOST_FORMULAS = 200;
/** Characters of all formulas of one text. */
const MOST_FORMULA_CHARS = 20_000;
/** Marks of one text that open no formula: each costs a look for its end. Those after them are plain. */
const MOST_OPEN_MARKS = 1_000;
/** Characters of an answer that may be one formula. */
const LONGEST_ANSWER = 500;

/** Possible starts of a formula; an escaped character starts none. */
const START =
  /\\\(|\\\[|\\begin\{([a-z]{1,12}\*?)\}|\\(?:boxed|fbox|d?frac|tfrac|sqrt|d?binom)(?![A-Za-z])|(?<escaped>\\.)|\$\$?/gsu;

/** End of the first `mark` after `from`, within the length of a formula; undefined where there is none. */
function closingOf(text: string, from: number, mark: string): number | undefined {
  const at = text.slice(from, from + LONGEST_FORMULA + mark.length).indexOf(mark);
  return at === -1 ? undefined : from + at + mark.length;
}

/** End of the groups in braces or brackets that follow a command; `from` if none follows, undefined if one does not close. */
function groupsEnd(text: string, from: number): number | undefined {
  let end = from;
  let depth = 0;
  for (let at = from; at < text.length && at - from < LONGEST_FORMULA; at += 1) {
    const character = text[at];
    if (character === "\\") at += 1;
    else if (character === "{" || (character === "[" && depth === 0 && end === from)) depth += 1;
    else if (character === "}" || (character === "]" && depth === 1 && text[from] === "[" && end === from)) {
      depth -= 1;
      if (depth < 0) return end;
      if (depth === 0) end = at + 1;
    } else if (depth === 0) return end;
  }
  return depth === 0 ? end : undefined;
}

/** A number alone, or with what makes it a formula: `$12$`, `$2x$`, `$5!$`, `$40\%$`, `$3:4$`. */
const NUMBER = /^[\d.,\s]+$|^[\d.,]+(?:[A-Za-z]{1,2}|!|\\?%|:[\d.,]+)$/;

/** Words and signs that amounts of money have between them: `$5 and 7$`, `$30, i.e. 20$`, `$4*5=$`, `$20/hour$`. */
function isMoney(content: string): boolean {
  if (/(?<!\\)\\[([]/.test(content)) return true;
  // Commands, spaces within a number as `1\,000`, and `1{,}000`.
  if (/\\[A-Za-z,;:!]|\{,\}|[\^_]/.test(content)) return false;
  if (/[=+*/<>-]\s*$/.test(content)) return true;
  // A word; letters alone, or beside a sign, are names of points and numbers.
  if (/\s[A-Za-z]{3,}\s|^[A-Za-z]{3,}\s+[A-Za-z]/.test(content)) return true;
  if (!/^[\d.]/.test(content)) return false;
  if (/[\s/]/.test(content) && /[A-Za-z]{3}/.test(content)) return true;
  return !NUMBER.test(content) && !/[=+*/<>(|-]/.test(content);
}

/** End of the next dollar that is neither escaped nor in braces, as those of `\text{if $x$}` are. */
function nextDollarEnd(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length && at - from <= LONGEST_FORMULA; at += 1) {
    const character = text[at];
    if (character === "\\") at += 1;
    else if (character === "{") depth += 1;
    else if (character === "}") depth -= 1;
    else if (character === "$" && depth <= 0) return at + 1;
  }
  return undefined;
}

/**
 * End of a formula between single dollars, which stand in one paragraph and touch it unless it has commands. The next dollar closes it,
 * or nothing does.
 */
function dollarEnd(text: string, start: number): number | undefined {
  const end = nextDollarEnd(text, start + 1);
  if (end === undefined) return undefined;
  const content = text.slice(start + 1, end - 1);
  const touches = content !== "" && (content.trim() === content || /\\[A-Za-z]/.test(content));
  const isAmount = /\d/.test(text[end] ?? "") || isMoney(content);
  return touches && !isAmount && !/\n\s*\n/.test(content) ? end : undefined;
}

interface Found extends FormulaPart {
  readonly end: number;
}

function between(text: string, start: number, marks: number, end: number | undefined, display: boolean) {
  if (end === undefined) return undefined;
  const latex = text.slice(start + marks, end - marks);
  const isFormula = latex.trim() !== "" && latex.length <= LONGEST_FORMULA;
  return isFormula ? { source: text.slice(start, end), latex, display, end } : undefined;
}

/** The formula that begins at a match of `START`; undefined where it does not close. */
function formulaAt(text: string, start: number, mark: string, environment?: string): Found | undefined {
  const after = start + mark.length;
  if (mark === "\\(") return between(text, start, 2, closingOf(text, after, "\\)"), false);
  if (mark === "\\[") return between(text, start, 2, closingOf(text, after, "\\]"), true);
  if (mark === "$$") return between(text, start, 2, closingOf(text, after, "$$"), true);
  if (mark === "$") return between(text, start, 1, dollarEnd(text, start), false);
  if (environment !== undefined)
    return between(text, start, 0, closingOf(text, after, `\\end{${environment}}`), true);
  const end = groupsEnd(text, after);
  return end === after ? undefined : between(text, start, 0, end, false);
}

/** Without words: names of commands, and the words of `\text{…}`, are none. */
function isOneFormula(text: string): boolean {
  if (text.length > LONGEST_ANSWER || text.includes("\n") || !/\\[A-Za-z%$]|[\^_]/.test(text)) return false;
  const bare = text
    .replaceAll(/\\(?:text|textbf|mathrm|mbox|operatorname)\s*\{[^{}]*\}/g, " ")
    .replaceAll(/\\[A-Za-z]+/g, " ");
  return !/[A-Za-z]{4}/.test(bare) && !/(?<!\\)\$/.test(bare);
}

/**
 * A text in its order: plain pieces, and formulas in LaTeX between `\( \)`, `\[ \]`, `$ $`, `$$ $$`, in `\begin{…}`, or a bare
 * `\boxed{}`, `\frac{}{}` and the like. The sources of all parts together are the text. Amounts of money, marks that do not close, and
 * formulas beyond the limits are plain.
 */
export function formulaParts(text: string, kind: FormulaText): readonly (string | FormulaPart)[] {
  const parts: (string | FormulaPart)[] = [];
  let [done, count, chars, open] = [0, 0, 0, 0];
  const start = new RegExp(START);
  for (let match = start.exec(text); match !== null && open < MOST_OPEN_MARKS; match = start.exec(text)) {
    if (match.groups?.["escaped"] !== undefined) continue;
    const found = formulaAt(text, match.index, match[0], match[1]);
    if (found === undefined) {
      open += 1;
      continue;
    }
    const { end, ...part } = found;
    count += 1;
    chars += part.source.length;
    if (count > MOST_FORMULAS || chars > MOST_FORMULA_CHARS) break;
    if (match.index > done) parts.push(text.slice(done, match.index));
    parts.push(part);
    done = start.lastIndex = end;
  }
  const isMarked = parts.some((part) => typeof part !== "string" && /^(?:\$|\\[([])/.test(part.source));
  if (kind === "answer" && !isMarked && isOneFormula(text))
    return [{ source: text, latex: text, display: false }];
  if (done < text.length) parts.push(text.slice(done));
  return parts;
}
