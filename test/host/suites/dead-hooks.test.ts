import { deepEqual, equal, match } from "node:assert/strict";

import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";

import { watchDeadHooks } from "../../../src/extension/runs/dead-hooks.ts";
import { workspaceOf } from "../../../src/platform/hook-workspace.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { claudeTranscript, type MadeCall } from "../../support/claude-transcript.ts";
import { activated, eventually, root } from "./support.ts";

const SESSION = "0a0a0a0a-1111-2222-3333-444444444444";
const VARIABLE = "CLAUDE_CONFIG_DIR";

describe("Calls of agents that were not judged", () => {
  const config = vscode.Uri.joinPath(root(), "..", "claude");
  const earlier = process.env[VARIABLE];
  const log = vscode.window.createOutputChannel("dead hooks", { log: true });
  const watched = watchDeadHooks(nodeFiles(), log);

  before(async () => {
    await activated();
    process.env[VARIABLE] = config.fsPath;
  });
  after(async () => {
    if (earlier === undefined) delete process.env[VARIABLE];
    else process.env[VARIABLE] = earlier;
    watched.dispose();
    log.dispose();
    await vscode.workspace.fs.delete(config, { recursive: true });
  });

  async function write(calls: readonly MadeCall[]): Promise<vscode.Uri> {
    const cwd = workspaceOf(root().fsPath);
    const lines = claudeTranscript({ session: SESSION, cwd, calls }).get("") ?? [];
    const file = vscode.Uri.joinPath(
      config,
      "projects",
      cwd.replaceAll(/[^A-Za-z0-9]/g, "-"),
      `${SESSION}.jsonl`,
    );
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(`${lines.join("\n")}\n`));
    return file;
  }
  const asked = (id: string): MadeCall => ({ id, command: "ls", pre: "answered" });

  it("are rows that open the line of the host's log, and go where none is left", async () => {
    const file = await write([asked("a1"), { id: "a2", command: "git reset --hard" }, asked("a3")]);
    const [summary] = await eventually("a row", () => {
      const rows = watched.rows();
      return rows.length > 0 && rows;
    });
    equal(summary?.item.label, "1 call not judged");
    const [finding] = (await summary?.children?.()) ?? [];
    deepEqual([finding?.item.label, finding?.item.description], ["git reset --hard", "HASP was not asked"]);
    match(JSON.stringify(finding?.item.tooltip), /Claude Code ran this call and did not ask HASP/);
    const { command, arguments: given = [] } = finding?.item.command ?? {};
    await vscode.commands.executeCommand(command ?? "", ...(given as unknown[]));
    const editor = await eventually("the transcript", () => {
      const active = vscode.window.activeTextEditor;
      return active?.document.uri.fsPath === file.fsPath && active;
    });
    match(editor.document.lineAt(editor.selection.active.line).text, /"tool_use".*git reset --hard/);
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    await write([asked("a1"), asked("a3")]);
    await eventually("no row", () => watched.rows().length === 0);
  });
});
