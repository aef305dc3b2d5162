import * as vscode from "vscode";
import {
  MAX_LABEL_CHARS,
  MAX_NOTE_CHARS,
  NOTE_KINDS,
  noteKind,
  noteLabel,
  type Note,
} from "../../model/note.ts";
import { choose } from "../choose.ts";
import { registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Unmet } from "../failure.ts";
import type { Choice } from "../steps.ts";
import { requireTrust } from "../workspace/trust.ts";
import { noteArgument, notePlace, type NotePlace } from "./place.ts";
import type { NoteStore } from "./store.ts";
import type { Services } from "../services.ts";

const KIND_ICONS: Readonly<Record<(typeof NOTE_KINDS)[number], string>> = {
  went_wrong_here: "error",
  good: "check",
  question: "question",
};

const OTHER_LABEL = "";

function placeName({ t }: Pick<NotePlace, "t">): string {
  return t === undefined ? "the episode" : `step ${t + 1}`;
}

/** Ours first, then those that the run's notes use already. */
function labelChoices(notes: readonly Note[]): Choice<string>[] {
  const known: readonly string[] = NOTE_KINDS;
  const used = [...new Set(notes.map(({ kind }) => kind))].filter((kind) => !known.includes(kind));
  return [
    ...NOTE_KINDS.map((kind) => ({ label: `$(${KIND_ICONS[kind]}) ${noteLabel(kind)}`, value: kind })),
    ...used.toSorted().map((kind) => ({ label: `$(tag) ${kind}`, value: kind })),
    { label: "$(edit) Another label …", value: OTHER_LABEL },
  ];
}

function tooLong(length: number, what: string, most: number): string | undefined {
  return length > most ? `${length} characters; a ${what} has at most ${most}.` : undefined;
}

async function askLabel(title: string, notes: readonly Note[]): Promise<string | undefined> {
  const chosen = await choose(title, "Label", labelChoices(notes));
  if (chosen !== OTHER_LABEL) return chosen;
  return vscode.window.showInputBox({
    title,
    // As the question before closes, VS Code gives the focus back to the replay.
    ignoreFocusOut: true,
    prompt: "A label in a few words",
    validateInput(text) {
      const { length } = noteKind(text);
      return length === 0 ? "A label has at least one character." : tooLong(length, "label", MAX_LABEL_CHARS);
    },
  });
}

function askText(title: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title,
    ignoreFocusOut: true,
    prompt: "Text of the note (Enter alone: only the label)",
    validateInput: ({ length }) => tooLong(length, "note", MAX_NOTE_CHARS),
  });
}

function noteChoice({ id, kind, t, text, author, when }: Note): Choice<string> {
  return {
    label: `$(tag) ${noteLabel(kind)}`,
    description: placeName({ t }),
    detail: [text, author, new Date(when).toLocaleString()].filter(Boolean).join(" · "),
    value: id,
  };
}

/** The id of one of the episode's notes; those on the step that is shown come first. */
async function askNote(notes: NoteStore, { run, head, t }: NotePlace): Promise<string | undefined> {
  const own = (await notes.read(run)).notes.filter(({ episodeId }) => episodeId === head.id);
  if (own.length === 0) throw new Unmet("The episode has no label.", "Go to an episode that has one.");
  const sorted = [...own.filter((note) => note.t === t), ...own.filter((note) => note.t !== t)];
  return choose(`HASP: ${COMMANDS.removeLabel.title}`, "Label to remove", sorted.map(noteChoice));
}

/** `HASP: Label Step`, `HASP: Label Episode` and `HASP: Remove Label`, on what the replay shows or on what a caller names. */
export function registerNotes({ editorServices }: Pick<Services, "editorServices">): vscode.Disposable {
  const { log, notes } = editorServices;

  async function label(title: string, place: NotePlace, argument: unknown): Promise<Note | undefined> {
    const given = noteArgument(argument);
    const asked = `HASP: ${title} (${placeName(place)})`;
    const kind = given?.kind ?? (await askLabel(asked, (await notes.read(place.run)).notes));
    if (kind === undefined) return undefined;
    const text = given?.kind === undefined ? await askText(asked) : (given.text ?? "");
    if (text === undefined) return undefined;
    return notes.add(place.run, { episode: place.head.id, t: place.t, label: kind, text });
  }

  async function labelStep(argument?: unknown): Promise<Note | undefined> {
    requireTrust("Labelling");
    const place = await notePlace(editorServices, argument);
    const { t = -1, head } = place;
    if (t < 0 || t >= head.length)
      throw new Unmet("There is no such step.", "Go to a step, or label the episode.");
    return label(COMMANDS.labelStep.title, place, argument);
  }

  async function labelEpisode(argument?: unknown): Promise<Note | undefined> {
    requireTrust("Labelling");
    const place = await notePlace(editorServices, argument);
    return label(COMMANDS.labelEpisode.title, { ...place, t: undefined }, argument);
  }

  async function removeLabel(argument?: unknown): Promise<void> {
    requireTrust("Removing a label");
    const place = await notePlace(editorServices, argument);
    const id = noteArgument(argument)?.id ?? (await askNote(notes, place));
    if (id !== undefined) await notes.remove(place.run, id);
  }

  return vscode.Disposable.from(
    registerCommand(log, COMMANDS.labelStep, labelStep),
    registerCommand(log, COMMANDS.labelEpisode, labelEpisode),
    registerCommand(log, COMMANDS.removeLabel, removeLabel),
  );
}
