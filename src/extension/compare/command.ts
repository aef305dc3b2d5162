import * as vscode from "vscode";
import { questionsInCommon } from "../../app/compare-runs.ts";
import { choose } from "../choose.ts";
import { fieldsOf, registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Failure } from "../failure.ts";
import type { FoundRun } from "../runs/find-runs.ts";
import { runChoice } from "../runs/pick-run.ts";
import type { Choice } from "../steps.ts";
import { subjectOf } from "../tree.ts";
import { noRun } from "../unmet.ts";
import type { Services } from "../services.ts";

const TITLE = "HASP: Compare Runs";

/** Two runs, for tests and other extensions: `{ a, b }`, each the `episodes.jsonl`. */
interface Pair {
  readonly a: vscode.Uri;
  readonly b: vscode.Uri;
}

function pairOf(argument: unknown): Pair | undefined {
  const { a, b } = fieldsOf(argument);
  return a instanceof vscode.Uri && b instanceof vscode.Uri ? { a, b } : undefined;
}

/** The common questions of two runs, which say whether comparing them makes sense. */
function sharedWords(a: FoundRun, b: FoundRun): string {
  const { shared, byText } = questionsInCommon(a, b);
  if (shared === 0) return "no question in common";
  return `${shared} questions in common${byText === 0 ? "" : `, ${byText} of them by text`}`;
}

/** The others, those with most of its questions first. */
function secondChoices(first: FoundRun, found: readonly FoundRun[]): Choice<vscode.Uri>[] {
  const shared = (run: FoundRun): number => questionsInCommon(first, run).shared;
  return found
    .filter(({ file }) => file.toString() !== first.file.toString())
    .map((run) => ({ run, n: shared(run) }))
    .toSorted((a, b) => b.n - a.n)
    .map(({ run }) => ({ ...runChoice(run), detail: sharedWords(first, run) }));
}

/** Two runs that can be compared: `wanted` is the first, else a person chooses both. Undefined: they changed their mind. */
async function choosePair(
  found: readonly FoundRun[],
  wanted: vscode.Uri | undefined,
): Promise<Pair | undefined> {
  if (found.length < 2) throw noRun(found.length === 0 ? "to compare" : "beside the one to compare");
  const options = { matchOnDetail: true, matchOnDescription: true };
  const a = wanted ?? (await choose(TITLE, "First run", found.map(runChoice), options));
  if (a === undefined) return undefined;
  const first = found.find(({ file }) => file.toString() === a.toString());
  if (first === undefined)
    throw new Failure(`${a.fsPath} is no run of this workspace.`, "Choose a run of the Runs view.");
  const placeHolder = `Run to compare with ${first.title}: won and lost are said of this one`;
  const b = await choose(TITLE, placeHolder, secondChoices(first, found), options);
  return b === undefined ? undefined : { a, b };
}

/** `HASP: Compare Runs`, from the palette or on a run of the tree: opens the first run, compared with the second. */
export function registerCompareRuns({ editorServices }: Pick<Services, "editorServices">): vscode.Disposable {
  const { log, runs, editor } = editorServices;
  return registerCommand(log, COMMANDS.compareRuns, async (argument?: unknown): Promise<void> => {
    const pair = pairOf(argument) ?? (await choosePair(await runs.list(), subjectOf(argument)));
    if (pair !== undefined) await editor.compare(pair.a, pair.b);
  });
}
