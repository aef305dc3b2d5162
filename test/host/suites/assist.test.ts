import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";

import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";

import { activated, root } from "./support.ts";

async function invoke(name: string, input: object): Promise<string> {
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : "")).join("\n");
}

async function text(...path: readonly string[]): Promise<string> {
  const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(root(), ...path));
  return new TextDecoder().decode(bytes);
}

describe("HASP's tools for assistants", () => {
  before(activated);

  it("are known to VS Code with the schemas of the manifest", () => {
    const ours = vscode.lm.tools.filter(({ name }) => name.startsWith("hasp_"));
    deepEqual(ours.map(({ name }) => name).sort(), [
      "hasp_backtest_skill",
      "hasp_explain_step",
      "hasp_list_skills",
      "hasp_validate_skill",
    ]);
    ok(ours.every(({ inputSchema }) => inputSchema !== undefined));
  });

  it("list, validate, backtest and explain", async () => {
    match(await invoke("hasp_list_skills", {}), /recorded run[\s\S]*first-look/);
    match(await invoke("hasp_validate_skill", { skill: "repeated_query" }), /no error/);
    match(await invoke("hasp_backtest_skill", { skill: "repeated_query" }), /Fired in/);
    const explained = await invoke("hasp_explain_step", {
      skill: "repeated_query",
      run: ".hasp/runs/first-look",
      episode: "1",
      step: 1,
    });
    match(explained, /decided at skills\/web-search\/repeated-query\/pf\.ts:\d+/);
  });

  it("read nothing outside the workspace, and say what to call in its place", async () => {
    match(await invoke("hasp_validate_skill", { skill: "../../etc" }), /has no skill/);
    match(await invoke("hasp_validate_skill", { skill: "repeated_quer" }), /Did you mean repeated_query\?/);
  });
});

describe("HASP: Publish Skill", () => {
  before(activated);
  // What is published is checked like any other skill, so that later suites would meet it.
  after(async () => {
    for (const name of [".github", ".agents"])
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(root(), name), { recursive: true });
  });
  const skill = (): vscode.Uri => vscode.Uri.joinPath(root(), "skills", "web-search", "repeated-query");
  const publish = (more: object): Thenable<vscode.Uri | undefined> =>
    vscode.commands.executeCommand("hasp.publishSkill", { skill: skill(), ...more });

  it("copies a skill to where coding agents look, replaces nothing unasked", async () => {
    const target = await publish({ to: ".github/skills" });
    equal(target?.path, vscode.Uri.joinPath(root(), ".github", "skills", "repeated-query").path);
    const here = await text("skills", "web-search", "repeated-query", "pf.ts");
    equal(await text(".github", "skills", "repeated-query", "pf.ts"), here);
    equal(await publish({ to: ".github/skills" }), undefined);
    ok(await publish({ to: ".github/skills", overwrite: true }));
  });

  it("writes the portable form where that is asked for", async () => {
    ok(await publish({ to: ".agents/skills", portable: true }));
    match(await text(".agents", "skills", "repeated-query", "SKILL.md"), /hasp_skill_id: repeated_query/);
  });

  it("publishes no copy of a copy, and the copies stand for no second skill", async () => {
    const copy = vscode.Uri.joinPath(root(), ".github", "skills", "repeated-query");
    equal(
      await vscode.commands.executeCommand("hasp.publishSkill", { skill: copy, to: ".claude/skills" }),
      undefined,
    );
    await rejects(async () => vscode.workspace.fs.stat(vscode.Uri.joinPath(root(), ".claude")));
    match(await invoke("hasp_validate_skill", { skill: "repeated_query" }), /"folder":"skills\/web-search/);
  });
});
