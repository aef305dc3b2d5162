import { openContainment } from "../../platform/containment/open-containment.ts";
import { domainJudging } from "../../app/open-judge.ts";
import { openModel } from "../../app/run/models.ts";
import { scoreInputs, type ScoredInput, type ScoreEvent } from "../../app/score-answers.ts";
import { createBudget, costText, type Budget } from "../../llm/budget.ts";
import type { ChatModel } from "../../llm/chat-model.ts";
import { isClean } from "../../model/diagnostic.ts";
import { JUDGE_PROMPT } from "../../scoring/llm-judge.ts";
import { need } from "../checked.ts";
import { defineCommand } from "../define-command.ts";
import { countDiagnostics } from "../format-diagnostic.ts";
import { KEYS } from "../help.ts";
import { interruptible } from "../interrupt.ts";
import { BY_JUDGE, DOMAIN_JUDGES, judgeSpecs, modelOfJudge, undecidedLines } from "../judge-option.ts";
import { withModels } from "../models.ts";
import { decimal, text, whole, wholes, withDefault } from "../options.ts";
import { renderScore } from "../score-report.ts";
import { CliError, EXIT, type ExitCode, type Terminal } from "../terminal.ts";

/** The answers without a verdict, and why. */
function judgeTrouble(judged: ScoredInput["judged"]): string[] {
  if (judged === undefined) return [];
  const { failed, failure, judgements } = judged;
  const unread = judgements.filter((one) => one !== undefined && one.equivalent === undefined).length;
  const lines: string[] = [];
  if (unread > 0)
    lines.push(`unjudged, since the judge's reply holds no verdict that can be read: ${unread}`);
  if (failure === undefined) return lines;
  const next = failure.next === undefined ? "" : ` → ${failure.next}`;
  return [...lines, `unjudged, since the judge could not be asked: ${failed}. ${failure.message}${next}`];
}

const hasFindings = ({ report, judged, diagnostics }: ScoredInput): boolean =>
  !isClean(diagnostics) ||
  (report.agreement?.disagreements.length ?? 0) > 0 ||
  judged?.failure !== undefined ||
  report.rows.some(({ mbe, right }) => (mbe?.unjudged ?? 0) + (right?.unjudged ?? 0) > 0);

function print(
  terminal: Terminal,
  { report, judged, undecided, diagnostics }: ScoredInput,
  passAt: readonly number[] | undefined,
): void {
  terminal.endProgress();
  terminal.diagnostics(diagnostics);
  const reasons = undecidedLines(undecided);
  const why = reasons.length === 0 ? [] : ["no verdict:", ...reasons];
  for (const line of [...renderScore(report, passAt), ...why, ...judgeTrouble(judged), ""])
    terminal.line(line);
}

/** The report with the judge's verdict on each answer. */
function resultOf({ report, judged, undecided, answers }: ScoredInput): Record<string, unknown> {
  const verdicts = judged?.judgements.map((one, i) => ({
    id: answers[i]?.id,
    equivalent: one?.equivalent ?? null,
    by: one?.by ?? null,
    ...(one?.refused !== undefined && { refused: one.refused }),
  }));
  return { ...report, undecided, failed: judged?.failed, verdicts };
}

function conclude(
  terminal: Terminal,
  scored: readonly ScoredInput[],
  judge: ChatModel | undefined,
  budget: Budget,
): ExitCode {
  const diagnostics = scored.flatMap((one) => one.diagnostics);
  const { costUnknown, spent } = budget;
  if (judge !== undefined)
    terminal.line(`judge: ${judge.id}, prompt ${JUDGE_PROMPT}, cost ${costText(budget)}`);
  if (diagnostics.length > 0) terminal.line(countDiagnostics(diagnostics));
  const judged = judge && { judge: judge.id, prompt: JUDGE_PROMPT, dollars: costUnknown ? null : spent };
  terminal.result({ inputs: scored.map(resultOf), ...judged, diagnostics });
  return scored.some(hasFindings) ? EXIT.findings : EXIT.fine;
}

/** `hasp score <run…> [--judge <spec>]`. */
export const scoreCommand = defineCommand({
  name: "score",
  about:
    "Score the answers of runs: exact match and F1, or the share right by their domain's judge; with a model as the judge also model-based equivalence (MBE).",
  takes: [["<run...>", "run folders, or files of answers with question, pred and gold"]],
  options: {
    judge: text("--judge <spec>", `${judgeSpecs(DOMAIN_JUDGES)} (MBE: it is asked about every answer)`),
    by: BY_JUDGE,
    passAt: wholes(
      "--pass-at <k,…>",
      "the k of pass@k (default: 1, 5, 10, 100 and all samples, where a question has several)",
      1,
    ),
    price: text("--price <in/out>", "dollars for a million tokens of the judge, e.g. 2.50/10"),
    maxDollars: decimal("--max-dollars <n>", "what the judge may cost"),
    concurrency: withDefault(whole("--concurrency <n>", "answers judged at once", 1), 8),
  },
  section: KEYS,
  examples: [
    "hasp score .hasp/runs/fireact",
    "hasp score .hasp/runs/samples --pass-at 1,5",
    "hasp score .hasp/runs/first --judge openai:gpt-4o-mini --max-dollars 0.50",
  ],
  async run({ options, terminal, files }, inputs: readonly string[]) {
    const { judge: spec, by, passAt, price, concurrency, maxDollars } = options;
    const budget = createBudget(maxDollars);
    return interruptible(terminal, (signal, progress) =>
      withModels(files, terminal, async (models) => {
        const on = (event: ScoreEvent): void =>
          event.kind === "scored" ? print(terminal, event.scored, passAt) : progress(event);
        try {
          const domain = spec === undefined ? undefined : domainJudging(spec);
          const judge =
            spec === undefined || domain !== undefined
              ? undefined
              : need(await openModel(models, modelOfJudge(spec, price, DOMAIN_JUDGES), budget));
          const scored = need(
            await scoreInputs(
              { inputs, concurrency, by, domain, passAt },
              { files, judge, openContainment, signal, on },
            ),
          );
          return conclude(terminal, scored, judge, budget);
        } catch (error) {
          if (!signal.aborted) throw error;
          const next = "Replies that had come are kept: the same command goes on from there.";
          throw new CliError("Interrupted.", next);
        }
      }),
    );
  },
});
