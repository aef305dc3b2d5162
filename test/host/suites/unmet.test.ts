import { deepEqual, equal, ok } from "node:assert/strict";
import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";

import { COMMANDS, type CommandContribution } from "../../../src/extension/contributions.ts";
import { eventually, extensionApi, root } from "./support.ts";

/** Fifty commands; a wizard that looks for models or hosts first takes a second. Milliseconds. */
const ALL = 300_000;

/** Some of them by a condition, which this workspace need not meet. */
const offered: readonly CommandContribution[] = Object.values(COMMANDS).filter(({ palette }) => palette);

/**
 * Runs a command to its end, as somebody who leaves each question and puts away each message that waits for an answer.
 * The failures that it shows are in what it gives back.
 */
async function tryOut({ id, title }: CommandContribution): Promise<string[]> {
  const failures: string[] = [];
  const { onDidShowFailure } = await extensionApi();
  const listening = onDidShowFailure((message) => failures.push(message));
  let isOver = false;
  try {
    const running = Promise.resolve(vscode.commands.executeCommand(id))
      .catch((error: unknown) => failures.push(`${title}: ${String(error)}`))
      .finally(() => (isOver = true));
    await eventually(`${title} to end once its questions are left`, async () => {
      await vscode.commands.executeCommand("workbench.action.closeQuickOpen");
      await vscode.commands.executeCommand("notifications.clearAll");
      return isOver;
    });
    await running;
  } finally {
    listening.dispose();
  }
  return failures;
}

/** Tries each command that the palette may offer, whether or not this folder meets its condition. */
async function tryOutAll(): Promise<void> {
  const failures: string[] = [];
  for (const command of offered) failures.push(...(await tryOut(command)));
  deepEqual(failures, []);
  // Nobody has agreed to a download.
  equal(vscode.tasks.taskExecutions.length, 0);
}

const simpleDialogs = (value: true | undefined): Thenable<void> =>
  vscode.workspace
    .getConfiguration("files")
    .update("simpleDialog.enable", value, vscode.ConfigurationTarget.Global);

describe("Each command asks, or tells what is missing; none fails", function suite() {
  this.timeout(ALL);
  let aside: string;
  let names: string[];
  const inRoot = (name: string): string => join(root().fsPath, name);

  before(async () => {
    await extensionApi();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    // A dialog of the system would wait for a person.
    await simpleDialogs(true);
    aside = mkdtempSync(join(tmpdir(), "hasp-aside-"));
    names = (await vscode.workspace.fs.readDirectory(root())).map(([name]) => name);
    for (const name of names) renameSync(inRoot(name), join(aside, name));
  });
  after(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    for (const name of names) {
      rmSync(inRoot(name), { recursive: true, force: true });
      renameSync(join(aside, name), inRoot(name));
    }
    rmSync(aside, { recursive: true });
    await simpleDialogs(undefined);
  });

  it("in a folder without skills and runs", async () => {
    ok(offered.length > 50, String(offered.length));
    await tryOutAll();
  });
});

describe("Each command in a sample that nobody trusts asks, or tells what is missing [restricted]", function suite() {
  this.timeout(ALL);
  before(() => simpleDialogs(true));
  after(() => simpleDialogs(undefined));

  it("and none fails", tryOutAll);
});
