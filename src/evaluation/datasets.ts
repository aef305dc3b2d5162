import type { Passage } from "../domains/environment.ts";
import { passagePool, passagesOf } from "../domains/web-search/corpus.ts";
import type { Question } from "../harness/question.ts";
import { START_OF_FILE, type Checked, type Diagnostic } from "../model/diagnostic.ts";
import { jsonEntries, type JsonEntry } from "../trace/json-entries.ts";
import { diagnosticLog, lineDiagnostic } from "../trace/line-diagnostics.ts";
import { DATASETS, type DatasetName } from "../model/question-set.ts";
import { detectDataset } from "./dataset-rows.ts";
import { collectQuestions, noQuestions } from "./questions.ts";

/** A file of a data set in its release format, or of plain questions. */
export interface DatasetFile {
  /** Undefined: plain questions, of no data set that is known. */
  readonly dataset: DatasetName | undefined;
  /** Rows that were found, the left out ones included. */
  readonly rows: number;
  /** Those that can be asked, in the order of the file. */
  readonly questions: readonly Question[];
  /** The paragraphs of all these questions in one pool, each once. None for Bamboogle and plain questions. */
  readonly passages: readonly Passage[];
  /** MuSiQue rows that are marked so; they are not among the questions. */
  readonly unanswerable: number;
}

function foreignRow(file: string, { line, name }: JsonEntry, found: string, expected: string): Diagnostic {
  return lineDiagnostic({
    code: "HASP562",
    file,
    line,
    message: `${name ?? "this"} is ${found} in a file of ${expected}, and left out.`,
    next: `Keep the data sets in files of their own, or add --dataset ${expected} where the row belongs to it.`,
  });
}

function noParagraphs(file: string, { line, name }: JsonEntry, dataset: DatasetName): Diagnostic {
  const key = dataset === "musique" ? "paragraphs" : "context";
  return lineDiagnostic({
    code: "HASP563",
    severity: "warning",
    file,
    line,
    message: `${name ?? "this row"} has no \`${key}\` that can be read, so the pooled corpus lacks its paragraphs.`,
    next: "Repair the row, or search a corpus file instead; the question itself is kept.",
  });
}

function plainQuestions(file: string): Diagnostic {
  return {
    code: "HASP564",
    severity: "information",
    message: "The rows show no known data set; they are read as plain questions.",
    next: `Add --dataset, one of ${DATASETS.join(", ")}, where they belong to it.`,
    file,
    range: START_OF_FILE,
  };
}

/** Rows that our own export wrote name their data set and bring no paragraphs. */
const bringsParagraphs = ({ value }: JsonEntry, dataset: DatasetName): boolean =>
  dataset !== "bamboogle" && !(typeof value === "object" && value !== null && "dataset" in value);

/** The data set of the first row that shows one. */
function datasetOf(text: string, file: string): DatasetName | undefined {
  for (const { value } of jsonEntries(text)) {
    const detected = detectDataset(value, file);
    if (detected !== undefined) return detected;
  }
  return undefined;
}

/**
 * A file of HotpotQA, 2WikiMultihopQA, MuSiQue, Bamboogle or plain questions: JSONL or one JSON array, or the questions that `hasp data
 * -o` wrote. The first row that shows its data set says which, unless `forced` does; rows of another are reported and left out. Rows
 * that show none are plain questions, with an information that says so. No value where no row gives a question. Codes HASP540, 541,
 * 542, 561 to 564.
 */
export function parseDataset(text: string, file: string, forced?: DatasetName): Checked<DatasetFile> {
  const log = diagnosticLog(file);
  const collector = collectQuestions(file, log);
  const pool = passagePool();
  const dataset = forced ?? datasetOf(text, file);
  let rows = 0;
  for (const entry of jsonEntries(text)) {
    rows++;
    const detected = detectDataset(entry.value, file);
    // The collector reports an entry that is not a row at all.
    if (forced === undefined && dataset !== undefined && isForeign(entry, detected, dataset)) {
      const found = detected === undefined ? "a row of no known data set" : `a row of ${detected}`;
      log.add(() => foreignRow(file, entry, found, dataset));
      continue;
    }
    const question = collector.take(entry, dataset);
    if (question === undefined || dataset === undefined || !bringsParagraphs(entry, dataset)) continue;
    const passages = passagesOf(entry.value);
    if (passages === undefined) log.add(() => noParagraphs(file, entry, dataset));
    else pool.add(passages);
  }
  const diagnostics = [...log.list(), ...collector.notices()];
  const questions = collector.questions();
  if (questions.length === 0) return { value: undefined, diagnostics: [...diagnostics, noQuestions(file)] };
  if (dataset === undefined) diagnostics.push(plainQuestions(file));
  const unanswerable = collector.unanswerable();
  return { value: { dataset, rows, questions, passages: pool.list(), unanswerable }, diagnostics };
}

function isForeign({ value }: JsonEntry, detected: DatasetName | undefined, dataset: DatasetName): boolean {
  return value !== undefined && (detected === undefined || detected !== dataset);
}
