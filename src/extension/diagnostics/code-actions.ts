import * as vscode from "vscode";
import type { Diagnostic, Fix } from "../../model/diagnostic.ts";
import type { NodeFiles } from "../../platform/files.ts";
import type { Compiler } from "../../skill/compiler.ts";
import { editsByFile } from "../../skill/fix-skill.ts";
import { isSkillFile, nameOf, parentOf } from "../workspace/skill-folders.ts";
import { COMMANDS } from "../contributions.ts";
import { codeOf, SOURCE, toVsRange } from "./convert.ts";
import type { Services } from "../services.ts";

const FIX_ALL = vscode.CodeActionKind.SourceFixAll.append("hasp");
const KINDS = [vscode.CodeActionKind.QuickFix, FIX_ALL];

/** The edits of a fix, then what it deletes and renames, as one step to undo. */
function editOf(fix: Fix, diagnostic: Diagnostic, folder: vscode.Uri): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  for (const [name, edits] of editsByFile(fix, diagnostic)) {
    const file = vscode.Uri.joinPath(folder, name);
    for (const { range, newText } of edits) edit.replace(file, toVsRange(range), newText);
  }
  for (const path of fix.deletes ?? []) {
    const name = nameOf(vscode.Uri.file(path));
    edit.deleteFile(vscode.Uri.joinPath(folder, name), { ignoreIfNotExists: true });
  }
  if (fix.renameFolder !== undefined) {
    edit.renameFile(folder, vscode.Uri.joinPath(parentOf(folder), fix.renameFolder), { overwrite: false });
  }
  return edit;
}

function saving({ file = "" }: Diagnostic, folder: vscode.Uri): vscode.Command {
  const { id, title } = COMMANDS.saveAsUtf8;
  return {
    command: id,
    title,
    arguments: [{ uri: vscode.Uri.joinPath(folder, nameOf(vscode.Uri.file(file))) }],
  };
}

/** Whether VS Code shows this finding; one that it shows itself has no diagnostic of ours to belong to. */
function shownAs(diagnostic: Diagnostic, shown: readonly vscode.Diagnostic[]): vscode.Diagnostic[] {
  const range = toVsRange(diagnostic.range);
  return shown.filter(
    (one) => one.source === SOURCE && codeOf(one) === diagnostic.code && one.range.isEqual(range),
  );
}

function quickFixes(
  diagnostic: Diagnostic,
  folder: vscode.Uri,
  shown: readonly vscode.Diagnostic[],
): vscode.CodeAction[] {
  return (diagnostic.fixes ?? []).map((fix, index) => {
    const action = new vscode.CodeAction(fix.title.replaceAll("`", ""), vscode.CodeActionKind.QuickFix);
    action.diagnostics = shownAs(diagnostic, shown);
    action.isPreferred = index === 0 && fix.byHand !== true;
    if (fix.rewrites === true) action.command = saving(diagnostic, folder);
    else action.edit = editOf(fix, diagnostic, folder);
    return action;
  });
}

/** Fixes what needs no choice, in all files of the skill. */
async function fixAll(
  folder: vscode.Uri,
  files: NodeFiles,
  compiler: Compiler,
): Promise<vscode.CodeAction[]> {
  const { fixSkill } = await import("../../app/check-skill.ts");
  const all = await fixSkill(folder.fsPath, { files, compiler });
  // What changes in bytes alone has a quick fix of its own, which saves the file.
  const fixed = all.filter(({ before, after }) => before !== after);
  if (fixed.length === 0) return [];
  const action = new vscode.CodeAction("Fix all HASP problems in this skill", FIX_ALL);
  const edit = new vscode.WorkspaceEdit();
  for (const { file, before, after } of fixed) {
    const lines = before.split(/\r\n|\n|\r/);
    const whole = new vscode.Range(0, 0, lines.length - 1, lines.at(-1)?.length ?? 0);
    edit.replace(vscode.Uri.joinPath(folder, nameOf(vscode.Uri.file(file))), whole, after);
  }
  action.edit = edit;
  return [action];
}

/** Quick fixes for what HASP finds in the files of a skill and in `hasp.yaml`, and the source action that applies all that need no choice. */
export function registerCodeActions({
  editorServices,
  findings,
  judging,
}: Pick<Services, "editorServices" | "findings" | "judging">): vscode.Disposable {
  const { live, publisher } = findings;
  return vscode.languages.registerCodeActionsProvider(
    { scheme: "file", pattern: "**/{SKILL.md,pf.ts,cases.yaml,hasp.yaml}" },
    {
      async provideCodeActions(document, range, { only, diagnostics }, token) {
        const folder = parentOf(document.uri);
        if (only !== undefined && (only.contains(FIX_ALL) || FIX_ALL.contains(only)))
          return isSkillFile(document.uri) ? fixAll(folder, editorServices.shownFiles, judging.compiler) : [];
        if (only !== undefined && !only.contains(vscode.CodeActionKind.QuickFix)) return [];
        // Of what was typed since, a fix would edit another place.
        await live.settled(folder);
        if (token.isCancellationRequested) return [];
        const here = publisher
          .found(document.uri)
          .filter((found) => toVsRange(found.range).intersection(range) !== undefined);
        return here.flatMap((found) => quickFixes(found, folder, diagnostics));
      },
    },
    { providedCodeActionKinds: KINDS },
  );
}
