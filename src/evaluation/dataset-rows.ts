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

/** The instruction that AgentFlow glues to the end of its questions, of whatever data set; the rest of the text goes with it. */
const INSTRUCTION = /\s*When ready, output the final answer\b[^]*$/i;

const isMusique = ({ paragraphs }: Row): boolean =>
  Array.isArray(paragraphs) && paragraphs.some((one) => isRow(one) && "paragraph_text" in one);

/** Pairs of title and sentences, or an object of both lists; the `context` of other data sets is a text. */
const isHotpot = ({ context }: Row): boolean =>
  Array.isArray(context)
    ? context.length > 0 && context.every(Array.isArray)
    : isRow(context) && "sentences" in context;

/** Bamboogle's rows look like anybody's, so only the name of the file or of a folder close above it tells them. */
function isBamboogle(row: Row, file: string): boolean {
  const parts = file.split(/[\\/]/).slice(-3);
  return parts.some((part) => /^bamboogle(?![a-z])/i.test(part)) && typeof questionIn(row) === "string";
}

/**
 * The data set that a row comes from: the one that it names, else the one whose paragraphs it brings, else Bamboogle where the name of
 * its file says so. Undefined where it could be anybody's: keys and wording alone prove nothing.
 */
export function detectDataset(value: unknown, file: string): DatasetName | undefined {
  if (!isRow(value)) return undefined;
  if (isName(value["dataset"])) return value["dataset"];
  if (isMusique(value)) return "musique";
  if (isHotpot(value)) return "evidences" in value ? "2wikimultihopqa" : "hotpotqa";
  return isBamboogle(value, file) ? "bamboogle" : undefined;
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

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";

/** The question of a row; AgentFlow calls it `query`, Bamboogle `Question`. */
function questionIn(row: Row): unknown {
  const named = ["question", "query", "Question"].map((key) => row[key]);
  return named.find(isText) ?? named.find((value) => value !== undefined);
}

function withoutInstruction(question: unknown): unknown {
  if (typeof question !== "string") return question;
  const cut = question.replace(INSTRUCTION, "");
  return cut.trim() === "" ? question : cut;
}

/** A row with the keys that a question has, whatever they are called in its file; an instruction glued to its text is cut off. */
export function plainRow(value: unknown, dataset: DatasetName | undefined): unknown {
  if (!isRow(value)) return value;
  const { idx } = value;
  const ownId =
    dataset === "bamboogle" && typeof idx === "number" ? { id: value["id"] ?? `bamboogle-${idx}` } : {};
  const answer = value["answer"] ?? value["Answer"];
  return { ...value, ...ownId, question: withoutInstruction(questionIn(value)), answer };
}
