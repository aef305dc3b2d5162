import { equal, ok } from "node:assert/strict";

import { before, describe, it } from "mocha";
import * as vscode from "vscode";

import { activated, eventually, root } from "./support.ts";

const FIRST = vscode.Uri.joinPath(root(), ".hasp", "runs", "first-look", "episodes.jsonl");

/** A second run of the workspace: the first one's episodes under ids of its own. */
async function secondRun(): Promise<vscode.Uri> {
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(FIRST));
  const renamed = text.replaceAll(/"questionId":"([^"]+)"/g, '"questionId":"again-$1"');
  const file = vscode.Uri.joinPath(root(), ".hasp", "runs", "compared", "episodes.jsonl");
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(renamed));
  return file;
}

function shownRun(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom ? input.uri : undefined;
}

describe("HASP: Compare Runs", () => {
  before(activated);

  it("opens the first of two runs", async () => {
    const b = await secondRun();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await vscode.commands.executeCommand("hasp.compareRuns", { a: FIRST, b });
    const shown = await eventually("the first run in front", shownRun);
    equal(shown.toString(), FIRST.toString());
  });

  it("on a run of the tree asks only for the other one, and opens nothing when nobody chooses", async () => {
    const b = await secondRun();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    const running = vscode.commands.executeCommand("hasp.compareRuns", { subject: b });
    let ended = false;
    void running.then(() => (ended = true));
    await eventually("the command to end", async () => {
      await vscode.commands.executeCommand("workbench.action.closeQuickOpen");
      return ended;
    });
    equal(shownRun(), undefined);
  });

  it("is there for people in the palette", async () => {
    ok((await vscode.commands.getCommands(true)).includes("hasp.compareRuns"));
  });
});
