import type * as vscode from "vscode";
import { RequestError } from "../../protocol/connection.ts";
import { strayNotes } from "../../trace/notes-fold.ts";
import { runPaths } from "../../trace/run-paths.ts";
import type { ViewConnection } from "../replay/connection.ts";
import type { Runs } from "../runs/find-runs.ts";
import type { NoteStore } from "./store.ts";

interface Services {
  readonly runs: Pick<Runs, "read">;
  readonly notes: NoteStore;
  readonly log: Pick<vscode.LogOutputChannel, "error">;
  /** Sees each failed write; the view shows its message, too. */
  readonly onFailedWrite?: (error: unknown, repeat: () => Promise<unknown>) => void;
}

/** Answers what the view of a run asks about notes, and tells it when they change; ends when disposed. */
export function answerNotes(
  connection: ViewConnection,
  run: vscode.Uri,
  { runs, notes, log, onFailedWrite }: Services,
): vscode.Disposable {
  const writing = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      onFailedWrite?.(error, work);
      throw error;
    }
  };
  connection.handle("readNotes", async () => {
    const { folder, index } = await runs.read(run);
    const path = runPaths(folder).notes;
    const read = await notes.read(run).catch((error: unknown) => {
      log.error(`The notes ${path} could not be read`, String(error));
      const next = `No label is shown meanwhile: see that ${path} is a file that you may read, then try again.`;
      throw new RequestError(error instanceof Error ? error.message : String(error), next);
    });
    const heads = index.entries.map(({ head }) => head);
    const stray = strayNotes(read.notes, heads, path);
    return { notes: read.notes, diagnostics: [...read.diagnostics, ...stray] };
  });
  connection.handle("addNote", async ({ index, t, kind, text }) => {
    const head = (await runs.read(run)).index.entries[index]?.head;
    if (head === undefined) throw new RequestError("The run has no such episode.", "Open the run anew.");
    if (t !== undefined && t >= head.length) throw new RequestError(`The episode has no step ${t + 1}.`);
    const place = { episodeId: head.id, ...(t === undefined ? {} : { t }) };
    const said = { ...place, kind, ...(text === undefined || text === "" ? {} : { text }) };
    return writing(() => notes.add(run, said));
  });
  connection.handle("removeNote", async ({ id }) => {
    await writing(() => notes.remove(run, id));
    return null;
  });
  return notes.follow(run, () => connection.send("notesChanged", null));
}
