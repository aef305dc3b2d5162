import * as vscode from "vscode";
import { SETTINGS, type SettingContribution } from "./contributions.ts";

/** The setting's value now; its default where a person set none. */
export function readSetting<T>(setting: SettingContribution<T>): T {
  return vscode.workspace.getConfiguration().get<T>(setting.key, setting.default);
}

/** Calls back when any setting of ours changes. */
export function onSettingsChange(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (Object.values(SETTINGS).some((setting) => change.affectsConfiguration(setting.key))) listener();
  });
}
