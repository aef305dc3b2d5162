import * as vscode from "vscode";
import {
  estimateJudging,
  judgingCostWords,
  costTogether,
  textsWords,
  type JudgingEstimate,
} from "../../app/judge-estimate.ts";
import { judgeRun, plainJudge, whyNoWordsOf, type JudgedRun, type JudgeOrder } from "../../app/judge-run.ts";
import { domainJudging } from "../../app/open-judge.ts";
import { priceOf } from "../../app/run/models.ts";
import { domainsThatReadGold } from "../../domains/registry.ts";
import { createBudget, costText, type Budget } from "../../llm/budget.ts";
import type { Price } from "../../llm/price.ts";
import { counted } from "../../model/counted.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { openContainment } from "../../platform/containment/open-containment.ts";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import type { Judge } from "../../scoring/judge.ts";
import { modelJudge } from "../../scoring/model-judge.ts";
import { choose, group, type Row } from "../choose.ts";
import { fieldsOf, registerCommand } from "../commands.ts";
import { COMMANDS, SETTINGS } from "../contributions.ts";
import { OPEN_LOG } from "../failure.ts";
import { logFindings } from "../log-findings.ts";
import { configuredModels, CONFIGURE, dollarLimit, isPlainHttpAllowed } from "../models/chosen-model.ts";
import { modelOrder } from "../models/open-model.ts";
import { inform, inNotification, warn } from "../notification.ts";
import { pickRun } from "../runs/pick-run.ts";
import type { Services } from "../services.ts";
import { readSetting } from "../settings.ts";
import { subjectOf } from "../tree.ts";
import { usable } from "../usable.ts";
import { requireTrust } from "../workspace/trust.ts";

const TITLE = `HASP: ${COMMANDS.judgeAnswers.title}`;

/** In place of a spec: the judge of the run's domain. */
const OF_DOMAIN = "domain";

/** Tests and other extensions give the run and the judge; a person chooses both. */
interface JudgeArguments {
  /** The `episodes.jsonl`. */
  readonly run?: vscode.Uri;
  /** As `hasp judge --judge` takes it, or `domain`. */
  readonly judge?: string;
  /** A model also judges drafts; counts only with `judge`. */
  readonly drafts?: boolean;
}

/** Rows that ask for more. */
const OTHER_F1 = Symbol("other F1");
const OTHER_MODEL = Symbol("other model");

/** `whyNoWords`: why judges that compare words refuse the run; undefined where they may judge it. */
function judgeRows(whyNoWords: string | undefined): Row<string | typeof OTHER_F1 | typeof OTHER_MODEL>[] {
  const words = (
    icon: string,
    label: string,
    detail: string,
  ): Pick<vscode.QuickPickItem, "label" | "detail"> =>
    whyNoWords === undefined
      ? { label: `$(${icon}) ${label}`, detail }
      : { label: `$(circle-slash) ${label}`, detail: `Not for this run: ${whyNoWords}` };
  const models = configuredModels().map(({ spec, roles }) => ({
    label: `$(hubot) ${spec}`,
    description: roles.join(", "),
    detail: "Reads question, accepted answers and answer, and decides whether they say the same.",
    value: spec,
  }));
  return [
    group("Computed, at no cost"),
    {
      label: "$(law) As the domain judges",
      detail: "The judge of the run's domain, with what its questions have for it.",
      value: OF_DOMAIN,
    },
    ...domainsThatReadGold().map(({ name, judge }) => ({
      label: `$(symbol-operator) ${judge.name}`,
      detail: `As the domain ${name} judges, whatever the domain of the run.`,
      value: judge.name,
    })),
    {
      ...words("symbol-key", "Exact match", "Equal to an accepted answer, but for case and punctuation."),
      value: "exact_match",
    },
    {
      ...words(
        "symbol-numeric",
        "F1 of 0.5 or more",
        "At least half of the words are those of an accepted answer.",
      ),
      value: "f1",
    },
    { ...words("edit", "Another F1…", "The F1 at which an answer is right."), value: OTHER_F1 },
    group("Models"),
    ...models,
    { label: `${COMMANDS.configureModel.icon} Configure a model…`, value: OTHER_MODEL },
  ];
}

/** The spec of the judge that a person chooses; `whyNoWords` as in `judgeRows`. */
async function askJudge(whyNoWords: Promise<string | undefined>): Promise<string | undefined> {
  const chosen = await choose(TITLE, "Judge of the answers", whyNoWords.then(judgeRows), {
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  if (chosen === OTHER_MODEL) {
    await vscode.commands.executeCommand(CONFIGURE.command, { role: "teacher" });
    return undefined;
  }
  if (chosen !== OTHER_F1) return chosen;
  const least = await vscode.window.showInputBox({
    title: TITLE,
    prompt: "Least F1 of a right answer: over 0 and at most 1",
    value: "0.8",
    ignoreFocusOut: true,
    validateInput: (text) => plainJudge(`f1:${text}`)?.diagnostics[0]?.message,
  });
  return least === undefined ? undefined : `f1:${least}`;
}

/** Answers alone, or drafts too, with the calls that they need. */
function draftRows(estimate: JudgingEstimate, price: Price | undefined): Row<boolean>[] {
  const { answers, drafts } = estimate;
  const row = (withDrafts: boolean): Row<boolean> => ({
    label: `$(play) Judge ${textsWords(estimate, withDrafts)}`,
    detail: judgingCostWords(withDrafts ? costTogether(answers, drafts) : answers, price),
    value: withDrafts,
  });
  return drafts.texts === 0 ? [row(false)] : [row(false), row(true)];
}

/** ` (2: The answer cannot be read as math.)`; empty where the judge says nothing. */
function reasons(undecided: JudgedRun["undecided"]): string {
  const list = Object.entries(undecided).map(([why, count]) => `${count}: ${why}`);
  return list.length === 0 ? "" : ` (${list.join(" ")})`;
}

/** Why answers have no verdict of the judge. */
function gaps({
  nothingToJudge,
  withoutVerdict,
  undecided,
  withoutMaterial,
  failed,
  failure,
  had,
}: JudgedRun): string[] {
  const lines: string[] = [];
  if (had > 0) lines.push(`${counted(had, "answer")} had a verdict of this judge already.`);
  if (nothingToJudge > 0)
    lines.push(`${counted(nothingToJudge, "episode")} without an answer or without an accepted one.`);
  if (withoutVerdict > 0)
    lines.push(
      `${counted(withoutVerdict, "answer")} on which the judge came to no verdict.${reasons(undecided)}`,
    );
  if (withoutMaterial > 0)
    lines.push(
      `${counted(withoutMaterial, "question")} whose material for the judge is gone from the run folder.`,
    );
  if (failure !== undefined)
    lines.push(
      `The judge failed or could not be asked about ${failed}: ${failure.message} ${failure.next ?? ""}`,
    );
  return lines;
}

function words(judged: JudgedRun, budget: Budget, isModel: boolean): string {
  const { judge, added, passed, drafts, agreement, stopped } = judged;
  const { onlyFirst, onlyNew } = agreement;
  const others = onlyFirst + onlyNew;
  const cost = `Cost ${costText(budget)}.`;
  return [
    `${judge}: ${counted(added, "verdict")} added, ${passed} right${others === 0 ? "" : `, ${others} otherwise than the first judge`}.`,
    ...(drafts.added > 0 ? [`Drafts: ${drafts.added}, ${drafts.passed} right.`] : []),
    ...gaps(judged),
    ...(stopped ? ["Stopped: the verdicts so far are kept."] : []),
    ...(isModel ? [cost] : []),
  ].join(" ");
}

/** `HASP: Judge Answers Again`: adds the verdicts of the domain's judge, or of another, to the answers and drafts of a run. */
export function registerJudgeAnswers({
  editorServices,
  modelServices,
}: Pick<Services, "editorServices" | "modelServices">): vscode.Disposable {
  const { log, files, runs, editor, runsTree } = editorServices;
  const { models, redactor } = modelServices;

  async function judgeOf(
    spec: string,
    budget: Budget,
  ): Promise<Pick<JudgeOrder, "judge" | "domain"> & { isModel: boolean }> {
    if (spec === OF_DOMAIN) return { judge: undefined, isModel: false };
    const domain = domainJudging(spec);
    if (domain !== undefined) return { judge: undefined, domain, isModel: false };
    const plain = plainJudge(spec);
    if (plain !== undefined) return { judge: usable(plain), isModel: false };
    requireTrust("Sending answers to a model");
    return { judge: modelJudge(await models.open(spec, { budget })), isModel: true };
  }

  /** Says what a model will cost, and asks whether it also judges drafts; undefined when the person leaves. */
  async function askDrafts(run: string, spec: string, judge: Judge): Promise<boolean | undefined> {
    const estimated = await inNotification("Counting what there is to judge", (signal, on) =>
      estimateJudging({ run, judge, again: false }, { files, signal, on }),
    );
    const rows = draftRows(usable(estimated), priceOf(modelOrder(spec), { isPlainHttpAllowed }));
    const placeholder = "Nothing is sent before you choose";
    return choose(TITLE, placeholder, rows, { ignoreFocusOut: true });
  }

  function say(judged: JudgedRun, found: readonly Diagnostic[], text: string, file: vscode.Uri): void {
    log.info(`${judged.run}: ${text}`);
    const show = { label: "Show run", press: () => editor.open(file) };
    const isWhole = judged.failure === undefined && judged.withoutVerdict === 0 && found.length === 0;
    if (isWhole) inform(text, show);
    else warn(text, show, OPEN_LOG);
  }

  async function judgeAnswers(argument?: unknown): Promise<JudgedRun | undefined> {
    requireTrust("Adding verdicts to a run");
    const given: JudgeArguments = fieldsOf(argument);
    const named = given.run ?? subjectOf(argument) ?? runsTree.selected() ?? editor.shown()?.file;
    const file = named ?? (await pickRun(runs, { title: TITLE, purpose: "to judge again" }));
    if (file === undefined) return undefined;
    const { folder, title } = await runs.read(file);
    const spec = given.judge ?? (await askJudge(whyNoWordsOf(folder, { files })));
    if (spec === undefined) return undefined;
    const budget = createBudget(dollarLimit());
    const { judge, domain, isModel } = await judgeOf(spec, budget);
    const asked = isModel && judge !== undefined && given.judge === undefined;
    const drafts = asked ? await askDrafts(folder, spec, judge) : given.drafts === true;
    if (drafts === undefined) return undefined;
    const redact = (text: string): string => redactor.redact(text);
    const concurrency = Math.max(1, readSetting(SETTINGS.runConcurrency));
    const result = await inNotification(
      `${judge?.name ?? domain?.judge.name ?? "The judge of its domain"} judges ${title}`,
      (signal, on) =>
        judgeRun(
          { run: folder, judge, domain, drafts, again: false, concurrency },
          { files, asOnlyWriter, openContainment, redact, signal, on },
        ),
    );
    logFindings(log, result.diagnostics);
    const judged = usable(result);
    runs.forget(file);
    say(judged, result.diagnostics, words(judged, budget, isModel), file);
    return judged;
  }

  return registerCommand(log, COMMANDS.judgeAnswers, judgeAnswers);
}
