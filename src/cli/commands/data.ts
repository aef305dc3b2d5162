import { Command, Option } from "commander";
import path from "node:path";
import { splitData, type DataOrder, type DataReport } from "../../app/split-data.ts";
import { isClean } from "../../model/diagnostic.ts";
import { SPLIT_DEFAULTS, SPLITS, WHOLE_TAIL, type SplitName } from "../../model/question-set.ts";
import { nodeFiles } from "../../platform/files.ts";
import { need } from "../checked.ts";
import { countDiagnostics } from "../format-diagnostic.ts";
import { helpText } from "../help.ts";
import { wholeNumber } from "../numbers.ts";
import { EXIT, openTerminal, type ExitCode, type SetExit, type Terminal } from "../terminal.ts";

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
function orderOf(file: string, options: Options): DataOrder {
  const { testRows: test, poolRows: pool, tailRows: tail, seedRows, valRows, shuffleSeed: seed } = options;
  const { dataset, split, output, corpusOut } = options;
  const boundaries = {
    ...(test !== undefined && { test }),
    ...(pool !== undefined && { pool }),
    ...(tail !== undefined && { tail }),
  };
  return { file, dataset, split, boundaries, seedRows, valRows, seed, output, corpusOut };
}

function print(terminal: Terminal, report: DataReport, { split, output, corpusOut }: DataOrder): void {
  const written = (count: number, unit: string, file: string | undefined): void => {
    if (file !== undefined) terminal.line(`${count} ${unit} written to ${file}`);
  };
  if (report.kind === "passages") {
    terminal.line(`passages only: ${report.passages}, each once`);
    return written(report.passages, "passages", corpusOut);
  }
  const { dataset, rows, questions, withoutGold, passages, splits, size } = report.described;
  terminal.line(`${dataset}: ${questions} questions of ${rows} rows`);
  for (const line of report.kinds) terminal.line(`  ${line}`);
  if (withoutGold > 0) terminal.line(`  ${withoutGold} have no answer and stay unjudged`);
  terminal.line(
    passages === 0 ? "paragraphs: none in this file" : `paragraphs: ${passages}, pooled, each once`,
  );
  if (splits !== undefined) {
    const { test, pool, train, seed, val } = splits;
    const tail = `tail ${pool - train}; of the tail seed ${seed}, val ${val}`;
    terminal.line(`splits: test ${test}, pool ${pool} = train ${train} + ${tail}`);
  }
  if (output === undefined && split !== undefined) terminal.line(`${split}: ${size} questions`);
  written(size, `questions (${report.described.split})`, output);
  written(passages, "passages", corpusOut);
}

async function runData(file: string, options: Options): Promise<ExitCode> {
  const terminal = openTerminal(options.json === true);
  const order = orderOf(file, options);
  const services = {
    files: nodeFiles(),
    absolute: (name: string) => path.resolve(name),
    folderOf: (name: string) => path.dirname(name),
  };
  const done = await splitData(order, services);
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
