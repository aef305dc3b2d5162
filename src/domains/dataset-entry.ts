import type { JsonEntry } from "../trace/json-entries.ts";
import type { Passage } from "./environment.ts";

/** The values of a row, by their keys or columns. */
export type RowValues = Readonly<Record<string, unknown>>;

/** Facts about a question, for reports: `hops`, `type`, `level`. */
export type Meta = Readonly<Record<string, string | number>>;

/** One row of a file of questions. */
export interface DatasetRow {
  readonly values: RowValues;
  /** Its text in the file: `JSON.parse` loses digits of long integers, and makes 1 of `1.0`. `memberSource` gives that of a key. */
  readonly source: string;
}

/**
 * Which rows of a data set are test: the first 200, with a pool of 800 behind them, or other numbers, in proportion where there are fewer rows
 * (`paper`); all (`test`), with seed and validation in a data set of their own where it names one; or none, because it is such a pool (`pool`).
 */
export type SplitPolicy =
  | { readonly kind: "paper"; readonly test?: number; readonly pool?: number }
  | { readonly kind: "test"; readonly pool?: string }
  | { readonly kind: "pool" };

/**
 * A data set of a domain in its release format. A part that is absent is read as of plain questions (docs/datasets.md); one that answers
 * `undefined`, too. The functions take rows of any file, and throw at none.
 */
export interface DatasetEntry {
  /** As people and records name it; no two domains have one of the same name. */
  readonly name: string;
  /** Short forms that people may write, in lower case. */
  readonly shortNames?: readonly string[];
  /** Keys or columns that its rows have. A file of no data set is told the nearest one by them. */
  readonly keys: readonly string[];
  /** The rows in the text of a file. Absent: JSONL or one JSON array. */
  readonly entries?: (text: string) => Iterable<JsonEntry>;
  /** Whether a row is of this data set for certain; keys that anybody may use prove nothing. `file`: its name. */
  readonly detects: (values: RowValues, file: string) => boolean;
  /** Whether a row of such a file belongs to the data set; the others are skipped. Absent: all do. */
  readonly takes?: (values: RowValues) => boolean;
  readonly id?: (row: DatasetRow) => string | number | undefined;
  readonly question?: (row: DatasetRow) => string | undefined;
  /** The accepted answers. */
  readonly gold?: (row: DatasetRow) => string | readonly string[] | undefined;
  /** Material for the judge (`Question.material`). */
  readonly material?: (row: DatasetRow) => string | undefined;
  readonly meta?: (row: DatasetRow) => Meta | undefined;
  /** The passages that a row brings, under `key`; undefined where they cannot be read. Absent: its rows bring none. */
  readonly passages?: {
    readonly key: string;
    readonly of: (values: RowValues) => readonly Passage[] | undefined;
  };
  /** Absent: `paper`. */
  readonly split?: SplitPolicy;
  /** Questions that are never trained on, by their id, because another data set tests with them. */
  readonly heldOut?: (id: string) => boolean;
  /** Its questions ask for names, dates and places: its answers are never taken for math. */
  readonly asksForWords?: true;
}

/** Whether a value is an object with keys. */
export const isRow = (value: unknown): value is RowValues =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a row stands in a file of this data set and does not belong to it (`takes`). */
export const isLeftOut = (value: unknown, dataset: DatasetEntry | undefined): boolean =>
  dataset?.takes !== undefined && isRow(value) && !dataset.takes(value);

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";

/** The question of a row under the keys that anybody may use; AgentFlow calls it `query`, Bamboogle `Question`. */
export function questionUnderUsualKeys(values: RowValues): unknown {
  const named = ["question", "query", "Question"].map((key) => values[key]);
  return named.find(isText) ?? named.find((value) => value !== undefined);
}

/** The texts and numbers of these values. */
export const plainValues = (values: RowValues): Meta =>
  Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) =>
      typeof value === "string" || typeof value === "number" ? [[key, value] as const] : [],
    ),
  );
