import { printableLine } from "./printable.ts";

/** A text that nobody of ours wrote, as Markdown that shows exactly it: no link, no picture, no HTML. */
export function asText(text: string): string {
  return printableLine(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/[\\`*_{}[\]()#+\-.!~|>:@/]/g, (mark) => `\\${mark}`);
}

/** A list of texts. */
export const list = (lines: readonly string[]): readonly string[] => lines.map((line) => `- ${asText(line)}`);

/** A table of texts, an empty line after it; nothing without a row. `right`: columns of numbers. */
export function table(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): readonly string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]): string => `| ${cells.map(asText).join(" | ")} |`;
  const rule = columns.map((_, i) => (right.includes(i) ? "---:" : "---"));
  return [line(columns), `| ${rule.join(" | ")} |`, ...rows.map(line), ""];
}

/** The words as a sentence. */
export const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

/** Lines as a file. */
export const asPage = (lines: readonly string[]): string => `${lines.join("\n").trimEnd()}\n`;
