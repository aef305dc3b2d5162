import { diffArrays } from "diff";

/** Lines and characters of each side; longer programs are not compared, nor those with more changes than `MOST_CHANGES`. */
const MOST_LINES = 5_000;
const MOST_CHARACTERS = 200_000;
const MOST_CHANGES = 1_000;
/** Lines shown around a change. */
const AROUND = 3;

/** A line of one of two texts, or as many that both have and nobody needs to see. */
export type DiffRow =
  | { readonly is: "same" | "added" | "removed"; readonly line: number }
  | { readonly is: "gap"; readonly lines: number };

type Line = Exclude<DiffRow, { is: "gap" }>;

function linesOfDiff(before: readonly string[], after: readonly string[]): readonly Line[] | undefined {
  const parts = diffArrays([...before], [...after], { maxEditLength: MOST_CHANGES });
  const rows: Line[] = [];
  const at = { before: 0, after: 0 };
  for (const { added, removed, value } of parts ?? [])
    for (let i = 0; i < value.length; i += 1) {
      if (removed) rows.push({ is: "removed", line: at.before });
      else rows.push({ is: added ? "added" : "same", line: at.after });
      if (!added) at.before += 1;
      if (!removed) at.after += 1;
    }
  return parts === undefined ? undefined : rows;
}

/** The rows near a change, and gaps in place of the others. */
function withGaps(rows: readonly Line[]): readonly DiffRow[] {
  const near = rows.map(() => false);
  for (const [i, { is }] of rows.entries())
    if (is !== "same") near.fill(true, Math.max(0, i - AROUND), i + AROUND + 1);
  const shown: DiffRow[] = [];
  for (const [i, row] of rows.entries()) {
    const last = shown.at(-1);
    if (near[i] === true) shown.push(row);
    else if (last?.is === "gap") shown[shown.length - 1] = { is: "gap", lines: last.lines + 1 };
    else shown.push({ is: "gap", lines: 1 });
  }
  return shown;
}

const isShort = (text: string, lines: readonly string[]): boolean =>
  text.length <= MOST_CHARACTERS && lines.length <= MOST_LINES;

/**
 * What was changed between two texts by lines, whose numbers are from 0: of the first text where they were removed, else of the second.
 * Undefined where the texts are too long to be compared.
 */
export function diffRows(before: string, after: string): readonly DiffRow[] | undefined {
  // A program that does not end its last line is no other one.
  const [old, now] = [before, after].map((text) => text.replace(/\n$/, "").split("\n"));
  if (old === undefined || now === undefined) return undefined;
  if (!isShort(before, old) || !isShort(after, now)) return undefined;
  const rows = linesOfDiff(old, now);
  return rows === undefined ? undefined : withGaps(rows);
}
