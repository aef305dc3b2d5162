import { equal, match, ok } from "node:assert/strict";

import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";

import type { BacktestResult } from "../../../src/extension/backtest/results-tree.ts";
import { activated, eventually, open, ours, retype, root } from "./support.ts";

const CONFIG = "hasp.yaml";
const ID = "hasp-studio.hasp-studio";

async function write(text: string): Promise<void> {
  await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(root(), CONFIG), new TextEncoder().encode(text));
}

/** Whether today's library knows the sample's own skill. */
async function knowsOwnSkill(): Promise<boolean> {
  const own = vscode.Uri.joinPath(root(), "skills", "web-search", "repeated-query");
  const result = await vscode.commands.executeCommand<BacktestResult | undefined>("hasp.backtestSkill", {
    skills: [own],
  });
  return result?.report.skills[0]?.skillId === "repeated_query";
}

/** Whether today's library has the form of a shipped skill that the list `paper` has alone. */
async function knowsPaperForm(): Promise<boolean> {
  const extension = vscode.extensions.getExtension(ID);
  ok(extension);
  const form = vscode.Uri.joinPath(extension.extensionUri, "skills/paper/web-search/claim-triangulation");
  const result = await vscode.commands.executeCommand<BacktestResult | undefined>("hasp.backtestSkill", {
    skills: [form],
  });
  return result?.report.skills[0]?.skillId === "claim_triangulation";
}

describe("hasp.yaml", () => {
  let original: Uint8Array;
  before(async () => {
    await activated();
    original = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(root(), CONFIG));
  });
  after(async () => vscode.workspace.fs.writeFile(vscode.Uri.joinPath(root(), CONFIG), original));

  it("decides which skills of the workspace are in use", async () => {
    ok(await knowsOwnSkill());
    await write("libraries: [builtin:web-search]\n");
    await eventually("the own skill is out of the library", async () => !(await knowsOwnSkill()));
    await write("libraries: [builtin:web-search, skills]\n");
    await eventually("the own skill is back", knowsOwnSkill);
  });

  it("decides which list of shipped skills is in use", async () => {
    await write("libraries: [builtin:web-search]\ntriggers: paper\n");
    await eventually("the paper's form is in the library", knowsPaperForm);
    await write("libraries: [builtin:web-search]\n");
    await eventually("the paper's form is out of the library", async () => !(await knowsPaperForm()));
  });

  it("is told off for a library outside the workspace, on its place, and not read there", async () => {
    const editor = await open(vscode.Uri.joinPath(root(), CONFIG));
    await retype(editor, "libraries:\n  - ../../elsewhere\n");
    const [found] = await eventually("a complaint", () => {
      const list = ours(editor.document.uri);
      return list.length > 0 && list;
    });
    equal(found?.range.start.line, 1);
    match(found?.message ?? "", /not inside the workspace/);
    await retype(editor, "libraries: [skills]\n");
    await eventually("no complaint any more", () => ours(editor.document.uri).length === 0);
    await editor.document.save();
  });
});
