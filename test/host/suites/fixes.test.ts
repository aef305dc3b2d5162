import { deepEqual, equal, ok } from "node:assert/strict";

import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";

import {
  activated,
  codeOf,
  eventually,
  open,
  ours,
  pf,
  removeSkills,
  settled,
  skillMd,
  skillsSettled,
  writeSkill,
} from "./support.ts";

/** Silent on every context of the suite. */
const QUIET = `actionType === "SEARCH" && arg.length > ctx.maxSteps * 100`;

const CASES = `cases:
  - name: quiet
    context: { question: "Who?" }
    proposed: { type: SEARCH, arg: "who" }
    expect: { fires: false }
`;

const goodSkill = (name: string): Record<string, string> => ({
  "SKILL.md": skillMd(name),
  "pf.ts": pf(QUIET),
  "cases.yaml": CASES,
});

async function actionsAt(
  uri: vscode.Uri,
  range: vscode.Range,
  kind: vscode.CodeActionKind,
): Promise<vscode.CodeAction[]> {
  return vscode.commands.executeCommand<vscode.CodeAction[]>(
    "vscode.executeCodeActionProvider",
    uri,
    range,
    kind.value,
  );
}

const oneOf = (uri: vscode.Uri, code: string): vscode.Diagnostic | undefined =>
  ours(uri).find((d) => codeOf(d) === code);

describe("Quick fixes", () => {
  before(activated);
  after(removeSkills);

  it("are of the text as it stands, also right after something was typed above", async () => {
    const broken = skillMd("fix-moved").replace("0.4", "4");
    const folder = await writeSkill("fix-moved", { "SKILL.md": broken });
    const editor = await open(vscode.Uri.joinPath(folder, "SKILL.md"));
    const { uri } = editor.document;
    const { range } = await eventually("HASP115", () => oneOf(uri, "HASP115"));
    ok(await editor.edit((edit) => edit.insert(range.start.with({ character: 0 }), "    # high\n")));
    const moved = new vscode.Range(range.start.translate(1), range.end.translate(1));
    const [action] = await actionsAt(uri, moved, vscode.CodeActionKind.QuickFix);
    equal(action?.title, "Write priority: 1");
    ok(action.edit && (await vscode.workspace.applyEdit(action.edit)));
    equal(editor.document.getText(), broken.replace("priority: 4", "# high\n    priority: 1"));
  });

  it("rename the folder to the name, where VS Code itself shows the difference [thorough]", async () => {
    const folder = await writeSkill("fix-folder", { "SKILL.md": skillMd("fix-renamed") });
    const { uri } = (await open(vscode.Uri.joinPath(folder, "SKILL.md"))).document;
    const action = await eventually("a fix that renames", async () => {
      const actions = await actionsAt(uri, new vscode.Range(1, 6, 1, 8), vscode.CodeActionKind.QuickFix);
      return actions.find(({ title }) => title === "Rename the folder to fix-renamed");
    });
    ok(action.edit);
    ok(await vscode.workspace.applyEdit(action.edit), "the folder was renamed");
    const renamed = vscode.Uri.joinPath(folder, "..", "fix-renamed", "SKILL.md");
    ok((await vscode.workspace.fs.stat(renamed)).size > 0);
    await settled();
    await open(renamed);
    await skillsSettled();
    deepEqual(
      vscode.languages.getDiagnostics(renamed).map((d) => d.message),
      [],
    );
  });

  it("fix all that needs no choice at once, in every file of the skill", async () => {
    const good = goodSkill("fix-all");
    const folder = await writeSkill("fix-all", {
      ...good,
      "SKILL.md": skillMd("fix-all").replace("0.4", "7").replace("[all]", "agents"),
      "cases.yaml": CASES.replace("context:", "contxt:"),
    });
    const { uri } = (await open(vscode.Uri.joinPath(folder, "SKILL.md"))).document;
    const kind = vscode.CodeActionKind.SourceFixAll.append("hasp");
    const [action] = await actionsAt(uri, new vscode.Range(0, 0, 0, 0), kind);
    ok(action?.edit, "there is such an action");
    ok(await vscode.workspace.applyEdit(action.edit));
    const text = (await vscode.workspace.openTextDocument(uri)).getText();
    ok(text.includes("priority: 1\n") && text.includes("applicable_modes: [agent]"), text);
    const cases = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, "cases.yaml"));
    equal(cases.getText(), CASES);
  });

  it("link to the page of the rule, which opens as a preview", async () => {
    const folder = await writeSkill("fix-page", { "SKILL.md": skillMd("fix-page").replace("0.4", "4") });
    const { uri } = (await open(vscode.Uri.joinPath(folder, "SKILL.md"))).document;
    const { code } = await eventually("HASP115", () => oneOf(uri, "HASP115"));
    ok(typeof code === "object", "the code has a page");
    const [page] = JSON.parse(decodeURIComponent(code.target.query)) as [unknown];
    await vscode.commands.executeCommand(code.target.path, vscode.Uri.from(page as vscode.Uri));
    await eventually("the page", () =>
      vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label.includes("HASP115"))),
    );
  });
});
