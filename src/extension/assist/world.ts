import * as vscode from "vscode";
import type { AssistWorld } from "../../agents/assist/world.ts";
import type { Judging } from "../../app/ports.ts";
import { confinedFiles } from "../../platform/confined-files.ts";
import { isPublished } from "../../skill/agent-folders.ts";
import { shippedGuards } from "../workspace/shipped-guards.ts";
import type { EditorServices } from "../services.ts";
import { parentOf } from "../workspace/skill-folders.ts";

/** `shownFiles`: a tool judges what the person and the assistant see. */
export type AssistServices = Pick<Judging, "compiler" | "startHost" | "openContainment"> &
  Pick<EditorServices, "files" | "shownFiles" | "folders" | "runs" | "builtIn">;

const slashed = (path: string): string => path.replaceAll("\\", "/");

/** The open workspace as the tools reach it; for one call, since folders and trust may change. */
export async function editorWorld(services: AssistServices): Promise<AssistWorld> {
  const { shownFiles: disk, folders, runs, compiler, startHost, openContainment } = services;
  const opened = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  const roots = await Promise.all(opened.map(({ uri }) => disk.realPath(uri.fsPath)));
  const { files, inside, shown } = confinedFiles(disk, roots);
  return {
    files,
    compiler,
    startHost,
    openContainment,
    guards: shippedGuards(services),
    mayRun: vscode.workspace.isTrusted,
    howToTrust: "Workspaces: Manage Workspace Trust",
    async skillFolders() {
      const found = await Promise.all((await folders.list()).map(({ uri }) => inside(uri.fsPath)));
      const paths = found.filter((path) => path !== undefined);
      return paths.sort((a, b) => Number(isPublished(a)) - Number(isPublished(b)));
    },
    async runFolders() {
      const found = await Promise.all((await runs.list()).map(({ file }) => inside(parentOf(file).fsPath)));
      return found.filter((path) => path !== undefined);
    },
    inside: (given) => inside(slashed(given)),
    shown,
  };
}
