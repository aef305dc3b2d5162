import { trainDataOrder } from "../../app/train-data/assemble.ts";
import { buildTrainData, type TrainData } from "../../app/train-data/build.ts";
import { openRow, parseRowName } from "../../app/train-data/open-row.ts";
import { readNamed } from "../../app/named-text.ts";
import { environmentSecrets } from "../../llm/env-secrets.ts";
import { createRedactor } from "../../llm/redact.ts";
import { isClean, type Checked } from "../../model/diagnostic.ts";
import type { DataCard } from "../../model/data-card.ts";
import type { Episode, Step } from "../../model/episode.ts";
import { EXPERIMENTS } from "../../model/experiment.ts";
import { FILTERS, type Objective } from "../../model/train-data.ts";
import { systemClock } from "../../platform/clock.ts";
import { episodeOf } from "../../app/open-run.ts";
import { need, needPlaced } from "../checked.ts";
import { variables } from "../../platform/surroundings.ts";
import { defineCommand, type Call } from "../define-command.ts";
import { countDiagnostics } from "../format-diagnostic.ts";
import { interruptible } from "../interrupt.ts";
import { decimal, flag, oneOf, text, texts, whole } from "../options.ts";
import { actionInLine, answersArePrograms } from "../render-program.ts";
import { renderTable, right } from "../table.ts";
import { CliError, EXIT, type ExitCode, type Terminal } from "../terminal.ts";
import { chosenWeights, DROP, WEIGHTS } from "./signals.ts";

const OPTIONS = {
  output: text("-o, --output <folder>", "the folder of the files, by default .hasp/data/train"),
  objective: oneOf(
    "--objective <which>",
    "a: use PFs, b: write skills (default: a, and b with --candidates)",
    ["a", "b", "both"],
  ),
  experiment: oneOf("--experiment <which>", "the filter and the data block of an experiment", EXPERIMENTS),
  filter: oneOf("--filter <which>", "which steps become rows: none, rs (rejection sampling) or opd", FILTERS),
  floor: decimal("--floor <reward>", "the least reward of a row (default: 0.25)"),
  dpoRevised: flag(
    "--dpo-revised",
    "DPO pairs also of a policy's own second proposal after a context (default: as its domain has it)",
  ),
  exactPrompts: flag(
    "--exact-prompts",
    "leave out rows whose prompt is that of a transcript, which lacks what its host added",
  ),
  maxTokens: whole("--max-tokens <n>", "leave out rows of more tokens, guessed at four characters each", 1),
  noDpoRevised: flag("--no-dpo-revised", "DPO pairs of modified steps alone"),
  allowEmpty: flag("--allow-empty", "write empty files where there is no row, instead of an error"),
  weights: WEIGHTS,
  drop: DROP,
  heldOut: texts(
    "--held-out <file...>",
    "files of questions that are in no row, beside test and validation splits",
  ),
  candidates: texts(
    "--candidates <file...>",
    "skills that a model wrote, with their reviews, for objective b",
  ),
  refresh: text(
    "--refresh <folder>",
    "build the files of this folder again, by its data.yaml and the other options",
  ),
  dryRun: flag("--dry-run", "count the rows and show the first ones; write nothing"),
  row: text("--row <file:line>", "show the step of a row, and how to open it in the replay"),
};
type Options = Call<typeof OPTIONS>["options"];

const DEFAULT_OUTPUT = ".hasp/data/train";

function objectives({ objective }: Options): readonly Objective[] | undefined {
  if (objective === undefined) return undefined;
  return objective === "both" ? ["a", "b"] : objective === "b" ? ["b"] : ["a"];
}

function cardRow({ file, rows, scored, tokens, objective }: DataCard): string[] {
  const floor = objective === "a" ? `${scored.overFloor} of ${scored.steps}` : "–";
  return [file, String(rows), floor, String(tokens.prompt), String(tokens.target)];
}

/** Each once; what a card alone says with its file. */
function noticesOf(cards: readonly DataCard[]): readonly string[] {
  const all = [...new Set(cards.flatMap(({ notices }) => notices))];
  return all.map((notice) => {
    const of = cards.filter(({ notices }) => notices.includes(notice));
    return of.length === cards.length ? notice : `${of.map(({ file }) => file).join(", ")}: ${notice}`;
  });
}

function printCards(terminal: Terminal, { cards, written }: TrainData, folder: string | undefined): void {
  const columns = ["file", ...["rows", "steps over the floor", "prompt tokens", "target tokens"].map(right)];
  for (const line of renderTable(columns, cards.map(cardRow))) terminal.line(line);
  const [first] = cards;
  for (const notice of noticesOf(cards)) terminal.line(notice);
  if (first !== undefined && first.dropped.length > 0) {
    terminal.line("left out:");
    for (const { reason, steps } of first.dropped) terminal.line(`  ${String(steps).padStart(6)}  ${reason}`);
  }
  terminal.line(
    folder === undefined
      ? "Nothing was written (--dry-run)."
      : `${written.length} files written to ${folder}; the cards (*.card.md) describe them`,
  );
}

function printSample(terminal: Terminal, cards: readonly DataCard[]): void {
  const [first] = cards.filter(({ rows }) => rows > 0);
  for (const row of first?.sample ?? []) {
    terminal.line();
    terminal.line(
      `${row.episode}, step ${row.step}  weight ${row.weight.toFixed(4)}  ${row.correction}  ${row.skills}`,
    );
    for (const line of row.target.split("\n")) terminal.line(`  ${line}`);
  }
}

/** The value. Without one the findings are the result, and the command ends with the errors and their places. */
function resultOf<T>(terminal: Terminal, given: Checked<T>): T {
  if (given.value === undefined) terminal.result({ diagnostics: given.diagnostics });
  return needPlaced(given);
}

/** The place of a step in the file that it was imported from, as far as the record has it. */
function sourceLines({ source, id }: Episode, { extra }: Step): readonly string[] {
  if (source === "hasp") return [];
  const call = extra?.["callId"];
  return [`  recorded  by ${source}, session ${id}${typeof call === "string" ? `, call ${call}` : ""}`];
}

async function showRow({ terminal, files }: Call<typeof OPTIONS>, given: string): Promise<ExitCode> {
  const name = parseRowName(given);
  if (name === undefined)
    throw new CliError(`${given} names no row.`, "Write a file and a line, as in a-sft.jsonl:12.");
  const row = resultOf(terminal, await openRow(files, name));
  const episode = need(await episodeOf(files, row.folder, row.index));
  const step = episode.steps[row.step - 1];
  const { run, episode: id, questionId, sample, step: number } = row;
  terminal.line(`${given}: ${run}, episode ${id} (question ${questionId}, sample ${sample}), step ${number}`);
  if (step !== undefined) {
    const [first] = step.proposals;
    const isProgram = answersArePrograms(episode);
    if (first !== undefined) terminal.line(`  proposed  ${actionInLine(first.action, isProgram)}`);
    terminal.line(`  executed  ${actionInLine(step.executed, isProgram)}`);
    for (const line of sourceLines(episode, step)) terminal.line(line);
  }
  terminal.line(`open it: hasp replay ${run} --episode ${id} --step ${number}`);
  const link = new URLSearchParams({
    run: row.folder.run?.id ?? row.folder.title,
    episode: id,
    step: String(number),
  });
  const uri = `vscode://hasp-studio.hasp-studio/step?${link.toString()}`;
  terminal.line(`in VS Code: ${uri}`);
  terminal.result({ run, episode: id, questionId, sample, step: number, index: row.index, uri });
  return EXIT.fine;
}

async function build(call: Call<typeof OPTIONS>, runs: readonly string[]): Promise<ExitCode> {
  const { options, terminal, files } = call;
  const {
    refresh,
    dryRun = false,
    weights,
    drop,
    experiment,
    filter,
    floor,
    dpoRevised,
    exactPrompts,
    maxTokens,
    allowEmpty,
    heldOut,
    candidates,
  } = options;
  const folder = refresh ?? options.output ?? DEFAULT_OUTPUT;
  const named = weights !== undefined || drop !== undefined ? await chosenWeights(options, files) : undefined;
  const redactor = createRedactor(environmentSecrets(variables()));
  return interruptible(terminal, async (signal, on) => {
    const request = {
      runs,
      candidates,
      heldOut,
      objectives: objectives(options),
      experiment,
      filter,
      floor,
      dpoRevised,
      exactPrompts,
      maxTokens,
      allowEmpty,
      weights: named,
      output: folder,
      refresh: refresh !== undefined,
      signal,
    };
    const given = resultOf(terminal, await trainDataOrder(request, files));
    const order = { ...given, ...(dryRun && { output: undefined }) };
    const result = await buildTrainData(order, {
      files,
      clock: systemClock,
      redact: (given) => redactor.redact(given),
      readNamed: (file) => readNamed(files, file),
      on,
    });
    terminal.endProgress();
    const { diagnostics } = result;
    const isRefused = result.value === undefined;
    terminal.diagnostics(
      isRefused ? diagnostics.filter(({ severity }) => severity !== "error") : diagnostics,
    );
    const data = resultOf(terminal, result);
    printCards(terminal, data, order.output);
    if (dryRun) printSample(terminal, data.cards);
    if (diagnostics.length > 0) terminal.line(countDiagnostics(diagnostics));
    terminal.result({ ...data, folder: order.output, diagnostics });
    return isClean(diagnostics) ? EXIT.fine : EXIT.findings;
  });
}

/** `hasp train-data <run…>`. */
export const trainDataCommand = defineCommand({
  name: "train-data",
  about:
    "Make training data of recorded runs: weighted SFT, DPO and prompts in the shapes that TRL reads. Calls no model.",
  takes: [["[run...]", "run folders"]],
  options: OPTIONS,
  json: "print the cards as JSON",
  examples: [
    "hasp train-data .hasp/runs/first -o .hasp/data/first",
    "hasp train-data .hasp/runs/first .hasp/runs/second --filter rs --dry-run",
    "hasp train-data .hasp/runs/first --experiment e5 -o .hasp/data/e5",
    "hasp train-data --refresh .hasp/data/first --drop timing",
    "hasp train-data --row .hasp/data/first/a-sft.jsonl:12",
  ],
  async run(call, runs: readonly string[]) {
    return call.options.row === undefined ? build(call, runs) : showRow(call, call.options.row);
  },
});
