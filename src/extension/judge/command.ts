import * as vscode from "vscode";
import { judgeRun, plainJudge, type JudgedRun } from "../../app/judge-run.ts";
import { createBudget, costText, type Budget } from "../../llm/budget.ts";
import { counted } from "../../model/counted.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import type { Judge } from "../../scoring/judge.ts";
import { modelJudge } from "../../scoring/model-judge.ts";
import { choose, group, type Row } from "../choose.ts";
import { fieldsOf, registerCommand } from "../commands.ts";
import { COMMANDS, SETTINGS } from "../contributions.ts";
import { OPEN_LOG } from "../failure.ts";
import { logFindings } from "../log-findings.ts";
import { configuredModels, CONFIGURE, dollarLimit } from "../models/chosen-model.ts";
import { inform, inNotification, warn } from "../notification.ts";
import { pickRun } from "../runs/pick-run.ts";
import type { Services } from "../services.ts";
import { readSetting } from "../settings.ts";
import { subjectOf } from "../tree.ts";
import { usable } from "../usable.ts";
import { requireTrust } from "../workspace/trust.ts";

const TITLE = `HASP: ${COMMANDS.judgeAnswers.title}`;

/** Tests and other extensions give the run and the judge, as `hasp judge --judge` takes it; a person chooses both. */
interface JudgeArguments {
  /** The `episodes.jsonl`. */
  readonly run?: vscode.Uri;
  readonly judge?: string;
}

/** Rows that ask for more. */
const OTHER_F1 = Symbol("other F1");
const OTHER_MODEL = Symbol("other model");

function judgeRows(): Row<string | typeof OTHER_F1 | typeof OTHER_MODEL>[] {
  const models = configuredModels().map(({ spec, roles }) => ({
    label: `$(hubot) ${spec}`,
    description: roles.join(", "),
    detail: "Reads question, accepted answers and answer, and decides whether they say the same.",
    value: spec,
  }));
  return [
    group("Computed, at no cost"),
    {
      label: "$(symbol-key) Exact match",
      detail: "Equal to an accepted answer, but for case and punctuation.",
      value: "exact_match",
    },
    {
      label: "$(symbol-numeric) F1 of 0.5 or more",
      detail: "At least half of the words are those of an accepted answer.",
      value: "f1",
    },
    { label: "$(edit) Another F1…", detail: "The F1 at which an answer is right.", value: OTHER_F1 },
    group("Models"),
    ...models,
    { label: `${COMMANDS.configureModel.icon} Configure a model…`, value: OTHER_MODEL },
  ];
}

/** The spec of the judge that a person chooses. */
async function askJudge(): Promise<string | undefined> {
  const chosen = await choose(TITLE, "Judge of the answers", judgeRows(), {
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

/** Why answers have no verdict of the judge. */
function gaps({ nothingToJudge, withoutVerdict, failed, failure, had }: JudgedRun): string[] {
  const lines: string[] = [];
  if (had > 0) lines.push(`${counted(had, "answer")} had a verdict of this judge already.`);
  if (nothingToJudge > 0)
    lines.push(`${counted(nothingToJudge, "episode")} without an answer or without an accepted one.`);
  if (withoutVerdict > 0)
    lines.push(`${counted(withoutVerdict, "answer")} without a verdict that can be read.`);
  if (failure !== undefined)
    lines.push(`The judge could not be asked about ${failed}: ${failure.message} ${failure.next ?? ""}`);
  return lines;
}

function words(judged: JudgedRun, budget: Budget, isModel: boolean): string {
  const { judge, added, passed, agreement, stopped } = judged;
  const { onlyFirst, onlyNew } = agreement;
  const others = onlyFirst + onlyNew;
  const cost = `Cost ${costText(budget)}.`;
  return [
    `${judge}: ${counted(added, "verdict")} added, ${passed} right${others === 0 ? "" : `, ${others} otherwise than the first judge`}.`,
    ...gaps(judged),
    ...(stopped ? ["Stopped: the verdicts so far are kept."] : []),
    ...(isModel ? [cost] : []),
  ].join(" ");
}

/** `HASP: Judge Answers Again`: another judge adds its verdict to the answers of a run; the first ones stay. */
export function registerJudgeAnswers({
  editorServices,
  modelServices,
}: Pick<Services, "editorServices" | "modelServices">): vscode.Disposable {
  const { log, files, runs, editor, runsTree } = editorServices;
  const { models, redactor } = modelServices;

  async function judgeOf(spec: string, budget: Budget): Promise<{ judge: Judge; isModel: boolean }> {
    const plain = plainJudge(spec);
    if (plain !== undefined) return { judge: usable(plain), isModel: false };
    requireTrust("Sending answers to a model");
    return { judge: modelJudge(await models.open(spec, { budget })), isModel: true };
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
    const spec = given.judge ?? (await askJudge());
    if (spec === undefined) return undefined;
    const budget = createBudget(dollarLimit());
    const { judge, isModel } = await judgeOf(spec, budget);
    const redact = (text: string): string => redactor.redact(text);
    const concurrency = Math.max(1, readSetting(SETTINGS.runConcurrency));
    const result = await inNotification(`${judge.name} judges ${title}`, (signal, on) =>
      judgeRun(
        { run: folder, judge, again: false, concurrency },
        { files, asOnlyWriter, redact, signal, on },
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
