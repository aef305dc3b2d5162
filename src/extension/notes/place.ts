import type * as vscode from "vscode";
import type { EpisodeHead } from "../../model/episode.ts";
import { fieldsOf } from "../commands.ts";
import { type PlaceArgument, episodeAt, placeIn, shownStep } from "../from-step/recorded-step.ts";
import type { EditorServices } from "../services.ts";

/** The place that a note command is called on, and the note. */
export interface NoteArgument extends PlaceArgument {
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

/** The argument, as far as it is one. */
export function noteArgument(argument: unknown): NoteArgument | undefined {
  const place = placeIn(argument);
  if (place === undefined) return undefined;
  const { kind, text, id } = fieldsOf(argument);
  return {
    ...place,
    ...(typeof kind === "string" && { kind }),
    ...(typeof text === "string" && { text }),
    ...(typeof id === "string" && { id }),
  };
}

/** The episode and step that a command was called on, else those that the run editor in front shows. */
export async function notePlace(
  { runs, editor }: Pick<EditorServices, "runs" | "editor">,
  argument: unknown,
): Promise<NotePlace> {
  const place = placeIn(argument) ?? shownStep(editor);
  const { run, head } = await episodeAt(runs, place);
  return { run: run.file, head, t: place.t };
}
