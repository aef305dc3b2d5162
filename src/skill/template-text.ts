import type { Diagnostic } from "../model/diagnostic.ts";
import type { Skill } from "../model/skill.ts";
import { sourceText } from "./source-text.ts";

/** Marks a text that New Skill wrote in place of the author's own. */
const MARK = "TODO(template)";

/** Stands before a text, of prose or of a string literal, that its author is to replace. */
export const TODO_TEXT = `${MARK}:`;
/** Stands before an expression that its author is to replace; the expression ends its line. */
export const TODO_CODE = `/* ${MARK} */`;

/** A marked text in a file: offsets of its first character, mark included, and of the one after its last. */
export interface TemplatePlace {
  readonly start: number;
  readonly end: number;
  /** The text without its mark. */
  readonly text: string;
}

export const hasTemplateText = (text: string): boolean => text.includes(MARK);

/** A marked expression up to the end of its statement, or a marked text up to the quote or line that ends it. */
const MARKED =
  /\/\* TODO\(template\) \*\/[ \t]*([^\r\n]*?)(?=[;,]?[ \t]*(?:\r|\n|$))|TODO\(template\):?[ \t]*/g;

/** The quote that a text begins with ends it; prose ends with its line. */
function endOfText(text: string, start: number, from: number): number {
  const quote = text[start - 1] ?? "";
  const end = /["'`]/.test(quote) ? new RegExp(String.raw`(?<!\\)(?:\\\\)*${quote}`, "g") : /\s*(?:\r|\n|$)/g;
  end.lastIndex = from;
  const match = end.exec(text);
  if (match === null) return text.length;
  return /["'`]/.test(quote) ? match.index + match[0].length - 1 : match.index;
}

/** The marked texts of a file, in their order. */
export function templatePlaces(text: string): readonly TemplatePlace[] {
  if (!hasTemplateText(text)) return [];
  return [...text.matchAll(MARKED)].map((match) => {
    const after = match.index + match[0].length;
    if (match[1] !== undefined) return { start: match.index, end: after, text: match[1] };
    const end = endOfText(text, match.index, after);
    return { start: match.index, end, text: text.slice(after, end) };
  });
}

/** HASP431 on each marked text of a file; the fix takes the mark away. */
export function templateDiagnostics(file: string, text: string): readonly Diagnostic[] {
  const source = sourceText(text);
  return templatePlaces(text).map(({ start, end, text: kept }) => ({
    code: "HASP431",
    severity: "information",
    message: "Still the template's text.",
    next: "Write your own in its place. The skill acts nowhere while such a text is left in its code or its prompts.",
    file,
    range: source.range(start, end),
    fixes: [
      { title: "Keep this text", edits: [{ range: source.range(start, end), newText: kept }], byHand: true },
    ],
  }));
}

/** A template's text is left in the code, or in a text that a model reads. */
export function isTemplate(skill: Skill | undefined, pfSource: string | undefined): boolean {
  const { systemSummary = "", handler, phases = {} } = skill ?? {};
  const prompts = Object.values(phases).map((phase) => phase.text ?? "");
  return [pfSource ?? "", systemSummary, handler?.question ?? "", ...prompts].some(hasTemplateText);
}
