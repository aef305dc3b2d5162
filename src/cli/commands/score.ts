import { Command, Option } from "commander";
import { createBudget, dollars, type Budget } from "../../llm/budget.ts";
import type { ChatModel } from "../../llm/chat-model.ts";
import { isClean, type Diagnostic } from "../../model/diagnostic.ts";
import { nodeFiles } from "../../platform/files.ts";
import { JUDGE_PROMPT } from "../../scoring/llm-judge.ts";
import { countDiagnostics } from "../format-diagnostic.ts";
import { helpTextWithKeys } from "../help.ts";
import { cancelOnInterrupt } from "../interrupt.ts";
import { judgeAnswers, type Judged } from "../judge-answers.ts";
import { openModelDesk } from "../models.ts";
import { amount, wholeNumber } from "../numbers.ts";
import { printable } from "../../model/printable.ts";
import { readScoreInput, type ScoreInput } from "../score-input.ts";
import { renderScore, scoreReport, type ScoreReport } from "../score-report.ts";
import { CliError, EXIT, openTerminal, type ExitCode, type SetExit, type Terminal } from "../terminal.ts";

interface Options {
  readonly judge?: string;
  readonly price?: string;
  readonly maxDollars?: number;
  readonly concurrency: number;
  readonly json?: boolean;
}

interface Bench {
  readonly terminal: Terminal;
  readonly judge: ChatModel | undefined;
  readonly concurrency: number;
  readonly signal: AbortSignal;
}

async function judgeInput(input: ScoreInput, bench: Bench): Promise<Judged | undefined> {
  const { judge, terminal, concurrency, signal } = bench;
  if (judge === undefined) return undefined;
  const total = input.answers.filter(({ gold }) => gold !== undefined).length;
  const judged = await judgeAnswers(input.answers, judge, {
    concurrency,
    signal,
    onJudged: (done) => terminal.progress(done, total, `${done} of ${total} answers judged`),
  });
  terminal.endProgress();
  return judged;
}

/** What went wrong with the judge, in words. */
function judgeTrouble({ failed, failure, judgements }: Judged): string[] {
  const unread = judgements.filter((one) => one !== undefined && one.equivalent === undefined).length;
  const lines: string[] = [];
  if (unread > 0)
    lines.push(`unjudged, since the judge's reply holds no verdict that can be read: ${unread}`);
  if (failure === undefined) return lines;
  const next = failure.next === undefined ? "" : ` → ${failure.next}`;
  return [
    ...lines,
    `unjudged, since the judge could not be asked: ${failed}. ${printable(failure.message)}${next}`,
  ];
}

interface Scored {
  readonly report: ScoreReport;
  readonly judged: Judged | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

async function scoreInput(input: ScoreInput, bench: Bench): Promise<Scored> {
  const { terminal } = bench;
  const judged = await judgeInput(input, bench);
  const report = scoreReport(input, judged);
  terminal.diagnostics(input.diagnostics);
  for (const line of renderScore(report)) terminal.line(line);
  for (const line of judged === undefined ? [] : judgeTrouble(judged)) terminal.line(line);
  terminal.line();
  return { report, judged, diagnostics: input.diagnostics };
}

const hasFindings = ({ report, judged, diagnostics }: Scored): boolean =>
  !isClean(diagnostics) ||
  (report.agreement?.disagreements.length ?? 0) > 0 ||
  judged?.failure !== undefined ||
  report.rows.some(({ mbe }) => (mbe?.unjudged ?? 0) > 0);

/** The judge's part of the result: which, with which prompt, what it cost, and its verdict on each answer. */
function resultOf({ report, judged }: Scored, { answers }: ScoreInput): Record<string, unknown> {
  const verdicts = judged?.judgements.map((one, i) => ({
    id: answers[i]?.id,
    equivalent: one?.equivalent ?? null,
    by: one?.by ?? null,
  }));
  return { ...report, ...(verdicts !== undefined && { failed: judged?.failed, verdicts }) };
}

async function scoreAll(names: readonly string[], bench: Bench, budget: Budget): Promise<ExitCode> {
  const { terminal, judge } = bench;
  const files = nodeFiles();
  const inputs: ScoreInput[] = [];
  for (const name of names) inputs.push(await readScoreInput(name, files));
  const scored: Scored[] = [];
  for (const input of inputs) scored.push(await scoreInput(input, bench));
  const diagnostics = scored.flatMap((one) => one.diagnostics);
  if (judge !== undefined)
    terminal.line(
      `judge: ${printable(judge.id)}, prompt ${JUDGE_PROMPT}, ${budget.costUnknown ? "cost unknown" : dollars(budget.spent)}`,
    );
  if (diagnostics.length > 0) terminal.line(countDiagnostics(diagnostics));
  terminal.result({
    inputs: scored.flatMap((one, i) => (inputs[i] === undefined ? [] : [resultOf(one, inputs[i])])),
    ...(judge !== undefined && {
      judge: judge.id,
      prompt: JUDGE_PROMPT,
      dollars: budget.costUnknown ? null : budget.spent,
    }),
    diagnostics,
  });
  return scored.some(hasFindings) ? EXIT.findings : EXIT.fine;
}

async function runScore(names: readonly string[], options: Options): Promise<ExitCode> {
  const terminal = openTerminal(options.json === true);
  const interrupt = cancelOnInterrupt();
  const { signal } = interrupt;
  const { judge: spec, price, concurrency, maxDollars } = options;
  const budget = createBudget(maxDollars);
  const desk = openModelDesk({ files: nodeFiles(), budget, onTrouble: (message) => terminal.line(message) });
  try {
    const judge =
      spec === undefined ? undefined : await desk.open(spec, price === undefined ? {} : { price });
    return await scoreAll(names, { terminal, judge, concurrency, signal }, budget);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new CliError(
      "Interrupted.",
      "Replies that had come are kept: the same command goes on from there.",
    );
  } finally {
    terminal.endProgress();
    desk.close();
    interrupt.release();
  }
}

/** `hasp score <run…> [--judge <spec>]`. */
export function scoreCommand(setExit: SetExit): Command {
  return new Command("score")
    .description(
      "Score the answers of runs: exact match, F1, and with a judge model-based equivalence (MBE).",
    )
    .argument("<run...>", "run folders, or files of answers with question, pred and gold")
    .option("--judge <spec>", "the model that judges: openai:<model>, <url>#<model> or scripted:<file>")
    .option("--price <in/out>", "dollars for a million tokens of the judge, e.g. 2.50/10")
    .addOption(new Option("--max-dollars <n>", "what the judge may cost").argParser(amount(0)))
    .addOption(new Option("--concurrency <n>", "answers judged at once").argParser(wholeNumber(1)).default(8))
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      helpTextWithKeys(
        "hasp score .hasp/runs/fireact",
        "hasp score .hasp/runs/first --judge openai:gpt-4o-mini --max-dollars 0.50",
      ),
    )
    .action(async (names: string[], options: Options) => {
      setExit(await runScore(names, options));
    });
}
