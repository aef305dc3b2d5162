import { judgeSteps, type JudgedSteps } from "../../app/judge-steps.ts";
import { entryOf } from "../../app/open-run.ts";
import { openModel } from "../../app/run/models.ts";
import { readNamed } from "../../app/named-text.ts";
import {
  readWeights,
  signalsOfRuns,
  weightsWithout,
  type SignalsEvent,
  type SignalsRun,
} from "../../app/signals.ts";
import { createBudget, costText } from "../../llm/budget.ts";
import { counted } from "../../model/counted.ts";
import { isClean, type Diagnostic } from "../../model/diagnostic.ts";
import type { SignalWeights, StepSignals } from "../../model/signals.ts";
import type { SignalsReport, StepPlace } from "../../model/signals-report.ts";
import { didYouMean } from "../../skill/suggest.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { need, needPlaced } from "../checked.ts";
import { defineCommand, type Call } from "../define-command.ts";
import { countDiagnostics } from "../format-diagnostic.ts";
import { KEYS } from "../help.ts";
import { interruptible } from "../interrupt.ts";
import { modelOrder, withModels } from "../models.ts";
import { decimal, text, texts, whole, withDefault } from "../options.ts";
import { openRunAt } from "../runs.ts";
import { limitLines, reportLines, skillLines, stepLines } from "../signals-report.ts";
import { CliError, EXIT, type ExitCode, type Terminal } from "../terminal.ts";

export const WEIGHTS = text("--weights <file>", "weights of the signals, as YAML or JSON (docs/signals.md)");
export const DROP = texts("--drop <signal...>", "leave out families or slots, e.g. timing or s3.semantic");

/** The weights that a command line names: of a file, of the paper, without what is dropped. Errors end the command. */
export async function chosenWeights(
  {
    weights,
    drop = [],
  }: { readonly weights: string | undefined; readonly drop: readonly string[] | undefined },
  files: NodeFiles,
): Promise<SignalWeights> {
  const { dropped, ...paper } = need(weightsWithout(drop));
  if (weights === undefined) return { ...paper, dropped };
  return needPlaced(readWeights(need(await readNamed(files, weights)).text, weights, dropped));
}

const OPTIONS = {
  episode: text(
    "--episode <id>",
    "all signals of the steps of an episode, by id or number, with the rule of each",
  ),
  skill: text("--skill <id>", "the signals that the interventions of one skill earn, slot by slot"),
  weights: WEIGHTS,
  drop: DROP,
  teacher: text("--teacher <spec>", "let a model judge s3.semantic first, e.g. openai:gpt-4o-2024-11-20"),
  price: text("--price <in/out>", "dollars for a million tokens of the teacher, e.g. 2.50/10"),
  maxDollars: decimal("--max-dollars <n>", "what the teacher may cost"),
  concurrency: withDefault(whole("--concurrency <n>", "steps judged at once", 1), 8),
};

/** Runs under the names that a person gave them. */
export async function namedRuns(paths: readonly string[], files: NodeFiles): Promise<readonly SignalsRun[]> {
  const runs: SignalsRun[] = [];
  for (const given of paths) {
    const { folder, index, diagnostics } = await openRunAt(given, files);
    runs.push({ run: folder, folder, index, diagnostics });
  }
  return runs;
}

function printJudged(terminal: Terminal, judged: JudgedSteps, cost: string): void {
  const { failed, failure, had, withoutScore } = judged;
  terminal.line(
    `s3.semantic: ${counted(judged.judged, "step")} judged, ${had} had a score already; cost ${cost}`,
  );
  if (withoutScore > 0)
    terminal.line(
      `no score can be read in the replies about ${counted(withoutScore, "step")}: the fallback counts`,
    );
  if (failure === undefined) return;
  const next = failure.next === undefined ? "" : ` → ${failure.next}`;
  terminal.line(`the teacher could not be asked: ${failed}. ${failure.message}${next}`);
}

/** Lets the named teacher judge the steps; undefined where none is named. */
async function judged(
  { options, terminal, files }: Call<typeof OPTIONS>,
  runs: readonly SignalsRun[],
  { signal, on }: Pick<Parameters<typeof judgeSteps>[1], "signal" | "on">,
): Promise<JudgedSteps | undefined> {
  const { teacher: spec, price, maxDollars, concurrency } = options;
  if (spec === undefined) return undefined;
  return withModels(files, terminal, async (models) => {
    const budget = createBudget(maxDollars);
    const teacher = need(await openModel(models, modelOrder(spec, price), budget));
    const redact = (given: string): string => models.redactor.redact(given);
    const done = await judgeSteps({ runs, teacher, concurrency }, { files, redact, signal, on });
    terminal.endProgress();
    printJudged(terminal, done, costText(budget));
    return done;
  });
}

/** The episode that a person names, as `hasp replay` names it, in each run that has it. CliError where none has. */
function episodeNamed(runs: readonly SignalsRun[], wanted: string): (place: StepPlace) => boolean {
  const found = runs.map((run) => ({ run: run.run, ...entryOf(run, wanted) }));
  const ids = new Map(found.flatMap(({ run, value }) => (value === undefined ? [] : [[run, value.head.id]])));
  const [first] = found;
  if (ids.size === 0 && first !== undefined) need(first);
  return ({ run, episode }) => ids.get(run) === episode;
}

/** The part of a report that the options ask for. CliError for a skill that acted at no step. */
function shownLines(
  { episode, skill }: Call<typeof OPTIONS>["options"],
  report: SignalsReport,
  steps: readonly StepSignals[],
  weights: SignalWeights,
): readonly string[] {
  if (episode !== undefined)
    return [...steps.flatMap((step) => stepLines(step, weights)), ...limitLines(report)];
  if (skill === undefined) return reportLines(report);
  const found = report.skills.find(({ skillId }) => skillId === skill);
  if (found !== undefined) return [...skillLines(found, weights), ...limitLines(report)];
  const acted = report.skills.map(({ skillId }) => skillId);
  const next = acted.length === 0 ? "No skill acted in these runs." : didYouMean(skill, acted);
  throw new CliError(`${skill} changed no action and added no context in these runs.`, next);
}

async function runSignals(call: Call<typeof OPTIONS>, paths: readonly string[]): Promise<ExitCode> {
  const { options, terminal, files } = call;
  const weights = await chosenWeights(options, files);
  const runs = await namedRuns(paths, files);
  const isWanted = options.episode === undefined ? () => true : episodeNamed(runs, options.episode);
  return interruptible(terminal, async (signal, on) => {
    const teacher = await judged(call, runs, { signal, on });
    if (teacher?.stopped === true) {
      terminal.line("Interrupted: the scores so far are kept, and the same command asks for the rest.");
      terminal.result({ interrupted: true });
      return EXIT.findings;
    }
    const steps: (StepPlace & StepSignals & { readonly measured: boolean })[] = [];
    const keeps = terminal.json || options.episode !== undefined;
    const listen = (event: SignalsEvent): void => {
      if (event.kind === "progress") return on(event);
      const { place, signals, measured } = event;
      if (keeps && isWanted(place)) steps.push({ ...place, ...signals, measured });
    };
    const result = await signalsOfRuns({ runs, weights, signal }, files, listen);
    const report = need(result);
    terminal.endProgress();
    const diagnostics: readonly Diagnostic[] = result.diagnostics;
    terminal.diagnostics(diagnostics);
    const lines = shownLines(options, report, steps, weights);
    for (const line of lines) terminal.line(line);
    if (diagnostics.length > 0) terminal.line(countDiagnostics(diagnostics));
    if (signal.aborted) terminal.line("Interrupted: these are the episodes done so far.");
    terminal.result({ weights, report, steps, diagnostics, interrupted: signal.aborted });
    const isFine = isClean(diagnostics) && teacher?.failure === undefined && !signal.aborted;
    return isFine ? EXIT.fine : EXIT.findings;
  });
}

/** `hasp signals <run…>`. */
export const signalsCommand = defineCommand({
  name: "signals",
  about:
    "Score every step of a run by fifteen signals in four families, and show what each skill's interventions earn.",
  takes: [["<run...>", "run folders"]],
  options: OPTIONS,
  json: "print the report as JSON, with every step",
  section: KEYS,
  examples: [
    "hasp signals .hasp/runs/first",
    "hasp signals .hasp/runs/first --episode q1",
    "hasp signals .hasp/runs/first --skill repeated_action",
    "hasp signals .hasp/runs/first --drop timing",
    "hasp signals .hasp/runs/first --teacher openai:gpt-4o-2024-11-20 --max-dollars 0.50",
  ],
  run: runSignals,
});
