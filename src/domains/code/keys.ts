import type { DomainKeys } from "../domain.ts";

/** Lines without the blanks at their ends, and no blank lines behind the last one. */
const withoutTrailingBlanks = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trimEnd())
    .join("\n")
    .trimEnd();

/** Programs that differ in the ends of lines alone are one. Indentation, case and blanks within a line make a difference. */
export const CODE_KEYS: DomainKeys = {
  answer: withoutTrailingBlanks,
  question: (text) => withoutTrailingBlanks(text).trim(),
};
