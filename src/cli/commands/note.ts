import { contextRulesOf } from "../../domains/registry.ts";
import { Command } from "commander";
import { isClean, type Diagnostic } from "../../model/diagnostic.ts";
import type { Episode } from "../../model/episode.ts";
import {
  noteKind,
  noteLabel,
  notesByEpisode,
  passesNoteFilter,
  type NewNote,
  type Note,
} from "../../model/note.ts";
import { systemClock } from "../../platform/clock.ts";
import { nodeFiles, type NodeFiles } from "../../platform/files.ts";
import { addNote, readNotes, removeNote } from "../../trace/notes.ts";
import { renderNoteCase } from "../../trace/notes-case.ts";
import { strayNotes } from "../../trace/notes-fold.ts";
import type { OpenedRunFolder } from "../../trace/run-folder.ts";
import { runPaths } from "../../trace/run-paths.ts";
import { need } from "../checked.ts";
import { helpText } from "../help.ts";
import { wholeNumber } from "../numbers.ts";
import { printable } from "../../model/printable.ts";
import { findEpisode, openRunAt } from "../runs.ts";
import { counted, renderTable } from "../table.ts";
import { CliError, EXIT, openTerminal, type ExitCode, type SetExit, type Terminal } from "../terminal.ts";

interface Options {
  readonly episode?: string;
  /** 1-based. */
  readonly step?: number;
  readonly label?: string;
  readonly text?: string;
  readonly author?: string;
  readonly remove?: string;
  readonly case?: string;
  readonly json?: boolean;
}

interface Bench {
  readonly run: OpenedRunFolder;
  readonly files: NodeFiles;
  readonly terminal: Terminal;
  readonly options: Options;
}

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

/** Its own notes first: an id, or a beginning of one that no other has. */
function findNote(notes: readonly Note[], wanted: string): Note {
  const exact = notes.filter(({ id }) => id === wanted);
  const found = exact.length > 0 ? exact : notes.filter(({ id }) => id.startsWith(wanted));
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only;
  throw new CliError(
    only === undefined ? `The run has no note ${wanted}.` : `${found.length} notes begin with ${wanted}.`,
    "List the notes and their ids with `hasp note <run>`.",
  );
}

async function add({ run, files, terminal, options }: Bench, label: string): Promise<ExitCode> {
  const episode = await findEpisode(run, needEpisode(options), files);
  const said: NewNote = {
    episodeId: episode.id,
    kind: label,
    ...stepOf(options, episode),
    ...(options.text === undefined ? {} : { text: options.text }),
    ...(options.author === undefined ? {} : { author: options.author }),
  };
  const note = need(await addNote(files, systemClock, run.folder, said));
  terminal.line(`${note.id}  ${shown(noteLabel(note.kind))} on ${placeOf(note)} of ${shown(episode.id)}`);
  terminal.result({ note });
  return EXIT.fine;
}

function needEpisode({ episode }: Options): string {
  if (episode !== undefined) return episode;
  throw new CliError("A note needs an episode.", "Add --episode with an id, or its number in the run.");
}

function stepOf({ step }: Options, { steps }: Episode): Pick<NewNote, "t"> {
  if (step === undefined) return {};
  if (step <= steps.length) return { t: step - 1 };
  throw new CliError(
    `There is no step ${step}.`,
    `Steps are counted from 1; this episode has ${steps.length}.`,
  );
}

async function remove(
  { run, files, terminal, options }: Bench,
  notes: readonly Note[],
  id: string,
): Promise<ExitCode> {
  const note = findNote(notes, id);
  await removeNote(files, systemClock, run.folder, note.id, options.author);
  terminal.line(
    `removed ${note.id}: ${shown(noteLabel(note.kind))} on ${placeOf(note)} of ${shown(note.episodeId)}`,
  );
  terminal.result({ removed: note });
  return EXIT.fine;
}

async function printCase(
  { run, files, terminal }: Bench,
  notes: readonly Note[],
  id: string,
): Promise<ExitCode> {
  const note = findNote(notes, id);
  // A number would be taken for a place in the run.
  if (!run.index.entries.some(({ head }) => head.id === note.episodeId))
    throw new CliError("The note's episode is gone.", "Bring the episode back, or choose another note.");
  const episode = await findEpisode(run, note.episodeId, files);
  if ((note.t ?? 0) >= episode.steps.length)
    throw new CliError("The episode has no such step.", "Choose a note on a step that is there.");
  const text = need(renderNoteCase(note, episode, contextRulesOf(episode.facts.domain)));
  for (const line of text.trimEnd().split("\n")) terminal.line(line);
  terminal.result({ note, case: text });
  return EXIT.fine;
}

function list(
  { run, terminal, options }: Bench,
  notes: readonly Note[],
  found: readonly Diagnostic[],
): ExitCode {
  const { episode, label, step, text } = options;
  const heads = run.index.entries.map(({ head }) => head);
  const wanted = /^\d+$/.test(episode ?? "") ? heads[Number(episode) - 1]?.id : undefined;
  const filter = {
    ...(label === undefined ? {} : { kinds: [noteKind(label)] }),
    ...(text === undefined ? {} : { text }),
  };
  const listed = notes.filter((note) => {
    const ofEpisode = episode === undefined || note.episodeId === episode || note.episodeId === wanted;
    const ofStep = step === undefined || note.t === step - 1;
    return ofEpisode && ofStep && passesNoteFilter({ id: note.episodeId }, notesByEpisode([note]), filter);
  });
  const diagnostics = [...found, ...strayNotes(notes, heads, runPaths(run.folder).notes)];
  terminal.diagnostics(diagnostics);
  if (listed.length > 0)
    renderTable(
      TITLES.map((title) => ({ title })),
      listed.map(row),
    ).forEach((line) => terminal.line(line));
  const episodes = new Set(listed.map(({ episodeId }) => episodeId)).size;
  terminal.line(`${counted(listed.length, "note")} on ${episodes} of ${counted(heads.length, "episode")}`);
  terminal.result({ notes: listed, diagnostics });
  return isClean(diagnostics) ? EXIT.fine : EXIT.findings;
}

async function runNote(path: string, options: Options): Promise<ExitCode> {
  const files = nodeFiles();
  const run = await openRunAt(path, files);
  const bench: Bench = { run, files, terminal: openTerminal(options.json === true), options };
  const { notes, diagnostics } = await readNotes(files, run.folder);
  if (options.remove !== undefined) return remove(bench, notes, options.remove);
  if (options.case !== undefined) return printCase(bench, notes, options.case);
  const adds = options.label !== undefined && options.episode !== undefined;
  return adds ? add(bench, options.label ?? "") : list(bench, notes, diagnostics);
}

/** `hasp note <run>`. */
export function noteCommand(setExit: SetExit): Command {
  return new Command("note")
    .description(
      "Label an episode or a step of a run. With --episode and --label it adds a note; with neither it lists them.",
    )
    .argument("<run>", "a run folder")
    .option("--episode <id>", "an episode's id, or its number in the run")
    .option(
      "--step <n>",
      "a step, counted from 1; without it the note is on the whole episode",
      wholeNumber(1),
    )
    .option("--label <label>", '"went wrong here", "good", "question", or a short label of your own')
    .option("--text <text>", "what there is to say; when listing: only notes that contain it")
    .option("--author <name>", "who says it")
    .option("--remove <id>", "remove the note with this id, or a beginning of it")
    .option("--case <id>", "print the note as an entry for cases.yaml, with the recorded context of its step")
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      helpText(
        'hasp note .hasp/runs/reflexion --episode 12 --step 3 --label "went wrong here" --text "same search again"',
        "hasp note .hasp/runs/reflexion --label question",
      ),
    )
    .action(async (run: string, options: Options) => {
      setExit(await runNote(run, options));
    });
}
