import * as vscode from "vscode";
import type { EpisodeHead } from "../../model/episode.ts";
import { Failure } from "../failure.ts";
import type { RunEditor } from "../replay/editor.ts";
import { EPISODES, type Runs } from "../runs/find-runs.ts";
import { nameOf } from "../workspace/skill-folders.ts";
import { noStepShown } from "../unmet.ts";

/** What a note command is called on: the replay view, a link or another extension names it. */
export interface NoteArgument {
  /** The run folder or its `episodes.jsonl`. */
  readonly run: vscode.Uri | string;
  /** Position in `episodes.jsonl`, or the episode's id. */
  readonly episode: number | string;
  /** 0-based step. */
  readonly t?: number;
  /** The label; asked for where it is left out. */
  readonly kind?: string;
  readonly text?: string;
  /** Of the note to remove. */
  readonly id?: string;
}

/** An episode that somebody looks at, in whatever domain. */
export interface NotePlace {
  readonly run: vscode.Uri;
  readonly head: EpisodeHead;
  readonly t: number | undefined;
}

export interface PlaceServices {
  readonly runs: Runs;
  readonly editor: RunEditor;
}

/** The argument, as far as it is one. */
export function noteArgument(value: unknown): NoteArgument | undefined {
  if (typeof value !== "object" || value === null || !("run" in value && "episode" in value))
    return undefined;
  const { run, episode } = value;
  if (!(typeof run === "string" || run instanceof vscode.Uri)) return undefined;
  if (!(typeof episode === "string" || typeof episode === "number")) return undefined;
  const { t, kind, text, id } = value as Record<string, unknown>;
  return {
    run,
    episode,
    ...(typeof t === "number" && { t }),
    ...(typeof kind === "string" && { kind }),
    ...(typeof text === "string" && { text }),
    ...(typeof id === "string" && { id }),
  };
}

function shownPlace(editor: RunEditor): NoteArgument {
  const shown = editor.shown();
  if (shown !== undefined) return { run: shown.file, episode: shown.place.index, t: shown.place.t };
  throw noStepShown();
}

function uriOf(run: vscode.Uri | string): vscode.Uri {
  const uri =
    typeof run !== "string"
      ? run
      : /^[a-z][a-z\d+.-]+:/i.test(run)
        ? vscode.Uri.parse(run, true)
        : vscode.Uri.file(run);
  return nameOf(uri) === EPISODES ? uri : vscode.Uri.joinPath(uri, EPISODES);
}

/** The episode and step that a command was called on, else those that the run editor in front shows. */
export async function notePlace({ runs, editor }: PlaceServices, argument: unknown): Promise<NotePlace> {
  const { run, episode, t } = noteArgument(argument) ?? shownPlace(editor);
  const file = uriOf(run);
  const { title, index } = await runs.read(file);
  const heads = index.entries.map(({ head }) => head);
  const head = typeof episode === "number" ? heads[episode] : heads.find(({ id }) => id === episode);
  if (head === undefined) throw new Failure(`${title} has no such episode.`, "Open the run and choose one.");
  return { run: file, head, t };
}
