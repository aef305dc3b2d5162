import * as vscode from "vscode";
import type { BacktestRun } from "../../app/backtest.ts";
import type { EditorJudging } from "../services.ts";
import { CONFIG_FILE } from "../../skill/workspace-files.ts";
import { type FoundRun, namedRuns } from "./find-runs.ts";
/** The runs, each with what it searched, else with the corpus of its folder's `hasp.yaml`. Only files inside that folder are read. */
export async function searchingRuns(
  { files }: Pick<EditorJudging, "files">,
  chosen: readonly FoundRun[],
): Promise<BacktestRun[]> {
  const { configuredSearch, searchOf } = await import("../../app/run-corpora.ts");
  const { readWorkspaceConfig } = await import("../../app/run/settings.ts");
  const { placeOf } = await import("../questions/places.ts");
  const runs = namedRuns(chosen).map(async (named, i) => {
    const found = chosen[i];
    const root = found && vscode.workspace.getWorkspaceFolder(found.file)?.uri;
    if (found === undefined || root === undefined) return named;
    const pathOf = async (file: string): Promise<string | undefined> => {
      const { path, inside } = placeOf(root, file);
      return inside ? path : undefined;
    };
    const config = await readWorkspaceConfig(files, vscode.Uri.joinPath(root, CONFIG_FILE).fsPath);
    const usual = await configuredSearch(config.value, pathOf);
    return { ...named, ...(await searchOf(found.run, pathOf, usual)) };
  });
  return Promise.all(runs);
}
