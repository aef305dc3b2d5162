import { isAbsolute, join, relative, sep } from "node:path";
import type * as vscode from "vscode";
import type { NamedFile } from "../../app/run/inputs.ts";
import { Failure } from "../failure.ts";
import { readSpec } from "../models/chosen-model.ts";

/** The file as `run.json` names it: relative to the workspace folder, with `/`, or absolute outside of it. */
export function nameIn(root: vscode.Uri, file: string): string {
  const inside = relative(root.fsPath, file);
  return isOutside(inside) ? file : inside.split(sep).join("/");
}

/** The file for an order, with its name in `run.json`. */
export function namedFile(root: vscode.Uri, { fsPath: path }: vscode.Uri): NamedFile {
  return { name: nameIn(root, path), path };
}

/** The path of the file that `run.json` names, and whether it is inside the workspace folder. */
export function placeOf(root: vscode.Uri, file: string): { readonly path: string; readonly inside: boolean } {
  const path = isAbsolute(file) ? file : join(root.fsPath, file);
  return { path, inside: !isOutside(relative(root.fsPath, path)) };
}

/** A recorded run that is re-driven lies inside the workspace folder. */
export function requireInside(root: vscode.Uri, spec: string): void {
  const parsed = readSpec(spec);
  if (parsed.kind !== "recorded") return;
  const { path, inside } = placeOf(root, parsed.run);
  if (!inside)
    throw new Failure(`${path} is not inside the workspace.`, "Import its episodes, and choose that run.");
}

function isOutside(path: string): boolean {
  return isAbsolute(path) || path === ".." || path.startsWith(`..${sep}`);
}
