import { equal, match, ok } from "node:assert/strict";

import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";

import { activated, eventually, removeSkills, skillMd, writeSkill } from "./support.ts";

const ID = "hasp-studio.hasp-studio";

/** A question of the command is answered by its first choice. */
async function withFirstChoice<T>(command: string, argument?: unknown): Promise<T> {
  let answer: { readonly value: T } | undefined;
  void vscode.commands.executeCommand<T>(command, argument).then((value) => (answer = { value }));
  const { value } = await eventually("an answer", async () => {
    if (answer === undefined)
      await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
    return answer;
  });
  return value;
}

/** The library has seen the files that were just written. */
async function listed(skillId: string): Promise<void> {
  await eventually(`${skillId} in the library`, async () => {
    const { content } = await vscode.lm.invokeTool("hasp_list_skills", {
      input: {},
      toolInvocationToken: undefined,
    });
    return content.some(
      (part) => part instanceof vscode.LanguageModelTextPart && part.value.includes(skillId),
    );
  });
}

async function shownDiff(): Promise<vscode.TabInputTextDiff> {
  return eventually("two texts beside each other", () => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof vscode.TabInputTextDiff && input;
  });
}

const textOf = async (uri: vscode.Uri): Promise<string> =>
  (await vscode.workspace.openTextDocument(uri)).getText();

const compare = (folder: vscode.Uri): Promise<boolean> => withFirstChoice("hasp.compareSkill", folder);

describe("HASP: Compare Skill", () => {
  before(activated);
  after(removeSkills);

  it("lays two versions of a skill beside each other, file by file", async () => {
    const text = skillMd("compare-old").replace("skill_id: compare_old", "skill_id: compare_me");
    const old = await writeSkill("compare-old", { "SKILL.md": text });
    const now = text.replace("name: compare-old", "name: compare-new").replace("version: 1", "version: 2");
    const folder = await writeSkill("compare-new", { "SKILL.md": now });
    await listed("compare_me");
    equal(await compare(folder), true);
    const { original, modified } = await shownDiff();
    equal(original.path, `${old.path}/SKILL.md`);
    equal(modified.path, `${folder.path}/SKILL.md`);
    match(
      vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? "",
      /compare_me: SKILL\.md \(version 1 ↔ now\)/,
    );
  });

  it("lays a skill beside the shipped one whose place it has taken, and says where nothing differs [thorough]", async () => {
    const name = "repeated-action";
    const shipped = vscode.extensions.getExtension(ID)?.extensionUri;
    ok(shipped);
    const files: Record<string, string> = {};
    for (const file of ["SKILL.md", "pf.ts", "cases.yaml"]) {
      const bytes = await vscode.workspace.fs.readFile(
        vscode.Uri.joinPath(shipped, "skills/web-search", name, file),
      );
      files[file] = new TextDecoder().decode(bytes);
    }
    const folder = await writeSkill(name, files);
    await listed("repeated_action");
    equal(await compare(folder), false);
    const md = files["SKILL.md"] ?? "";
    const mine = md.replace(/^( +title: ).*$/m, "$1Mine");
    await writeSkill(name, { "SKILL.md": mine });
    const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, "SKILL.md"));
    await eventually("the file as it was written", () => document.getText() === mine);
    equal(await compare(folder), true);
    const { original, modified } = await shownDiff();
    equal(original.scheme, "hasp-skill");
    equal(await textOf(original), md);
    equal(await textOf(modified), mine);
  });
});

describe("Generated skills", () => {
  before(activated);
  after(removeSkills);

  it("are listed in their folders; those that were taken out are not", async () => {
    await writeSkill("generated/.retired/gone_one__v1/gone-one", { "SKILL.md": skillMd("gone-one") });
    await writeSkill("generated/made_one__v1/made-one", { "SKILL.md": skillMd("made-one") });
    await listed("made_one");
    const { content } = await vscode.lm.invokeTool("hasp_list_skills", {
      input: {},
      toolInvocationToken: undefined,
    });
    const texts = content.filter((part) => part instanceof vscode.LanguageModelTextPart);
    ok(texts.every(({ value }) => !value.includes("gone_one")));
  });
});

describe("HASP: Find Skill", () => {
  before(activated);

  it("lists the whole library, and opens the SKILL.md of what is chosen", async () => {
    const file = await withFirstChoice<vscode.Uri | undefined>("hasp.findSkill");
    match(file?.path ?? "", /\/web-search\/[a-z-]+\/SKILL\.md$/);
    const shown = await eventually("the SKILL.md", () => {
      const editor = vscode.window.activeTextEditor;
      return editor?.document.uri.toString() === file?.toString() && editor;
    });
    ok(shown);
    match(shown.document.getText(), /^ +hasp:$/m);
  });

  it("opens nothing where nothing is chosen", async () => {
    let answer: { readonly value: unknown } | undefined;
    void vscode.commands.executeCommand("hasp.findSkill").then((value) => (answer = { value }));
    const { value } = await eventually("the end of the question", async () => {
      await vscode.commands.executeCommand("workbench.action.closeQuickOpen");
      return answer;
    });
    equal(value, undefined);
  });
});
