import { deepEqual, equal, match, ok } from "node:assert/strict";

import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";

import {
  activated,
  codeOf,
  eventually,
  everyones,
  open,
  ours,
  pf,
  places,
  removeSkills,
  retype,
  settled,
  skillMd,
  typescriptSettled,
  writeSkill,
} from "./support.ts";

const QUIET = `actionType === "SEARCH" && arg.length > ctx.maxSteps * 100`;

describe("Diagnostics while typing", () => {
  before(activated);
  after(removeSkills);

  it("name the place, the reason and the next step in a broken SKILL.md, and go when it is fixed", async () => {
    const folder = await writeSkill("broken-frontmatter", { "SKILL.md": skillMd("broken-frontmatter") });
    const editor = await open(vscode.Uri.joinPath(folder, "SKILL.md"));
    await retype(editor, skillMd("broken-frontmatter").replace("priority: 0.4", "priority: 4"));
    const [found] = await eventually("a complaint about the priority", () => {
      const list = ours(editor.document.uri);
      return list.length > 0 && list;
    });
    ok(found);
    match(found.message, /between 0 and 1/);
    match(found.message, /\n.*priority: 0\.8/);
    equal(editor.document.getText(found.range), "4");
    await retype(editor, skillMd("broken-frontmatter"));
    await eventually("no complaint any more", () => ours(editor.document.uri).length === 0);
  });

  it("name a PF that takes too long to check, and still come for another file [thorough]", async () => {
    const endless = `type F<T, D extends 0[]> = D["length"] extends 22 ? T : F<[T, 1], [...D, 0]> | F<[T, 2], [...D, 0]>;
export const x: F<0, []> = 5;
`;
    const hostile = await writeSkill("too-complex", { "SKILL.md": skillMd("too-complex"), "pf.ts": endless });
    const wrong = await writeSkill("beside-it", {
      "SKILL.md": skillMd("beside-it"),
      "pf.ts": "export const LENGTH: number = true;\n",
    });
    const opened = await open(vscode.Uri.joinPath(hostile, "pf.ts"));
    // Not opened: an error that VS Code's own TypeScript reports is not reported twice.
    const other = vscode.Uri.joinPath(wrong, "pf.ts");
    await eventually("the type error beside it", () => ours(other).map(codeOf).includes("TS2322"));
    await eventually("the rule of what is too complex", () =>
      ours(opened.document.uri).map(codeOf).includes("HASP220"),
    );
    // VS Code's own TypeScript does not come to an end with that file, and later tests wait for it.
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await vscode.workspace.fs.delete(hostile, { recursive: true });
    await vscode.commands.executeCommand("typescript.restartTsServer");
  });

  it("leave the standard keys of a SKILL.md to VS Code, which checks them itself", async () => {
    const folder = await writeSkill("named-otherwise", { "SKILL.md": skillMd("another-name") });
    const editor = await open(vscode.Uri.joinPath(folder, "SKILL.md"));
    const { uri } = editor.document;
    await eventually("VS Code's own complaint", () =>
      vscode.languages
        .getDiagnostics(uri)
        .some((d) => d.source !== "HASP" && d.message.includes("match the folder")),
    );
    await eventually("one complaint about the name", () => vscode.languages.getDiagnostics(uri).length === 1);
    await settled();
    equal(vscode.languages.getDiagnostics(uri).length, 1);
  });

  it("say nothing about a good skill", async () => {
    const folder = await writeSkill("good", { "SKILL.md": skillMd("good"), "pf.ts": pf(QUIET) });
    const editor = await open(vscode.Uri.joinPath(folder, "pf.ts"));
    await typescriptSettled(editor.document.uri);
    deepEqual(everyones(editor.document.uri), []);
    deepEqual(ours(vscode.Uri.joinPath(folder, "SKILL.md")), []);
  });

  it("show a type error once, whoever finds it, and take it away when it is fixed [thorough]", async () => {
    const folder = await writeSkill("typed", { "SKILL.md": skillMd("typed"), "pf.ts": pf(QUIET) });
    const editor = await open(vscode.Uri.joinPath(folder, "pf.ts"));
    await retype(editor, pf(`ctx.searchCount > "two"`));
    await eventually("a type error", () => places(editor.document.uri).length > 0);
    await typescriptSettled(editor.document.uri);
    equal(places(editor.document.uri).length, 1, places(editor.document.uri).join(" and "));
    await retype(editor, pf(QUIET));
    await eventually("no error any more", () => places(editor.document.uri).length === 0);
  });

  it("refuse a PF that reads the clock, once, and say why in the hover [thorough]", async () => {
    const folder = await writeSkill("clock", { "SKILL.md": skillMd("clock"), "pf.ts": pf(`Date.now() > 0`) });
    const editor = await open(vscode.Uri.joinPath(folder, "pf.ts"));
    await eventually("a refusal", () => places(editor.document.uri).length > 0);
    await typescriptSettled(editor.document.uri);
    equal(places(editor.document.uri).length, 1, places(editor.document.uri).join(" and "));
    const at = editor.document.positionAt(editor.document.getText().indexOf("Date"));
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      "vscode.executeHoverProvider",
      editor.document.uri,
      at,
    );
    const texts = hovers.flatMap((hover) => hover.contents.map((c) => (typeof c === "string" ? c : c.value)));
    const complaints = [...texts, ...ours(editor.document.uri).map((d) => d.message)];
    ok(
      complaints.some((text) => text.includes("clock")),
      complaints.join("\n"),
    );
  });

  it("run the cases of cases.yaml, and show one that fails where it stands", async () => {
    const cases = `cases:
  - name: fires on every search
    context: { question: "Who?", stepCount: 0, maxSteps: 8 }
    proposed: { type: SEARCH, arg: "who" }
    expect: { fires: true }
`;
    const folder = await writeSkill("with-cases", {
      "SKILL.md": skillMd("with-cases"),
      "pf.ts": pf(QUIET),
      "cases.yaml": cases,
    });
    const editor = await open(vscode.Uri.joinPath(folder, "cases.yaml"));
    const [found] = await eventually("a failed case", () => {
      const list = ours(editor.document.uri);
      return list.length > 0 && list;
    });
    ok(found);
    equal(codeOf(found), "HASP310", found.message);
    match(found.message, /fires on every search/);
    await retype(editor, cases.replace("fires: true", "fires: false"));
    await eventually("no failed case any more", () => ours(editor.document.uri).length === 0);
  });

  it("survive a PF that never ends, and go on with the others", async () => {
    const endless = await writeSkill("endless", {
      "SKILL.md": skillMd("endless"),
      "pf.ts": pf(`(() => { for (let i = 0; i >= 0; ) { i = arg.length; } return true; })()`),
    });
    const folder = await writeSkill("after-endless", {
      "SKILL.md": skillMd("after-endless").replace("version: 1", "version: 0"),
    });
    const editor = await open(vscode.Uri.joinPath(folder, "SKILL.md"));
    await eventually("the other skill's complaint", () => ours(editor.document.uri).length === 1);
    // Each check of what comes after would wait for it.
    await vscode.workspace.fs.delete(endless, { recursive: true });
  });

  it("vanish with the skill", async () => {
    const folder = await writeSkill("short-lived", {
      "SKILL.md": skillMd("short-lived").replace("version: 1", "version: 0"),
    });
    const file = vscode.Uri.joinPath(folder, "SKILL.md");
    await open(file);
    await eventually("a complaint", () => ours(file).length === 1);
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    await vscode.workspace.fs.delete(folder, { recursive: true });
    await eventually("no complaint about a file that is gone", () => ours(file).length === 0);
  });

  it("leave another product's Agent Skill alone", async () => {
    const folder = await writeSkill("foreign", {
      "SKILL.md": "---\nname: elsewhere\ndescription: Not ours.\n---\n",
    });
    const editor = await open(vscode.Uri.joinPath(folder, "SKILL.md"));
    await settled();
    deepEqual(ours(editor.document.uri), []);
    await vscode.workspace.fs.delete(folder, { recursive: true });
  });
});
