import * as vscode from "vscode";
import { registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import type { Services } from "../services.ts";
import { buildTrainingData } from "./build.ts";
import { showDataCard } from "./card.ts";
import type { Desk } from "./desk.ts";
import { openTrainingPanels } from "./panels.ts";
import { openStepOfRow } from "./row.ts";
import { showSignals } from "./signals.ts";

/** The commands around training data and the signals of steps. */
export function registerTrainingData({
  editorServices,
  modelServices: { redactor },
}: Pick<Services, "editorServices" | "modelServices">): vscode.Disposable {
  const { log } = editorServices;
  const panels = openTrainingPanels(editorServices);
  const desk: Desk = { ...editorServices, redactor, panels };
  return vscode.Disposable.from(
    panels,
    registerCommand(log, COMMANDS.buildTrainingData, (argument?: unknown) =>
      buildTrainingData(desk, argument),
    ),
    registerCommand(log, COMMANDS.showDataCard, (argument?: unknown) => showDataCard(desk, argument)),
    registerCommand(log, COMMANDS.openStepOfRow, (argument?: unknown) => openStepOfRow(desk, argument)),
    registerCommand(log, COMMANDS.showSignals, (argument?: unknown) => showSignals(desk, argument)),
  );
}
