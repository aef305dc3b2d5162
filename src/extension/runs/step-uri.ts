import * as vscode from "vscode";
import { Failure, showFailure } from "../failure.ts";
import type { RunEditor } from "../replay/editor.ts";
import type { FoundRun, Runs } from "./find-runs.ts";

interface Services {
  readonly log: vscode.LogOutputChannel;
  readonly runs: Runs;
  readonly editor: RunEditor;
}

/** Runs are named by their id, which stays when a folder moves; one that was never given any, by its title. */
const isNamed = ({ run, title }: FoundRun, name: string): boolean => (run?.id ?? title) === name;

/** `/step?run=<id>&episode=<id>&step=<1-based>`, as the replay copies it. */
async function openStep({ path, query }: vscode.Uri, { runs, editor }: Services): Promise<void> {
  const asked = new URLSearchParams(query);
  const [name, episode, step] = [asked.get("run"), asked.get("episode"), Number(asked.get("step") ?? "1")];
  if (path !== "/step" || name === null || episode === null || !Number.isSafeInteger(step) || step < 1)
    throw new Failure("This is no link to a step.", "Copy it anew from the replay, with y.");
  const found = (await runs.list()).find((run) => isNamed(run, name));
  if (found === undefined)
    throw new Failure(
      `No run of this workspace is called ${name}.`,
      "Open the folder that holds it, and the link again.",
    );
  const index = found.index.entries.findIndex(({ head }) => head.id === episode);
  if (index === -1)
    throw new Failure(
      `${found.title} has no episode ${episode}.`,
      "Ask for the run that the link was copied from.",
    );
  await editor.open(found.file, { index, t: step - 1 });
}

/** Opens links to a step that somebody sent. They only show: nothing of a workspace runs because of a link. */
export function registerStepLinks(services: Services): vscode.Disposable {
  return vscode.window.registerUriHandler({
    handleUri: (uri) =>
      openStep(uri, services).catch((error: unknown) =>
        showFailure(services.log, "The link could not be opened", error),
      ),
  });
}
