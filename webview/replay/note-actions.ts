import type { Note } from "../../src/model/note.ts";
import type { ReplayConnection } from "../shared/host.ts";
import { failureOf, type Loader } from "./loader.ts";
import { notesOf, WENT_WRONG } from "./note-words.ts";
import { valueOf, type ReplayState } from "./state.ts";
import type { Store } from "./store.ts";

/** What a person does with notes. */
export interface NoteActions {
  /** Settles when they are read, or cannot be. */
  loadNotes(): Promise<unknown>;
  /** On the step shown, or on its whole episode. */
  addNote(on: "step" | "episode", kind: string, text: string): void;
  removeNote(note: Note): void;
  /** One key: marks the step shown as where it went wrong, or takes that mark away. */
  toggleWentWrong(): void;
  setNoteForm(on: "step" | "episode" | undefined): void;
  /** Takes back the last note, or the last removal of one. */
  undo(): void;
  dismissUndo(): void;
}

interface Place {
  readonly index: number;
  readonly t?: number;
}

interface Context {
  readonly connection: ReplayConnection;
  readonly store: Store<ReplayState>;
}

/** Notes as they will be read again: shown at once, so that the mark follows the key. */
function setNotes({ store }: Context, change: (notes: readonly Note[]) => readonly Note[]): void {
  const before = valueOf(store.get().notes) ?? { notes: [], diagnostics: [] };
  store.update({ notes: { state: "ready", value: { ...before, notes: change(before.notes) } } });
}

async function add(context: Context, place: Place, kind: string, text: string): Promise<Note | undefined> {
  const params = text === "" ? { ...place, kind } : { ...place, kind, text };
  try {
    const note = await context.connection.request("addNote", params);
    setNotes(context, (notes) => [...notes.filter(({ id }) => id !== note.id), note]);
    return note;
  } catch (error) {
    context.store.update({ failedAction: failureOf("The note could not be written.", error) });
    return undefined;
  }
}

async function remove(context: Context, note: Note): Promise<boolean> {
  try {
    await context.connection.request("removeNote", { id: note.id });
    setNotes(context, (notes) => notes.filter(({ id }) => id !== note.id));
    return true;
  } catch (error) {
    context.store.update({ failedAction: failureOf("The note could not be removed.", error) });
    return false;
  }
}

async function addWithUndo(context: Context, place: Place, kind: string, text: string): Promise<void> {
  const note = await add(context, place, kind, text);
  if (note !== undefined) context.store.update({ undo: { did: "added", note, index: place.index } });
}

async function removeWithUndo(context: Context, note: Note, index: number): Promise<void> {
  if (await remove(context, note)) context.store.update({ undo: { did: "removed", note, index } });
}

async function undo(context: Context): Promise<void> {
  const last = context.store.get().undo;
  if (last === undefined) return;
  context.store.update({ undo: undefined });
  const { note, index } = last;
  if (last.did === "added") await remove(context, note);
  else
    await add(context, note.t === undefined ? { index } : { index, t: note.t }, note.kind, note.text ?? "");
}

function toggleWentWrong(context: Context): void {
  const { index, t, episode, notes } = context.store.get();
  const shown = valueOf(episode);
  if (index === undefined || shown === undefined || shown.steps.length === 0) return;
  const here = notesOf(valueOf(notes)?.notes ?? [], shown);
  const mark = here.find((note) => note.t === t && note.kind === WENT_WRONG);
  if (mark === undefined) void addWithUndo(context, { index, t }, WENT_WRONG, "");
  else void removeWithUndo(context, mark, index);
}

export function createNoteActions(
  connection: ReplayConnection,
  store: Store<ReplayState>,
  loader: Loader,
): NoteActions {
  const context: Context = { connection, store };
  return {
    loadNotes: () =>
      loader.load("notes", "The notes could not be read.", (signal) =>
        connection.request("readNotes", {}, signal),
      ),
    addNote: (on, kind, text) => {
      const { index, t } = store.get();
      if (index === undefined || kind.trim() === "") return;
      store.update({ noteForm: undefined });
      void addWithUndo(context, on === "step" ? { index, t } : { index }, kind.trim(), text.trim());
    },
    removeNote: (note) => {
      const { index } = store.get();
      if (index !== undefined) void removeWithUndo(context, note, index);
    },
    toggleWentWrong: () => toggleWentWrong(context),
    setNoteForm: (noteForm) => store.update({ noteForm }),
    undo: () => void undo(context),
    dismissUndo: () => store.update({ undo: undefined }),
  };
}
