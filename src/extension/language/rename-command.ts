import * as vscode from "vscode";
import { registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Failure } from "../failure.ts";
import { pickSkill, skillFolderMeant, skillIn } from "../workspace/choose-skill.ts";
import type { LocatedSkill } from "../workspace/library.ts";
import { nameOf } from "../workspace/skill-folders.ts";
import { noOwnSkill } from "../unmet.ts";
import type { LanguageServices } from "./context.ts";
import { refusal, renameEdit } from "./rename.ts";

const TITLE = `HASP: ${COMMANDS.renameSkill.title}`;
/** Milliseconds that the status bar shows the result. */
const RESULT_SHOWN = 8000;

/** `HASP: Rename Skill`: on a row, a file of a skill, the active one, or one that is chosen. Answers whether it was renamed. */
export function registerRenameSkill(services: LanguageServices): vscode.Disposable {
  const { log, library } = services;

  async function skillMeant(argument: unknown): Promise<LocatedSkill | undefined> {
    const own = (await library.list()).filter(({ isBuiltIn }) => !isBuiltIn);
    if (own.length === 0) throw noOwnSkill("to rename");
    const meant = skillIn(own, skillFolderMeant(argument));
    return meant ?? pickSkill(own, { title: TITLE, placeHolder: "Skill to rename" });
  }

  async function rename(argument?: unknown, typed?: unknown): Promise<boolean> {
    const skill = await skillMeant(argument);
    if (skill === undefined) return false;
    const all = await library.list();
    const name =
      typeof typed === "string"
        ? typed
        : await vscode.window.showInputBox({
            title: TITLE,
            prompt: "The new name. Its id, class, folder and every mention by id follow.",
            value: nameOf(skill.uri),
            validateInput: (text) => refusal(skill, text, all),
          });
    if (name === undefined) return false;
    const why = await refusal(skill, name, all);
    if (why !== undefined) throw new Failure(why, "Choose another name.");
    const edit = await renameEdit(skill, name, services);
    const renamed = await vscode.workspace.applyEdit(edit, { isRefactoring: true });
    const words = `$(check) ${skill.skillId} is now ${name}, in ${edit.size} files; undo takes it back`;
    if (renamed) vscode.window.setStatusBarMessage(words, RESULT_SHOWN);
    return renamed;
  }

  return registerCommand(log, COMMANDS.renameSkill, rename);
}
