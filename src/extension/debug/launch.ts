import { join } from "node:path";
import process from "node:process";
import * as vscode from "vscode";
import type { Action } from "../../model/action.ts";
import type { Json, StepContext } from "../../model/step-context.ts";
import type { DebugProgram } from "../../platform/debug-folder.ts";
import { writeDebugFolder } from "../../platform/debug-folder.ts";
import { commandOf, type FoundNode } from "../../platform/debug-node.ts";
import type { NodeFiles } from "../../platform/files.ts";
import type { Compiler } from "../../skill/compiler.ts";
import { Failure, Unmet } from "../failure.ts";
import type { EditorServices } from "../services.ts";
import type { LocatedSkill } from "../workspace/library.ts";
import { noFolder } from "../unmet.ts";
import { ensureBreakpoint } from "./breakpoints.ts";
import { askConsent } from "./consent.ts";
import { nodeForDebugging } from "./node.ts";

export interface DebugServices extends Pick<EditorServices, "log" | "memory" | "files"> {
  readonly compiler: Pick<Compiler, "transpile">;
}

/** A step that a PF judges under the debugger. */
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

/** The file that the debugger opens, as VS Code shows it, saved; of a skill that came with us a copy in the cache. */
async function debuggedFile(
  files: NodeFiles,
  folder: string,
  { isBuiltIn }: LocatedSkill,
  { uri, document }: OpenPf,
): Promise<vscode.Uri> {
  if (isBuiltIn) {
    const copy = vscode.Uri.file(join(folder, "pf.ts"));
    await files.writeText(copy.fsPath, document.getText());
    return copy;
  }
  if (document.isDirty && !(await document.save()))
    throw new Failure("pf.ts could not be saved.", "Save it, and debug again.");
  return uri;
}

function folderOf(place: vscode.Uri, skillId: string): string {
  const root = vscode.workspace.getWorkspaceFolder(place) ?? vscode.workspace.workspaceFolders?.[0];
  if (root === undefined) throw noFolder("that holds the skill");
  return join(root.uri.fsPath, ".hasp", "cache", "debug", skillId);
}

function configurationOf(
  node: FoundNode,
  { program, nodeArguments }: DebugProgram,
  name: string,
): vscode.DebugConfiguration {
  const folder = join(program, "..");
  const { executable, leading } = commandOf(node, process.platform);
  return {
    type: "node",
    request: "launch",
    name,
    program,
    cwd: folder,
    runtimeExecutable: executable,
    runtimeArgs: [...leading, ...nodeArguments],
    // Else the debugger asks the Node on the PATH for its version, and refuses an old one.
    nodeVersionHint: Number.parseInt(node.version, 10),
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

/** Resolves when the debug session of this name has ended. */
function endOf(name: string): Promise<void> {
  return new Promise((resolve) => {
    const listening = vscode.debug.onDidTerminateDebugSession((session) => {
      if (session.name !== name) return;
      listening.dispose();
      resolve();
    });
  });
}

/** A `pf.ts` as the editor has it, saved or not. */
interface OpenPf {
  readonly uri: vscode.Uri;
  readonly document: vscode.TextDocument;
  /** Its JavaScript. */
  readonly code: string;
}

async function openPf({ compiler }: DebugServices, uri: vscode.Uri): Promise<OpenPf> {
  const document = await vscode.workspace.openTextDocument(uri);
  const { value: code, diagnostics } = await compiler.transpile(uri.fsPath, document.getText());
  if (code !== undefined) return { uri, document, code };
  const [first] = diagnostics;
  const at = first === undefined ? "" : ` (line ${first.range.start.line + 1})`;
  throw new Failure(`pf.ts cannot be run${at}: ${first?.message ?? "it is empty"}`, "Fix it first.");
}

/** A session of the debugger that has started. */
export interface DebugSession {
  readonly over: Promise<void>;
}

/**
 * Starts the debugger on a PF, in Node, after a yes; undefined where it did not start. Asks only once nothing is missing. A breakpoint of
 * its own stands where the PF begins to decide, unless there is one in the file.
 */
export async function launchDebug(
  services: DebugServices,
  task: DebugTask,
): Promise<DebugSession | undefined> {
  const { log, files, memory } = services;
  const { skill, name, place, testRun, context, proposed } = task;
  if (skill.pf === undefined)
    throw new Unmet(`${skill.skillId} has no Program Function.`, "There is nothing to debug in it.");
  const folder = folderOf(place, skill.skillId);
  const node = await nodeForDebugging();
  const opened = await openPf(services, skill.pf);
  if (!(await askConsent(memory, skill.skillId))) return undefined;
  const pf = await debuggedFile(files, folder, skill, opened);
  const step = { pfFile: pf.fsPath, code: opened.code, context, memory: task.remembered, proposed };
  const program = await writeDebugFolder(files, folder, step);
  await bringIntoView(pf);
  const breakpoint = ensureBreakpoint(pf, opened.document.getText());
  const over = endOf(name).then(() => breakpoint.dispose());
  log.info(`Debugging ${pf.fsPath} with ${node.path} ${node.version}`);
  const root = vscode.workspace.getWorkspaceFolder(pf);
  const configuration = configurationOf(node, program, name);
  const options = testRun === undefined ? {} : { testRun };
  return (await vscode.debug.startDebugging(root, configuration, options)) ? { over } : undefined;
}
