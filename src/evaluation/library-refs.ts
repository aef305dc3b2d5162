import type { Library } from "../analysis/library.ts";
import type { SkillRef } from "../model/episode.ts";
import { hashText } from "../trace/hash.ts";

/** The library by content, as runs and episodes record it: an edit of SKILL.md or pf.ts gives another hash. */
export function libraryRefs({ skills, active }: Library): SkillRef[] {
  const sources = new Map(active.map(({ skill, source }) => [skill.skillId, source]));
  return skills.map(({ skill }) => ({
    skillId: skill.skillId,
    version: skill.version,
    hash: hashText(`${JSON.stringify(skill)}\n${sources.get(skill.skillId) ?? ""}`),
  }));
}
