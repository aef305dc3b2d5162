import { domainFolderOf, isGenerated, isShipped } from "../model/domain-folder.ts";
import { actingSkills, type LibraryMember } from "../skill/library-rules.ts";
import type { GeneratedVersion } from "./generated-versions.ts";
import { evidenceOf, type Occupant } from "./make-room.ts";

export interface OccupantsOrder {
  /** All skills that were read, of every origin, with what hasp.yaml disables marked so. */
  readonly skills: readonly LibraryMember[];
  readonly domain: string;
  /** Of the domain's library of generated skills. */
  readonly versions: readonly GeneratedVersion[];
  /** Ids of all shipped skills, also of those that a skill of the workspace replaces. */
  readonly shippedIds: ReadonlySet<string>;
}

function originOf(folder: string): Occupant["origin"] {
  if (isShipped(folder)) return "shipped";
  return isGenerated(folder) ? "generated" : "hand-written";
}

/** The skills of a domain that act together, as `makeRoom` counts them. */
export function occupantsOf({ skills, domain, versions, shippedIds }: OccupantsOrder): readonly Occupant[] {
  const others = skills.filter(({ folder }) => !isGenerated(folder));
  const own = new Set([...shippedIds, ...others.flatMap(({ skill }) => skill?.skillId ?? [])]);
  return actingSkills(skills)
    .folders.filter(({ folder }) => domainFolderOf(folder).domain === domain)
    .map(({ folder, skill: { skillId, version } }): Occupant => {
      const origin = originOf(folder);
      const made = versions.find(
        (one) => !one.isRetired && one.skillId === skillId && one.version === version,
      );
      return {
        skillId,
        version,
        origin,
        hasFallback: origin === "generated" && own.has(skillId),
        evidence:
          origin === "generated" && made?.evolved !== undefined ? evidenceOf(made.evolved) : undefined,
      };
    });
}
