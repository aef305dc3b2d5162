import type { Checked } from "../model/diagnostic.ts";
import { START_OF_FILE } from "../model/diagnostic.ts";
import { DATASETS, type DatasetName } from "../model/question-set.ts";
import { didYouMean } from "../skill/suggest.ts";

export type Meta = Readonly<Record<string, string | number>>;
type Row = Readonly<Record<string, unknown>>;

const SHORT_NAMES: Readonly<Record<string, DatasetName>> = { "2wiki": "2wikimultihopqa", hotpot: "hotpotqa" };

const isName = (word: unknown): word is DatasetName => DATASETS.some((name) => name === word);
export const isRow = (value: unknown): value is Row =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The data set that a person named; case and the short forms `2wiki`, `hotpot` do not matter. Code HASP560. */
export function datasetNamed(word: string): Checked<DatasetName> {
  const plain = word.trim().toLowerCase();
  const found = SHORT_NAMES[plain] ?? plain;
  if (isName(found)) return { value: found, diagnostics: [] };
  const message = `No data set is called ${JSON.stringify(word.slice(0, 60))}.`;
  const next = didYouMean(word, DATASETS);
  const unknown = { code: "HASP560", severity: "error", message, next, range: START_OF_FILE } as const;
  return { value: undefined, diagnostics: [unknown] };
}

/** What one copy of Bamboogle glues to the end of every question; the rest of the text goes with it. */
const INSTRUCTION = /\s*When ready, output the final answer\b[^]*$/i;

const isMusique = ({ paragraphs }: Row): boolean =>
  Array.isArray(paragraphs) && paragraphs.some((one) => isRow(one) && "paragraph_text" in one);
const isBamboogle = (row: Row): boolean =>
  ("Question" in row && "Answer" in row) ||
  (typeof row["question"] === "string" && INSTRUCTION.test(row["question"]));

/** The data set that a row comes from, by what only its rows have; undefined where it could be anybody's. */
export function detectDataset(value: unknown): DatasetName | undefined {
  if (!isRow(value)) return undefined;
  if (isName(value["dataset"])) return value["dataset"];
  if (isMusique(value)) return "musique";
  if ("context" in value) return "evidences" in value ? "2wikimultihopqa" : "hotpotqa";
  return isBamboogle(value) ? "bamboogle" : undefined;
}

const count = (value: unknown): number | undefined =>
  Array.isArray(value) && value.length > 0 ? value.length : undefined;

const HOPS: Readonly<Record<DatasetName, (row: Row) => number | undefined>> = {
  hotpotqa: () => 2,
  "2wikimultihopqa": (row) => count(row["evidences"]),
  musique: (row) => count(row["question_decomposition"]) ?? hopsInId(row["id"]),
  bamboogle: () => 2,
};

/** MuSiQue's ids begin with `2hop__`, `3hop1__` and so on. */
function hopsInId(id: unknown): number | undefined {
  const digits = typeof id === "string" ? /^(\d)hop/.exec(id)?.[1] : undefined;
  return digits === undefined ? undefined : Number(digits);
}

const plainValues = (row: Row): Meta =>
  Object.fromEntries(
    Object.entries(row).flatMap(([key, value]) =>
      typeof value === "string" || typeof value === "number" ? [[key, value] as const] : [],
    ),
  );

/** What a row says of its question: the number of `hops`, `type` and `level` where the data set has them. */
export function metaOf(value: unknown, dataset: DatasetName | undefined): Meta | undefined {
  if (!isRow(value)) return undefined;
  if (isRow(value["meta"])) return plainValues(value["meta"]);
  if (dataset === undefined) return undefined;
  const { type, level } = value;
  const meta = plainValues({ hops: HOPS[dataset](value), type, level });
  return Object.keys(meta).length === 0 ? undefined : meta;
}

/** A row with the keys that a question has: Bamboogle's own capitals are put in place, and what is glued to its text is cut off. */
export function plainRow(value: unknown, dataset: DatasetName | undefined): unknown {
  if (dataset !== "bamboogle" || !isRow(value)) return value;
  const question = value["question"] ?? value["Question"];
  return {
    ...value,
    id: value["id"] ?? (typeof value["idx"] === "number" ? `bamboogle-${value["idx"]}` : undefined),
    question: typeof question === "string" ? question.replace(INSTRUCTION, "") : question,
    answer: value["answer"] ?? value["Answer"],
  };
}
