import * as vscode from "vscode";
import type { NewNote, Note } from "../../model/note.ts";
import { addNote, readNotes, removeNote } from "../../trace/notes.ts";
import type { ReadNotes } from "../../trace/notes-fold.ts";
import type { Clock, TraceFiles } from "../../trace/ports.ts";
import { Failure } from "../failure.ts";
import { parentOf } from "../workspace/skill-folders.ts";
import { requireTrust } from "../workspace/trust.ts";

/** The notes of runs; a run is named by its `episodes.jsonl`. */
export interface NoteStore extends vscode.Disposable {
  /** Read anew each time: the file is small, and other programs write to it. */
  read(run: vscode.Uri): Promise<ReadNotes>;
  /** Fails with what is wrong with the note, and where the workspace is not trusted. */
  add(run: vscode.Uri, said: NewNote): Promise<Note>;
  remove(run: vscode.Uri, id: string): Promise<void>;
  /** Says so while somebody looks at the run: its `notes.jsonl` was written, by us or by another program. */
  follow(run: vscode.Uri, changed: () => void): vscode.Disposable;
}

const NOTES = "notes.jsonl";

interface Services {
  readonly files: TraceFiles;
  readonly clock: Clock;
}

/** Nothing is kept in memory but who follows which run. */
export function openNotes({ files, clock }: Services): NoteStore {
  const written = new vscode.EventEmitter<string>();
  const folderOf = (run: vscode.Uri): string => parentOf(run).fsPath;
  return {
    read: (run) => readNotes(files, folderOf(run)),
    async add(run, said) {
      requireTrust("Writing a note beside the run");
      const { value, diagnostics } = await addNote(files, clock, folderOf(run), said);
      const [problem] = diagnostics;
      if (value === undefined)
        throw new Failure(problem?.message ?? "The note was refused.", problem?.next ?? "");
      written.fire(run.toString());
      return value;
    },
    async remove(run, id) {
      requireTrust("Removing a note beside the run");
      await removeNote(files, clock, folderOf(run), id);
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
