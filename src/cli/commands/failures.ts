import { analyseFailures, knownSkills, type FailuresOrder } from "../../app/failures.ts";
import type { Progress } from "../../app/progress.ts";
import { openModel } from "../../app/run/models.ts";
import { createBudget, costText } from "../../llm/budget.ts";
import type { ChatModel } from "../../llm/chat-model.ts";
import { isClean } from "../../model/diagnostic.ts";
import { MIN_CLUSTER_SIZE } from "../../model/failure.ts";
import { need } from "../checked.ts";
import { defineCommand, type Call } from "../define-command.ts";
import { clustersLines, detectorLines } from "../failures-report.ts";
import { countDiagnostics } from "../format-diagnostic.ts";
import { KEYS } from "../help.ts";
import { interruptible } from "../interrupt.ts";
import { modelOrder, withModels } from "../models.ts";
import { decimal, SKILL_FOLDERS, text, TRIGGERS, whole, withDefault } from "../options.ts";
import { readSkills } from "../session.ts";
import { chosenSplit, SEED, splitOption } from "../split-option.ts";
import { EXIT, type ExitCode } from "../terminal.ts";
import { namedRuns } from "./signals.ts";

const OPTIONS = {
  skills: SKILL_FOLDERS,
  triggers: TRIGGERS,
  teacher: text("--teacher <spec>", "let a model describe each failure, e.g. openai:gpt-4o-2024-11-20"),
  price: text("--price <in/out>", "dollars for a million tokens of the teacher, e.g. 2.50/10"),
  maxDollars: decimal("--max-dollars <n>", "what the teacher may cost"),
  concurrency: withDefault(whole("--concurrency <n>", "failures described at once", 1), 8),
  minCluster: withDefault(
    whole("--min-cluster <n>", "episodes of the smallest cluster", 1),
    MIN_CLUSTER_SIZE,
  ),
  examples: withDefault(whole("--examples <n>", "episodes to list for each cluster"), 3),
  split: splitOption("to write skills by and 3/3 to test them on"),
  seed: SEED,
};

/** Analyses with the teacher that the options name, where they name one; what it costs is printed. */
async function analyse(
  { options, terminal, files }: Call<typeof OPTIONS>,
  order: FailuresOrder,
  on: (event: Progress) => void,
) {
  const { teacher: spec, price, maxDollars, concurrency } = options;
  const withModel = (model: ChatModel | undefined) =>
    analyseFailures(order, { files, model, concurrency, on });
  if (spec === undefined) return withModel(undefined);
  return withModels(files, terminal, async (models) => {
    const budget = createBudget(maxDollars);
    const result = await withModel(need(await openModel(models, modelOrder(spec, price), budget)));
    terminal.endProgress();
    terminal.line(`cost of the teacher: ${costText(budget)}`);
    return result;
  });
}

async function runFailures(call: Call<typeof OPTIONS>, paths: readonly string[]): Promise<ExitCode> {
  const { options, terminal, session, files } = call;
  const { split, seed, minCluster, examples } = options;
  const runs = await namedRuns(paths, files);
  const known = knownSkills(await readSkills(options.skills, session, { mayBeNone: true }));
  return interruptible(terminal, async (signal, on) => {
    const order = { runs, split: chosenSplit(split, seed), known, minClusterSize: minCluster, signal };
    const result = await analyse(call, order, on);
    terminal.endProgress();
    const report = need(result);
    const { diagnostics } = result;
    terminal.diagnostics(diagnostics);
    for (const line of detectorLines(report)) terminal.line(line);
    for (const line of clustersLines(report, minCluster, examples)) terminal.line(line);
    if (signal.aborted) terminal.line("Interrupted: these are the episodes done so far.");
    if (diagnostics.length > 0) terminal.line(countDiagnostics(diagnostics));
    terminal.result({ ...report, diagnostics, interrupted: signal.aborted });
    return isClean(diagnostics) && !signal.aborted ? EXIT.fine : EXIT.findings;
  });
}

/** `hasp failures <run…>`. */
export const failuresCommand = defineCommand({
  name: "failures",
  about:
    "Find out how recorded episodes fail: the detectors of their domain by outcome, and clusters of failures that are alike.",
  takes: [["<run...>", "run folders"]],
  options: OPTIONS,
  json: "print the report as JSON, with every failure",
  section: KEYS,
  examples: [
    "hasp failures .hasp/runs/reflexion",
    "hasp failures .hasp/runs/reflexion .hasp/runs/fireact --split 1,2/3",
    "hasp failures .hasp/runs/reflexion --teacher openai:gpt-4o-2024-11-20 --max-dollars 1",
  ],
  run: runFailures,
});
