import { printable } from "../model/printable.ts";

const COLUMNS = 100;

/** A text in lines that fit a terminal, each behind the indentation. */
export function wrapped(text: string, indent: string): string[] {
  const piece = new RegExp(`.{1,${COLUMNS - indent.length}}(?:\\s|$)|.{1,${COLUMNS - indent.length}}`, "gu");
  return printable(text)
    .split("\n")
    .flatMap((line) => (line.match(piece) ?? []).map((part) => indent + part.trimEnd()));
}
