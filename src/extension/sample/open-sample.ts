import * as vscode from "vscode";
import type { NodeFiles } from "../../platform/files.ts";
import { copySample, holdsSample, SAMPLE_RUN } from "../../platform/sample-copy.ts";
import { choose } from "../choose.ts";
import { registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { showFailure } from "../failure.ts";
import { inform } from "../notification.ts";
import { showsNoEditor } from "./first-window.ts";
import type { Services } from "../services.ts";
import { wayTo } from "../unmet.ts";

/** Tests and other extensions name the folder; a person gets one without being asked. */
interface SampleArguments {
  /** Empty, or the parent of the copy. */
  readonly folder?: vscode.Uri;
}

/** A folder that opens the run of the sample once its window is there: opening it starts the extension anew. */
const PENDING = "hasp.sampleToOpen";
/** Milliseconds that a window may take to open its folder, trust included. */
const PENDING_MS = 10 * 60_000;

/** Whether this workspace has shown the run of the sample by itself. */
const SHOWN = "hasp.sampleShown";

interface Pending {
  readonly folder: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

const runIn = (folder: vscode.Uri): vscode.Uri => vscode.Uri.joinPath(folder, SAMPLE_RUN);

async function sampleOfWorkspace(files: NodeFiles): Promise<vscode.Uri | undefined> {
  for (const { uri } of vscode.workspace.workspaceFolders ?? [])
    if (uri.scheme === "file" && (await holdsSample(files, uri.fsPath))) return uri;
  return undefined;
}

async function chooseFolder(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: "Folder for a copy of the sample",
    openLabel: "Copy Sample Here",
    canSelectFolders: true,
    canSelectFiles: false,
  });
  return chosen?.[0];
}

/**
 * `HASP: Open Sample`. The run opens in this window, whatever is open in it, so that one click leads to a failed episode: no window reloads and no
 * folder asks for trust. `HASP: Open Sample Folder` opens the copy, or another one, as a folder to write skills in.
 */
export function registerOpenSample({ editorServices }: Pick<Services, "editorServices">): vscode.Disposable {
  const { context, log, files, editor } = editorServices;
  const shipped = vscode.Uri.joinPath(context.extensionUri, "samples").fsPath;

  async function copyInto(parent: vscode.Uri, isOwn: boolean): Promise<vscode.Uri> {
    return vscode.Uri.file(await copySample(files, { from: shipped, parent: parent.fsPath, isOwn }));
  }

  async function openFolder(folder: vscode.Uri): Promise<void> {
    const pending: Pending = { folder: folder.toString(), since: Date.now() };
    await context.globalState.update(PENDING, pending);
    const forceNewWindow = vscode.workspace.workspaceFolders !== undefined;
    await vscode.commands.executeCommand("vscode.openFolder", folder, { forceNewWindow });
  }

  async function openElsewhere(): Promise<void> {
    const chosen = await chooseFolder();
    if (chosen !== undefined) await openFolder(await copyInto(chosen, true));
  }

  async function openSampleFolder(): Promise<void> {
    const copy = await copyInto(context.globalStorageUri, false);
    const rows = [
      { label: "$(folder-opened) Open the copy of HASP", detail: copy.fsPath, value: () => openFolder(copy) },
      {
        label: "$(new-folder) Copy to a folder of mine…",
        detail: "Copies the sample there and opens the copy.",
        value: openElsewhere,
      },
    ];
    // The replay of the sample may still load, and take the focus once it has.
    const options = { ignoreFocusOut: true };
    const open = await choose(
      "HASP: Open Sample Folder",
      "Copy of the sample to write skills in",
      rows,
      options,
    );
    await open?.();
  }

  function offerFolder(): void {
    const message = "This is a copy of the sample. To write a skill for its failures, open its folder.";
    inform(message, wayTo(COMMANDS.openSampleFolder));
  }

  async function openSample(argument?: SampleArguments): Promise<vscode.Uri> {
    const given = argument?.folder instanceof vscode.Uri ? argument.folder : undefined;
    const here = given === undefined ? await sampleOfWorkspace(files) : undefined;
    const folder = here ?? (await copyInto(given ?? context.globalStorageUri, given !== undefined));
    await editor.open(runIn(folder));
    if (here === undefined) offerFolder();
    return folder;
  }

  async function isAwaited(folder: vscode.Uri): Promise<boolean> {
    const pending = context.globalState.get<Pending>(PENDING);
    if (pending?.folder !== folder.toString()) return false;
    await context.globalState.update(PENDING, undefined);
    return Date.now() - pending.since < PENDING_MS;
  }

  /** A window that opens a copy shows its run: the first time, and whenever `openFolder` asked for it. */
  async function showRunOfFolder(): Promise<void> {
    const folder = await sampleOfWorkspace(files);
    if (folder === undefined) return;
    const isFirst = context.workspaceState.get<boolean>(SHOWN) !== true && showsNoEditor();
    const byItself = isFirst && context.extensionMode === vscode.ExtensionMode.Production;
    await context.workspaceState.update(SHOWN, true);
    if ((await isAwaited(folder)) || byItself) await editor.open(runIn(folder));
  }

  showRunOfFolder().catch((error: unknown) => showFailure(log, "Opening the sample failed", error));
  return vscode.Disposable.from(
    registerCommand(log, COMMANDS.openSample, openSample),
    registerCommand(log, COMMANDS.openSampleFolder, openSampleFolder),
  );
}
