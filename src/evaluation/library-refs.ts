import type { Library } from "../analysis/library.ts";
import type { SkillRef } from "../model/episode.ts";
import type { LibrarySnapshot } from "../protocol/replay.ts";
import { hashText } from "../trace/hash.ts";
import { skillRef } from "../trace/library-store.ts";
import type { Sha256 } from "../trace/ports.ts";

/** The library by content, as runs and episodes record it. */
export function libraryRefs({ kept }: Pick<Library, "kept">, sha256: Sha256): SkillRef[] {
  return kept.map((skill) => skillRef(sha256, skill));
}

/** The library at one moment, for what is looked at later. `when` is ISO 8601. */
export function librarySnapshot({ kept }: Pick<Library, "kept">, when: string): LibrarySnapshot {
  const texts = kept.map(({ skillId, skillMd, pf }) => [skillId, skillMd, pf ?? null]);
  return { when, skills: kept.length, hash: hashText(JSON.stringify(texts)) };
}
