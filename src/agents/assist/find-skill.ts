import { allDomains } from "../../domains/registry.ts";
import type { Skill } from "../../model/skill.ts";
import { readSkillFolder, readSkillMd, type SkillFolder } from "../../skill/read-skill.ts";
import { skillMdText } from "../../skill/skill-md-bytes.ts";
import { closest } from "../../skill/suggest.ts";
import { AssistError, type AssistWorld } from "./world.ts";

/** A SKILL.md above this is refused by its reader anyway. In bytes. */
const MAX_SKILL_MD = 2_000_000;
const SKILL_FILES = /\/(?:SKILL\.md|pf\.ts|cases\.yaml)$/;

/** A skill of the workspace by what its SKILL.md says. */
export interface ListedSkill {
  readonly folder: string;
  readonly skill: Skill;
  readonly files: readonly string[];
}

async function listed(world: AssistWorld, folder: string): Promise<ListedSkill | undefined> {
  const file = `${folder}/SKILL.md`;
  const found = await world.files.readText(file, MAX_SKILL_MD).catch(() => undefined);
  if (found?.kind !== "text") return undefined;
  const files = await world.files.list(folder);
  const { skill, hasOurKeys } = readSkillMd(file, skillMdText(found), allDomains());
  const isOurs = files.includes("pf.ts") || files.includes("cases.yaml") || hasOurKeys;
  return isOurs && skill !== undefined ? { folder, skill, files } : undefined;
}

/** The workspace's skills that speak to HASP; other products' Agent Skills are no concern of ours. */
export async function listedSkills(world: AssistWorld): Promise<readonly ListedSkill[]> {
  const folders = await world.skillFolders();
  const read = await Promise.all(folders.map((folder) => listed(world, folder)));
  return read.filter((skill) => skill !== undefined);
}

function noSkill(given: string, known: readonly ListedSkill[]): AssistError {
  const ids = known.map(({ skill }) => skill.skillId);
  const near = closest(given, [...ids, ...known.map(({ skill }) => skill.name)]);
  const some =
    ids.length === 0 ? "The workspace has no skill yet." : `There are: ${ids.slice(0, 40).join(", ")}.`;
  return new AssistError(
    `The workspace has no skill ${JSON.stringify(given.slice(0, 80))}.`,
    near === undefined ? some : `Did you mean ${near}? ${some}`,
  );
}

/** The skill at a path of the workspace, or with this id or name, read and compiled. */
export async function findSkill(world: AssistWorld, given: string): Promise<SkillFolder> {
  const path = await world.inside(given);
  const folder = path?.replace(SKILL_FILES, "");
  const names = folder === undefined ? [] : await world.files.list(folder).catch((): string[] => []);
  if (folder !== undefined && names.includes("SKILL.md"))
    return readSkillFolder(world.files, world.compiler, folder);
  const known = await listedSkills(world);
  const match = known.find(({ skill }) => skill.skillId === given || skill.name === given);
  if (match === undefined) throw noSkill(given, known);
  return readSkillFolder(world.files, world.compiler, match.folder);
}
