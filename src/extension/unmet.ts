import { type CommandContribution, COMMANDS } from "./contributions.ts";
import { Unmet } from "./failure.ts";
import type { WayOut } from "./notification.ts";

/** A button that runs a command of ours. */
export function wayTo({ id, title }: CommandContribution, ...given: readonly unknown[]): WayOut {
  return { label: title, command: id, arguments: given };
}

const OPEN_FOLDER: WayOut = { label: "Open Folder", command: "vscode.openFolder" };

/** `purpose`: such as `that is to hold the skill`. */
export function noFolder(purpose: string): Unmet {
  return new Unmet("No folder is open.", `Open the folder ${purpose}.`, OPEN_FOLDER);
}

/** `purpose`: such as `to export`. */
export function noRun(purpose: string): Unmet {
  const next = "Run questions, or import episodes that another program recorded.";
  const ways = [wayTo(COMMANDS.runQuestions), wayTo(COMMANDS.importEpisodes)];
  return new Unmet(`This workspace has no recorded run ${purpose}.`, next, ...ways);
}

/** `purpose`: such as `to publish`. */
export function noOwnSkill(purpose: string): Unmet {
  const message = `This workspace has no skill of its own ${purpose}.`;
  return new Unmet(message, "Write one first.", wayTo(COMMANDS.newSkill));
}

export function noRunSkills(): Unmet {
  return new Unmet("The record of this run names no skills.", "Today's skills judge its steps.");
}

export function noStepShown(): Unmet {
  return new Unmet("No step is shown.", "Open a run and go to the step.", wayTo(COMMANDS.openRun));
}
