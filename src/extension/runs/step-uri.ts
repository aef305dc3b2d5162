import * as vscode from "vscode";
import { Failure, showFailure } from "../failure.ts";
import type { RunEditor } from "../replay/editor.ts";
import type { FoundRun, Runs } from "./find-runs.ts";
import type { Services } from "../services.ts";

interface LinkServices {
  readonly log: vscode.LogOutputChannel;
  readonly runs: Pick<Runs, "list">;
  readonly editor: Pick<RunEditor, "open">;
}

/** Runs are named by their id, which stays when a folder moves; one that was never given any, by its title. */
const isNamed = ({ run, title }: FoundRun, name: string): boolean => (run?.id ?? title) === name;

interface Asked {
  readonly run: string;
  readonly episode: string;
  /** 1-based. */
  readonly step: number;
}

/** `/step?run=<id>&episode=<id>&step=<1-based>`, as the replay copies it; undefined for any other. */
function readLink({ path, query }: vscode.Uri): Asked | undefined {
  const asked = new URLSearchParams(query);
  const [run, episode, step] = [asked.get("run"), asked.get("episode"), asked.get("step") ?? "1"];
  if (path !== "/step" || run === null || episode === null || !/^\d{1,9}$/.test(step)) return undefined;
  return Number(step) < 1 ? undefined : { run, episode, step: Number(step) };
}

const LONGEST_NAME = 80;

/** A name that came with a link, as it can be quoted. */
const quoted = (name: string): string =>
  `"${name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME).toWellFormed()}…` : name}"`;

async function openStep(uri: vscode.Uri, { runs, editor }: LinkServices): Promise<void> {
  const asked = readLink(uri);
  if (asked === undefined)
    throw new Failure("This is no link to a step.", "Copy it anew from the replay, with y.");
  const found = (await runs.list()).find((run) => isNamed(run, asked.run));
  if (found === undefined)
    throw new Failure(
      `No run of this workspace is called ${quoted(asked.run)}.`,
      "Open the folder that holds it, and the link again.",
    );
  const index = found.index.entries.findIndex(({ head }) => head.id === asked.episode);
  if (index === -1)
    throw new Failure(
      `${found.title} has no episode ${quoted(asked.episode)}.`,
      "Ask for the run that the link was copied from.",
    );
  const length = found.index.entries[index]?.head.length ?? 0;
  if (asked.step > length)
    throw new Failure(
      `That episode has ${length} steps, and the link names step ${asked.step}.`,
      "It may have been run anew since: open the run and look for the step.",
    );
  await editor.open(found.file, { index, t: asked.step - 1 });
}

/** Opens links to a step that somebody sent. They only show: nothing of a workspace runs because of a link. */
export function stepLinkHandler(services: LinkServices): vscode.UriHandler {
  return {
    handleUri: (uri) =>
      openStep(uri, services).catch((error: unknown) =>
        showFailure(services.log, "The link could not be opened", error),
      ),
  };
}

export function registerStepLinks({ editorServices }: Pick<Services, "editorServices">): vscode.Disposable {
  return vscode.window.registerUriHandler(stepLinkHandler(editorServices));
}
