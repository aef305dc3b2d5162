import type { Library } from "../analysis/library.ts";
import type { SkillRef } from "../model/episode.ts";
import type { LibrarySnapshot } from "../protocol/replay.ts";
import { hashText } from "../trace/hash.ts";
import { skillHash } from "../trace/skill-hash.ts";

/** The library by content, as runs and episodes record it. */
export function libraryRefs({ skills, active }: Library): SkillRef[] {
  const sources = new Map(active.map(({ skill, source }) => [skill.skillId, source]));
  return skills.map(({ skill }) => ({
    skillId: skill.skillId,
    version: skill.version,
    hash: skillHash(skill, sources.get(skill.skillId) ?? ""),
  }));
}

/** The library at one moment, for what is looked at later. `when` is ISO 8601. */
export function librarySnapshot(library: Library, when: string): LibrarySnapshot {
  const refs = libraryRefs(library);
  return { when, skills: refs.length, hash: hashText(JSON.stringify(refs)) };
}
