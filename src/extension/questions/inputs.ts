import { isAbsolute, join, relative, sep } from "node:path";
import type * as vscode from "vscode";
import { parseQuestions } from "../../evaluation/questions.ts";
import {
  type InputChoice,
  parseRunInputs,
  type NamedText,
  type RunInputs,
} from "../../evaluation/run-inputs.ts";
import type { Question } from "../../harness/question.ts";
import type { Checked, Diagnostic } from "../../model/diagnostic.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { Failure } from "../failure.ts";

/** Larger texts do not fit into memory together with their index. */
const MAX_BYTES = 256 * 1024 * 1024;

/** The whole file; a failure where there is none, or where it is too large. */
export async function readText(files: NodeFiles, path: string): Promise<string> {
  const found = await files.readText(path, MAX_BYTES);
  if (found.kind === "absent") throw new Failure(`There is no file ${path}.`, "Choose another file.");
  if (found.kind === "text") return found.text;
  const size = Math.round(found.size / 1024 / 1024);
  throw new Failure(`${path} has ${size} MiB; at most 256 are read.`, "Take a part of it.");
}

/** What could be read, or a failure that says why nothing could. */
export function usable<T>(path: string, { value, diagnostics }: Checked<T>): Read<T> {
  if (value !== undefined) return { value, diagnostics };
  const why = diagnostics.at(-1);
  throw new Failure(`${path}: ${why?.message ?? "it cannot be read."}`, why?.next ?? "Choose another file.");
}

export interface Read<T> {
  readonly value: T;
  /** What was left out. */
  readonly diagnostics: readonly Diagnostic[];
}

export async function readQuestions(files: NodeFiles, path: string): Promise<Read<readonly Question[]>> {
  return usable(path, parseQuestions(await readText(files, path), path));
}

export interface InputFiles {
  readonly root: vscode.Uri;
  readonly questions: vscode.Uri;
  readonly corpus: vscode.Uri | undefined;
}

/** The questions of a run and what is searched for them, named as `run.json` names them. */
export async function readRunInputs(
  files: NodeFiles,
  { root, questions, corpus }: InputFiles,
  choice: Omit<InputChoice, "corpus">,
): Promise<Read<RunInputs>> {
  const named = async ({ fsPath }: vscode.Uri): Promise<NamedText> => ({
    file: nameIn(root, fsPath),
    text: await readText(files, fsPath),
  });
  const from = await named(questions);
  const searched = corpus === undefined ? undefined : await named(corpus);
  return usable((corpus ?? questions).fsPath, parseRunInputs(from, { ...choice, corpus: searched }));
}

/** The file as `run.json` names it: relative to the workspace folder, with `/`, or absolute where it stands elsewhere. */
export function nameIn(root: vscode.Uri, file: string): string {
  const inside = relative(root.fsPath, file);
  return isOutside(inside) ? file : inside.split(sep).join("/");
}

/** Where the file that `run.json` names stands, and whether that is inside the workspace folder. */
export function placeOf(root: vscode.Uri, file: string): { readonly path: string; readonly inside: boolean } {
  const path = isAbsolute(file) ? file : join(root.fsPath, file);
  return { path, inside: !isOutside(relative(root.fsPath, path)) };
}

function isOutside(path: string): boolean {
  return isAbsolute(path) || path === ".." || path.startsWith(`..${sep}`);
}
