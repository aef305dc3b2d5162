import { labelEpisode, noteAsCase, notesOf, unlabel } from "../../app/notes.ts";
import { counted } from "../../model/counted.ts";
import { isClean } from "../../model/diagnostic.ts";
import { noteLabel, type Note } from "../../model/note.ts";
import { printable } from "../../model/printable.ts";
import { systemClock } from "../../platform/clock.ts";
import type { ReadNotes } from "../../trace/notes-fold.ts";
import { need } from "../checked.ts";
import { defineCommand, type Call } from "../define-command.ts";
import { text, whole } from "../options.ts";
import { openRunAt } from "../runs.ts";
import { renderTable } from "../table.ts";
import { EXIT, type ExitCode, type Terminal } from "../terminal.ts";

const OPTIONS = {
  episode: text("--episode <id>", "an episode's id, or its number in the run"),
  step: whole("--step <n>", "a step, counted from 1; without it the note is on the whole episode", 1),
  label: text("--label <label>", '"went wrong here", "good", "question", or a short label of your own'),
  text: text("--text <text>", "what there is to say; when listing: only notes that contain it"),
  author: text("--author <name>", "who says it"),
  remove: text("--remove <id>", "remove the note with this id, or a beginning of it"),
  case: text(
    "--case <id>",
    "print the note as an entry for cases.yaml, with the recorded context of its step",
  ),
};

const LONGEST_TEXT = 80;

function placeOf(note: Note): string {
  return note.t === undefined ? "episode" : `step ${note.t + 1}`;
}

const shown = (text: string): string => printable(text).replaceAll(/\s+/g, " ");

function row(note: Note): string[] {
  const text = shown(note.text ?? "");
  return [
    shown(note.id),
    note.when.slice(0, 16).replace("T", " "),
    shown(note.episodeId),
    placeOf(note),
    shown(noteLabel(note.kind)),
    text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text,
    shown(note.author ?? ""),
  ];
}

const TITLES = ["id", "when", "episode", "on", "label", "text", "author"];

const described = (note: Note): string =>
  `${shown(noteLabel(note.kind))} on ${placeOf(note)} of ${shown(note.episodeId)}`;

function print(terminal: Terminal, { notes, diagnostics }: ReadNotes, episodes: number): ExitCode {
  terminal.diagnostics(diagnostics);
  if (notes.length > 0) for (const line of renderTable(TITLES, notes.map(row))) terminal.line(line);
  const labelled = new Set(notes.map(({ episodeId }) => episodeId)).size;
  terminal.line(`${counted(notes.length, "note")} on ${labelled} of ${counted(episodes, "episode")}`);
  terminal.result({ notes, diagnostics });
  return isClean(diagnostics) ? EXIT.fine : EXIT.findings;
}

async function runNote({ options, terminal, files }: Call<typeof OPTIONS>, path: string): Promise<ExitCode> {
  const services = { files, clock: systemClock };
  const run = await openRunAt(path, files);
  const { episode, label, text, author, remove } = options;
  const t = options.step === undefined ? undefined : options.step - 1;
  if (remove !== undefined) {
    const removed = need(await unlabel(run, { id: remove, author }, services));
    terminal.line(`removed ${removed.id}: ${described(removed)}`);
    terminal.result({ removed });
  } else if (options.case !== undefined) {
    const made = need(await noteAsCase(run, options.case, files));
    for (const line of made.text.trimEnd().split("\n")) terminal.line(line);
    terminal.result({ note: made.note, case: made.text });
  } else if (label !== undefined && episode !== undefined) {
    const note = need(await labelEpisode(run, { episode, t, label, text, author }, services));
    terminal.line(`${note.id}  ${described(note)}`);
    terminal.result({ note });
  } else {
    return print(terminal, await notesOf(run, files, { episode, t, label, text }), run.index.entries.length);
  }
  return EXIT.fine;
}

/** `hasp note <run>`. */
export const noteCommand = defineCommand({
  name: "note",
  about:
    "Label an episode or a step of a run. With --episode and --label it adds a note; with neither it lists them.",
  takes: [["<run>", "a run folder"]],
  options: OPTIONS,
  examples: [
    'hasp note .hasp/runs/reflexion --episode 12 --step 3 --label "went wrong here" --text "same search again"',
    "hasp note .hasp/runs/reflexion --label question",
  ],
  run: runNote,
});
