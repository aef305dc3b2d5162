import {
  estimateJudging,
  judgingCostWords,
  costTogether,
  textsWords,
  type JudgingEstimate,
} from "../../app/judge-estimate.ts";
import {
  judgeRun,
  plainJudge,
  type JudgedRun,
  type JudgeOrder,
  type JudgeServices,
} from "../../app/judge-run.ts";
import { domainJudging } from "../../app/open-judge.ts";
import { openModel, priceOf, type ModelOrder, type ModelServices } from "../../app/run/models.ts";
import { createBudget, costText, type Budget } from "../../llm/budget.ts";
import type { Price } from "../../llm/price.ts";
import { counted } from "../../model/counted.ts";
import { isClean } from "../../model/diagnostic.ts";
import { openContainment } from "../../platform/containment/open-containment.ts";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import type { Judge } from "../../scoring/judge.ts";
import { modelJudge } from "../../scoring/model-judge.ts";
import { need } from "../checked.ts";
import { defineCommand } from "../define-command.ts";
import { countDiagnostics } from "../format-diagnostic.ts";
import { KEYS } from "../help.ts";
import { interruptible } from "../interrupt.ts";
import { DOMAIN_JUDGES, judgeSpecs, modelOfJudge, undecidedLines } from "../judge-option.ts";
import { withModels } from "../models.ts";
import { decimal, flag, text, whole, withDefault } from "../options.ts";
import { CliError, EXIT, type Terminal } from "../terminal.ts";

/** Judges that are named without a model. */
const JUDGES = ["exact_match", "f1", "f1:<least F1>", ...DOMAIN_JUDGES];

function reportFailure(terminal: Terminal, { failed, failure }: JudgedRun): void {
  if (failure === undefined) return;
  const next = failure.next === undefined ? "" : ` → ${failure.next}`;
  terminal.line(`the judge failed or could not be asked: ${failed}. ${failure.message}${next}`);
}

function reportUndecided(terminal: Terminal, { withoutVerdict, undecided, leavesRest }: JudgedRun): void {
  if (withoutVerdict > 0) terminal.line(`the judge came to no verdict: ${withoutVerdict}`);
  const reasons = undecidedLines(undecided);
  for (const line of reasons) terminal.line(line);
  if (leavesRest && reasons.length > 0)
    terminal.line("  `--judge openai:<model>` asks a model about these alone");
}

function report(terminal: Terminal, judged: JudgedRun): void {
  const { judge, added, passed, drafts, had, nothingToJudge, agreement } = judged;
  terminal.line(`${judge}: ${counted(added, "verdict")} added, ${passed} of them right`);
  if (drafts.added > 0)
    terminal.line(`drafts: ${counted(drafts.added, "verdict")} added, ${drafts.passed} of them right`);
  const { bothRight, bothWrong, onlyFirst, onlyNew } = agreement;
  if (bothRight + bothWrong + onlyFirst + onlyNew > 0)
    terminal.line(
      `beside the first verdict: both right ${bothRight}, both wrong ${bothWrong}, right by the first alone ${onlyFirst}, by this one alone ${onlyNew}`,
    );
  if (had > 0) terminal.line(`${counted(had, "answer")} had a verdict of this judge already`);
  if (nothingToJudge > 0)
    terminal.line(`${counted(nothingToJudge, "episode")} without an answer or without an accepted one`);
  reportUndecided(terminal, judged);
  reportFailure(terminal, judged);
  if (judged.stopped)
    terminal.line("Interrupted: the verdicts so far are kept, and the same command goes on.");
}

/** The judge that a command line names, and the order of the model that it asks; neither where it names none. */
async function judgeNamed(
  spec: string | undefined,
  price: string | undefined,
  models: ModelServices,
  budget: Budget,
): Promise<Pick<JudgeOrder, "domain"> & { readonly judge?: Judge; readonly model?: ModelOrder }> {
  if (spec === undefined) return {};
  const domain = domainJudging(spec);
  if (domain !== undefined) return { domain };
  const plain = plainJudge(spec);
  if (plain !== undefined) return { judge: need(plain) };
  const model = modelOfJudge(spec, price, JUDGES);
  return { judge: modelJudge(need(await openModel(models, model, budget))), model };
}

function estimateLines(estimate: JudgingEstimate, price: Price | undefined, withDrafts: boolean): string[] {
  const { answers, drafts } = estimate;
  const cost = withDrafts ? costTogether(answers, drafts) : answers;
  const line = `${textsWords(estimate, withDrafts)} to judge: ${judgingCostWords(cost, price)}`;
  if (withDrafts || drafts.texts === 0) return [line];
  const more = `${counted(drafts.texts, "draft")} more: ${judgingCostWords(drafts, price)}`;
  return [line, `--drafts would judge ${more}`];
}

interface EstimateOrder extends Pick<JudgeOrder, "run" | "again" | "drafts"> {
  readonly judge: Judge;
  readonly model: ModelOrder;
}

/** Says what a model as the judge will cost at most, before it is asked. */
async function sayEstimate(
  { model, drafts, ...order }: EstimateOrder,
  services: JudgeServices,
  models: ModelServices,
  terminal: Terminal,
): Promise<JudgingEstimate> {
  try {
    const estimate = need(await estimateJudging(order, services));
    terminal.endProgress();
    for (const line of estimateLines(estimate, priceOf(model, models), drafts)) terminal.line(line);
    return estimate;
  } catch (error) {
    if (!services.signal.aborted) throw error;
    throw new CliError("Interrupted.", "Nothing was asked, and the run is unchanged.");
  }
}

const isWhole = ({ failure, stopped, withoutVerdict, withoutMaterial }: JudgedRun): boolean =>
  failure === undefined && !stopped && withoutVerdict + withoutMaterial === 0;

/** `hasp judge <run> [--judge <spec>]`. */
export const judgeCommand = defineCommand({
  name: "judge",
  about:
    "Judge the answers and drafts of a run again: adds verdicts of its domain's judge, or of another; the first ones still count.",
  takes: [["<run>", "a run folder"]],
  options: {
    judge: text("--judge <spec>", `${judgeSpecs(JUDGES)} (default: the judge of the run's domain)`),
    drafts: flag("--drafts", "with a model: also judge drafts; all other judges do so in any case"),
    again: flag("--again", "also what has a verdict of this judge"),
    price: text("--price <in/out>", "dollars for a million tokens of the judge, e.g. 2.50/10"),
    maxDollars: decimal("--max-dollars <n>", "what the judge may cost"),
    concurrency: withDefault(whole("--concurrency <n>", "answers judged at once", 1), 8),
  },
  section: KEYS,
  examples: [
    "hasp judge .hasp/runs/first",
    "hasp judge .hasp/runs/first --judge f1:0.8",
    "hasp judge .hasp/runs/first --judge openai:gpt-4o-mini --max-dollars 0.50",
  ],
  async run({ options, terminal, files }, run: string) {
    const { judge: spec, drafts = false, again = false, price, concurrency, maxDollars } = options;
    const budget = createBudget(maxDollars);
    return interruptible(terminal, (signal, on) =>
      withModels(files, terminal, async (models) => {
        const { judge, domain, model } = await judgeNamed(spec, price, models, budget);
        const redact = (given: string): string => models.redactor.redact(given);
        const services = { files, asOnlyWriter, openContainment, redact, signal, on };
        const estimate =
          model &&
          judge &&
          (await sayEstimate({ run, judge, model, again, drafts }, services, models, terminal));
        const result = await judgeRun({ run, judge, domain, drafts, again, concurrency }, services);
        const judged = need(result);
        terminal.endProgress();
        terminal.diagnostics(result.diagnostics);
        report(terminal, judged);
        if (model !== undefined) terminal.line(`cost: ${costText(budget)}`);
        if (result.diagnostics.length > 0) terminal.line(countDiagnostics(result.diagnostics));
        const failure = judged.failure && { message: judged.failure.message };
        terminal.result({ ...judged, failure, estimate, diagnostics: result.diagnostics });
        return isWhole(judged) && isClean(result.diagnostics) ? EXIT.fine : EXIT.findings;
      }),
    );
  },
});
