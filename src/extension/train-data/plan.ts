import * as vscode from "vscode";
import { OBJECTIVES, FILTERS, FILTER_WORDS, type Objective, type RowFilter } from "../../model/train-data.ts";
import type { FoundRun } from "../runs/find-runs.ts";
import { askInTurn, LEFT, step, type WizardStep } from "../in-turn.ts";
import { askChoices, choiceStep, type Choice } from "../steps.ts";
import { noRun } from "../unmet.ts";
import type { Desk } from "./desk.ts";

/** The choices of a build. */
export interface DataPlan {
  readonly objective: Objective;
  /** The `episodes.jsonl` of each run, for objective A. */
  readonly runs: readonly vscode.Uri[];
  readonly filter: RowFilter;
  /** Files of candidates, for objective B. */
  readonly candidates: readonly vscode.Uri[];
}

type Draft = Partial<DataPlan>;

const OBJECTIVE_ROWS: Readonly<Record<Objective, Omit<Choice<Objective>, "value">>> = {
  a: {
    label: "$(wand) Use PFs (objective A)",
    detail: "A policy learns to act as Program Functions correct it: rows of recorded steps.",
  },
  b: {
    label: "$(edit) Write skills (objective B)",
    detail: "An author learns to write skills: rows of candidates with their reviews.",
  },
};

const FILTER_ROWS: Readonly<Record<RowFilter, string>> = {
  none: "Every step over the reward floor",
  rs: "Rejection sampling",
  opd: "On-policy distillation",
};

/** A run as a row: domain, number of episodes, source. */
function runRow({ title, run, index, file }: FoundRun): Choice<string> {
  const parts = [run?.domain ?? "domain unknown", `${index.entries.length} episodes`, run?.source ?? ""];
  return {
    label: title,
    description: parts.filter((part) => part !== "").join(" · "),
    detail: vscode.workspace.asRelativePath(file),
    value: file.toString(),
  };
}

function runsStep(found: readonly FoundRun[]): WizardStep<Draft> {
  return step(
    (draft, at) =>
      askChoices(at, {
        placeholder: "Runs to make rows of, all of one domain",
        choices: found.map(runRow),
        picked: (draft.runs ?? []).map((file) => file.toString()),
      }),
    (files) => ({ runs: files.map((file) => vscode.Uri.parse(file, true)) }),
  );
}

const filterStep = choiceStep<Draft, "filter">("filter", () => ({
  placeholder: "Steps that become rows",
  choices: FILTERS.map((value) => ({ label: FILTER_ROWS[value], detail: FILTER_WORDS[value], value })),
  active: "none",
}));

const objectiveStep = choiceStep<Draft, "objective">("objective", () => ({
  placeholder: "Behaviour to train",
  choices: OBJECTIVES.map((value) => ({ ...OBJECTIVE_ROWS[value], value })),
  active: "a",
}));

const candidatesStep: WizardStep<Draft> = async (draft, { title }) => {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  const files = await vscode.window.showOpenDialog({
    title: `${title}: files of candidates`,
    openLabel: "Use Candidates",
    canSelectMany: true,
    filters: { "JSON Lines": ["jsonl"] },
    ...(first !== undefined && { defaultUri: first.uri }),
  });
  return files === undefined ? LEFT : { ...draft, candidates: files };
};

/** Asks for the choices, from those of a draft on; undefined when the person leaves. */
export async function askPlan({ runs }: Desk, title: string, draft: Draft): Promise<DataPlan | undefined> {
  const found = await runs.list();
  if (found.length === 0 && draft.objective !== "b") throw noRun("to make training data of");
  const answered = await askInTurn<Draft>(title, draft, ({ objective = "a" }) =>
    objective === "a" ? [objectiveStep, runsStep(found), filterStep] : [objectiveStep, candidatesStep],
  );
  if (answered === undefined) return undefined;
  return { objective: "a", runs: [], filter: "none", candidates: [], ...answered };
}
