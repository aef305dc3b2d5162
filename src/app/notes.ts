import { contextRulesOf } from "../domains/registry.ts";
import type { Checked } from "../model/diagnostic.ts";
import { noteKind, notesByEpisode, passesNoteFilter, type Note } from "../model/note.ts";
import { addNote, readNotes, removeNote } from "../trace/notes.ts";
import { renderNoteCase } from "../trace/notes-case.ts";
import { strayNotes, type ReadNotes } from "../trace/notes-fold.ts";
import type { Clock, TraceFiles } from "../trace/ports.ts";
import type { OpenedRunFolder } from "../trace/run-folder.ts";
import { runPaths } from "../trace/run-paths.ts";
import { entryOf, episodeOf } from "./open-run.ts";
import { checked, need, refuse } from "./refusal.ts";

/** Services of the use cases that write notes. */
export interface NoteServices {
  readonly files: TraceFiles;
  readonly clock: Clock;
}

/** A label that a person puts on an episode or on one of its steps. */
export interface NoteOrder {
  /** Position of the episode in the run; a text is its id or its 1-based number. */
  readonly episode: number | string;
  /** 0-based step; undefined: the whole episode. */
  readonly t?: number | undefined;
  readonly label: string;
  /** Blank: none. */
  readonly text?: string | undefined;
  readonly author?: string | undefined;
}

/** Parts of a run whose notes are listed; each that is absent leaves all. */
export interface NoteFilter {
  /** Id of the episode, or its 1-based number. */
  readonly episode?: string | undefined;
  /** 0-based. */
  readonly t?: number | undefined;
  readonly label?: string | undefined;
  /** Words that the note contains. */
  readonly text?: string | undefined;
}

/** The notes of a run; findings name lines that are no notes, and notes on what the run does not have. Rejects on I/O errors. */
export async function notesOf(
  { folder, index }: OpenedRunFolder,
  files: TraceFiles,
  filter: NoteFilter = {},
): Promise<ReadNotes> {
  const { notes, diagnostics } = await readNotes(files, folder);
  const heads = index.entries.map(({ head }) => head);
  const { episode, t, label, text } = filter;
  const numbered = /^\d+$/.test(episode ?? "") ? heads[Number(episode) - 1]?.id : undefined;
  const words = {
    ...(label !== undefined && { kinds: [noteKind(label)] }),
    ...(text !== undefined && { text }),
  };
  const listed = notes.filter((note) => {
    const ofEpisode = episode === undefined || note.episodeId === episode || note.episodeId === numbered;
    const ofStep = t === undefined || note.t === t;
    return ofEpisode && ofStep && passesNoteFilter({ id: note.episodeId }, notesByEpisode([note]), words);
  });
  return {
    notes: listed,
    diagnostics: [...diagnostics, ...strayNotes(notes, heads, runPaths(folder).notes)],
  };
}

/** Adds a note; on the disk when this resolves. HASP573 where the run has no such episode or step. Rejects on I/O errors. */
export async function labelEpisode(
  run: OpenedRunFolder,
  { episode, t, label, text, author }: NoteOrder,
  { files, clock }: NoteServices,
): Promise<Checked<Note>> {
  return checked(async () => {
    const { head } = need(entryOf(run, episode));
    if (t !== undefined && (t < 0 || t >= head.length))
      refuse(
        "HASP573",
        `There is no step ${t + 1}.`,
        `Steps are counted from 1; this episode has ${head.length}.`,
      );
    const said = {
      episodeId: head.id,
      kind: label,
      ...(t !== undefined && { t }),
      ...(text !== undefined && text.trim() !== "" && { text: text.trim() }),
      ...(author !== undefined && { author }),
    };
    return need(await addNote(files, clock, run.folder, said));
  });
}

/** The note with this id, or with the only id that begins so. Ends the use case with HASP574 without one. */
async function noteNamed({ folder }: OpenedRunFolder, files: TraceFiles, id: string): Promise<Note> {
  const { notes } = await readNotes(files, folder);
  const exact = notes.filter((note) => note.id === id);
  const found = exact.length > 0 ? exact : notes.filter((note) => note.id.startsWith(id));
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only;
  const why = only === undefined ? `The run has no note ${id}.` : `${found.length} notes begin with ${id}.`;
  return refuse("HASP574", why, "List the notes and their ids with `hasp note <run>`.", folder);
}

/** Removes a note, named by its id or a beginning of it, and answers it. */
export async function unlabel(
  run: OpenedRunFolder,
  { id, author }: { readonly id: string; readonly author?: string | undefined },
  { files, clock }: NoteServices,
): Promise<Checked<Note>> {
  return checked(async () => {
    const note = await noteNamed(run, files, id);
    await removeNote(files, clock, run.folder, note.id, author);
    return note;
  });
}

/** A note, named by its id or a beginning of it, as an entry of cases.yaml with the recorded context of its step. */
export async function noteAsCase(
  run: OpenedRunFolder,
  id: string,
  files: TraceFiles,
): Promise<Checked<{ readonly note: Note; readonly text: string }>> {
  return checked(async () => {
    const note = await noteNamed(run, files, id);
    // A text that is a number could name the place of another episode.
    const at = run.index.entries.findIndex(({ head }) => head.id === note.episodeId);
    if (at < 0)
      refuse("HASP573", "The note's episode is gone.", "Bring the episode back, or choose another note.");
    const episode = need(await episodeOf(files, run, at));
    if ((note.t ?? 0) >= episode.steps.length)
      refuse("HASP573", "The episode has no such step.", "Choose a note on a step that is there.");
    return { note, text: need(renderNoteCase(note, episode, contextRulesOf(episode.facts.domain))) };
  });
}
