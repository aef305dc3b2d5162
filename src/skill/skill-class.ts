import type { Compiler } from "./compiler.ts";
import type { SkillFolder } from "./read-skill.ts";

/**
 * What a skill's PF does to an episode, from most to least (SPEC §3): it may change an action, it injects a text that it
 * builds while the agent runs, it says only what a prompt could say as well (A+B), or there is no PF.
 */
export type SkillClass = "modifies" | "builds-text" | "prompt-equivalent" | "none";

export interface ClassifiedSkill {
  readonly skillId: string;
  readonly skillClass: SkillClass;
}

/**
 * The class of each skill of a library, computed from its code, in the order of the folders. A folder whose SKILL.md cannot be
 * read is left out; a PF that cannot be followed counts as one that modifies.
 */
export async function classifySkills(
  folders: readonly SkillFolder[],
  compiler: Pick<Compiler, "promptEquivalence">,
): Promise<readonly ClassifiedSkill[]> {
  const classified = await Promise.all(
    folders.map(async (folder): Promise<ClassifiedSkill[]> => {
      if (folder.skill === undefined) return [];
      return [{ skillId: folder.skill.skillId, skillClass: await classOf(folder, compiler) }];
    }),
  );
  return classified.flat();
}

async function classOf(
  { folder, pfSource }: SkillFolder,
  compiler: Pick<Compiler, "promptEquivalence">,
): Promise<SkillClass> {
  if (pfSource === undefined) return "none";
  const { canModify, buildsText } = await compiler.promptEquivalence(`${folder}/pf.ts`, pfSource);
  if (canModify) return "modifies";
  return buildsText ? "builds-text" : "prompt-equivalent";
}
