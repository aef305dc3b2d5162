import { isLeftOut, isRow, type DatasetEntry } from "../domains/dataset-entry.ts";
import type { Passage } from "../domains/environment.ts";
import { allDatasets, datasetOf } from "../domains/registry.ts";
import { passagePool } from "../domains/passages/corpus.ts";
import type { Question } from "../harness/question.ts";
import { START_OF_FILE, type Checked, type Diagnostic } from "../model/diagnostic.ts";
import type { JsonEntry } from "../trace/json-entries.ts";
import { diagnosticLog, lineDiagnostic } from "../trace/line-diagnostics.ts";
import { datasetNamed, detectDataset, isExported, rowsOf } from "./dataset-rows.ts";
import { collectQuestions, noQuestions, type ReadsGold } from "./questions.ts";

/** A file of a data set in its release format, or of plain questions. */
export interface DatasetFile {
  /** Undefined: plain questions, of no data set that is known. */
  readonly dataset: string | undefined;
  /** Rows that were found, the left out ones included. */
  readonly rows: number;
  /** Those that can be asked, in the order of the file. */
  readonly questions: readonly Question[];
  /** The paragraphs of all these questions in one pool, each once. None where its rows bring none, and for plain questions. */
  readonly passages: readonly Passage[];
  /** Rows that are marked so; they are not among the questions. */
  readonly unanswerable: number;
}

/** How the judge of a data set's questions reads accepted answers. */
type ReadsGoldOf = (dataset: string | undefined) => ReadsGold | undefined;

function foreignRow(file: string, { line, name }: JsonEntry, found: string, expected: string): Diagnostic {
  return lineDiagnostic({
    code: "HASP562",
    file,
    line,
    message: `${name ?? "this"} is ${found} in a file of ${expected}, and left out.`,
    next: `Keep the data sets in files of their own, or add --dataset ${expected} where the row belongs to it.`,
  });
}

function noParagraphs(file: string, { line, name }: JsonEntry, key: string): Diagnostic {
  return lineDiagnostic({
    code: "HASP563",
    severity: "warning",
    file,
    line,
    message: `${name ?? "this row"} has no \`${key}\` that can be read, so the pooled corpus lacks its paragraphs.`,
    next: "Repair the row, or search a corpus file instead; the question itself is kept.",
  });
}

function plainQuestions(file: string, datasets: readonly DatasetEntry[]): Diagnostic {
  return {
    code: "HASP564",
    severity: "information",
    message: "The rows show no known data set; they are read as plain questions.",
    next: `Add --dataset, one of ${datasets.map(({ name }) => name).join(", ")}, where they belong to it.`,
    file,
    range: START_OF_FILE,
  };
}

/** The data set of the first row that shows one. */
function firstDetected(
  entries: Iterable<JsonEntry>,
  file: string,
  datasets: readonly DatasetEntry[],
): DatasetEntry | undefined {
  for (const { value } of entries) {
    const detected = detectDataset(value, file, datasets);
    if (detected !== undefined) return detected;
  }
  return undefined;
}

/**
 * A file of one of these data sets (by default those of all domains) or of plain questions: JSONL or one JSON array, the data set's own
 * layout, or the questions that `hasp data -o` wrote. The first row that shows its data set says which, unless `forced` names it; rows of
 * another are reported and left out. Rows that show none are plain questions, with an information that says so. No value where no row
 * gives a question. `readsGoldOf`: by the judge of a data set, undefined for plain questions; by default nobody reads them. Codes HASP540,
 * 541, 542, 560 to 564, 569.
 */
export function parseDataset(
  text: string,
  file: string,
  forced?: string,
  datasets: readonly DatasetEntry[] = allDatasets(),
  readsGoldOf: ReadsGoldOf = () => undefined,
): Checked<DatasetFile> {
  if (forced === undefined) return parseRows(text, file, undefined, { datasets, readsGoldOf });
  const { value: name, diagnostics } = datasetNamed(forced, datasets);
  return name === undefined
    ? { value: undefined, diagnostics }
    : parseRows(text, file, datasetOf(name), { datasets, readsGoldOf });
}

function parseRows(
  text: string,
  file: string,
  forced: DatasetEntry | undefined,
  {
    datasets,
    readsGoldOf,
  }: { readonly datasets: readonly DatasetEntry[]; readonly readsGoldOf: ReadsGoldOf },
): Checked<DatasetFile> {
  const log = diagnosticLog(file);
  const pool = passagePool();
  const { entries, layout } = rowsOf(text, file, { datasets, ...(forced && { forced }) });
  const dataset = forced ?? layout ?? firstDetected(entries(), file, datasets);
  const collector = collectQuestions(file, log, readsGoldOf(dataset?.name));
  let rows = 0;
  for (const entry of entries()) {
    if (isLeftOut(entry.value, dataset)) continue;
    rows++;
    const isKnown = forced !== undefined || layout !== undefined || dataset === undefined;
    const detected = isKnown ? dataset : detectDataset(entry.value, file, datasets);
    // The collector reports an entry that is not a row at all.
    if (entry.value !== undefined && detected !== dataset) {
      const found = detected === undefined ? "a row of no known data set" : `a row of ${detected.name}`;
      log.add(() => foreignRow(file, entry, found, dataset?.name ?? ""));
      continue;
    }
    const question = collector.take(entry, dataset);
    if (question === undefined || dataset?.passages === undefined || isExported(entry.value)) continue;
    const { key, of } = dataset.passages;
    const passages = isRow(entry.value) ? of(entry.value) : undefined;
    if (passages === undefined) log.add(() => noParagraphs(file, entry, key));
    else pool.add(passages);
  }
  const diagnostics = [...log.list(), ...collector.notices()];
  const questions = collector.questions();
  if (questions.length === 0)
    return { value: undefined, diagnostics: [...diagnostics, noQuestions(file, text, datasets)] };
  if (dataset === undefined && datasets.length > 0) diagnostics.push(plainQuestions(file, datasets));
  const unanswerable = collector.unanswerable();
  return {
    value: { dataset: dataset?.name, rows, questions, passages: pool.list(), unanswerable },
    diagnostics,
  };
}
