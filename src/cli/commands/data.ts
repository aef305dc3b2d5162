import path from "node:path";
import { splitData, type DataOrder, type DataReport } from "../../app/split-data.ts";
import { datasetNames, domainNames, domainOf, domainOfDataset } from "../../domains/registry.ts";
import { isClean } from "../../model/diagnostic.ts";
import { SPLIT_DEFAULTS, SPLITS, WHOLE_TAIL } from "../../model/question-set.ts";
import { need } from "../checked.ts";
import { absolute } from "../../platform/surroundings.ts";
import { defineCommand } from "../define-command.ts";
import { countDiagnostics } from "../format-diagnostic.ts";
import { oneOf, text, whole, withDefault, type OptionsOf } from "../options.ts";
import { EXIT, type Terminal } from "../terminal.ts";

const OPTIONS = {
  domain: oneOf("--domain <name>", "the kind of task (default: that of the data set)", domainNames()),
  dataset: text("--dataset <name>", "what the file is, where its rows do not show it"),
  split: oneOf("--split <name>", "which part to take (default: all)", SPLITS),
  testRows: whole("--test-rows <n>", "the first rows, test (default: 200 of 1,000)"),
  poolRows: whole("--pool-rows <n>", "the rows after them, to train on (default: 800 of 1,000)"),
  tailRows: whole("--tail-rows <n>", "the end of the pool, for seed and val (default: all of it)"),
  seedRows: withDefault(
    whole("--seed-rows <n>", "rows of seed; -1: the whole tail", WHOLE_TAIL),
    SPLIT_DEFAULTS.seedRows,
  ),
  valRows: withDefault(whole("--val-rows <n>", "rows of val"), SPLIT_DEFAULTS.valRows),
  shuffleSeed: withDefault(whole("--shuffle-seed <n>", "of the shuffle of the tail"), SPLIT_DEFAULTS.seed),
  corpusOut: text("--corpus-out <file>", "write the paragraphs, pooled, as JSONL of title and text"),
  output: text("-o, --output <file>", "write the questions of the split as JSONL, as hasp run reads them"),
};

/** Of a file that is something else altogether, each line would be a finding. */
const MOST_FINDINGS = 3;

function orderOf(file: string, options: OptionsOf<typeof OPTIONS>): DataOrder {
  const { testRows: test, poolRows: pool, tailRows: tail, seedRows, valRows, shuffleSeed: seed } = options;
  const { domain, dataset, split, output, corpusOut } = options;
  const boundaries = {
    ...(test !== undefined && { test }),
    ...(pool !== undefined && { pool }),
    ...(tail !== undefined && { tail }),
  };
  return { file, domain, dataset, split, boundaries, seedRows, valRows, seed, output, corpusOut };
}

/** Whether agents search for the answers, so that a file without passages says so. */
function isSearched(dataset: string | undefined, domain: string | undefined): boolean {
  const found = dataset === undefined ? domain && domainOf(domain) : domainOfDataset(dataset);
  return !found || found.needsPassages !== undefined;
}

function print(terminal: Terminal, report: DataReport, order: DataOrder): void {
  const { split, output, corpusOut } = order;
  const written = (count: number, unit: string, file: string | undefined): void => {
    if (file !== undefined) terminal.line(`${count} ${unit} written to ${file}`);
  };
  if (report.kind === "passages") {
    terminal.line(`passages only: ${report.passages}, each once`);
    return written(report.passages, "passages", corpusOut);
  }
  const { dataset, rows, questions, withoutGold, passages, splits, size } = report.described;
  terminal.line(`${dataset ?? "plain questions"}: ${questions} questions of ${rows} rows`);
  for (const line of report.kinds) terminal.line(`  ${line}`);
  if (withoutGold > 0) terminal.line(`  ${withoutGold} have nothing to be judged by and stay unjudged`);
  if (passages > 0) terminal.line(`paragraphs: ${passages}, pooled, each once`);
  else if (isSearched(dataset, order.domain)) terminal.line("paragraphs: none in this file");
  if (splits !== undefined) {
    const { test, pool, train, seed, val } = splits;
    terminal.line(`splits: test ${test}, pool ${pool}; of the pool train ${train}, seed ${seed}, val ${val}`);
  }
  if (size === 0) terminal.line(`${report.described.split}: skipped, nothing is written`);
  else if (output === undefined && split !== undefined) terminal.line(`${split}: ${size} questions`);
  if (size > 0) written(size, `questions (${report.described.split})`, output);
  written(passages, "passages", corpusOut);
}

/** `hasp data <file> [--dataset] [--split] [--corpus-out f] [-o f]`. */
export const dataCommand = defineCommand({
  name: "data",
  about: "Say what a file of questions is, and write a split of it or the pool of its paragraphs.",
  takes: [
    ["<file>", `a data set as it is released (${datasetNames().join(", ")}), plain questions, or a corpus`],
  ],
  options: OPTIONS,
  examples: [
    "hasp data musique_ans_v1.0_dev.jsonl",
    "hasp data hotpot_dev_distractor_v1.json --split test -o test.jsonl --corpus-out corpus.jsonl",
  ],
  async run({ options, terminal, files }, file: string) {
    const order = orderOf(file, options);
    const done = await splitData(order, {
      files,
      absolute,
      folderOf: (name) => path.dirname(name),
    });
    const { diagnostics } = done;
    if (done.value === undefined && diagnostics.length > 1) {
      terminal.diagnostics([...diagnostics.slice(0, -1).slice(0, MOST_FINDINGS), ...diagnostics.slice(-1)]);
      terminal.result({ diagnostics });
      return EXIT.failed;
    }
    const report = need(done);
    print(terminal, report, order);
    terminal.diagnostics(diagnostics);
    if (!isClean(diagnostics)) terminal.line(countDiagnostics(diagnostics));
    const result = report.kind === "questions" ? report.described : { passages: report.passages };
    terminal.result({ ...result, diagnostics });
    return isClean(diagnostics) ? EXIT.fine : EXIT.findings;
  },
});
