import { Command, Option } from "commander";
import path from "node:path";
import { parseCorpus, type Passage } from "../../domains/web-search/corpus.ts";
import { datasetNamed } from "../../evaluation/dataset-rows.ts";
import { parseDataset, type DatasetFile } from "../../evaluation/datasets.ts";
import type { NamedText } from "../../evaluation/run-inputs.ts";
import {
  SPLIT_DEFAULTS,
  SPLITS,
  splitOf,
  splitSizes,
  WHOLE_TAIL,
  type Boundaries,
  type SplitName,
  type SplitOptions,
} from "../../evaluation/splits.ts";
import type { Question } from "../../harness/question.ts";
import { isClean, type Diagnostic } from "../../model/diagnostic.ts";
import { nodeFiles, type NodeFiles } from "../../platform/files.ts";
import { need } from "../checked.ts";
import { countDiagnostics } from "../format-diagnostic.ts";
import { helpText } from "../help.ts";
import { readNamed } from "../named-text.ts";
import { wholeNumber } from "../numbers.ts";
import { CliError, EXIT, openTerminal, type ExitCode, type SetExit, type Terminal } from "../terminal.ts";

interface Options {
  readonly dataset?: string;
  readonly split?: SplitName;
  readonly testRows?: number;
  readonly poolRows?: number;
  readonly tailRows?: number;
  readonly seedRows: number;
  readonly valRows: number;
  readonly shuffleSeed: number;
  readonly corpusOut?: string;
  readonly output?: string;
  readonly json?: boolean;
}

/** Of a file that is something else altogether, each line would be a finding. */
const MOST_FINDINGS = 3;
/** More values than these name questions rather than kinds of them. */
const MOST_KINDS = 12;

/** `type: bridge 81, comparison 19`, for what the data set says of its questions. */
function kindsOf(questions: readonly Question[]): string[] {
  const counts = new Map<string, Map<string, number>>();
  for (const { meta = {} } of questions) {
    for (const [key, value] of Object.entries(meta)) {
      const values = counts.get(key) ?? new Map<string, number>();
      values.set(String(value), (values.get(String(value)) ?? 0) + 1);
      counts.set(key, values);
    }
  }
  return [...counts]
    .filter(([, values]) => values.size <= MOST_KINDS)
    .map(([key, values]) => {
      const sorted = [...values].toSorted(([a], [b]) => (a < b ? -1 : 1));
      return `${key}: ${sorted.map(([value, count]) => `${value} ${count}`).join(", ")}`;
    });
}

function splitOptions(options: Options, dataset: DatasetFile["dataset"]): Omit<SplitOptions, "split"> {
  const { testRows: test, poolRows: pool, tailRows: tail, seedRows, valRows, shuffleSeed: seed } = options;
  const boundaries: Partial<Boundaries> = {
    ...(test !== undefined && { test }),
    ...(pool !== undefined && { pool }),
    ...(tail !== undefined && { tail }),
  };
  return { dataset, boundaries, seedRows, valRows, seed };
}

interface Described {
  readonly dataset: string;
  readonly rows: number;
  readonly questions: number;
  readonly withoutGold: number;
  readonly unanswerable: number;
  readonly passages: number;
  readonly splits: Readonly<Record<SplitName, number>> | undefined;
}

function describe(data: DatasetFile, options: Options): Described {
  const { dataset, rows, questions, unanswerable, passages } = data;
  return {
    dataset,
    rows,
    questions: questions.length,
    withoutGold: questions.filter(({ gold }) => gold === undefined).length,
    unanswerable,
    passages: passages.length,
    splits: splitSizes(questions, splitOptions(options, dataset)),
  };
}

function print(terminal: Terminal, data: DatasetFile, described: Described): void {
  const { dataset, rows, questions, withoutGold, passages, splits } = described;
  terminal.line(`${dataset}: ${questions} questions of ${rows} rows`);
  for (const line of kindsOf(data.questions)) terminal.line(`  ${line}`);
  if (withoutGold > 0) terminal.line(`  ${withoutGold} have no answer and stay unjudged`);
  terminal.line(
    passages === 0 ? "paragraphs: none in this file" : `paragraphs: ${passages}, pooled, each once`,
  );
  if (splits === undefined) return;
  const { test, pool, train, seed, val } = splits;
  terminal.line(
    `splits: test ${test}, pool ${pool} = train ${train} + tail ${pool - train}; of the tail seed ${seed}, val ${val}`,
  );
}

const encoder = new TextEncoder();
const LINES_AT_ONCE = 1_000;

/** JSONL, a thousand lines at a time: a corpus need not stand in memory twice. */
async function* asLines(rows: readonly unknown[]): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < rows.length; from += LINES_AT_ONCE) {
    const lines = rows.slice(from, from + LINES_AT_ONCE).map((row) => `${JSON.stringify(row)}\n`);
    yield encoder.encode(lines.join(""));
  }
}

async function write(target: string, rows: readonly unknown[], files: NodeFiles): Promise<void> {
  await files.makeFolder(path.dirname(target));
  await files.writeAtomic(target, asLines(rows));
}

const tell = (terminal: Terminal, count: number, what: string, file: string): void =>
  terminal.line(`${count} ${what} written to ${file}`);

async function writeCorpus(
  passages: readonly Passage[],
  { corpusOut }: Options,
  terminal: Terminal,
  files: NodeFiles,
): Promise<void> {
  if (corpusOut === undefined) return;
  if (passages.length === 0)
    throw new CliError(
      "The file brings no paragraphs, so there is no corpus to write.",
      "Search a corpus file of its own.",
    );
  await write(corpusOut, passages, files);
  tell(terminal, passages.length, "passages", corpusOut);
}

/** Nothing may be written over what it is made of. */
function refuseSameFile(source: string, { output, corpusOut }: Options): void {
  const named = [source, output, corpusOut].filter((name) => name !== undefined);
  if (new Set(named.map((name) => path.resolve(name))).size < named.length)
    throw new CliError("Two of the files named are the same.", "Give each output a file of its own.");
}

interface Work {
  readonly source: NamedText;
  readonly options: Options;
  readonly terminal: Terminal;
  readonly files: NodeFiles;
}

function finish(
  { terminal }: Work,
  result: Readonly<Record<string, unknown>>,
  all: readonly Diagnostic[],
): ExitCode {
  terminal.diagnostics(all);
  if (!isClean(all)) terminal.line(countDiagnostics(all));
  terminal.result({ ...result, diagnostics: all });
  return isClean(all) ? EXIT.fine : EXIT.findings;
}

async function ofQuestions(work: Work, data: DatasetFile, found: readonly Diagnostic[]): Promise<ExitCode> {
  const { options, terminal, files } = work;
  const { split = "all", output } = options;
  const described = describe(data, options);
  print(terminal, data, described);
  const part = splitOf(data.questions, { ...splitOptions(options, data.dataset), split });
  const questions = need(part);
  if (output !== undefined) {
    await write(output, questions, files);
    tell(terminal, questions.length, `questions (${split})`, output);
  } else if (options.split !== undefined) terminal.line(`${split}: ${questions.length} questions`);
  await writeCorpus(data.passages, options, terminal, files);
  const chosen = { split, size: questions.length, ids: questions.map(({ id }) => id) };
  return finish(work, { ...described, ...chosen }, [...found, ...part.diagnostics]);
}

/** A file that is a corpus and nothing else. Undefined where it is none either. */
async function ofPassages(work: Work): Promise<ExitCode | undefined> {
  const { source, options, terminal, files } = work;
  const { value, diagnostics } = parseCorpus(source.text, source.file);
  if (value === undefined) return undefined;
  if (options.output !== undefined || options.split !== undefined)
    throw new CliError(
      `${source.file} holds passages and no questions, so there is nothing to split.`,
      "Name a file of questions; --corpus-out writes the passages.",
    );
  terminal.line(`passages only: ${value.length}, each once`);
  await writeCorpus(value, options, terminal, files);
  return finish(work, { passages: value.length }, diagnostics);
}

async function runData(file: string, options: Options): Promise<ExitCode> {
  const terminal = openTerminal(options.json === true);
  const files = nodeFiles();
  refuseSameFile(file, options);
  const forced = options.dataset === undefined ? undefined : need(datasetNamed(options.dataset));
  const work: Work = { source: await readNamed(file, files), options, terminal, files };
  const { value, diagnostics } = parseDataset(work.source.text, file, forced);
  if (value !== undefined) return ofQuestions(work, value, diagnostics);
  const asCorpus = forced === undefined ? await ofPassages(work) : undefined;
  if (asCorpus !== undefined) return asCorpus;
  terminal.diagnostics([...diagnostics.slice(0, -1).slice(0, MOST_FINDINGS), ...diagnostics.slice(-1)]);
  terminal.result({ diagnostics });
  return EXIT.failed;
}

const rows = (flag: string, text: string, least = 0): Option =>
  new Option(flag, text).argParser(wholeNumber(least));

/** `hasp data <file> [--dataset] [--split] [--corpus-out f] [-o f]`. */
export function dataCommand(setExit: SetExit): Command {
  return new Command("data")
    .description("Say what a file of questions is, and write a split of it or the pool of its paragraphs.")
    .argument("<file>", "HotpotQA, 2WikiMultihopQA, MuSiQue or Bamboogle as they are released, or a corpus")
    .option("--dataset <name>", "what the file is, where its rows do not show it")
    .addOption(new Option("--split <name>", "which part to take (default: all)").choices([...SPLITS]))
    .addOption(rows("--test-rows <n>", "the first rows, test (default: 200 of 1,000)"))
    .addOption(rows("--pool-rows <n>", "the rows after them, to train on (default: 800 of 1,000)"))
    .addOption(rows("--tail-rows <n>", "the end of the pool, for seed and val (default: a quarter)"))
    .addOption(
      rows("--seed-rows <n>", "rows of seed; -1: the whole tail", WHOLE_TAIL).default(
        SPLIT_DEFAULTS.seedRows,
      ),
    )
    .addOption(rows("--val-rows <n>", "rows of val").default(SPLIT_DEFAULTS.valRows))
    .addOption(rows("--shuffle-seed <n>", "of the shuffle of the tail").default(SPLIT_DEFAULTS.seed))
    .option("--corpus-out <file>", "write the paragraphs, pooled, as JSONL of title and text")
    .option("-o, --output <file>", "write the questions of the split as JSONL, as hasp run reads them")
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      helpText(
        "hasp data musique_ans_v1.0_dev.jsonl",
        "hasp data hotpot_dev_distractor_v1.json --split test -o test.jsonl --corpus-out corpus.jsonl",
      ),
    )
    .action(async (file: string, options: Options) => {
      setExit(await runData(file, options));
    });
}
