import { judgeRun, plainJudge, type JudgedRun } from "../../app/judge-run.ts";
import { openModel } from "../../app/run/models.ts";
import { createBudget, costText } from "../../llm/budget.ts";
import { counted } from "../../model/counted.ts";
import { isClean } from "../../model/diagnostic.ts";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import { modelJudge } from "../../scoring/model-judge.ts";
import { need } from "../checked.ts";
import { defineCommand } from "../define-command.ts";
import { countDiagnostics } from "../format-diagnostic.ts";
import { KEYS } from "../help.ts";
import { interruptible } from "../interrupt.ts";
import { modelOrder, withModels } from "../models.ts";
import { decimal, flag, needed, text, whole, withDefault } from "../options.ts";
import { EXIT, type Terminal } from "../terminal.ts";

function report(terminal: Terminal, judged: JudgedRun): void {
  const { judge, added, passed, had, nothingToJudge, withoutVerdict, failed, failure, agreement } = judged;
  terminal.line(`${judge}: ${counted(added, "verdict")} added, ${passed} of them right`);
  const { bothRight, bothWrong, onlyFirst, onlyNew } = agreement;
  if (bothRight + bothWrong + onlyFirst + onlyNew > 0)
    terminal.line(
      `beside the first verdict: both right ${bothRight}, both wrong ${bothWrong}, right by the first alone ${onlyFirst}, by this one alone ${onlyNew}`,
    );
  if (had > 0) terminal.line(`${counted(had, "answer")} had a verdict of this judge already`);
  if (nothingToJudge > 0)
    terminal.line(`${counted(nothingToJudge, "episode")} without an answer or without an accepted one`);
  if (withoutVerdict > 0)
    terminal.line(`no verdict that can be read in the reply of the judge: ${withoutVerdict}`);
  if (failure !== undefined) {
    const next = failure.next === undefined ? "" : ` → ${failure.next}`;
    terminal.line(`the judge could not be asked: ${failed}. ${failure.message}${next}`);
  }
  if (judged.stopped)
    terminal.line("Interrupted: the verdicts so far are kept, and the same command goes on.");
}

/** `hasp judge <run> --judge <spec>`. */
export const judgeCommand = defineCommand({
  name: "judge",
  about:
    "Have another judge look at the answers of a run: each gets a verdict more, and the first one stays.",
  takes: [["<run>", "a run folder"]],
  options: {
    judge: needed(
      text("--judge <spec>", "exact_match, f1, f1:<least F1>, or a model: openai:<model>, <url>#<model>"),
    ),
    again: flag("--again", "also answers that have a verdict of this judge"),
    price: text("--price <in/out>", "dollars for a million tokens of the judge, e.g. 2.50/10"),
    maxDollars: decimal("--max-dollars <n>", "what the judge may cost"),
    concurrency: withDefault(whole("--concurrency <n>", "answers judged at once", 1), 8),
  },
  section: KEYS,
  examples: [
    "hasp judge .hasp/runs/first --judge f1:0.8",
    "hasp judge .hasp/runs/first --judge openai:gpt-4o-mini --max-dollars 0.50",
  ],
  async run({ options, terminal, files }, run: string) {
    const { judge: spec, again = false, price, concurrency, maxDollars } = options;
    const budget = createBudget(maxDollars);
    return interruptible(terminal, (signal, on) =>
      withModels(files, terminal, async (models) => {
        const plain = plainJudge(spec);
        const judge =
          plain === undefined
            ? modelJudge(need(await openModel(models, modelOrder(spec, price), budget)))
            : need(plain);
        const redact = (given: string): string => models.redactor.redact(given);
        const order = { run, judge, again, concurrency };
        const result = await judgeRun(order, { files, asOnlyWriter, redact, signal, on });
        const judged = need(result);
        terminal.endProgress();
        terminal.diagnostics(result.diagnostics);
        report(terminal, judged);
        if (plain === undefined) terminal.line(`cost: ${costText(budget)}`);
        if (result.diagnostics.length > 0) terminal.line(countDiagnostics(result.diagnostics));
        const failure = judged.failure && { message: judged.failure.message };
        terminal.result({ ...judged, failure, diagnostics: result.diagnostics });
        const clean = isClean(result.diagnostics) && judged.failure === undefined && !judged.stopped;
        return clean && judged.withoutVerdict === 0 ? EXIT.fine : EXIT.findings;
      }),
    );
  },
});
