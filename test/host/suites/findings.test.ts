import { deepEqual, equal, ok } from "node:assert/strict";

import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";

import type { BacktestResult } from "../../../src/extension/backtest/results-tree.ts";
import {
  activated,
  codeOf,
  eventually,
  open,
  pause,
  pf,
  retype,
  root,
  said,
  settled,
  skillMd,
  writeSkill,
} from "./support.ts";

/** A loop would go through VS Code's own process, whose end nothing tells: each turn of it takes a quarter of a second. */
const SOME_TURNS_MS = 1_500;

/** Silent on every recorded step. */
const NEVER = `actionType === "SEARCH" && arg.length > ctx.maxSteps * 100`;

const REWRITES = `import { modifyAction, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

export default class SuitePf extends ProgramFunction {
  override maxFires = 1;
  shouldActivate(_ctx: StepContext, actionType: ActionType): boolean {
    return actionType === "SEARCH";
  }
  intervene(_ctx: StepContext, _actionType: ActionType, arg: string): Intervention {
    return modifyAction({ arg: \`\${arg} again\`, reason: "the suite says so" });
  }
}
`;

const file = (folder: vscode.Uri, name: string): vscode.Uri => vscode.Uri.joinPath(folder, name);
const codesAt = (uri: vscode.Uri): string[] => said(uri).map(codeOf);
const has = (uri: vscode.Uri, code: string): boolean => codesAt(uri).includes(code);

async function tidy(...folders: readonly vscode.Uri[]): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  for (const folder of folders) await vscode.workspace.fs.delete(folder, { recursive: true });
}

describe("What is wrong between skills", () => {
  const config = (): vscode.Uri => vscode.Uri.joinPath(root(), "hasp.yaml");
  let original: Uint8Array;
  let [first, second] = [vscode.Uri.file("/"), vscode.Uri.file("/")];

  before(async () => {
    await activated();
    original = await vscode.workspace.fs.readFile(config());
    first = await writeSkill("across-a", { "SKILL.md": skillMd("across-a") });
    second = await writeSkill("across-b", {
      "SKILL.md": skillMd("across-b").replace("skill_id: across_b", "skill_id: across_a"),
    });
  });
  after(async () => {
    await tidy(first, second);
    await vscode.workspace.fs.writeFile(config(), original);
  });

  it("goes from a skill that nobody opened, once the other one is fixed", async () => {
    const other = file(second, "SKILL.md");
    await eventually("HASP401 on the second", () => has(other, "HASP401"));
    const editor = await open(file(first, "SKILL.md"));
    await retype(editor, skillMd("across-a").replace("skill_id: across_a", "skill_id: across_c"));
    await eventually("no HASP401 on the second", () => !has(other, "HASP401"));
    await retype(editor, skillMd("across-a").replace("version: 1", "version: 2"));
    await eventually("an older version, on the second", () => has(other, "HASP405"));
    await retype(
      editor,
      skillMd("across-a")
        .replace("skill_id: across_a", "skill_id: across_c")
        .replace("version: 1", "version: 1\n    supersedes: [across_a]"),
    );
    await eventually("a superseded skill, on the second", () => has(other, "HASP406"));
    ok(!has(other, "HASP405"));
    await retype(
      editor,
      skillMd("across-a").replace("version: 1", "version: 1\n    supersedes: [across_gone]"),
    );
    await eventually("nobody to supersede, on the first", () => has(editor.document.uri, "HASP408"));
    await retype(editor, skillMd("across-a").replace("skill_id: across_a", "skill_id: across_c"));
    await eventually(
      "nothing is left",
      () => !/HASP40/.test([...codesAt(other), ...codesAt(editor.document.uri)].join()),
    );
  });

  it("counts hasp.yaml in: what it switches off, and what it names in vain, with a fix", async () => {
    const editor = await open(config());
    const { uri } = editor.document;
    const text = new TextDecoder().decode(original);
    await retype(editor, `${text}disabled_skills:\n  - acros_a\n`);
    const found = await eventually("HASP419", () => said(uri).find((d) => codeOf(d) === "HASP419"));
    deepEqual([found.range.start.character, found.range.end.character], [4, 11]);
    ok(found.message.includes('Did you mean "across_a"?'), found.message);
    const action = await eventually("a fix", async () => {
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        "vscode.executeCodeActionProvider",
        uri,
        found.range,
        vscode.CodeActionKind.QuickFix.value,
      );
      return actions.find(({ title, edit }) => title === 'Write "across_a"' && edit !== undefined);
    });
    ok(action.edit && (await vscode.workspace.applyEdit(action.edit)));
    await eventually("it is off, and says so", () => has(file(second, "SKILL.md"), "HASP430"));
    await eventually("no HASP419", () => !has(uri, "HASP419"));
    await retype(editor, text);
    await eventually("it is on again", () => !has(file(second, "SKILL.md"), "HASP430"));
    await editor.document.save();
  });
});

describe("The view of skills", () => {
  before(activated);

  it("is at rest when nothing changes, though each look at the library reads hasp.yaml", async () => {
    const config = vscode.Uri.joinPath(root(), "hasp.yaml").toString();
    const wrong = { "SKILL.md": skillMd("not-open").replace("version: 1", "version: 0") };
    const folder = await writeSkill("not-open", wrong);
    await vscode.commands.executeCommand("hasp.skills.focus");
    // The first look checks every skill.
    await eventually("a skill is checked that is not open", () => said(file(folder, "SKILL.md")).length > 0);
    await settled();
    let told = 0;
    const counting = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (uris.some((uri) => uri.toString() === config)) told += 1;
    });
    // A message of the first look may arrive late. If each look led to another, every pause would have messages.
    await eventually("a pause in which nothing is told", async () => {
      const before = told;
      await pause(SOME_TURNS_MS);
      return told === before;
    });
    counting.dispose();
    await tidy(folder);
  });
});

describe("What recorded episodes say of a skill", () => {
  before(activated);

  it("stands at its trigger once the fires are counted, and goes with an edit", async () => {
    const folder = await writeSkill("record-never", {
      "SKILL.md": skillMd("record-never", "think"),
      "pf.ts": pf(NEVER),
    });
    const editor = await open(file(folder, "pf.ts"));
    const { uri } = editor.document;
    const found = await eventually("HASP313", () => said(uri).find((d) => codeOf(d) === "HASP313"));
    equal(found.severity, vscode.DiagnosticSeverity.Hint);
    equal(editor.document.getText(found.range), "shouldActivate");
    await retype(editor, pf("true"));
    await eventually("no HASP313", () => !has(uri, "HASP313"));
    await eventually("HASP314", () => has(uri, "HASP314"));
    await retype(editor, pf(`actionType === "FINAL"`));
    await eventually("no HASP314", () => !has(uri, "HASP314"));
    await tidyUnsaved(editor, folder);
  });

  it("stands on both of two skills that modify the same steps after a backtest, as long as both are what was judged [thorough]", async () => {
    const rewriting = (name: string, priority: string) =>
      writeSkill(name, { "SKILL.md": skillMd(name).replace("0.4", priority), "pf.ts": REWRITES });
    const folders = [await rewriting("record-first", "0.6"), await rewriting("record-second", "0.5")];
    const files = folders.map((folder) => file(folder, "SKILL.md"));
    const told = (): boolean[] => files.map((uri) => has(uri, "HASP409"));
    await eventually("a backtest of both", async () => {
      const result = await vscode.commands.executeCommand<BacktestResult | undefined>("hasp.backtestSkill", {
        skills: folders,
      });
      return result?.report.skills.length === 2;
    });
    await eventually("HASP409 on both", () => told().every(Boolean));
    const [, second = root()] = files;
    const editor = await open(second);
    const before = editor.document.getText();
    await retype(editor, before.replace("0.5", "0.55"));
    await eventually("HASP409 on neither", () => !told().some(Boolean));
    await retype(editor, before);
    await eventually("HASP409 on both again", () => told().every(Boolean));
    await vscode.commands.executeCommand("hasp.clearBacktest");
    await eventually("nothing once the results are cleared", () => !told().some(Boolean));
    await tidyUnsaved(editor, ...folders);
  });

  /** An editor with unsaved text would ask before it is closed. */
  async function tidyUnsaved(
    { document }: vscode.TextEditor,
    ...folders: readonly vscode.Uri[]
  ): Promise<void> {
    await document.save();
    await tidy(...folders);
  }
});
