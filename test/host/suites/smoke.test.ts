import { deepEqual, equal, ok } from "node:assert/strict";

import { describe, it } from "mocha";
import * as vscode from "vscode";

import { REPORT_PREFIX } from "../report-prefix.mts";

const ID = "hasp-studio.hasp-studio";

interface Manifest {
  contributes?: { commands?: { command: string }[] };
}

function extension(): vscode.Extension<unknown> {
  const found = vscode.extensions.getExtension(ID);
  ok(found, `${ID} is not installed in this VS Code`);
  return found;
}

async function missingCommands(): Promise<string[]> {
  const { contributes } = extension().packageJSON as Manifest;
  const known = new Set(await vscode.commands.getCommands(true));
  return (contributes?.commands ?? []).map(({ command }) => command).filter((id) => !known.has(id));
}

describe("The extension", () => {
  it("activates", async () => {
    const wasActive = extension().isActive;
    const start = performance.now();
    await extension().activate();
    ok(extension().isActive);
    // `npm run bench` reads this line, from a workspace in which nothing has activated the extension before.
    if (!wasActive) console.log(`${REPORT_PREFIX}activated in ${(performance.now() - start).toFixed(1)} ms`);
  });

  it("registers every command that its manifest shows", async () => {
    await extension().activate();
    deepEqual(await missingCommands(), []);
  });
});

describe("The extension in an untrusted workspace [restricted]", () => {
  it("activates and registers every command, and the workspace stays untrusted", async () => {
    equal(vscode.workspace.isTrusted, false);
    await extension().activate();
    deepEqual(await missingCommands(), []);
  });
});
