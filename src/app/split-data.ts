import type { Domain } from "../domains/domain.ts";
import type { Passage } from "../domains/environment.ts";
import { parseCorpus } from "../domains/passages/corpus.ts";
import { datasetsOf, domainOf, domainOfDataset } from "../domains/registry.ts";
import { parseDataset, type DatasetFile } from "../evaluation/datasets.ts";
import type { ReadsGold } from "../evaluation/questions.ts";
import { splitOf, splitSizes, type Boundaries, type SplitOptions } from "../evaluation/splits.ts";
import type { Question } from "../harness/question.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import type { SplitName } from "../model/question-set.ts";
import type { TraceFiles } from "../trace/ports.ts";
import { readNamed, type TextFiles } from "./named-text.ts";
import { checked, need, refuse, take } from "./refusal.ts";

/** A file of questions or passages, the part of it to take, and the files to write. */
export interface DataOrder extends Required<Pick<SplitOptions, "seedRows" | "valRows" | "seed">> {
  readonly file: string;
  /** Name of the domain whose data sets and keys count; undefined: the data sets of all, and the keys of the one that is found. */
  readonly domain?: string | undefined;
  /** Name of the data set; undefined: its rows show it. */
  readonly dataset: string | undefined;
  /** Undefined: all questions. */
  readonly split: SplitName | undefined;
  readonly boundaries: Partial<Boundaries>;
  /** Gets the questions of the split as JSONL; not written where the data set is skipped. */
  readonly output: string | undefined;
  /** Gets the paragraphs as JSONL. */
  readonly corpusOut: string | undefined;
}

/** Services of a split; `absolute` makes two spellings of one path the same. */
export interface DataServices {
  readonly files: TraceFiles & TextFiles;
  readonly absolute: (path: string) => string;
  readonly folderOf: (path: string) => string;
}

export interface DescribedQuestions {
  /** Undefined: plain questions. */
  readonly dataset: string | undefined;
  readonly rows: number;
  readonly questions: number;
  /** Questions with nothing to judge by: neither an accepted answer nor material. */
  readonly withoutGold: number;
  readonly unanswerable: number;
  readonly passages: number;
  /** Undefined where the data set is not cut into splits. */
  readonly splits: Readonly<Record<SplitName, number>> | undefined;
  readonly split: SplitName;
  /** Questions of the split. */
  readonly size: number;
  readonly ids: readonly string[];
}

export type DataReport =
  | {
      readonly kind: "questions";
      readonly described: DescribedQuestions;
      /** `type: bridge 81, comparison 19`, for each field with few values. */
      readonly kinds: readonly string[];
    }
  | { readonly kind: "passages"; readonly passages: number };

/** More values than these name questions rather than kinds of them. */
const MOST_KINDS = 12;

function kindsOf(questions: readonly Question[]): string[] {
  const entries = questions.flatMap(({ meta = {} }) => Object.entries(meta));
  return [...Map.groupBy(entries, ([key]) => key)].flatMap(([key, found]) => {
    const values = Map.groupBy(found, ([, value]) => String(value));
    const sorted = [...values].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const words = sorted.map(([value, all]) => `${value} ${all.length}`).join(", ");
    return values.size > MOST_KINDS ? [] : [`${key}: ${words}`];
  });
}

const encoder = new TextEncoder();
const CHARS_AT_ONCE = 1024 * 1024;

/** JSONL, a million characters at a time: neither a corpus nor the material of questions need be in memory twice. */
async function* asLines(rows: readonly unknown[]): AsyncGenerator<Uint8Array> {
  let lines = "";
  for (const row of rows) {
    lines += `${JSON.stringify(row)}\n`;
    if (lines.length < CHARS_AT_ONCE) continue;
    yield encoder.encode(lines);
    lines = "";
  }
  if (lines !== "") yield encoder.encode(lines);
}

/** The domain whose judge judges the questions: the one that is named, else the one that has their data set. */
function judgingDomain(named: string | undefined, dataset: string | undefined): Domain | undefined {
  if (named !== undefined) return domainOf(named);
  return dataset === undefined ? undefined : domainOfDataset(dataset);
}

/**
 * Says what a file of questions is, and writes a split of it or the pool of its paragraphs. Findings name rows that are left out; no
 * value for a file that is neither questions nor passages, or an order that it cannot meet (HASP579). Rejects on I/O errors.
 */
export async function splitData(order: DataOrder, services: DataServices): Promise<Checked<DataReport>> {
  return checked(async (found) => {
    const { file, domain, dataset, output, corpusOut } = order;
    const named = [file, output, corpusOut].flatMap((name) => name ?? []);
    if (new Set(named.map(services.absolute)).size < named.length)
      refuse("HASP579", "Two of the files named are the same.", "Give each output a file of its own.");
    const { text } = need(await readNamed(services.files, file));
    const readsGoldOf = (name: string | undefined): ReadsGold | undefined =>
      judgingDomain(domain, name)?.judge.readsGold;
    const data = parseDataset(text, file, dataset, datasetsOf(domain), readsGoldOf);
    if (data.value === undefined && dataset === undefined) {
      const corpus = parseCorpus(text, file);
      if (corpus.value !== undefined) return takePassages(take(corpus, found), order, services);
    }
    return takeQuestions(take(data, found), order, services, found);
  });
}

async function takePassages(
  passages: readonly Passage[],
  order: DataOrder,
  services: DataServices,
): Promise<DataReport> {
  if (order.output !== undefined || order.split !== undefined) {
    const next = "Name a file of questions; --corpus-out writes the passages.";
    refuse("HASP579", `${order.file} holds passages and no questions, so there is nothing to split.`, next);
  }
  await writeCorpus(passages, order, services);
  return { kind: "passages", passages: passages.length };
}

async function takeQuestions(
  data: DatasetFile,
  order: DataOrder,
  services: DataServices,
  found: Diagnostic[],
): Promise<DataReport> {
  const { dataset, rows, questions, unanswerable, passages } = data;
  const { split = "all", output, boundaries, seedRows, valRows, seed } = order;
  const keys = order.domain === undefined ? undefined : domainOf(order.domain)?.keys;
  const options = { dataset, keys, boundaries, seedRows, valRows, seed };
  const chosen = take(splitOf(questions, { ...options, split }), found);
  // A data set without a tail is skipped: an empty file would look like a split.
  if (output !== undefined && chosen.length > 0) await write(output, chosen, services);
  await writeCorpus(passages, order, services);
  const described = {
    dataset,
    rows,
    questions: questions.length,
    withoutGold: questions.filter(({ gold, material }) => gold === undefined && material === undefined)
      .length,
    unanswerable,
    passages: passages.length,
    splits: splitSizes(questions, options),
    split,
    size: chosen.length,
    ids: chosen.map(({ id }) => id),
  };
  return { kind: "questions", described, kinds: kindsOf(questions) };
}

async function writeCorpus(
  passages: readonly Passage[],
  { corpusOut }: DataOrder,
  services: DataServices,
): Promise<void> {
  if (corpusOut === undefined) return;
  const message = "The file brings no paragraphs, so there is no corpus to write.";
  if (passages.length === 0) refuse("HASP579", message, "Search a corpus file of its own.");
  await write(corpusOut, passages, services);
}

async function write(target: string, rows: readonly unknown[], services: DataServices): Promise<void> {
  await services.files.makeFolder(services.folderOf(target));
  await services.files.writeAtomic(target, asLines(rows));
}
