import type * as vscode from "vscode";
import { RequestError } from "../../protocol/connection.ts";
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
  connection.handle("readNotes", () =>
    notes.read(run).catch(async (error: unknown) => {
      const path = runPaths((await runs.read(run)).folder).notes;
      log.error(`The notes ${path} could not be read`, String(error));
      const next = `No label is shown meanwhile: see that ${path} is a file that you may read, then try again.`;
      throw new RequestError(error instanceof Error ? error.message : String(error), next);
    }),
  );
  connection.handle("addNote", ({ index, t, kind, text }) =>
    writing(() => notes.add(run, { episode: index, t, label: kind, text })),
  );
  connection.handle("removeNote", async ({ id }) => {
    await writing(() => notes.remove(run, id));
    return null;
  });
  return notes.follow(run, () => connection.send("notesChanged", null));
}
