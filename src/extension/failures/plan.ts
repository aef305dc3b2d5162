import * as vscode from "vscode";
import { costOf, listPrice } from "../../llm/price.ts";
import { dollars } from "../../llm/budget.ts";
import { counted } from "../../model/counted.ts";
import { fieldsOf } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { chosenModel, chosenPrice, parseSpec } from "../models/chosen-model.ts";
import type { FoundRun } from "../runs/find-runs.ts";
import { runChoice } from "../runs/pick-run.ts";
import type { EditorServices } from "../services.ts";
import { askInTurn, step, type WizardStep } from "../in-turn.ts";
import { askChoices, choiceStep, type Choice } from "../steps.ts";
import { subjectOf } from "../tree.ts";
import { noRun } from "../unmet.ts";
import type { FailuresPlan } from "./result.ts";

const TITLE = `HASP: ${COMMANDS.analyseFailures.title}`;

type Draft = Partial<FailuresPlan>;
type Needed = Pick<EditorServices, "runs" | "runsTree" | "editor">;

/** Tokens of one summary, roughly: our instructions, the known ids, the question and the shortened steps; four fields in reply. */
const CALL = { inputTokens: 1_200, outputTokens: 150 };

/** `about 342 calls, about $1.54`; a cost that nobody knows is said to be unknown. */
export function callWords(spec: string, failed: number): string {
  const parsed = parseSpec(spec).value;
  const listed = parsed?.kind === "endpoint" ? listPrice(parsed.endpoint) : undefined;
  const price = chosenPrice(spec) ?? listed;
  const cost = price === undefined ? "cost unknown" : `about ${dollars(failed * costOf(price, CALL))}`;
  return `about ${counted(failed, "call")}, ${cost}`;
}

/** The plan of a caller in code; undefined where a person is to be asked. */
export function planOf(argument: unknown): FailuresPlan | undefined {
  const { runs, teacher } = fieldsOf(argument);
  if (!Array.isArray(runs) || runs.length === 0) return undefined;
  const files: readonly unknown[] = runs;
  if (!files.every((file) => file instanceof vscode.Uri)) return undefined;
  return { runs: files, teacher: teacher === true };
}

const keyOf = (file: vscode.Uri): string => file.toString();

function runsStep(found: readonly FoundRun[]): WizardStep<Draft> {
  return step(
    (draft, at) =>
      askChoices(at, {
        placeholder: "Runs to look for failures in",
        choices: found.map((run) => ({ ...runChoice(run), value: keyOf(run.file) })),
        picked: (draft.runs ?? []).map(keyOf),
      }),
    (files) => ({ runs: files.map((file) => vscode.Uri.parse(file, true)) }),
  );
}

function failuresIn(found: readonly FoundRun[], { runs = [] }: Draft): number {
  const wanted = new Set(runs.map(keyOf));
  const chosen = found.filter(({ file }) => wanted.has(keyOf(file)));
  return chosen.reduce((sum, { counts }) => sum + counts.wrong + counts.halted, 0);
}

function teacherStep(spec: string, found: readonly FoundRun[]): WizardStep<Draft> {
  return choiceStep<Draft, "teacher">("teacher", (draft) => {
    const choices: readonly Choice<boolean>[] = [
      {
        label: "$(filter) Detectors alone",
        description: "no model is asked",
        detail: "Twelve rules find the known kinds of failures.",
        value: false,
      },
      {
        label: "$(mortar-board) Detectors, and summaries of the teacher",
        description: `${callWords(spec, failuresIn(found, draft))} · ${spec}`,
        detail: "Each failed episode is sent to it: question, answers and steps.",
        value: true,
      },
    ];
    return { placeholder: "Ways to find failures", choices, active: false };
  });
}

/** The runs of the workspace, and the one that is open, wherever it lies. */
async function offeredRuns({ runs, editor }: Needed): Promise<readonly FoundRun[]> {
  const found = await runs.list();
  const shown = editor.shown()?.file;
  const isListed = shown === undefined || found.some(({ file }) => keyOf(file) === keyOf(shown));
  return isListed ? found : [await runs.read(shown), ...found];
}

/** The run that the person means, the first that there is: the open, the selected, the newest run. */
function likelyRun({ runsTree, editor }: Needed, found: readonly FoundRun[]): vscode.Uri | undefined {
  const isOffered = (file: vscode.Uri | undefined): boolean =>
    file !== undefined && found.some((run) => keyOf(run.file) === keyOf(file));
  return [editor.shown()?.file, runsTree.selected(), found[0]?.file].find(isOffered);
}

/** Asks only for what is open: no question about runs where there is one, nor about a teacher where none is configured. */
export async function askPlan(services: Needed, argument: unknown): Promise<FailuresPlan | undefined> {
  const { runs } = services;
  const named = subjectOf(argument);
  const all = named === undefined ? await offeredRuns(services) : [await runs.read(named)];
  const found = all.filter(({ index }) => index.entries.length > 0);
  if (found.length === 0) throw noRun("to look for failures in");
  const spec = vscode.workspace.isTrusted ? chosenModel("teacher") : undefined;
  const likely = named ?? likelyRun(services, found);
  const draft: Draft = { runs: likely === undefined ? [] : [likely], teacher: false };
  const asksTeacher = (now: Draft): boolean => spec !== undefined && failuresIn(found, now) > 0;
  const answered = await askInTurn<Draft>(TITLE, draft, (now) => [
    ...(found.length > 1 ? [runsStep(found)] : []),
    ...(spec !== undefined && asksTeacher(now) ? [teacherStep(spec, found)] : []),
  ]);
  return answered === undefined ? undefined : { runs: [], teacher: false, ...answered };
}
