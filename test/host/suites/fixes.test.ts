import { deepEqual, equal, ok } from "node:assert/strict";

import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";

import {
  activated,
  codeOf,
  eventually,
  open,
  ours,
  pause,
  pf,
  skillMd,
  writeSkill,
  removeSkills,
} from "./support.ts";

/** Silent on every context of the suite. */
const QUIET = `actionType === "SEARCH" && arg.length > ctx.maxSteps * 100`;
/** Longer than VS Code's own checks take to answer. */
const SETTLED_MS = 3_000;

type Change = (text: string) => string;

const replaced =
  (from: string, to: string): Change =>
  (text) =>
    text.replace(from, to);

const CASES = `cases:
  - name: quiet
    context: { question: "Who?" }
    proposed: { type: SEARCH, arg: "who" }
    expect: { fires: false }
`;

/** A good skill, and one change that breaks a rule. */
const ROWS: readonly (readonly [code: string, name: string, title: string, file: string, change: Change])[] =
  [
    [
      "HASP116",
      "fix-paper",
      "Move HASP's keys under metadata: hasp:",
      "SKILL.md",
      replaced("metadata:", "supersedes: []\nmetadata:"),
    ],
    ["HASP112", "fix-misspelt", "Write priority", "SKILL.md", replaced("priority:", "priorty:")],
    ["HASP115", "fix-priority", "Write priority: 1", "SKILL.md", replaced("priority: 0.4", "priority: 4")],
    ["HASP117", "fix-mode", "Write search", "SKILL.md", replaced("[search]", "[serch]")],
    [
      "HASP120",
      "fix-section",
      "Add pre_final to phases",
      "SKILL.md",
      (text) => `${text}\n## Phase: pre_final\n\nRead first.\n`,
    ],
    ["HASP207", "fix-import", 'Import from "hasp"', "pf.ts", replaced('"hasp"', '"@hasp/hasp"')],
    [
      "HASP208",
      "fix-state",
      "Write const",
      "pf.ts",
      replaced("\nexport default", "\nlet most = 3;\nexport const two = most;\nexport default"),
    ],
    ["HASP303", "fix-case-key", "Write context", "cases.yaml", replaced("context:", "contxt:")],
    ["HASP304", "fix-case-type", "Write SEARCH", "cases.yaml", replaced("SEARCH", "Search")],
    [
      "HASP310",
      "fix-case",
      "Expect what the PF does now",
      "cases.yaml",
      replaced("fires: false", "fires: true"),
    ],
  ];

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

/** Where VS Code's own TypeScript answers first, its error on an import stands in the place of ours. */
const covering = (uri: vscode.Uri, code: string): vscode.Diagnostic | undefined =>
  code === "HASP207"
    ? vscode.languages.getDiagnostics(uri).find((d) => d.source === "ts" && codeOf(d) === "2307")
    : undefined;

describe("Quick fixes", () => {
  before(activated);
  after(removeSkills);

  for (const [code, name, title, file, change] of ROWS) {
    it(`take ${code} away`, async () => {
      const files = goodSkill(name);
      const folder = await writeSkill(name, { ...files, [file]: change(files[file] ?? "") });
      const { uri } = (await open(vscode.Uri.joinPath(folder, file))).document;
      const found = await eventually(code, () => oneOf(uri, code) ?? covering(uri, code));
      const action = await eventually(`a fix for ${code}`, async () => {
        const actions = await actionsAt(uri, found.range, vscode.CodeActionKind.QuickFix);
        return actions.find((one) => one.title === title && one.edit !== undefined);
      });
      ok(action.edit);
      ok(await vscode.workspace.applyEdit(action.edit), "the fix was applied");
      await eventually(`no ${code}`, () => covering(uri, code) === undefined && ours(uri).length === 0);
      await pause(1_000);
      deepEqual(
        ours(uri).map((d) => `${codeOf(d)} ${d.message}`),
        [],
      );
    });
  }

  it("rename the folder to the name, where VS Code itself shows the difference", async () => {
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
    await pause(SETTLED_MS);
    await open(renamed);
    await pause(SETTLED_MS);
    deepEqual(
      vscode.languages.getDiagnostics(renamed).map((d) => d.message),
      [],
    );
  });

  it("mend all that needs no choice at once, in every file of the skill", async () => {
    const good = goodSkill("fix-all");
    const folder = await writeSkill("fix-all", {
      ...good,
      "SKILL.md": skillMd("fix-all").replace("0.4", "7").replace("[all]", "maths"),
      "cases.yaml": CASES.replace("context:", "contxt:"),
    });
    const { uri } = (await open(vscode.Uri.joinPath(folder, "SKILL.md"))).document;
    const kind = vscode.CodeActionKind.SourceFixAll.append("hasp");
    const [action] = await actionsAt(uri, new vscode.Range(0, 0, 0, 0), kind);
    ok(action?.edit, "there is such an action");
    ok(await vscode.workspace.applyEdit(action.edit));
    const text = (await vscode.workspace.openTextDocument(uri)).getText();
    ok(text.includes("priority: 1\n") && text.includes("applicable_modes: [math]"), text);
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
