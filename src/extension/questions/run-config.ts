import * as vscode from "vscode";
import type { RunOrder } from "../../app/run/questions.ts";
import { controlOf, readWorkspaceConfig, type Total, type WorkspaceConfig } from "../../app/run/settings.ts";
import type { RunnableDomain } from "../../domains/domain.ts";
import { runnableDomain, runnableDomains } from "../../domains/registry.ts";
import { DEFAULT_SETTING, type Setting } from "../../model/control.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { CONFIG_FILE } from "../../skill/workspace-files.ts";
import { Failure, Unmet } from "../failure.ts";

/** The `hasp.yaml` of a workspace folder, as far as its runs go. */
export interface RunConfig extends Total<WorkspaceConfig> {
  /** Of the folder; there or not. */
  readonly file: vscode.Uri;
  /** Of the file, else the default. */
  readonly setting: Setting;
}

/** The value, or a failure that opens `hasp.yaml` at its first error. */
function withoutErrors<T>(file: vscode.Uri, { value, diagnostics }: Total<T>): T {
  const error = diagnostics.find(({ severity }) => severity === "error");
  if (error === undefined) return value;
  const { line, character } = error.range.start;
  const selection = new vscode.Range(line, character, line, character);
  throw new Failure(
    `${CONFIG_FILE} line ${line + 1}: ${error.message}`,
    error.next ?? `Fix ${CONFIG_FILE} and run again.`,
    { label: `Open ${CONFIG_FILE}`, command: "vscode.open", arguments: [file, { selection }] },
  );
}

/** Reads the file on disk, as `hasp run` does. A failure that opens it where it holds an error. */
export async function readRunConfig(files: NodeFiles, root: vscode.Uri): Promise<RunConfig> {
  const file = vscode.Uri.joinPath(root, CONFIG_FILE);
  const read = await readWorkspaceConfig(files, file.fsPath);
  const { setting } = withoutErrors(file, read);
  return { ...read, file, setting: setting?.setting ?? DEFAULT_SETTING };
}

/** The control of a run of this setting, as `hasp run` chooses it; a failure where that contradicts itself. */
export function controlFor(
  { file, value: config, setting: usual, diagnostics }: RunConfig,
  asked: Setting,
  domain: RunnableDomain,
): Pick<RunOrder, "domain" | "choice" | "remarks"> {
  const setting = asked === usual ? undefined : asked;
  const control = controlOf({ config, domain, setting, by: "HASP: Run Questions" });
  const choice = withoutErrors(file, control);
  return { domain, choice, remarks: [...diagnostics, ...control.diagnostics] };
}

/** The domain of this name, else the usual one; unmet where its questions cannot be run. */
export function domainFor(name: string | undefined): RunnableDomain {
  const [usual] = runnableDomains();
  const found = runnableDomain(name ?? usual?.name ?? "");
  if ("domain" in found) return found.domain;
  throw new Unmet(found.message, found.next);
}
