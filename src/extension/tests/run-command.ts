import * as vscode from "vscode";
import { fieldsOf } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Unmet } from "../failure.ts";
import { inform, inNotification, warn } from "../notification.ts";
import { wayTo } from "../unmet.ts";
import { skillFolderIn } from "../workspace/choose-skill.ts";
import { isSkillFile, nameOf, parentOf } from "../workspace/skill-folders.ts";
import { requireTrust } from "../workspace/trust.ts";
import type { CaseItems } from "./items.ts";
import type { CaseRun, RunControl } from "./run-cases.ts";

/** The command's argument for the cases of the skills that came with HASP Studio. */
const BUILT_IN = { builtIn: true };

type Run = (items: readonly vscode.TestItem[], control: Required<RunControl>) => Promise<readonly CaseRun[]>;

/** A skill that a person named, which has to have cases. */
async function namedSkill(items: CaseItems, folder: vscode.Uri): Promise<readonly vscode.TestItem[]> {
  const item = await items.skillAt(folder);
  if (item !== undefined) return [item];
  const next = "Add the step of a run as a case, or write a cases.yaml.";
  throw new Unmet(`${nameOf(folder)} has no cases.`, next, wayTo(COMMANDS.openRun));
}

/** The skill of the file in front where it has cases, else all skills of the workspace's own. */
async function ownSkills(items: CaseItems): Promise<readonly vscode.TestItem[]> {
  const file = vscode.window.activeTextEditor?.document.uri;
  const active = file !== undefined && isSkillFile(file) ? await items.skillAt(parentOf(file)) : undefined;
  if (active !== undefined) return [active];
  const own = await items.skills({ builtIn: false });
  if (own.length > 0) return own;
  const builtIn = { ...wayTo(COMMANDS.runCases, BUILT_IN), label: "Run Built-in Cases" };
  const next = "Write a skill, or run the cases of those that came with HASP Studio.";
  throw new Unmet("No skill of this workspace has cases.", next, wayTo(COMMANDS.newSkill), builtIn);
}

async function skillsMeant(items: CaseItems, argument: unknown): Promise<readonly vscode.TestItem[]> {
  const folder = skillFolderIn(argument);
  if (folder !== undefined) return namedSkill(items, folder);
  return fieldsOf(argument)["builtIn"] === true ? items.skills({ builtIn: true }) : ownSkills(items);
}

/** `12 cases hold, 1 fails.` */
export function summaryOf(runs: readonly CaseRun[]): string {
  const count = (wanted: CaseRun["outcome"]) => runs.filter(({ outcome }) => outcome === wanted).length;
  const [hold, fail, broken, left] = [count("passed"), count("failed"), count("errored"), count("skipped")];
  const parts = [
    `${hold} ${hold === 1 ? "case holds" : "cases hold"}`,
    ...(fail === 0 ? [] : [`${fail} ${fail === 1 ? "fails" : "fail"}`]),
    ...(broken === 0 ? [] : [`${broken} cannot be run`]),
    ...(left === 0 ? [] : [`${left} ${left === 1 ? "was" : "were"} left out`]),
  ];
  return `${parts.join(", ")}.`;
}

/** Says how the cases came out, with the way to each result. */
function say(runs: readonly CaseRun[]): void {
  const isFine = runs.every(({ outcome }) => outcome === "passed" || outcome === "skipped");
  const tell = isFine ? inform : warn;
  tell(summaryOf(runs), { label: "Show", command: "workbench.panel.testResults.view.focus" });
}

function inProgress(items: readonly vscode.TestItem[], run: Run): Thenable<readonly CaseRun[]> {
  const [only] = items;
  const of = items.length === 1 && only !== undefined ? only.label : `${items.length} skills`;
  return inNotification(`Running cases of ${of}`, (signal, on) =>
    run(items, {
      signal,
      onCase: (done, total) => on({ kind: "progress", done, total, words: `${done} of ${total}` }),
    }),
  );
}

/** `HASP: Run Cases`: on a skill, a file of one, or all skills of the workspace's own; those that were shipped on request. */
export function runCasesCommand(items: CaseItems, run: Run) {
  return async (argument?: unknown): Promise<readonly CaseRun[]> => {
    requireTrust("Running cases");
    const runs = await inProgress(await skillsMeant(items, argument), run);
    say(runs);
    return runs;
  };
}
