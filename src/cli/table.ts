import { printableLine } from "../model/printable.ts";

/** A column of a text table, by its title. */
export type Column = string | { readonly title: string; readonly align?: "left" | "right" };

/** A column of numbers. */
export const right = (title: string): Column => ({ title, align: "right" });

/**
 * Lines of an aligned table, the title row first, each row on one line. Rows shorter than the columns are filled up with
 * nothing.
 */
export function renderTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const all = columns.map((column) => (typeof column === "string" ? { title: column } : column));
  const lines = [all.map(({ title }) => title), ...rows.map((row) => row.map(printableLine))];
  const widths = all.map((_, i) => Math.max(...lines.map((row) => (row[i] ?? "").length)));
  return lines.map((row) => {
    const cells = all.map(({ align }, i) => {
      const [cell = "", width = 0] = [row[i], widths[i]];
      return align === "right" ? cell.padStart(width) : cell.padEnd(width);
    });
    return cells.join("  ").trimEnd();
  });
}
