import { commandsOf, FRACTIONS, LATEX_SEPARATOR, LAYOUT, TEXTS } from "../expression/latex.ts";
import { bareAnswer } from "../find-answer.ts";

/** Commands of spacing, and what makes brackets larger. */
const SPACED = new RegExp(String.raw`${commandsOf(LAYOUT)}|(?<!\\)\\[;:, ]|~`, "g");
const GROUP = new RegExp(String.raw`(?<=\d)(?:${LATEX_SEPARATOR})(?=\d{3}(?!\d))`, "g");
const ARGUMENT = String.raw`\s*\{([^{}]*)\}`;
const TEXT = new RegExp(commandsOf(TEXTS) + ARGUMENT, "g");
const WHOLE_TEXT = new RegExp(`^${commandsOf(TEXTS)}${ARGUMENT}$`);
const CONNECTIVE = /^\s*(?:,?\s*(?:and|or)|,|;)\s*$/;

/** Dollar signs around a formula within the text: `$5$ cm`. Of `$5 or $6` the second one opens an amount. */
const FORMULA = /(?<![\\\w}$])\$\$?(?=[^\s$])((?:\\.|[^$\\])+)(?<!\s)\$\$?(?!\d)/gs;

/** Quotation marks around a whole answer. */
const QUOTED = /^"([^"]+)"$/;

/** The text within `\text{…}` and the like, without the commands. */
export function withoutTextCommands(text: string): string {
  return text.replaceAll(TEXT, " $1 ").replaceAll(/\s+/g, " ").trim();
}

/**
 * An answer without layout: dollar signs around formulas, spacing, `\left`, the full stop at its end, and with `\text{ or }` as a plain word.
 * Separators of thousands become `{,}`.
 */
export function clean(text: string): string {
  // Expressions with several optional spaces in a row are slow on long runs of them.
  let cleaned = text.trim().replaceAll(/\s+/g, " ");
  for (let round = 0; round < 4; round += 1) {
    const before = cleaned;
    cleaned = bareAnswer(cleaned)
      .replace(QUOTED, "$1")
      .trim()
      .replace(/(?<!\.)[.,;:]$/, "")
      .replace(/^(?:=|≈|\\approx(?![a-zA-Z]))\s*/, "")
      .trim();
    if (cleaned === before) break;
  }
  return cleaned
    .replaceAll(FORMULA, "$1")
    .replaceAll(GROUP, "{,}")
    .replaceAll(SPACED, " ")
    .replaceAll(/(?<!\\)\\!/g, "")
    .replaceAll(TEXT, (all, inner: string) => (CONNECTIVE.test(inner) ? ` ${inner} ` : all))
    .replace(WHOLE_TEXT, "$1")
    .replaceAll(/\s+/g, " ")
    .trim();
}

const SAME_SIGN: readonly (readonly [RegExp, string])[] = [
  [new RegExp(commandsOf(FRACTIONS), "g"), "\\frac"],
  [/[−–]/g, "-"],
  [/×|\\times(?![a-zA-Z])/g, "\\cdot"],
  [/\{,\}/g, ""],
  [/\\cdot\s*/g, "\\cdot "],
  [/(\\[a-zA-Z]+) (?=\d)/g, "$1"],
  [new RegExp(String.raw`${commandsOf(TEXTS)}(?=\s*\{)`, "g"), "\\text"],
];

/** `10 000`: groups of three digits. With a fraction behind it may be a mixed number: `1 250/300`. */
const SPACED_GROUPS =
  /(?<![\p{L}\d.,/] ?)[1-9]\d{0,2}(?: \d{3})+(?! ?(?:[\d/\u00BC-\u00BE\u2150-\u215F]|\\frac))/gu;
/** Blanks that matter: between letters or digits, and beside the point of a decimal or a comma before three digits. */
const KEPT_BLANK = /(?<=[\p{L}\p{N}]) (?=[\p{L}\p{N}]|\.\d)|(?<=\d\.) (?=\d)|(?<=\d,) (?=\d{3}(?!\d))/gu;

/** The same for texts that differ in layout alone. */
export function layoutKey(cleaned: string): string {
  return SAME_SIGN.reduce((text, [form, sign]) => text.replaceAll(form, sign), cleaned)
    .replaceAll(SPACED_GROUPS, (digits) => digits.replaceAll(" ", ""))
    .replaceAll(KEPT_BLANK, "\n")
    .replaceAll(" ", "");
}
