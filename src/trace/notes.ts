import { NOTE_SCHEMA, noteKind, noteSchema, type NewNote, type Note, type NoteLine } from "../model/note.ts";
import { START_OF_FILE, type Checked } from "../model/diagnostic.ts";
import { appendLine } from "./episode-file.ts";
import { firstIssue } from "./episode-head.ts";
import { foldNotes, type ReadNotes } from "./notes-fold.ts";
import type { Clock, TraceFiles } from "./ports.ts";
import { runPaths } from "./run-paths.ts";
import { textLines } from "./text-lines.ts";

const encoder = new TextEncoder();

/** Characters of an id: 48 bits, enough for the notes that people write and short enough to type. */
const ID_CHARS = 12;

/** The notes of a run, and which lines are none. No file: no notes. Rejects on I/O errors. */
export async function readNotes(files: TraceFiles, folder: string): Promise<ReadNotes> {
  const path = runPaths(folder).notes;
  const size = (await files.stat(path))?.size ?? 0;
  const fold = foldNotes(path);
  if (size === 0) return fold.end();
  for await (const { text, line } of textLines(files.chunks(path, 0, size))) fold.take(text, line);
  return fold.end();
}

/** Adds a note; on the disk when this resolves. No value where it does not fit (too long, an empty label). Rejects on I/O errors. */
export async function addNote(
  files: TraceFiles,
  clock: Clock,
  folder: string,
  said: NewNote,
): Promise<Checked<Note>> {
  const id = crypto.randomUUID().replaceAll("-", "").slice(0, ID_CHARS);
  const parsed = noteSchema.safeParse({ ...said, kind: noteKind(said.kind), id, when: clock.now() });
  if (!parsed.success) return refused(runPaths(folder).notes, firstIssue(parsed.error));
  await write(files, folder, { schema: NOTE_SCHEMA, op: "add", ...parsed.data });
  return { value: parsed.data, diagnostics: [] };
}

/** Removes the note with this id by a line that says so. What it said stays in the file. */
export async function removeNote(
  files: TraceFiles,
  clock: Clock,
  folder: string,
  id: string,
  author?: string,
): Promise<void> {
  const by = author === undefined ? {} : { author };
  await write(files, folder, { schema: NOTE_SCHEMA, op: "remove", id, when: clock.now(), ...by });
}

/** A line at a time, in one write: other programs may append to the same file. */
async function write(files: TraceFiles, folder: string, line: NoteLine): Promise<void> {
  await appendLine(files, runPaths(folder).notes, encoder.encode(`${JSON.stringify(line)}\n`), {
    sync: true,
  });
}

function refused(file: string, problem: string): Checked<Note> {
  const diagnostic = {
    code: "HASP512",
    severity: "error",
    message: `The note does not fit ${NOTE_SCHEMA}: ${problem}.`,
    next: "Shorten it, or say in a few words what the label is.",
    file,
    range: START_OF_FILE,
  } as const;
  return { value: undefined, diagnostics: [diagnostic] };
}
