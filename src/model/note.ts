import type { EpisodeHead } from "./episode.ts";
import { z } from "./zod.ts";

export const NOTE_SCHEMA = "hasp.note/1";

/** The labels that mean something to us; any other short text is a person's own. */
export const NOTE_KINDS = ["went_wrong_here", "good", "question"] as const;

/** Longest label of one's own, in UTF-16 code units: it stands on a badge. */
export const MAX_LABEL_CHARS = 60;
/** Longest text of a note: a page, not a document. */
export const MAX_NOTE_CHARS = 10_000;

/** A person's label on an episode, or on one of its steps. */
export const noteSchema = z.object({
  id: z.string().min(1).max(100),
  /** ISO 8601. */
  when: z.string().min(1),
  episodeId: z.string().min(1),
  /** 0-based step; absent: the whole episode. */
  t: z.number().int().nonnegative().optional(),
  /** One of `NOTE_KINDS`, or a label of one's own. */
  kind: z.string().min(1).max(MAX_LABEL_CHARS),
  text: z.string().max(MAX_NOTE_CHARS).optional(),
  author: z.string().optional(),
});
export type Note = z.infer<typeof noteSchema>;

/** One line of `notes.jsonl`. A removal holds wherever it stands, so that files of two people can be put together. */
export const noteLineSchema = z.discriminatedUnion("op", [
  noteSchema.extend({ schema: z.literal(NOTE_SCHEMA), op: z.literal("add") }),
  z.object({
    schema: z.literal(NOTE_SCHEMA),
    op: z.literal("remove"),
    /** Of the note. */
    id: z.string().min(1),
    when: z.string(),
    author: z.string().optional(),
  }),
]);
export type NoteLine = z.infer<typeof noteLineSchema>;

/** What a person says; id and time are added when it is written. */
export type NewNote = Omit<Note, "id" | "when">;

/** A label as it is kept: blanks run together, and what means one of `NOTE_KINDS` ("Went wrong here") is that one. */
export function noteKind(label: string): string {
  const words = label.replaceAll(/\s+/g, " ").trim();
  const known = words.toLowerCase().replaceAll(/[ -]/g, "_");
  return NOTE_KINDS.find((kind) => kind === known) ?? words;
}

/** A label as people read it: `went wrong here`. */
export function noteLabel(kind: string): string {
  return NOTE_KINDS.some((known) => known === kind) ? kind.replaceAll("_", " ") : kind;
}

/** The notes of each episode, by its id, in the order of their steps; those on the whole episode come first. */
export function notesByEpisode(notes: readonly Note[]): ReadonlyMap<string, readonly Note[]> {
  const groups = Map.groupBy(notes, (note) => note.episodeId);
  const place = (note: Note): number => note.t ?? -1;
  return new Map([...groups].map(([id, group]) => [id, group.toSorted((a, b) => place(a) - place(b))]));
}

/** Which notes an episode must have to be listed. Every part that is given must hold; an empty filter lets all through. */
export interface NoteFilter {
  /** With any note, or with none. */
  readonly noted?: boolean;
  /** With a note of one of these kinds. */
  readonly kinds?: readonly string[];
  /** With a note whose label, text or author contains this, whatever the case. */
  readonly text?: string;
}

/** Whether an episode passes. `byEpisode` is `notesByEpisode` of the run. `kinds` and `text` must meet in one note. */
export function passesNoteFilter(
  { id }: Pick<EpisodeHead, "id">,
  byEpisode: ReadonlyMap<string, readonly Note[]>,
  { noted, kinds, text }: NoteFilter,
): boolean {
  const notes = byEpisode.get(id) ?? [];
  if (noted !== undefined && noted !== notes.length > 0) return false;
  const wanted = text?.trim().toLowerCase() ?? "";
  if (kinds === undefined && wanted === "") return true;
  return notes.some((note) => (kinds?.includes(note.kind) ?? true) && saysOf(note).includes(wanted));
}

function saysOf({ kind, text = "", author = "" }: Note): string {
  return `${noteLabel(kind)}\n${kind}\n${text}\n${author}`.toLowerCase();
}
