import * as vscode from "vscode";
import { chooseControl, type ControlChoice } from "../../evaluation/choose-control.ts";
import { parseWorkspaceConfig, type WorkspaceConfig } from "../../evaluation/workspace-config.ts";
import type { Domain } from "../../domains/domain.ts";
import { RESULTS } from "../../domains/web-search/tools.ts";
import { DEFAULT_SETTING, type Setting } from "../../harness/control.ts";
import { type Diagnostic, START_OF_FILE } from "../../model/diagnostic.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { CONFIG_FILE } from "../../skill/workspace-files.ts";
import { Failure } from "../failure.ts";

const MAX_BYTES = 1_000_000;

/** What SEARCH asks in a run of the editor: nothing that needs the network but for the teacher. */
export interface LocalRetriever {
  readonly kind: "corpus" | "teacher-snippet";
  /** Results that one search lists. */
  readonly topK: number;
}

/** Undefined for a retriever that only `hasp run` asks. */
export function localRetriever(kind = "corpus", topK = RESULTS): LocalRetriever | undefined {
  return kind === "corpus" || kind === "teacher-snippet" ? { kind, topK } : undefined;
}

/** What the `hasp.yaml` of a workspace folder says of its runs. */
export interface RunConfig {
  /** Of the folder; there or not. */
  readonly file: vscode.Uri;
  readonly config: WorkspaceConfig;
  /** What the file says, else the default. */
  readonly setting: Setting;
  readonly retriever: LocalRetriever;
  readonly diagnostics: readonly Diagnostic[];
}

function refuse(file: vscode.Uri, { message, next, range }: Omit<Diagnostic, "code" | "severity">): Failure {
  const { line, character } = range.start;
  const selection = new vscode.Range(line, character, line, character);
  return new Failure(
    `${CONFIG_FILE} line ${line + 1}: ${message}`,
    next ?? `Mend ${CONFIG_FILE} and run again.`,
    { label: `Open ${CONFIG_FILE}`, command: "vscode.open", arguments: [file, { selection }] },
  );
}

function withoutErrors(file: vscode.Uri, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const error = diagnostics.find(({ severity }) => severity === "error");
  if (error !== undefined) throw refuse(file, error);
  return diagnostics;
}

/** Reads the file as it stands on disk, which is what `hasp run` would read. A failure that opens it where it holds an error. */
export async function readRunConfig(files: NodeFiles, root: vscode.Uri): Promise<RunConfig> {
  const file = vscode.Uri.joinPath(root, CONFIG_FILE);
  const found = await files.readText(file.fsPath, MAX_BYTES);
  if (found.kind === "too-large")
    throw refuse(file, { message: `it has ${found.size} bytes.`, range: START_OF_FILE });
  const read = parseWorkspaceConfig(found.kind === "text" ? found.text : "", file.fsPath);
  const diagnostics = withoutErrors(file, read.diagnostics);
  const { setting, tools } = read.value;
  const retriever = localRetriever(tools.retriever, tools.topK);
  if (retriever === undefined)
    throw refuse(file, {
      message: `runs of the editor do not ask the retriever "${tools.retriever ?? ""}".`,
      next: "Use `hasp run`, or set retriever to corpus.",
      range: tools.places.get("retriever")?.range ?? START_OF_FILE,
    });
  return { file, config: read.value, setting: setting?.setting ?? DEFAULT_SETTING, retriever, diagnostics };
}

/** How a run of this setting is controlled, as `hasp run` would have it; a failure where that contradicts itself. */
export function controlFor(
  { file, config, setting: usual }: RunConfig,
  setting: Setting,
  domain: Domain,
): { readonly value: ControlChoice; readonly diagnostics: readonly Diagnostic[] } {
  const place = { file: "HASP: Run Questions", range: START_OF_FILE };
  const asked = setting === usual ? undefined : { setting, place };
  const { value, diagnostics } = chooseControl({ config, domain, setting: asked });
  return { value, diagnostics: withoutErrors(file, diagnostics) };
}
