import { allDomains } from "../../domains/registry.ts";
import * as vscode from "vscode";
import { AGENT_SKILL_FOLDERS, isPublished, type AgentSkillFolder } from "../../skill/agent-folders.ts";
import { toPortable } from "../../skill/portable.ts";
import { askYes } from "../ask-yes.ts";
import { choose, group } from "../choose.ts";
import { fieldsOf, registerCommand } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Failure, Unmet } from "../failure.ts";
import { checkWritable } from "../linked-path.ts";
import { inform } from "../notification.ts";
import type { Choice } from "../steps.ts";
import { subjectOf } from "../tree.ts";
import { pickSkill, skillFolderOf } from "../workspace/choose-skill.ts";
import type { LibrarySource } from "../workspace/library.ts";
import { exists, nameOf } from "../workspace/skill-folders.ts";
import { requireTrust } from "../workspace/trust.ts";
import { noOwnSkill } from "../unmet.ts";
import type { Services } from "../services.ts";

/** The argument from code: nobody is asked for what is given. */
export interface PublishArguments {
  readonly skill: vscode.Uri;
  readonly to: AgentSkillFolder;
  /** Whether what is there already is replaced. */
  readonly overwrite?: boolean;
  /** HASP's keys as texts, for readers that refuse anything else under `metadata`. */
  readonly portable?: boolean;
}

const READERS: Readonly<Record<AgentSkillFolder, string>> = {
  ".github/skills": "VS Code, Copilot",
  ".claude/skills": "Claude Code, VS Code",
  ".agents/skills": "Codex and other agents",
};
const TITLE = `HASP: ${COMMANDS.publishSkill.title}`;
/** A skill is read by people: a folder with more in it is something else. */
const MOST_FILES = 200;

function isArguments(argument: unknown): argument is PublishArguments {
  const { skill, to } = fieldsOf(argument);
  return skill instanceof vscode.Uri && AGENT_SKILL_FOLDERS.some((folder) => folder === to);
}

async function askSkill(library: LibrarySource): Promise<vscode.Uri | undefined> {
  const own = (await library.list()).filter(({ isBuiltIn, uri }) => !isBuiltIn && !isPublished(uri.path));
  if (own.length === 0) throw noOwnSkill("to publish");
  return (await pickSkill(own, { title: TITLE, placeHolder: "Skill to publish" }))?.uri;
}

type Place = Pick<PublishArguments, "to" | "portable">;

const placeChoices = (portable: boolean): Choice<Place>[] =>
  AGENT_SKILL_FOLDERS.map((to) => ({ label: to, description: READERS[to], value: { to, portable } }));

function pickPlace(): Promise<Place | undefined> {
  return choose(TITLE, "Folder of the copy", [
    group("SKILL.md as it is"),
    ...placeChoices(false),
    group("HASP's keys as texts, for readers that refuse other metadata"),
    ...placeChoices(true),
  ]);
}

/** Files at and below the folder, hidden ones left out, by their path from it. */
async function filesBelow(folder: vscode.Uri, prefix = ""): Promise<readonly string[]> {
  const entries = await vscode.workspace.fs.readDirectory(folder);
  const found: string[] = [];
  for (const [name, type] of entries) {
    if (name.startsWith(".") || name === "node_modules") continue;
    if (type === vscode.FileType.Directory)
      found.push(...(await filesBelow(vscode.Uri.joinPath(folder, name), `${prefix}${name}/`)));
    else if (type === vscode.FileType.File) found.push(prefix + name);
    if (found.length > MOST_FILES)
      throw new Failure(`The folder holds more than ${MOST_FILES} files.`, "Keep data out of the skill.");
  }
  return found.sort();
}

async function contentsOf(folder: vscode.Uri, name: string, portable: boolean): Promise<Uint8Array> {
  const file = vscode.Uri.joinPath(folder, name);
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file.toString());
  const bytes =
    open === undefined ? await vscode.workspace.fs.readFile(file) : new TextEncoder().encode(open.getText());
  if (name !== "SKILL.md" || !portable) return bytes;
  const where = { file: file.fsPath, folder: nameOf(folder) };
  const { value, diagnostics } = toPortable(new TextDecoder().decode(bytes), where, allDomains());
  if (value !== undefined) return new TextEncoder().encode(value);
  const why = diagnostics.find(({ severity }) => severity === "error");
  throw new Failure(why?.message ?? "SKILL.md cannot be read.", why?.next ?? "Fix it first.");
}

/** Names the files and the folder before anything is written or replaced. */
async function isAgreed(names: readonly string[], target: vscode.Uri, replaced: boolean): Promise<boolean> {
  const place = vscode.workspace.asRelativePath(target, false);
  return askYes({
    title: TITLE,
    question: replaced ? `${place} exists. Replace it?` : `Publish to ${place}?`,
    yes: replaced ? "Replace" : "Publish",
    detail: `Writes ${names.join(", ")}. Undo in the Explorer takes it back.`,
  });
}

/** Says where the copy is, with a button that shows it. */
function showCopy(target: vscode.Uri, names: readonly string[]): void {
  const words = `Published to ${vscode.workspace.asRelativePath(target, false)}: ${names.join(", ")}.`;
  const skillMd = vscode.Uri.joinPath(target, "SKILL.md");
  inform(words, { label: "Open SKILL.md", command: "vscode.open", arguments: [skillMd] });
}

/** Writes the copy in one step that can be undone. */
async function write(
  source: vscode.Uri,
  target: vscode.Uri,
  names: readonly string[],
  portable: boolean,
): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  for (const name of names) {
    const contents = await contentsOf(source, name, portable);
    const file = vscode.Uri.joinPath(target, name);
    checkWritable(file);
    edit.createFile(file, { overwrite: true, contents });
  }
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new Failure("The copy could not be written.", "Check the permissions of the folder.");
}

/** Copies a skill to where coding agents look for skills; answers the folder of the copy, undefined where a person said no. */
export function registerPublishSkill({
  editorServices,
}: Pick<Services, "editorServices">): vscode.Disposable {
  const { log, library } = editorServices;
  return registerCommand(log, COMMANDS.publishSkill, async (argument?: unknown) => {
    requireTrust("Publishing a skill");
    const given = isArguments(argument) ? argument : undefined;
    const source = skillFolderOf(given?.skill ?? subjectOf(argument)) ?? (await askSkill(library));
    if (source === undefined) return undefined;
    const root = vscode.workspace.getWorkspaceFolder(source);
    if (root === undefined || isPublished(source.path))
      throw new Unmet("Only a skill of the workspace's own can be published.", "Choose one under skills/.");
    const place = given ?? (await pickPlace());
    if (place === undefined) return undefined;
    const target = vscode.Uri.joinPath(root.uri, ...place.to.split("/"), nameOf(source));
    const [names, replaced] = await Promise.all([filesBelow(source), exists(target)]);
    if (!names.includes("SKILL.md")) throw new Failure("The folder holds no SKILL.md.", "Choose a skill.");
    const mayWrite =
      given === undefined ? await isAgreed(names, target, replaced) : !replaced || given.overwrite;
    if (mayWrite !== true) return undefined;
    await write(source, target, names, place.portable === true);
    showCopy(target, names);
    return target;
  });
}
