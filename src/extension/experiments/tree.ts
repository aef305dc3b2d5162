import * as vscode from "vscode";
import { COMMANDS, CONTEXT_KEYS, VIEWS } from "../contributions.ts";
import type { Services } from "../services.ts";
import { createTree, type Row } from "../tree.ts";
import { registerPages } from "./documents.ts";
import { isFollowed } from "./followed.ts";
import { showServing } from "./serving-status.ts";

/** Milliseconds between two looks at the duration of a running job. */
const TICK = 10_000;

/** The view of experiments, their pages, and the student that is served; what was followed before a reload is followed again. */
export function registerExperimentsTree({
  editorServices: { experiments, files, clock, memory },
  modelServices: { served },
}: Pick<Services, "editorServices" | "modelServices">): vscode.Disposable {
  // The words of the rows come with the schemas of experiments, which most windows never need.
  const rows = async (): Promise<readonly Row[]> =>
    (await import("./rows.ts")).experimentRows({ experiments, served, now: () => clock.now() });
  const tree = createTree(VIEWS.experiments.id, rows, CONTEXT_KEYS.noExperiments);
  // The rows change all the time, so none is revealed; the newest experiment is open at the top.
  const show = (): Thenable<unknown> =>
    vscode.commands.executeCommand(`${VIEWS.experiments.id}.focus`, { preserveFocus: true });
  const ticking = setInterval(() => {
    if (tree.view.visible && experiments.isAnyRunning()) void tree.refresh();
  }, TICK);
  if (isFollowed(memory)) void vscode.commands.executeCommand(COMMANDS.resumeExperiment.id, { attach: true });
  return vscode.Disposable.from(
    tree,
    new vscode.Disposable(() => clearInterval(ticking)),
    experiments.onDidBegin(() => void show()),
    experiments.onDidChange(() => void tree.refresh()),
    served.onDidChange(() => void tree.refresh()),
    registerPages(experiments, files),
    showServing(served),
  );
}
