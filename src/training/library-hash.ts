import { domainFolderOf } from "../model/domain-folder.ts";
import type { SkillFolder } from "../skill/read-skill.ts";
import type { Sha256 } from "../trace/ports.ts";

export type HashedSkill = Pick<SkillFolder, "folder" | "skill" | "skillMd" | "pfSource" | "isDisabled">;

/**
 * A hash over the texts of the skills of a domain that act, the same wherever their folders are named from: an experiment that the editor
 * began is resumed by the command line, and the other way round.
 */
export function hashLibrary(read: readonly HashedSkill[], domain: string, sha256: Sha256): string {
  const texts = read
    .filter(({ folder, isDisabled = false }) => !isDisabled && domainFolderOf(folder).domain === domain)
    .map(({ skill, skillMd, pfSource }) =>
      JSON.stringify([skill?.skillId ?? "", skillMd ?? "", pfSource ?? ""]),
    );
  return sha256(JSON.stringify(texts.toSorted()));
}
