import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { counted } from "../../model/counted.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { sessionPlaces } from "../../platform/session-places.ts";
import { findSources } from "../../trace/find-sources.ts";
import { choose, group, type Row } from "../choose.ts";
import { COMMANDS } from "../contributions.ts";

/** Files and folders that a person chooses; none where they leave. */
type Sources = readonly vscode.Uri[];

interface Asker {
  readonly files: NodeFiles;
  /** The folder that is to hold the run. */
  readonly root: vscode.Uri;
  readonly context: Pick<vscode.ExtensionContext, "storageUri">;
}

async function askFiles(): Promise<Sources> {
  const filters = { Trajectories: ["jsonl", "json", "traj", "eval", "ndjson"], "All files": ["*"] };
  const options = { title: "Trajectories to import", openLabel: "Import", canSelectMany: true, filters };
  return (await vscode.window.showOpenDialog(options)) ?? [];
}

async function askFolder(): Promise<Sources> {
  const options = { title: "Folder of trajectories", openLabel: "Import", canSelectFolders: true };
  return (await vscode.window.showOpenDialog({ ...options, canSelectFiles: false })) ?? [];
}

/** Where this editor keeps the chats of the workspace: beside what it keeps for extensions. */
function chatFolder({ storageUri }: Asker["context"]): string | undefined {
  return storageUri?.scheme === "file" ? join(dirname(storageUri.fsPath), "chatSessions") : undefined;
}

type SourceRow = Row<() => Promise<Sources>>;

/** A row for each place that holds files which may be sessions. They are counted, and none is read. */
async function placeRows({ files, root, context }: Asker): Promise<SourceRow[]> {
  const rows: SourceRow[] = [];
  for (const { host, of, folder } of await sessionPlaces(root.fsPath, chatFolder(context))) {
    if (!(await files.exists(folder))) continue;
    const { sources } = await findSources(files, [folder], { except: root.fsPath });
    if (sources.length === 0) continue;
    rows.push({
      label: `$(history) ${host} sessions of ${of}`,
      description: counted(sources.length, "file"),
      detail: folder,
      value: async () => [vscode.Uri.file(folder)],
    });
  }
  return rows.length === 0 ? [] : [group("on this machine"), ...rows];
}

async function sourceRows(asker: Asker): Promise<SourceRow[]> {
  return [
    { label: "$(file) Files…", detail: "One or several files of trajectories", value: askFiles },
    {
      label: "$(folder) Folder…",
      detail: "All files of known formats in it and below it",
      value: askFolder,
    },
    ...(await placeRows(asker)),
  ];
}

/** Asks for files, a folder, or the sessions of a host of agents that are on this machine. */
export async function askSources(asker: Asker): Promise<Sources> {
  const title = `HASP: ${COMMANDS.importEpisodes.title}`;
  const pick = await choose(title, "What to import", sourceRows(asker), { matchOnDetail: true });
  return (await pick?.()) ?? [];
}
