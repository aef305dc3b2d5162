import { ok } from "node:assert/strict";

import * as vscode from "vscode";

import type { ExtensionApi } from "../../../src/extension/main.ts";

const ID = "hasp-studio.hasp-studio";

/** A first check loads the compiler and a sandbox, VS Code's own TypeScript another; seen at 10 s on two busy cores. */
export const PATIENCE_MS = 45_000;
const POLL_MS = 100;

export function root(): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  ok(folder, "the suite runs in a workspace folder");
  return folder.uri;
}

export async function activated(): Promise<void> {
  await vscode.extensions.getExtension(ID)?.activate();
}

type Look<T> = () => T | undefined | false | Promise<T | undefined | false>;

/** What `look` answers as soon as it is neither undefined nor false; undefined where that takes longer. */
export async function within<T>(milliseconds: number, look: Look<T>): Promise<T | undefined> {
  const end = Date.now() + milliseconds;
  while (Date.now() < end) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await pause(POLL_MS);
  }
  return undefined;
}

/** What `look` answers as soon as it is neither undefined nor false. */
export async function eventually<T>(what: string, look: Look<T>): Promise<T> {
  const found = await within(PATIENCE_MS, look);
  if (found !== undefined) return found;
  throw new Error(`Not within ${PATIENCE_MS / 1_000} s: ${what}`);
}

export async function pause(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Writes a skill folder below `skills/web-search` and gives it back. */
export async function writeSkill(name: string, files: Readonly<Record<string, string>>): Promise<vscode.Uri> {
  const folder = vscode.Uri.joinPath(root(), "skills", "web-search", name);
  for (const [file, text] of Object.entries(files)) {
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, file), new TextEncoder().encode(text));
  }
  return folder;
}

export function skillMd(name: string, phase = "search"): string {
  return `---
name: ${name}
description: Use when the suite needs a skill.
metadata:
  hasp:
    skill_id: ${name.replaceAll("-", "_")}
    title: A skill of the suite
    version: 1
    priority: 0.4
    error_category: test
    applicable_modes: [all]
    applicable_phases: [${phase}]
    system_summary: Nothing to remember.
---

# A skill of the suite
`;
}

/** A PF whose shouldActivate returns `condition`. */
export function pf(condition: string): string {
  return `import { injectContext, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

export default class SuitePf extends ProgramFunction {
  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    return ${condition};
  }
  intervene(_ctx: StepContext, _actionType: ActionType, arg: string): Intervention {
    return injectContext(\`Look again. \${arg}\`, "the suite says so");
  }
}
`;
}

export async function open(uri: vscode.Uri): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
}

/** Replaces the text of an open editor, as typing does: unsaved. */
export async function retype(editor: vscode.TextEditor, text: string): Promise<void> {
  const { document } = editor;
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  ok(await editor.edit((edit) => edit.replace(whole, text)), "the edit was applied");
}

export function codeOf({ code }: vscode.Diagnostic): string {
  return String(typeof code === "object" ? code.value : code);
}

/** All that HASP says of a file. */
export function said(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter((d) => d.source === "HASP");
}

/** Come when the fires of an open PF were counted, whatever a suite does with it. */
const ON_RECORDS: ReadonlySet<string> = new Set(["HASP313", "HASP314", "HASP315", "HASP409"]);

/** What anybody says of a file, but for what recorded episodes say. */
export function everyones(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter((d) => !ON_RECORDS.has(codeOf(d)));
}

/** What HASP says of a file by itself and within its library. */
export function ours(uri: vscode.Uri): vscode.Diagnostic[] {
  return everyones(uri).filter((d) => d.source === "HASP");
}

/** `line:character number` of every error, whoever reports it. */
export function places(uri: vscode.Uri): string[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter((d) => d.severity === vscode.DiagnosticSeverity.Error)
    .map((d) => `${d.range.start.line}:${d.range.start.character} ${codeOf(d).replace(/^TS/, "")}`);
}

/** What the extension offers other code, once it is active. */
export async function extensionApi(): Promise<ExtensionApi> {
  const api = await vscode.extensions.getExtension<ExtensionApi>(ID)?.activate();
  ok(api, "the extension is installed");
  return api;
}

/** Resolves once no diagnostic of HASP is still to come for what is open. */
export async function settled(): Promise<void> {
  await (await extensionApi()).settled();
}

interface TypeScriptReply {
  readonly body?: readonly { readonly category: string }[];
}

/** Each question to TypeScript ends the look at all files that VS Code has just begun, so that it is asked seldom. Milliseconds. */
const ASK_AGAIN = 6_000;

/** How many errors VS Code's own TypeScript finds in an open file when it is asked, whether or not they are shown yet. */
async function typescriptErrors(uri: vscode.Uri): Promise<number> {
  const ask = (request: string): Thenable<TypeScriptReply | undefined> =>
    vscode.commands.executeCommand("typescript.tsserverRequest", request, { file: uri });
  const replies = [await ask("syntacticDiagnosticsSync"), await ask("semanticDiagnosticsSync")];
  return replies.flatMap((reply) => reply?.body ?? []).filter(({ category }) => category === "error").length;
}

/** Resolves once VS Code shows every error that its own TypeScript finds in a file with a tab, and HASP has said all it has to say beside them. */
export async function typescriptSettled(uri: vscode.Uri): Promise<void> {
  let errors = await typescriptErrors(uri);
  let askedAt = Date.now();
  await eventually("VS Code shows what its TypeScript finds", async () => {
    // VS Code shows errors about style, such as an unused class, as warnings.
    const shown = vscode.languages
      .getDiagnostics(uri)
      .filter(({ source, severity }) => source === "ts" && severity <= vscode.DiagnosticSeverity.Warning);
    if (errors === shown.length) return true;
    if (Date.now() - askedAt < ASK_AGAIN) return false;
    errors = await typescriptErrors(uri);
    askedAt = Date.now();
    return errors === shown.length;
  });
  await settled();
}

/** Resolves once VS Code itself has checked the SKILL.md files that were opened before: it checks one that is wrong after them. */
export async function skillsSettled(): Promise<void> {
  const folder = await writeSkill("canary", { "SKILL.md": skillMd("canary-of-another-name") });
  const { document } = await open(vscode.Uri.joinPath(folder, "SKILL.md"));
  await eventually("VS Code's own complaint about the canary", () =>
    vscode.languages.getDiagnostics(document.uri).some(({ source }) => source !== "HASP"),
  );
  await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
  await vscode.workspace.fs.delete(folder, { recursive: true });
  await settled();
}

async function folderNames(uri: vscode.Uri): Promise<string[]> {
  const entries = await vscode.workspace.fs.readDirectory(uri);
  return entries.filter(([, type]) => type === vscode.FileType.Directory).map(([name]) => name);
}

/** The skill that the samples come with. */
const OF_SAMPLES = "web-search/repeated-query";

/** Closes all editors and deletes every skill that the samples do not come with, so that no suite meets those of another. */
export async function removeSkills(): Promise<void> {
  await vscode.workspace.saveAll(false);
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  const skills = vscode.Uri.joinPath(root(), "skills");
  for (const domain of await folderNames(skills)) {
    const inDomain = vscode.Uri.joinPath(skills, domain);
    for (const name of await folderNames(inDomain)) {
      if (`${domain}/${name}` !== OF_SAMPLES)
        await vscode.workspace.fs.delete(vscode.Uri.joinPath(inDomain, name), { recursive: true });
    }
    if ((await folderNames(inDomain)).length === 0)
      await vscode.workspace.fs.delete(inDomain, { recursive: true });
  }
  const left = (): string[] =>
    vscode.languages
      .getDiagnostics()
      .filter(([uri]) => !uri.path.includes(OF_SAMPLES))
      .flatMap(([uri, list]) =>
        list.filter(({ source }) => source === "HASP").map((d) => `${uri.path}: ${codeOf(d)} ${d.message}`),
      );
  const isGone = await within(PATIENCE_MS, () => left().length === 0);
  ok(isGone, `still said of skills that are gone:\n${left().join("\n")}`);
}
