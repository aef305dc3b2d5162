import { deepEqual, ok, rejects } from "node:assert/strict";

import { before, describe, it } from "mocha";
import * as vscode from "vscode";

import { activated, eventually, open, pf, places, removeSkills, settled, writeSkill } from "./support.ts";

function inExtension(...path: string[]): vscode.Uri {
  const extension = vscode.extensions.getExtension("hasp-studio.hasp-studio");
  ok(extension);
  return vscode.Uri.joinPath(extension.extensionUri, ...path).with({ scheme: "hasp-skill" });
}

describe("Skills that come with the extension", () => {
  before(activated);

  it("open for reading, without complaints about types that are not there", async () => {
    const editor = await open(inExtension("skills", "web-search", "repeated-action", "pf.ts"));
    ok(editor.document.getText().includes("ProgramFunction"));
    // VS Code's TypeScript has come to a file that was opened later.
    const folder = await writeSkill("after-built-in", { "pf.ts": pf(`ctx.searchCount > "two"`) });
    const later = await open(vscode.Uri.joinPath(folder, "pf.ts"));
    await eventually("a type error in a later file", () => places(later.document.uri).length > 0);
    await settled();
    deepEqual(vscode.languages.getDiagnostics(editor.document.uri), []);
    await removeSkills();
  });

  it("are all that can be read that way", async () => {
    await rejects(async () => vscode.workspace.openTextDocument(inExtension("package.json")));
    await rejects(async () => vscode.workspace.openTextDocument(inExtension("skills", "..", "package.json")));
  });
});
