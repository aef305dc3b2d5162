import { domainOf } from "../domains/registry.ts";
import { actsIn } from "../harness/select/select.ts";
import { domainFolderOf } from "../model/domain-folder.ts";
import type { SkillFolder } from "../skill/read-skill.ts";

/**
 * The skills that act in a domain: that of their folder decides, or where it is in the folder of none, their modes. A skill that cannot be read has
 * its folder alone.
 */
export function skillsOf(skills: readonly SkillFolder[], domain: string): readonly SkillFolder[] {
  return skills.filter(({ folder, skill }) => {
    const home = domainOf(domainFolderOf(folder).domain ?? "")?.name;
    return skill === undefined ? home === domain : actsIn({ skill, domain: home }, domain);
  });
}
