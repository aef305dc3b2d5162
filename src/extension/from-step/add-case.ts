import { allDomains } from "../../domains/registry.ts";
import * as vscode from "vscode";
import { caseOfStep } from "../../app/step-verdicts.ts";
import type { CaseExpectation } from "../../model/case.ts";
import { isClean } from "../../model/diagnostic.ts";
import { appendCase, type CaseEdit, freeCaseName, withEdit } from "../../skill/append-case.ts";
import { parseCases } from "../../skill/parse-cases.ts";
import { renderCase } from "../../skill/render-case.ts";
import { choose } from "../choose.ts";
import { fieldsOf, registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Failure } from "../failure.ts";
import { checkWritable } from "../linked-path.ts";
import type { Choice } from "../steps.ts";
import type { LocatedSkill } from "../workspace/library.ts";
import { requireTrust } from "../workspace/trust.ts";
import { ownCopy } from "./own-copy.ts";
import { pickSkillOn, type SkillToday } from "./pick-skill.ts";
import { nameOfStep, recordedStep } from "./recorded-step.ts";
import type { Services } from "../services.ts";

/** The new case, where it stands. */
export interface AddedCase {
  readonly file: vscode.Uri;
  readonly name: string;
}

const TITLE = "HASP: Add Step as Case";

/** Whether the skill is to fire here; what it does today stands first. */
async function askFires({ skill, today }: SkillToday): Promise<boolean | undefined> {
  const firesToday = today?.fires === true;
  const decides = today === undefined ? "its PF does not load" : `today it ${today.words}`;
  const choices: Choice<boolean>[] = [
    {
      label: "$(check) It fires",
      description: firesToday ? "as today" : "the case fails until pf.ts does it",
      detail: firesToday ? decides : "",
      value: true,
    },
    {
      label: "$(circle-slash) It must not fire",
      description: firesToday ? "the case fails until pf.ts leaves this alone" : "as today",
      detail: firesToday ? "" : decides,
      value: false,
    },
  ];
  const placeHolder = `What ${skill.skillId} should do on this step`;
  const inOrder = firesToday ? choices : choices.toReversed();
  // As the question before closes, VS Code gives the focus back to the replay.
  return choose(TITLE, placeHolder, inOrder, { ignoreFocusOut: true });
}

/** The expectation that the skill fires, or not; that of today where it fires as it does now. */
function expectationOf(today: SkillToday["today"], fires: boolean | undefined): CaseExpectation | undefined {
  if (fires !== true) return fires === undefined ? undefined : { fires };
  return today?.expect ?? { fires };
}

async function textOf(file: vscode.Uri | undefined): Promise<string> {
  return file === undefined ? "" : (await vscode.workspace.openTextDocument(file)).getText();
}

/** The edit, if the file with it reads well. */
function checkedEdit(text: string, rendered: string, file: vscode.Uri): CaseEdit {
  const appended = appendCase(text, rendered);
  if (appended.kind === "refused") {
    const open = { label: "Open cases.yaml", command: "vscode.open", arguments: [file] };
    throw new Failure(appended.message, appended.next, open);
  }
  const { diagnostics } = parseCases(withEdit(text, appended.edit), file.fsPath, allDomains());
  const before = parseCases(text, file.fsPath, allDomains()).diagnostics;
  const error = diagnostics.find(({ severity }) => severity === "error");
  if (error !== undefined && isClean(before))
    throw new Failure(
      `The step does not fit into a case: ${error.message}`,
      error.next ?? "Write it by hand.",
    );
  return appended.edit;
}

/** One undoable edit; a file that is not there is made by it. */
async function apply(
  skill: LocatedSkill,
  text: string,
  { start, end, text: added }: CaseEdit,
): Promise<vscode.Uri> {
  const file = vscode.Uri.joinPath(skill.uri, "cases.yaml");
  checkWritable(file);
  const edit = new vscode.WorkspaceEdit();
  if (skill.cases === undefined) edit.createFile(file, { contents: new TextEncoder().encode(added) });
  else {
    const document = await vscode.workspace.openTextDocument(file);
    if (document.getText() !== text)
      throw new Failure("cases.yaml has changed meanwhile.", "Add the step once more.");
    edit.replace(file, new vscode.Range(document.positionAt(start), document.positionAt(end)), added);
  }
  if (await vscode.workspace.applyEdit(edit)) return file;
  throw new Failure("VS Code did not take the edit.", "Look whether the file can be written.");
}

async function reveal(file: vscode.Uri, name: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(file);
  const found = parseCases(document.getText(), file.fsPath, allDomains()).value?.findLast(
    (one) => one.name === name,
  );
  const at = found?.range.start ?? { line: document.lineCount - 1, character: 0 };
  const selection = new vscode.Range(at.line, at.character, at.line, at.character);
  const editor = await vscode.window.showTextDocument(document, {
    viewColumn: vscode.ViewColumn.Beside,
    preview: false,
    selection,
  });
  editor.revealRange(selection, vscode.TextEditorRevealType.InCenter);
}

/** `HASP: Add Step as Case`: the step that is shown becomes a case of a skill, by an edit that can be undone. */
export function registerAddStepAsCase({
  editorServices,
  judging,
}: Pick<Services, "editorServices" | "judging">): vscode.Disposable {
  const { log, files } = editorServices;
  async function addCase(argument?: unknown): Promise<AddedCase | undefined> {
    requireTrust("Writing a case into it");
    const step = await recordedStep(editorServices, argument);
    const question = { title: TITLE, purpose: "Skill to add the case to:" };
    const chosen = await pickSkillOn(step, editorServices, judging, question);
    if (chosen === undefined) return undefined;
    const { today } = chosen;
    const { fires } = fieldsOf(argument);
    const expect = expectationOf(today, typeof fires === "boolean" ? fires : await askFires(chosen));
    if (expect === undefined) return undefined;
    const skill = await ownCopy(files, chosen.skill);
    if (skill === undefined) return undefined;
    const text = await textOf(skill.cases);
    const name = freeCaseName(text, nameOfStep(step));
    const recorded = caseOfStep(name, step, today ?? {}, expect);
    const file = vscode.Uri.joinPath(skill.uri, "cases.yaml");
    await apply(skill, text, checkedEdit(text, renderCase(recorded), file));
    await reveal(file, name);
    return { file, name };
  }

  return registerCommand(log, COMMANDS.addStepAsCase, addCase);
}
