import * as vscode from "vscode";
import { signalsOfRuns } from "../../app/signals.ts";
import { DEFAULT_WEIGHTS } from "../../model/signals.ts";
import type { StepPlace } from "../../model/signals-report.ts";
import type { TrainingPage } from "../../protocol/training.ts";
import { fieldsOf } from "../commands.ts";
import { logFindings } from "../log-findings.ts";
import { inNotification } from "../notification.ts";
import { namedRuns } from "../runs/find-runs.ts";
import { pickRun } from "../runs/pick-run.ts";
import { subjectOf } from "../tree.ts";
import { usable } from "../usable.ts";
import { type Desk, shownFindings } from "./desk.ts";

const TITLE = "HASP: Show Signals";

async function runOf({ runs, runsTree, editor }: Desk, argument: unknown): Promise<vscode.Uri | undefined> {
  const { run } = fieldsOf(argument);
  const given = run instanceof vscode.Uri ? run : subjectOf(argument);
  const named = given ?? runsTree.selected() ?? editor.shown()?.file;
  return named ?? pickRun(runs, { title: TITLE, purpose: "whose steps are scored" });
}

/** `HASP: Show Signals`: the signals of a run with the weights of the paper and the scores that a teacher gave. */
export async function showSignals(desk: Desk, argument?: unknown): Promise<TrainingPage | undefined> {
  const { log, files, runs, editor, panels } = desk;
  const file = await runOf(desk, argument);
  if (file === undefined) return undefined;
  const run = await runs.read(file);
  const result = await inNotification(`Scoring the steps of ${run.title}`, async (signal, on) => {
    const order = { runs: namedRuns([run]), weights: DEFAULT_WEIGHTS, signal };
    const done = await signalsOfRuns(order, files, (event) => {
      if (event.kind === "progress") on(event);
    });
    // A part of the report would look like the whole.
    signal.throwIfAborted();
    return done;
  });
  logFindings(log, result.diagnostics);
  const report = usable(result);
  const open = ({ run: at, index, t }: StepPlace) => editor.open(vscode.Uri.parse(at, true), { index, t });
  return panels.show(`signals:${file.toString()}`, {
    tab: `Signals of ${run.title}`,
    page: { kind: "signals", title: run.title, report, findings: shownFindings(result.diagnostics) },
    actions: {
      openSkillStep: async (skill, step) => {
        const place = report.skills[skill]?.[step];
        if (place !== undefined) await open(place);
      },
    },
  });
}
