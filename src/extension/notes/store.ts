import * as vscode from "vscode";
import type { NoteOrder, NoteServices } from "../../app/notes.ts";
import type { Note } from "../../model/note.ts";
import type { ReadNotes } from "../../trace/notes-fold.ts";
import { need } from "../checked.ts";
import type { Runs } from "../runs/find-runs.ts";
import { parentOf } from "../workspace/skill-folders.ts";
import { requireTrust } from "../workspace/trust.ts";

/** The notes of runs; a run is named by its `episodes.jsonl`. */
export interface NoteStore extends vscode.Disposable {
  /** Read anew each time: the file is small, and other programs write to it. */
  read(run: vscode.Uri): Promise<ReadNotes>;
  /** Fails with what is wrong with the note, and where the workspace is not trusted. */
  add(run: vscode.Uri, order: NoteOrder): Promise<Note>;
  remove(run: vscode.Uri, id: string): Promise<void>;
  /** Says so while somebody looks at the run: its `notes.jsonl` was written, by us or by another program. */
  follow(run: vscode.Uri, changed: () => void): vscode.Disposable;
}

const NOTES = "notes.jsonl";

const loadNotes = () => import("../../app/notes.ts");

interface Services extends NoteServices {
  readonly runs: Pick<Runs, "read">;
}

/** Nothing is kept in memory but who follows which run. */
export function openNotes({ runs, ...services }: Services): NoteStore {
  const written = new vscode.EventEmitter<string>();
  return {
    read: async (run) => (await loadNotes()).notesOf(await runs.read(run), services.files),
    async add(run, order) {
      requireTrust("Writing a note beside the run");
      const note = need(await (await loadNotes()).labelEpisode(await runs.read(run), order, services));
      written.fire(run.toString());
      return note;
    },
    async remove(run, id) {
      requireTrust("Removing a note beside the run");
      need(await (await loadNotes()).unlabel(await runs.read(run), { id }, services));
      written.fire(run.toString());
    },
    follow(run, changed) {
      const pattern = new vscode.RelativePattern(parentOf(run), NOTES);
      const watcher = vscode.workspace.createFileSystemWatcher(pattern);
      return vscode.Disposable.from(
        watcher,
        watcher.onDidChange(changed),
        watcher.onDidCreate(changed),
        watcher.onDidDelete(changed),
        // At once, without waiting for the watcher.
        written.event((key) => {
          if (key === run.toString()) changed();
        }),
      );
    },
    dispose: () => written.dispose(),
  };
}
