import {
  isRow,
  plainValues,
  questionUnderUsualKeys,
  type DatasetEntry,
  type Meta,
  type RowValues,
} from "../domains/dataset-entry.ts";
import { allDatasets, domainOfDataset } from "../domains/registry.ts";
import type { Checked } from "../model/diagnostic.ts";
import { START_OF_FILE } from "../model/diagnostic.ts";
import { didYouMean } from "../skill/suggest.ts";
import { jsonEntries, memberSource, type JsonEntry } from "../trace/json-entries.ts";

/** What to name instead of a data set that is none of these. */
function nextFor(word: string, datasets: readonly DatasetEntry[]): string {
  if (datasets.length > 0)
    return didYouMean(
      word,
      datasets.map(({ name }) => name),
    );
  return "This domain has no data sets: name none, and give plain questions (docs/datasets.md).";
}

/** The name of the data set that a person or a record named; case and short forms do not matter. Code HASP560. */
export function datasetNamed(
  word: string,
  datasets: readonly DatasetEntry[] = allDatasets(),
): Checked<string> {
  const plain = word.trim().toLowerCase();
  const found = datasets.find(({ name, shortNames = [] }) => name === plain || shortNames.includes(plain));
  if (found !== undefined) return { value: found.name, diagnostics: [] };
  const shown = JSON.stringify(word.slice(0, 60));
  const other = domainOfDataset(plain);
  const message =
    other === undefined
      ? `No data set is called ${shown}.`
      : `The data set ${shown} belongs to the domain "${other.name}".`;
  const next = nextFor(word, datasets);
  const unknown = { code: "HASP560", severity: "error", message, next, range: START_OF_FILE } as const;
  return { value: undefined, diagnostics: [unknown] };
}

/**
 * The data set that a row comes from: the one that it names, else the one that its content shows. Undefined where it could be anybody's:
 * keys and wording alone prove nothing.
 */
export function detectDataset(
  value: unknown,
  file: string,
  datasets: readonly DatasetEntry[] = allDatasets(),
): DatasetEntry | undefined {
  if (!isRow(value)) return undefined;
  const named = datasets.find(({ name }) => name === value["dataset"]);
  return named ?? datasets.find((entry) => entry.detects(value, file));
}

/** The data set whose own layout a text has, such as CSV. Its first row decides: a reader of CSV finds rows in any text. */
function datasetOfLayout(
  text: string,
  file: string,
  datasets: readonly DatasetEntry[],
): DatasetEntry | undefined {
  return datasets.find(({ entries, detects }) => {
    const [first] = entries?.(text) ?? [];
    return isRow(first?.value) && detects(first.value, file);
  });
}

/** Whether a row names a data set, as those of our own export do. */
export const isExported = (value: unknown): boolean => isRow(value) && "dataset" in value;

/** The rows of a file of this data set: in its own layout, or as our export wrote them. */
function entriesOf(text: string, dataset: DatasetEntry | undefined): Iterable<JsonEntry> {
  if (dataset?.entries === undefined) return jsonEntries(text);
  const [first] = jsonEntries(text);
  return isExported(first?.value) ? jsonEntries(text) : dataset.entries(text);
}

/** The rows of a text, and the data set whose layout they have, where it has one of its own. */
export function rowsOf(
  text: string,
  file: string,
  { datasets, forced }: { readonly datasets: readonly DatasetEntry[]; readonly forced?: DatasetEntry },
): { readonly entries: () => Iterable<JsonEntry>; readonly layout: DatasetEntry | undefined } {
  const layout = forced ?? datasetOfLayout(text, file, datasets);
  return { entries: () => entriesOf(text, layout), layout: forced === undefined ? layout : undefined };
}

/** Rows that are looked at for one with keys. */
const MOST_LOOKED_AT = 20;

function keysIn(entries: Iterable<JsonEntry>): ReadonlySet<string> {
  let looked = 0;
  for (const { value } of entries) {
    if (isRow(value)) return new Set(Object.keys(value));
    if (++looked === MOST_LOOKED_AT) break;
  }
  return new Set();
}

const listed = (keys: readonly string[]): string => keys.map((key) => `\`${key}\``).join(", ");

/** A sentence on the data set whose keys the rows of a text share most of; undefined where they share none. */
export function nearestDataset(text: string, datasets: readonly DatasetEntry[]): string | undefined {
  const usual = keysIn(jsonEntries(text));
  const shares = datasets.map((dataset) => {
    const there = dataset.entries === undefined ? usual : keysIn(entriesOf(text, dataset));
    const shared = dataset.keys.filter((key) => there.has(key));
    const missing = dataset.keys.filter((key) => !there.has(key));
    return { dataset, shared, missing, share: shared.length / Math.max(1, dataset.keys.length) };
  });
  const [nearest] = shares.filter(({ share }) => share > 0).toSorted((a, b) => b.share - a.share);
  if (nearest === undefined) return undefined;
  const { dataset, shared, missing } = nearest;
  const lack =
    missing.length === 0 ? "nothing is missing, but the values are others" : `missing: ${listed(missing)}`;
  return `The nearest data set is ${dataset.name}: its rows share ${listed(shared)}; ${lack}.`;
}

/** What a row says of its question, for reports. */
export function metaOf({ value, source }: JsonEntry, dataset: DatasetEntry | undefined): Meta | undefined {
  if (!isRow(value)) return undefined;
  return isRow(value["meta"]) ? plainValues(value["meta"]) : dataset?.meta?.({ values: value, source });
}

/** The instruction that AgentFlow glues to the end of its questions, of whatever data set; the rest of the text goes with it. */
const INSTRUCTION = /\s*When ready, output the final answer\b[^]*$/i;

/** The question of a row under the usual keys, without an instruction that is glued to it. */
export function questionIn(values: RowValues): unknown {
  const question = questionUnderUsualKeys(values);
  if (typeof question !== "string") return question;
  const cut = question.replace(INSTRUCTION, "");
  return cut.trim() === "" ? question : cut;
}

/** A text as it is, any other JSON value as it was written. */
function materialIn({ material }: RowValues, source: string): string | undefined {
  if (material === undefined || material === null) return undefined;
  return typeof material === "string"
    ? material
    : (memberSource(source, "material") ?? JSON.stringify(material));
}

const defined = (values: RowValues): RowValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/**
 * A row with the keys that a question has, whatever they are called in its file. What its data set reads in it comes first, except in a row
 * of our own export, which has these keys.
 */
export function plainRow({ value, source }: JsonEntry, dataset: DatasetEntry | undefined): unknown {
  if (!isRow(value)) return value;
  const answer = value["answer"] ?? value["Answer"];
  const plain = { ...value, question: questionIn(value), answer, material: materialIn(value, source) };
  if (dataset === undefined) return plain;
  const row = { values: value, source };
  const released = defined({
    id: dataset.id?.(row),
    question: dataset.question?.(row),
    gold: dataset.gold?.(row),
    material: dataset.material?.(row),
  });
  return value["dataset"] === dataset.name ? { ...released, ...defined(plain) } : { ...plain, ...released };
}
