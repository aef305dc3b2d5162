import { join } from "node:path";
import process from "node:process";
import * as vscode from "vscode";
import { contextAt } from "../../trace/context-at.ts";
import type { DebugProgram } from "../../platform/debug-folder.ts";
import { writeDebugFolder } from "../../platform/debug-folder.ts";
import { findNode, isRecent, LEAST_NODE, type FoundNode } from "../../platform/debug-node.ts";
import type { NodeFiles } from "../../platform/files.ts";
import type { Compiler } from "../../skill/compiler.ts";
import { registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Failure } from "../failure.ts";
import { textOf } from "../from-step/own-copy.ts";
import { judgingIn, pickSkill } from "../from-step/pick-skill.ts";
import {
  nameOfStep,
  recordedStep,
  type RecordedStep,
  type StepServices,
} from "../from-step/recorded-step.ts";
import { type SkillToday, todayOn, type TodayServices } from "../from-step/today.ts";
import type { LocatedSkill } from "../workspace/library.ts";
import { requireTrust } from "../workspace/trust.ts";
import { ensureBreakpoint } from "./breakpoints.ts";

interface Services extends StepServices, TodayServices {
  readonly log: vscode.LogOutputChannel;
  readonly memory: vscode.Memento;
  readonly compiler: Compiler;
}

/** True in the workspace's state where a person has said yes for good. */
const ALLOWED = "hasp.debugAllowed";
const ONCE = "Debug";
const ALWAYS = "Always in this workspace";

/** A debugger runs code outside of the sandbox: only after a yes (DESIGN.md, "Untrusted"). */
async function askYes(memory: vscode.Memento, { skill }: SkillToday): Promise<boolean> {
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

function folderOf({ run }: RecordedStep, skillId: string): string {
  const root = vscode.workspace.getWorkspaceFolder(run.file) ?? vscode.workspace.workspaceFolders?.[0];
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

/** Until the session of this name has ended. */
function whileDebugging(name: string, held: vscode.Disposable): void {
  const ended = vscode.debug.onDidTerminateDebugSession((session) => {
    if (session.name !== name) return;
    held.dispose();
    ended.dispose();
  });
}

/** `HASP: Debug PF on This Step`: the PF judges the recorded step in Node, under VS Code's JavaScript debugger. */
export function registerDebugPf(services: Services): vscode.Disposable {
  const { log, library, memory, compiler, files } = services;

  async function choose(step: RecordedStep): Promise<SkillToday | undefined> {
    const skills = judgingIn(await library.list(), step.domain.name);
    if (skills.length === 0)
      throw new Failure(
        `Today's library has no Program Function for ${step.domain.name}.`,
        "Make a skill of this step.",
        { label: COMMANDS.newSkillFromStep.title, command: COMMANDS.newSkillFromStep.id },
      );
    const placeHolder = `Program Function to debug on ${nameOfStep(step)}`;
    const title = `HASP: ${COMMANDS.debugPf.title}`;
    const { skillId } = step;
    return pickSkill(memory, await todayOn(services, step, skills), { title, placeHolder, skillId });
  }

  async function write(step: RecordedStep, { skill, today }: SkillToday, pf: vscode.Uri, source: string) {
    const { value: code, diagnostics } = await compiler.transpile(pf.fsPath, source);
    const proposed = step.step.proposals[0]?.action;
    if (code === undefined || proposed === undefined) {
      const [first] = diagnostics;
      const at = first === undefined ? "" : ` (line ${first.range.start.line + 1})`;
      throw new Failure(
        `pf.ts cannot be run${at}: ${first?.message ?? "the step has no proposal."}`,
        "Mend it first.",
      );
    }
    const context = contextAt(step.episode, step.t, step.domain.contextRules);
    const remembered = today?.memory ?? {};
    return writeDebugFolder(files, folderOf(step, skill.skillId), {
      pfFile: pf.fsPath,
      code,
      context,
      memory: remembered,
      proposed,
    });
  }

  async function debug(argument?: unknown): Promise<boolean> {
    requireTrust("Debugging its code");
    const step = await recordedStep(services, argument);
    const chosen = await choose(step);
    const own = chosen?.skill.pf;
    if (chosen === undefined || own === undefined || !(await askYes(memory, chosen))) return false;
    const node = await needNode();
    const folder = folderOf(step, chosen.skill.skillId);
    const { pf, source } = await debuggedFile(files, folder, chosen.skill, own);
    const program = await write(step, chosen, pf, source);
    const name = `HASP: ${chosen.skill.skillId} on step ${step.t + 1}`;
    await vscode.window.showTextDocument(pf, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
    whileDebugging(name, ensureBreakpoint(pf, source));
    log.info(`Debugging ${pf.fsPath} with ${node.path} ${node.version}`);
    const root = vscode.workspace.getWorkspaceFolder(pf);
    return vscode.debug.startDebugging(root, configurationOf(node, program, name));
  }

  return registerCommand(log, COMMANDS.debugPf, debug);
}
