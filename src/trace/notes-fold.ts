import type { Diagnostic } from "../model/diagnostic.ts";
import type { EpisodeHead } from "../model/episode.ts";
import { NOTE_SCHEMA, noteLineSchema, type Note, type NoteLine } from "../model/note.ts";
import { firstIssue } from "./episode-head.ts";
import { parseJson } from "../model/read-json.ts";
import { diagnosticLog, lineDiagnostic, type DiagnosticLog } from "./line-diagnostics.ts";

/** What the lines of a `notes.jsonl` come to. */
export interface ReadNotes {
  /** In the order of the file; without those that were removed. */
  readonly notes: readonly Note[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface NotesFold {
  /** Takes the text of one line, 0-based; undefined where it is too long to be read. */
  take(text: string | undefined, line: number): void;
  end(): ReadNotes;
}

type Added = Extract<NoteLine, { op: "add" }>;

/** Folds lines into notes. A bad line is reported and the others count; a second line with a known id does not. */
export function foldNotes(file: string): NotesFold {
  const log = diagnosticLog(file);
  const added = new Map<string, { readonly note: Note; readonly line: number }>();
  const removed = new Map<string, number>();
  return {
    take(text, line) {
      const read = readLine(text, line, file, log);
      if (read?.op === "remove") removed.set(read.id, removed.get(read.id) ?? line);
      else if (read !== undefined) add(read, line);
    },
    end() {
      for (const [id, line] of removed) if (!added.has(id)) log.add(() => unknownRemoval(file, line, id));
      const notes = [...added.values()].flatMap(({ note }) => (removed.has(note.id) ? [] : [note]));
      return { notes, diagnostics: log.list() };
    },
  };

  function add({ op: _op, schema: _schema, ...note }: Added, line: number): void {
    const known = added.get(note.id);
    if (known === undefined) added.set(note.id, { note, line });
    // The same line twice is a retry, or two copies of the file put together.
    else if (JSON.stringify(known.note) !== JSON.stringify(note))
      log.add(() => twice(file, line, note.id, known.line));
  }
}

function readLine(
  text: string | undefined,
  line: number,
  file: string,
  log: DiagnosticLog,
): NoteLine | undefined {
  const value = text === undefined ? undefined : parseJson(text);
  if (value === undefined) {
    log.add(() => notJson(file, line));
    return undefined;
  }
  const parsed = noteLineSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  log.add(() => malformed(file, line, firstIssue(parsed.error)));
  return undefined;
}

function notJson(file: string, line: number): Diagnostic {
  return lineDiagnostic({
    code: "HASP511",
    file,
    line,
    message: "the line is not complete JSON, so it holds no note.",
    next: "Delete the line, or complete it; the other notes are not affected.",
  });
}

function malformed(file: string, line: number, problem: string): Diagnostic {
  return lineDiagnostic({
    code: "HASP512",
    file,
    line,
    message: `the note does not fit ${NOTE_SCHEMA}: ${problem}.`,
    next: "Repair the named field, or delete the line; docs/formats.md describes it.",
  });
}

function twice(file: string, line: number, id: string, first: number): Diagnostic {
  return lineDiagnostic({
    code: "HASP513",
    severity: "warning",
    file,
    line,
    message: `line ${first + 1} has the id ${JSON.stringify(id)} already and says something else; this one does not count.`,
    next: "Give one of them another id, or delete it.",
  });
}

function unknownRemoval(file: string, line: number, id: string): Diagnostic {
  return lineDiagnostic({
    code: "HASP514",
    severity: "information",
    file,
    line,
    message: `it removes the note ${JSON.stringify(id)}, which no line adds.`,
    next: "Nothing to do, unless the line that added it broke.",
  });
}

/** Notes on episodes or steps that the run does not have, e.g. because it was imported anew. They stay in the file and in the list. */
export function strayNotes(
  notes: readonly Note[],
  heads: readonly Pick<EpisodeHead, "id" | "length">[],
  file: string,
): Diagnostic[] {
  const lengths = new Map(heads.map(({ id, length }) => [id, length]));
  return notes.flatMap((note) => {
    const length = lengths.get(note.episodeId);
    if (length === undefined) return [stray(file, note, `no episode ${JSON.stringify(note.episodeId)}`)];
    if (note.t === undefined || note.t < length) return [];
    return [stray(file, note, `no step ${note.t + 1} in episode ${JSON.stringify(note.episodeId)}`)];
  });
}

function stray(file: string, { id }: Note, missing: string): Diagnostic {
  return {
    code: "HASP515",
    severity: "warning",
    message: `The note ${id} speaks of something that is gone: the run has ${missing}.`,
    next: `The note is kept. Bring the episode back, or remove the note: hasp note <run> --remove ${id}.`,
    file,
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
  };
}
