import { isAbsolute } from "node:path";
import * as vscode from "vscode";
import { tellingLine } from "../../model/telling-line.ts";
import { domainOfRecord } from "../../domains/registry.ts";
import type { Domain } from "../../domains/domain.ts";
import type { Episode, Step } from "../../model/episode.ts";
import { readEpisode } from "../../trace/episode-file.ts";
import { need } from "../checked.ts";
import { fieldsOf } from "../commands.ts";
import { Failure } from "../failure.ts";
import type { RunEditor } from "../replay/editor.ts";
import { EPISODES, type FoundRun, type Runs } from "../runs/find-runs.ts";
import type { EditorServices } from "../services.ts";
import { noStepShown } from "../unmet.ts";
import { nameOf } from "../workspace/skill-folders.ts";

/** How an episode or a step is named by those that call a command on it: the replay view, links, other extensions. */
export interface PlaceArgument {
  /** The run folder or its `episodes.jsonl`: a URI, a URI as text, or a path (relative to the first workspace folder). */
  readonly run: vscode.Uri | string;
  /** Position in `episodes.jsonl`, or the episode's id. */
  readonly episode: number | string;
  /** 0-based. */
  readonly t?: number;
  /** The skill that is meant, by its id; asked for where it is left out. */
  readonly skillId?: string;
}

type StepArgument = PlaceArgument & { readonly t: number };

/** A step that somebody stands on. */
export interface RecordedStep {
  readonly run: FoundRun;
  /** Position of the episode in the file. */
  readonly index: number;
  readonly episode: Episode;
  readonly step: Step;
  readonly t: number;
  readonly domain: Domain;
  readonly skillId: string | undefined;
}

export type StepServices = Pick<EditorServices, "files" | "runs" | "editor">;

export function isRunPlace(value: unknown): value is vscode.Uri | string {
  return typeof value === "string" || value instanceof vscode.Uri;
}

/** The place that an argument names; undefined where it names none. */
export function placeIn(argument: unknown): PlaceArgument | undefined {
  const { run, episode, t, skillId } = fieldsOf(argument);
  if (!isRunPlace(run) || !(typeof episode === "number" || typeof episode === "string")) return undefined;
  return {
    run,
    episode,
    ...(typeof t === "number" && { t }),
    ...(typeof skillId === "string" && { skillId }),
  };
}

const isStep = (place: PlaceArgument): place is StepArgument => place.t !== undefined;

function uriOf(run: vscode.Uri | string): vscode.Uri {
  if (typeof run !== "string") return run;
  if (/^[a-z][a-z\d+.-]+:/i.test(run)) return vscode.Uri.parse(run, true);
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  return isAbsolute(run) || folder === undefined
    ? vscode.Uri.file(run)
    : vscode.Uri.joinPath(folder.uri, run);
}

/** The step that the run editor in front shows. */
export function shownStep(editor: RunEditor): StepArgument {
  const shown = editor.shown();
  if (shown !== undefined) return { run: shown.file, episode: shown.place.index, t: shown.place.t };
  throw noStepShown();
}

/** The run that is named by a URI, a URI as text, or a path: its folder or its `episodes.jsonl`. */
export function runAt(runs: Runs, place: vscode.Uri | string): Promise<FoundRun> {
  const uri = uriOf(place);
  return runs.read(nameOf(uri) === EPISODES ? uri : vscode.Uri.joinPath(uri, EPISODES));
}

/** An episode that an argument names, in its run. Fails where the run has none of that position or id. */
export async function episodeAt(runs: Runs, { run: place, episode: wanted }: PlaceArgument) {
  const run = await runAt(runs, place);
  const { entries } = run.index;
  const index = typeof wanted === "number" ? wanted : entries.findIndex(({ head }) => head.id === wanted);
  const head = entries[index]?.head;
  if (head === undefined)
    throw new Failure(`${run.title} has no such episode.`, "Open the run and choose one.");
  return { run, index, head };
}

/** The step that a command was called on, else the one that the run editor in front shows. */
export async function recordedStep(services: StepServices, argument: unknown): Promise<RecordedStep> {
  const { files, runs, editor } = services;
  const given = placeIn(argument);
  const named = given !== undefined && isStep(given) ? given : shownStep(editor);
  const { run, index } = await episodeAt(runs, named);
  const episode = need(await readEpisode(files, run.index, index));
  const { t, skillId } = named;
  const step = episode.steps[t];
  if (step === undefined) {
    const next = `It has ${episode.steps.length}; go to one of them.`;
    throw new Failure(`The episode has no step ${t + 1}.`, next);
  }
  return { run, index, episode, step, t, domain: domainOfRecord(episode.facts), skillId };
}

const QUESTION_CHARS = 50;

/** `step 4 of “Who was the husband …”`, for names of cases and titles; YAML would escape straight quotes. */
export function nameOfStep({ episode, t }: Pick<RecordedStep, "episode" | "t">): string {
  const words = tellingLine(episode.question, 2 * QUESTION_CHARS);
  const shown =
    words.length > QUESTION_CHARS ? `${words.slice(0, QUESTION_CHARS).toWellFormed().trim()} …` : words;
  return `step ${t + 1} of “${shown}”`;
}
