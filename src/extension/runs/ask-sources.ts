import { basename, dirname, join } from "node:path";
import * as vscode from "vscode";
import { counted } from "../../model/counted.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { sessionPlaces } from "../../platform/session-places.ts";
import { findSources } from "../../trace/find-sources.ts";
import { choose, group, type Row } from "../choose.ts";
import { COMMANDS } from "../contributions.ts";

/** Files and folders that a person chooses; none where they leave. */
type Sources = readonly vscode.Uri[];

/** The answers of a person to the questions of an import. */
interface Asked {
  readonly sources: Sources;
  /** The file with verdicts on the episodes. */
  readonly verdicts: vscode.Uri | undefined;
}

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

async function askVerdicts(): Promise<vscode.Uri | undefined> {
  const filters = { Verdicts: ["csv", "jsonl", "json"], "All files": ["*"] };
  const options = { title: "Verdicts on the episodes", openLabel: "Use", filters };
  return (await vscode.window.showOpenDialog(options))?.[0];
}

/** Stands for the row that is about verdicts, after which the list is shown again. */
const VERDICTS = "verdicts";

function verdictsRow(chosen: vscode.Uri | undefined): Row<typeof VERDICTS> {
  return {
    label: "$(law) Verdicts…",
    description: chosen === undefined ? "none" : basename(chosen.fsPath),
    detail: "Who succeeded, by a benchmark or a person: CSV or JSON lines with `id` and `passed`",
    value: VERDICTS,
  };
}

function sourceRows(places: readonly SourceRow[]): SourceRow[] {
  return [
    { label: "$(file) Files…", detail: "One or several files of trajectories", value: askFiles },
    {
      label: "$(folder) Folder…",
      detail: "All files of known formats in it and below it",
      value: askFolder,
    },
    ...places,
  ];
}

/** Asks for files, a folder, or the sessions of a host of agents that are on this machine; beside them, for verdicts. */
export async function askSources(asker: Asker): Promise<Asked> {
  const title = `HASP: ${COMMANDS.importEpisodes.title}`;
  const places = placeRows(asker);
  let verdicts: vscode.Uri | undefined;
  for (;;) {
    const rows = places.then((found) => [...sourceRows(found), group("with them"), verdictsRow(verdicts)]);
    const pick = await choose<(() => Promise<Sources>) | typeof VERDICTS>(title, "What to import", rows, {
      matchOnDetail: true,
      // The dialog gives the focus back as it goes, which would close the list.
      ignoreFocusOut: verdicts !== undefined,
    });
    if (pick !== VERDICTS) return { sources: (await pick?.()) ?? [], verdicts };
    verdicts = await askVerdicts();
  }
}
