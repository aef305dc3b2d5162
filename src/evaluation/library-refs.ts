import type { Library } from "../analysis/library.ts";
import type { SkillRef } from "../model/episode.ts";
import { hashText } from "../trace/hash.ts";

/** The library by content, as runs and episodes record it: an edit of SKILL.md or pf.ts gives another hash. */
export function libraryRefs(library: Library): SkillRef[] {
  return library.active.map(({ skill, source }) => ({
    skillId: skill.skillId,
    version: skill.version,
    hash: hashText(`${JSON.stringify(skill)}\n${source}`),
  }));
}
