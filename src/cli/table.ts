import { printableLine } from "../model/printable.ts";

/** A column of a text table. Numbers stand to the right. */
export interface Column {
  readonly title: string;
  readonly align?: "left" | "right";
}

/**
 * Lines of an aligned table, the title row first, each row on one line. Rows shorter than the columns are filled up with
 * nothing.
 */
export function renderTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const all = [columns.map((c) => c.title), ...rows.map((row) => row.map(printableLine))];
  const widths = columns.map((_, i) => Math.max(...all.map((row) => (row[i] ?? "").length)));
  return all.map((row) =>
    columns
      .map((column, i) => {
        const cell = row[i] ?? "";
        const width = widths[i] ?? 0;
        return column.align === "right" ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd(),
  );
}

/** `1 step`, `2 steps`. */
export function counted(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? "" : "s"}`;
}
