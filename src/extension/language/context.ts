import * as vscode from "vscode";
import { scopeOf } from "../../model/domain-spec.ts";
import type { NodeFiles } from "../../platform/files.ts";
import type { NamingFile } from "../../skill/language/places.ts";
import type { LanguageFacts } from "../../skill/language/facts.ts";
import { CONFIG_FILE } from "../../skill/workspace-files.ts";
import { skillIn } from "../workspace/choose-skill.ts";
import { shownText } from "../workspace/editor-files.ts";
import type { LibrarySource, LocatedSkill } from "../workspace/library.ts";
import { filesOf, isSkillFile, nameOf, parentOf } from "../workspace/skill-folders.ts";
import type { EditorServices, SkillFindings } from "../services.ts";

/** The services that the language features look things up in. */
export type LanguageServices = Pick<EditorServices, "log" | "shownFiles" | "library" | "runs"> &
  Pick<SkillFindings, "latest">;

const MAX_BYTES = 2_000_000;

/** The surroundings of a file, for completion and hovers. */
export async function factsOf(uri: vscode.Uri, library: LibrarySource): Promise<LanguageFacts> {
  const { allDomains } = await import("../../domains/registry.ts");
  const folder = parentOf(uri);
  const others = (await library.list()).filter((skill) => skill.uri.path !== folder.path);
  return {
    folder: nameOf(folder),
    scope: scopeOf(uri.path, allDomains()),
    others: others.map(({ skillId, skill }) => ({
      skillId,
      title: skill?.title ?? skillId,
      description: skill?.description ?? "",
    })),
  };
}

export function kindOf(uri: vscode.Uri): NamingFile | undefined {
  const name = nameOf(uri);
  if (name === CONFIG_FILE) return CONFIG_FILE;
  return isSkillFile(uri) ? (name as NamingFile) : undefined;
}

/** The skill whose folder holds this file. */
export async function skillOf(uri: vscode.Uri, library: LibrarySource): Promise<LocatedSkill | undefined> {
  return skillIn(await library.list(), parentOf(uri));
}

/** Empty where it cannot be read: a reference that cannot be seen is none. */
export async function textAt(uri: vscode.Uri, files: NodeFiles): Promise<string> {
  return (await shownText(files, uri, MAX_BYTES)) ?? "";
}

/** The files that may name a skill of this id: its own, those of skills that supersede it, and each `hasp.yaml`. */
export function filesNaming(
  skill: Pick<LocatedSkill, "skillId" | "uri">,
  all: readonly LocatedSkill[],
): readonly vscode.Uri[] {
  const own = all.find(({ uri }) => uri.path === skill.uri.path);
  const others = all.filter((one) => one !== own && one.skill?.supersedes.includes(skill.skillId));
  const roots = vscode.workspace.workspaceFolders ?? [];
  return [
    ...(own === undefined ? [] : filesOf(own)),
    ...others.map(({ skillMd }) => skillMd),
    ...roots.map(({ uri }) => vscode.Uri.joinPath(uri, CONFIG_FILE)),
  ];
}
