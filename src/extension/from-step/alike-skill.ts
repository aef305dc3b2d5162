import * as vscode from "vscode";
import { caseOfStep } from "../../app/step-verdicts.ts";
import { appendCase, withEdit } from "../../skill/append-case.ts";
import { renderCase } from "../../skill/render-case.ts";
import { Failure } from "../failure.ts";
import type { SkillDesk } from "../new-skill/command.ts";
import { inform } from "../notification.ts";
import type { EditorServices } from "../services.ts";
import { writeSkillFromStep, type SkillWish } from "./new-skill.ts";
import { nameOfStep, type RecordedStep } from "./recorded-step.ts";

/** Cases of the new skill, its first one included: enough to see what the trigger misses, and a file that a person reads. */
export const MOST_CASES = 20;

/** Recorded steps that fail alike. */
export interface AlikeSteps {
  /** The new skill is made from it, and it is the first case. */
  readonly first: RecordedStep;
  /** The other cases, at most `MOST_CASES` − 1. */
  readonly others: readonly RecordedStep[];
  /** `of 98 episodes with “repeated search”`: all that there are. */
  readonly ofAll: string;
}

function renderedCase(step: RecordedStep): string {
  const name = `episode ${step.index + 1}, ${nameOfStep(step)}`;
  return renderCase(caseOfStep(name, step, {}, { fires: true }));
}

/** Writes the steps as cases behind those of a skill that was just made. False where its kind has no cases. */
async function addCases(
  files: EditorServices["files"],
  cases: vscode.Uri,
  steps: readonly RecordedStep[],
): Promise<boolean> {
  if (!(await files.exists(cases.fsPath))) return false;
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(cases));
  const appended = appendCase(text, steps.map(renderedCase).join("\n"));
  if (appended.kind === "refused") throw new Failure(appended.message, appended.next);
  await files.writeText(cases.fsPath, withEdit(text, appended.edit));
  return true;
}

function report(cases: vscode.Uri, count: number, ofAll: string): void {
  const words = `${count} ${ofAll} are cases of the new skill. A case fails until the trigger fires on its step.`;
  const press = () => vscode.window.showTextDocument(cases, { preview: false });
  inform(words, { label: "Open cases.yaml", press });
}

/** Writes a skill of one of the steps with the others as its cases, and opens its `pf.ts`; undefined when the person leaves. */
export async function writeSkillFromAlike(
  { files }: Pick<EditorServices, "files">,
  desk: SkillDesk,
  { first, others, ofAll }: AlikeSteps,
  wish: SkillWish,
): Promise<vscode.Uri | undefined> {
  const folder = await writeSkillFromStep(desk, first, wish);
  if (folder === undefined) return undefined;
  const cases = vscode.Uri.joinPath(folder, "cases.yaml");
  if (others.length > 0 && (await addCases(files, cases, others))) report(cases, others.length + 1, ofAll);
  await desk.showPf(folder);
  return folder;
}
