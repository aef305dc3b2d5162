import type { EpisodeHead } from "../../src/model/episode.ts";
import type { Note, NOTE_KINDS } from "../../src/model/note.ts";

type KnownKind = (typeof NOTE_KINDS)[number];

/** The labels as people read them. (model's noteLabel would bring zod into the page; the type keeps the two together.) */
const KNOWN: Readonly<Record<KnownKind, string>> = {
  went_wrong_here: "went wrong here",
  good: "good",
  question: "question",
};

export const WENT_WRONG: KnownKind = "went_wrong_here";

export function labelOf(kind: string): string {
  return Object.entries(KNOWN).find(([known]) => known === kind)?.[1] ?? kind;
}

/** The labels to choose from: ours first, then those of the run's own notes. */
export function labelsInUse(notes: readonly Note[]): string[] {
  return [...new Set([...Object.values(KNOWN), ...notes.map(({ kind }) => labelOf(kind))])];
}

export function notesOf(notes: readonly Note[], episode: Pick<EpisodeHead, "id"> | undefined): Note[] {
  return episode === undefined ? [] : notes.filter(({ episodeId }) => episodeId === episode.id);
}

/** `went wrong here: it never read the page`, and who said so. */
export function noteWords({ kind, text = "", author = "" }: Note): string {
  const said = text === "" ? labelOf(kind) : `${labelOf(kind)}: ${text}`;
  return author === "" ? said : `${said} (${author})`;
}

/** What the list says of an episode's notes in a few words. */
export function notesInShort(notes: readonly Note[]): string {
  const first = notes.find(({ kind }) => kind === WENT_WRONG) ?? notes[0];
  if (first === undefined) return "";
  return notes.length === 1 ? labelOf(first.kind) : `${labelOf(first.kind)} +${notes.length - 1}`;
}
