import * as vscode from "vscode";
import type { WorkspaceConfig } from "../../app/run/settings.ts";
import { DEFAULT_LIST, type ShippedList } from "../../model/shipped-lists.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { CONFIG_FILE } from "../../skill/workspace-files.ts";
import { debounce } from "../debounce.ts";
import type { Publisher } from "../diagnostics/publisher.ts";
import { track } from "../pending-work.ts";
import { watchFiles } from "../watch-files.ts";

/** Which libraries the `hasp.yaml` of each workspace folder names. */
export interface WorkspaceConfigs extends vscode.Disposable {
  read(): Promise<Libraries>;
  /** A `hasp.yaml` was edited, saved, added or removed. */
  readonly onDidChange: vscode.Event<void>;
}

export interface Libraries {
  /** A skill of the workspace is in a library that its workspace folder names; all are where there is no `hasp.yaml`. */
  hasFolder(skill: vscode.Uri): boolean;
  /** The shipped skills of this domain are named by any workspace folder, or there is one without a `hasp.yaml`. */
  hasBuiltIn(domain: string): boolean;
  /** The list of shipped skills: that of the first workspace folder with a `hasp.yaml`, else the default. */
  readonly list: ShippedList;
  /** `disabled_skills` names it: of its own workspace folder; for a shipped skill, which has no folder here, of any. */
  isDisabled(skillId: string, skill: vscode.Uri | undefined): boolean;
}

interface Config {
  readonly root: vscode.Uri;
  /** Undefined without a `hasp.yaml`: everything found is in use. */
  readonly libraries: WorkspaceConfig["libraries"] | undefined;
  readonly triggers: ShippedList;
  readonly disabled: ReadonlySet<string>;
}

const MAX_BYTES = 1_000_000;
const QUIET_MS = 300;

function isConfig(uri: vscode.Uri): boolean {
  return uri.scheme === "file" && uri.path.endsWith(`/${CONFIG_FILE}`);
}

/** The same folder, or one above. */
function contains(folder: vscode.Uri, inner: vscode.Uri): boolean {
  return inner.path === folder.path || inner.path.startsWith(`${folder.path}/`);
}

function namesFolder({ root, libraries }: Config, skill: vscode.Uri): boolean {
  if (libraries === undefined) return true;
  return libraries.some(
    (ref) => ref.kind === "folder" && contains(vscode.Uri.joinPath(root, ref.path), skill),
  );
}

function namesBuiltIn({ libraries }: Config, domain: string): boolean {
  return libraries === undefined || libraries.some((ref) => ref.kind === "builtin" && ref.domain === domain);
}

async function readConfig(root: vscode.Uri, files: NodeFiles, publisher: Publisher): Promise<Config> {
  const file = vscode.Uri.joinPath(root, CONFIG_FILE);
  const found = await files.readText(file.fsPath, MAX_BYTES).catch(() => ({ kind: "failed" as const }));
  const everything = { root, libraries: undefined, triggers: DEFAULT_LIST, disabled: new Set<string>() };
  if (found.kind === "absent") {
    publisher.set(file, undefined);
    return everything;
  }
  const { controlOf, readWorkspaceConfig } = await import("../../app/run/settings.ts");
  const { value, diagnostics } = await readWorkspaceConfig(files, file.fsPath);
  const control = controlOf({ config: value, domain: undefined, by: CONFIG_FILE });
  publisher.set(file, [...diagnostics, ...control.diagnostics]);
  if (found.kind !== "text") return everything;
  const { libraries, triggers, disabledSkills } = value;
  return { root, libraries, triggers, disabled: new Set(disabledSkills) };
}

/** Reads `hasp.yaml` as it stands in the editor, and shows what is wrong with it. */
export function watchConfigs(
  files: NodeFiles,
  publisher: Publisher,
  log: vscode.LogOutputChannel,
): WorkspaceConfigs {
  const changed = new vscode.EventEmitter<void>();
  const quiet = debounce(QUIET_MS, () => {
    changed.fire();
    // Its diagnostics are shown, whether or not anybody asks for the libraries.
    void track(read()).catch((error: unknown) => log.warn(`${CONFIG_FILE} could not be read`, String(error)));
  });
  const poke = (uri: vscode.Uri): void => {
    if (isConfig(uri)) quiet.poke();
  };
  const held = vscode.Disposable.from(
    changed,
    quiet,
    watchFiles(`**/${CONFIG_FILE}`, poke),
    vscode.workspace.onDidOpenTextDocument(({ uri }) => poke(uri)),
    vscode.workspace.onDidChangeTextDocument(({ document }) => poke(document.uri)),
  );

  async function read(): Promise<Libraries> {
    const roots = vscode.workspace.workspaceFolders ?? [];
    const configs = await Promise.all(roots.map(({ uri }) => readConfig(uri, files, publisher)));
    const isIn = (skill: vscode.Uri | undefined, root: vscode.Uri) =>
      skill === undefined || contains(root, skill);
    return {
      hasFolder: (skill) => configs.some((config) => isIn(skill, config.root) && namesFolder(config, skill)),
      isDisabled: (skillId, skill) =>
        configs.some(({ root, disabled }) => disabled.has(skillId) && isIn(skill, root)),
      list: configs.find(({ libraries }) => libraries !== undefined)?.triggers ?? DEFAULT_LIST,
      hasBuiltIn: (domain) => configs.length === 0 || configs.some((config) => namesBuiltIn(config, domain)),
    };
  }
  return { read, onDidChange: changed.event, dispose: () => held.dispose() };
}
