import { join } from "node:path";
import process from "node:process";
import * as vscode from "vscode";
import type { Action } from "../../model/action.ts";
import type { Json, StepContext } from "../../model/step-context.ts";
import type { DebugProgram } from "../../platform/debug-folder.ts";
import { writeDebugFolder } from "../../platform/debug-folder.ts";
import { findNode, isRecent, LEAST_NODE, type FoundNode } from "../../platform/debug-node.ts";
import type { NodeFiles } from "../../platform/files.ts";
import type { Compiler } from "../../skill/compiler.ts";
import { Failure } from "../failure.ts";
import { textOf } from "../from-step/own-copy.ts";
import type { LocatedSkill } from "../workspace/library.ts";
import { ensureBreakpoint } from "./breakpoints.ts";

export interface DebugServices {
  readonly log: vscode.LogOutputChannel;
  readonly memory: vscode.Memento;
  readonly compiler: Pick<Compiler, "transpile">;
  readonly files: NodeFiles;
}

/** What a PF is to judge under the debugger. */
export interface DebugTask {
  readonly skill: LocatedSkill;
  readonly context: StepContext;
  readonly remembered: Json;
  readonly proposed: Action;
  /** Of the session, as the debugger's views show it. */
  readonly name: string;
  /** A file of the workspace folder whose cache is used. */
  readonly place: vscode.Uri;
  /** The run of cases that the session is part of. */
  readonly testRun?: vscode.TestRun;
}

/** True in the workspace's state where a person has said yes for good. */
const ALLOWED = "hasp.debugAllowed";
const ONCE = "Debug";
const ALWAYS = "Always in this workspace";

/** A debugger runs code outside of the sandbox: only after a yes (DESIGN.md, "Untrusted"). */
async function askYes(memory: vscode.Memento, skill: LocatedSkill): Promise<boolean> {
  if (memory.get<boolean>(ALLOWED) === true) return true;
  const asked = `Debugging runs pf.ts of ${skill.skillId} in Node, outside of the sandbox and with your rights.`;
  const answer = await vscode.window.showWarningMessage(asked, ONCE, ALWAYS);
  if (answer === ALWAYS) await memory.update(ALLOWED, true);
  return answer !== undefined;
}

async function needNode(): Promise<FoundNode> {
  const node = await findNode(process.env, process.platform);
  const get = {
    label: "Get Node",
    command: "vscode.open",
    arguments: [vscode.Uri.parse("https://nodejs.org")],
  };
  if (node === undefined)
    throw new Failure(
      "There is no Node on the PATH.",
      `Install Node ${LEAST_NODE} or newer, then start VS Code anew.`,
      get,
    );
  if (isRecent(node)) return node;
  throw new Failure(
    `${node.path} is Node ${node.version}; debugging needs ${LEAST_NODE}.`,
    "Install a newer one, then start VS Code anew.",
    get,
  );
}

interface DebuggedFile {
  readonly pf: vscode.Uri;
  readonly source: string;
}

/** The file that the debugger opens, as VS Code shows it, saved; of a skill that came with us a copy in the cache. */
async function debuggedFile(
  files: NodeFiles,
  folder: string,
  { isBuiltIn }: LocatedSkill,
  pf: vscode.Uri,
): Promise<DebuggedFile> {
  if (!isBuiltIn) return { pf, source: await savedSource(pf) };
  const copy = vscode.Uri.file(join(folder, "pf.ts"));
  const source = await textOf(pf);
  await files.writeText(copy.fsPath, source);
  return { pf: copy, source };
}

async function savedSource(file: vscode.Uri): Promise<string> {
  const document = await vscode.workspace.openTextDocument(file);
  if (document.isDirty && !(await document.save()))
    throw new Failure("pf.ts could not be saved.", "Save it, and debug again.");
  return document.getText();
}

function folderOf(place: vscode.Uri, skillId: string): string {
  const root = vscode.workspace.getWorkspaceFolder(place) ?? vscode.workspace.workspaceFolders?.[0];
  if (root === undefined) throw new Failure("No folder is open.", "Open the folder that holds the skill.");
  return join(root.uri.fsPath, ".hasp", "cache", "debug", skillId);
}

function configurationOf(
  node: FoundNode,
  { program, nodeArguments }: DebugProgram,
  name: string,
): vscode.DebugConfiguration {
  const folder = join(program, "..");
  return {
    type: "node",
    request: "launch",
    name,
    program,
    cwd: folder,
    runtimeExecutable: node.path,
    runtimeArgs: [...nodeArguments],
    console: "internalConsole",
    internalConsoleOptions: "openOnSessionStart",
    outputCapture: "std",
    sourceMaps: true,
    outFiles: [join(folder, "pf.mjs")],
    resolveSourceMapLocations: [join(folder, "**")],
    // The first line of the PF may run before the debugger has seen its map.
    pauseForSourceMap: true,
    skipFiles: [
      "<node_internals>/**",
      join(folder, "launch.mjs"),
      join(folder, "hasp.mjs"),
      join(folder, "hook.mjs"),
    ],
  };
}

/** Beside the replay or the case that is being debugged; where it is in view already, it stays there. */
async function bringIntoView(pf: vscode.Uri): Promise<void> {
  const isShown = vscode.window.visibleTextEditors.some(
    ({ document }) => document.uri.toString() === pf.toString(),
  );
  if (!isShown)
    await vscode.window.showTextDocument(pf, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
}

/** Until the session of this name has ended. */
function whileDebugging(name: string, held: vscode.Disposable): void {
  const ended = vscode.debug.onDidTerminateDebugSession((session) => {
    if (session.name !== name) return;
    held.dispose();
    ended.dispose();
  });
}

async function write(
  services: DebugServices,
  task: DebugTask,
  { pf, source }: DebuggedFile,
): Promise<DebugProgram> {
  const { value: code, diagnostics } = await services.compiler.transpile(pf.fsPath, source);
  if (code === undefined) {
    const [first] = diagnostics;
    const at = first === undefined ? "" : ` (line ${first.range.start.line + 1})`;
    throw new Failure(`pf.ts cannot be run${at}: ${first?.message ?? "it is empty"}`, "Mend it first.");
  }
  const { context, remembered: memory, proposed, place, skill } = task;
  const step = { pfFile: pf.fsPath, code, context, memory, proposed };
  return writeDebugFolder(services.files, folderOf(place, skill.skillId), step);
}

/**
 * Starts the debugger on a PF, in Node, after a yes; false where the person says no. A breakpoint of its own stands where the PF begins
 * to decide, unless there is one in the file.
 */
export async function launchDebug(services: DebugServices, task: DebugTask): Promise<boolean> {
  const { skill, name, place, testRun } = task;
  if (skill.pf === undefined)
    throw new Failure(`${skill.skillId} has no Program Function.`, "There is nothing to debug in it.");
  if (!(await askYes(services.memory, skill))) return false;
  const node = await needNode();
  const file = await debuggedFile(services.files, folderOf(place, skill.skillId), skill, skill.pf);
  const program = await write(services, task, file);
  const { pf, source } = file;
  await bringIntoView(pf);
  whileDebugging(name, ensureBreakpoint(pf, source));
  services.log.info(`Debugging ${pf.fsPath} with ${node.path} ${node.version}`);
  const root = vscode.workspace.getWorkspaceFolder(pf);
  const configuration = configurationOf(node, program, name);
  return vscode.debug.startDebugging(root, configuration, testRun === undefined ? {} : { testRun });
}
