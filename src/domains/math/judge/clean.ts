import { bareAnswer } from "../find-answer.ts";

/** Commands of spacing, and what makes brackets larger. */
const LAYOUT =
  /\\(?:left|right|bigl|bigr|Bigl|Bigr|big|Big|displaystyle|textstyle|quad|qquad)(?![a-zA-Z])|(?<!\\)\\[;:, ]|~/g;
const GROUP = /(?<=\d)(?:,\\!|\\,|\{,\}\\!|\{,\})(?=\d{3}(?!\d))/g;
const TEXT = /\\(?:text(?:bf|it|rm)?|mathrm|mathbf|mbox|operatorname)\s*\{([^{}]*)\}/g;
const CONNECTIVE = /^\s*(?:,?\s*(?:and|or)|,|;)\s*$/;

/** Quotation marks around a whole answer. */
const QUOTED = /^"([^"]+)"$/;

/** The text within `\text{…}` and the like, without the commands. */
export function withoutTextCommands(text: string): string {
  return text.replaceAll(TEXT, " $1 ").replaceAll(/\s+/g, " ").trim();
}

/**
 * An answer without layout: dollar signs around it, spacing, `\left`, the full stop at its end, and with `\text{ or }` as a plain word.
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
    .replaceAll(GROUP, "{,}")
    .replaceAll(LAYOUT, " ")
    .replaceAll(/(?<!\\)\\!/g, "")
    .replaceAll(TEXT, (all, inner: string) => (CONNECTIVE.test(inner) ? ` ${inner} ` : all))
    .replace(/^\\(?:text(?:bf|it|rm)?|mathrm|mathbf|mbox)\s*\{([^{}]*)\}$/, "$1")
    .replaceAll(/\s+/g, " ")
    .trim();
}

const SAME_SIGN: readonly (readonly [RegExp, string])[] = [
  [/\\[dtc]frac(?![a-zA-Z])/g, "\\frac"],
  [/[−–]/g, "-"],
  [/×|\\times(?![a-zA-Z])/g, "\\cdot"],
  [/\{,\}/g, ""],
  [/\\cdot\s*/g, "\\cdot "],
  [/\\(?:textbf|textit|textrm|mathrm|mbox)(?=\s*\{)/g, "\\text"],
];

/** The same for texts that differ in layout alone. */
export function layoutKey(cleaned: string): string {
  return SAME_SIGN.reduce((text, [form, sign]) => text.replaceAll(form, sign), cleaned).replaceAll(
    /\s+/g,
    "",
  );
}
