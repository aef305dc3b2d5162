import type { Library } from "../analysis/library.ts";
import type { SkillRef } from "../model/episode.ts";
import type { ShippedList } from "../model/shipped-lists.ts";
import type { LibrarySnapshot } from "../protocol/replay.ts";
import type { SkillFolder } from "../skill/read-skill.ts";
import { hashText } from "../trace/hash.ts";
import { skillRef } from "../trace/library-store.ts";
import type { Sha256 } from "../trace/ports.ts";

/** The library by content, as runs and episodes record it. */
export function libraryRefs({ kept }: Pick<Library, "kept">, sha256: Sha256): SkillRef[] {
  return kept.map((skill) => skillRef(sha256, skill));
}

/** The list of the shipped skills among these; undefined where there are none, or their domain has one list. */
export function listIn(skills: readonly Pick<SkillFolder, "shippedList">[]): ShippedList | undefined {
  return skills.find(({ shippedList }) => shippedList !== undefined)?.shippedList;
}

/** The library at one moment, for what is looked at later. `when` is ISO 8601. */
export function librarySnapshot({ kept }: Pick<Library, "kept">, when: string): LibrarySnapshot {
  const texts = kept.map(({ skillId, skillMd, pf }) => [skillId, skillMd, pf ?? null]);
  return { when, skills: kept.length, hash: hashText(JSON.stringify(texts)) };
}
