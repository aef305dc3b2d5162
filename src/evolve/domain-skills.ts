import { domainOfFolder } from "../analysis/library.ts";
import type { SkillFolder } from "../skill/read-skill.ts";

/** Of these skills those that belong to a domain: by their folder, or where that names none, by their modes. */
export function skillsOf(skills: readonly SkillFolder[], domain: string): readonly SkillFolder[] {
  return skills.filter(({ folder, skill }) => domainOfFolder(folder, skill?.applicableModes).name === domain);
}
