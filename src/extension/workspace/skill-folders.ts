import * as vscode from "vscode";
import { depthInLibrary, isSetAside } from "../../model/domain-folder.ts";
import { isTooDeep } from "../../skill/agent-folders.ts";
import { hasOurKeys } from "../../skill/skill-keys.ts";
import { readBytes } from "../../skill/text-bytes.ts";
import { debounce } from "../debounce.ts";
import { watchDeep } from "../deep-watch.ts";

/** A folder that holds one skill of ours, with the files that are there. */
export interface SkillFolder {
  readonly uri: vscode.Uri;
  readonly skillMd: vscode.Uri;
  readonly pf: vscode.Uri | undefined;
  readonly cases: vscode.Uri | undefined;
}

export const SKILL_FILES = ["SKILL.md", "pf.ts", "cases.yaml"] as const;

const NEVER_SKILLS = ["node_modules", ".git", ".hasp", "dist", "out", ".vscode-test"];
const EXCLUDED = `**/{${NEVER_SKILLS.join(",")}}/**`;

/** A run folder keeps the texts of its skills, and a library those that were taken out: they are no skills of the workspace. */
function isExcluded({ path }: vscode.Uri): boolean {
  return isSetAside(path) || NEVER_SKILLS.some((name) => path.includes(`/${name}/`));
}

export interface SkillFolders extends vscode.Disposable {
  /** All skill folders of the workspace, by path. */
  list(): Promise<readonly SkillFolder[]>;
  /** Files appeared or vanished, so `list` may answer otherwise. */
  readonly onDidChange: vscode.Event<void>;
  /** A file of a skill was written on disk, or is gone from it. */
  readonly onDidChangeFile: vscode.Event<vscode.Uri>;
}

export function nameOf(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf("/") + 1);
}

/** The folder that holds the folders of domains, of a skill's folder: `skills` of `skills/<domain>/<name>`. */
export function folderOfDomains(skill: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(skill, ...Array.from({ length: depthInLibrary(skill.path) }, () => ".."));
}

export function parentOf(uri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(uri, "..");
}

export function isSkillFile(uri: vscode.Uri): boolean {
  return (SKILL_FILES as readonly string[]).includes(nameOf(uri));
}

export async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

/** Undefined where the file cannot be read: whose skill it is cannot be told, and the others must not wait for it. */
async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return readBytes(await vscode.workspace.fs.readFile(uri)).text;
  } catch {
    return undefined;
  }
}

/** Reads one folder. Undefined where it has no SKILL.md. */
export async function readAnySkillFolder(uri: vscode.Uri): Promise<SkillFolder | undefined> {
  const file = (name: string): vscode.Uri => vscode.Uri.joinPath(uri, name);
  const skillMd = file("SKILL.md");
  if (!(await exists(skillMd))) return undefined;
  const [pf, cases] = await Promise.all([exists(file("pf.ts")), exists(file("cases.yaml"))]);
  return { uri, skillMd, pf: pf ? file("pf.ts") : undefined, cases: cases ? file("cases.yaml") : undefined };
}

/** The same, undefined also where its SKILL.md is another product's Agent Skill: no keys of ours and no `pf.ts`. */
export async function readSkillFolder(uri: vscode.Uri): Promise<SkillFolder | undefined> {
  const folder = await readAnySkillFolder(uri);
  if (folder === undefined || folder.pf !== undefined || folder.cases !== undefined) return folder;
  const text = await textOf(folder.skillMd);
  return text === undefined || !hasOurKeys(text) ? undefined : folder;
}

/** Those of its files that are there. */
export const filesOf = ({ skillMd, pf, cases }: SkillFolder): readonly vscode.Uri[] =>
  [skillMd, pf, cases].filter((file) => file !== undefined);

async function findAll(): Promise<readonly SkillFolder[]> {
  const files = await vscode.workspace.findFiles("**/SKILL.md", EXCLUDED);
  const found = await Promise.all(files.map((file) => readSkillFolder(parentOf(file))));
  const there = found.filter((folder) => folder !== undefined);
  return there
    .filter(({ uri }) => !isTooDeep(uri.path) && !isSetAside(uri.path))
    .sort((a, b) => (a.uri.path < b.uri.path ? -1 : 1));
}

/** A checkout touches a hundred files at once: one look afterwards is enough. */
const QUIET_MS = 200;
/** `skills/<domain>/<name>` is two; two more for a library within another. */
const DEPTH = 4;

/** The workspace's folder `skills` that a folder stands in or is; the folder itself where there is none. */
function libraryOf(folder: vscode.Uri): vscode.Uri {
  const root = vscode.workspace.getWorkspaceFolder(folder)?.uri.path ?? "";
  const [below] = /^.*?\/skills(?=\/|$)/.exec(folder.path.slice(root.length)) ?? [];
  return below === undefined ? folder : folder.with({ path: root + below });
}

export function watchSkillFolders(log: vscode.LogOutputChannel): SkillFolders {
  const changed = new vscode.EventEmitter<void>();
  const written = new vscode.EventEmitter<vscode.Uri>();
  const files = vscode.workspace.createFileSystemWatcher(`**/{${SKILL_FILES.join(",")}}`);
  // A folder that is moved or deleted as a whole may say nothing of the files in it.
  const folders = vscode.workspace.createFileSystemWatcher("**/{skills,skills/**}", false, true, false);
  const quiet = debounce(QUIET_MS, () => changed.fire());
  let known: Promise<readonly SkillFolder[]> | undefined;
  /** Paths of the files that were there at the last look. */
  let listed = new Set<string>();
  const forget = (): void => {
    known = undefined;
    quiet.poke();
  };
  const deep = watchDeep({
    isWanted: (path) => isSkillFile(vscode.Uri.file(path)),
    depth: DEPTH,
    log,
    onFile(file, what) {
      if (what === "add" && listed.has(file.path)) return;
      if (what === "unlink") listed.delete(file.path);
      if (what !== "change") forget();
      written.fire(file);
    },
  });
  const forgetFile = (uri: vscode.Uri): void => {
    if (!isExcluded(uri)) forget();
  };
  const tellWritten = (uri: vscode.Uri): void => {
    if (!isExcluded(uri)) written.fire(uri);
  };
  const forgetFolder = (uri: vscode.Uri): void => {
    if (!nameOf(uri).includes(".")) forgetFile(uri);
  };
  const come = (uri: vscode.Uri): void => {
    if (isExcluded(uri)) return;
    forgetFolder(uri);
    deep.follow([libraryOf(uri)]);
  };
  const go = (uri: vscode.Uri): void => {
    forgetFolder(uri);
    deep.leave(uri);
  };
  async function find(): Promise<readonly SkillFolder[]> {
    const found = await findAll();
    listed = new Set(found.flatMap(filesOf).map(({ path }) => path));
    deep.follow(found.map(({ uri }) => libraryOf(uri)));
    return found;
  }
  const held = vscode.Disposable.from(
    changed,
    written,
    quiet,
    deep,
    files,
    folders,
    files.onDidCreate(forgetFile),
    files.onDidDelete(forgetFile),
    files.onDidChange(tellWritten),
    files.onDidDelete(tellWritten),
    folders.onDidCreate(come),
    folders.onDidDelete(go),
    vscode.workspace.onDidChangeWorkspaceFolders(forget),
  );
  return {
    list: () => (known ??= find()),
    onDidChange: changed.event,
    onDidChangeFile: written.event,
    dispose: () => held.dispose(),
  };
}
