import * as vscode from "vscode";
import { choose, group, type Row } from "../choose.ts";
import { registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Unmet } from "../failure.ts";
import type { Place, RunEditor } from "../replay/editor.ts";
import type { Choice } from "../steps.ts";
import { subjectOf } from "../tree.ts";
import { nameOf } from "../workspace/skill-folders.ts";
import { wayTo } from "../unmet.ts";
import { EPISODES } from "./find-runs.ts";
import { runChoice } from "./pick-run.ts";
import type { EditorServices, Services } from "../services.ts";

type Action = () => Thenable<unknown>;

const lead = (command: { readonly id: string }) => () => vscode.commands.executeCommand(command.id);

const SAMPLE: Choice<Action> = {
  label: "$(play-circle) Open the sample",
  detail: "Twelve recorded episodes, right and wrong; a copy of your own.",
  value: lead(COMMANDS.openSample),
};
const IMPORT: Choice<Action> = {
  label: `${COMMANDS.importEpisodes.icon} Import episodes…`,
  detail: "Makes a run of trajectories that another program wrote.",
  value: lead(COMMANDS.importEpisodes),
};

/** The `episodes.jsonl` of a run folder, or the file itself. */
async function episodesAt(uri: vscode.Uri): Promise<vscode.Uri> {
  if (nameOf(uri) === EPISODES) return uri;
  const file = vscode.Uri.joinPath(uri, EPISODES);
  try {
    await vscode.workspace.fs.stat(file);
    return file;
  } catch {
    const next = "Choose a folder below .hasp/runs that holds one, or import episodes.";
    throw new Unmet(`${uri.fsPath} holds no ${EPISODES}.`, next, wayTo(COMMANDS.importEpisodes));
  }
}

/** A run outside the workspace. */
async function browse(editor: RunEditor): Promise<void> {
  const filters = { Episodes: ["jsonl"] };
  const options = { title: "Episodes of a run (episodes.jsonl)", openLabel: "Open Run", filters };
  const [file] = (await vscode.window.showOpenDialog(options)) ?? [];
  if (file !== undefined) await editor.open(file);
}

async function runChoices({ runs, editor }: Pick<EditorServices, "runs" | "editor">): Promise<Row<Action>[]> {
  const found = (await runs.list()).map((run) => ({ ...runChoice(run), value: () => editor.open(run.file) }));
  const elsewhere = {
    label: `${COMMANDS.openRun.icon} Open a run elsewhere…`,
    detail: "Opens an episodes.jsonl outside this workspace.",
    value: () => browse(editor),
  };
  return found.length === 0 ? [SAMPLE, elsewhere, IMPORT] : [...found, group(""), elsewhere, IMPORT, SAMPLE];
}

/** `HASP: Open Run`, and the command with which results lead to a step. */
export function registerOpenRun({ editorServices }: Pick<Services, "editorServices">): vscode.Disposable {
  const { log, editor } = editorServices;
  async function openRun(argument?: unknown): Promise<void> {
    const subject = subjectOf(argument);
    if (subject !== undefined) return editor.open(await episodesAt(subject));
    const open = await choose("HASP: Open Run", "Run to open", runChoices(editorServices), {
      matchOnDetail: true,
    });
    await open?.();
  }
  return vscode.Disposable.from(
    registerCommand(log, COMMANDS.openRun, openRun),
    registerCommand(log, COMMANDS.revealStep, (file: vscode.Uri, place: Place) => editor.open(file, place)),
  );
}
