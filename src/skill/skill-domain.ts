import { START_OF_FILE, type Diagnostic } from "../model/diagnostic.ts";
import { domainFolderOf } from "../model/domain-folder.ts";
import { specOf, type DomainSpec } from "../model/domain-spec.ts";
import { isTooDeep } from "./agent-folders.ts";
import type { SkillPlaces } from "./skill-places.ts";
import { didYouMean } from "./suggest.ts";

/** The domain that a folder such as `skills/<domain>/<name>` names although none of that name is registered; else undefined. */
function unregisteredIn(folder: string, domains: readonly DomainSpec[]): string | undefined {
  const { above, domain } = domainFolderOf(folder);
  // A folder of coding agents has no domains.
  if (above !== "skills" || domain === undefined || isTooDeep(folder)) return undefined;
  return specOf(domains, domain) === undefined ? domain : undefined;
}

/** HASP432 for a skill in the folder of a domain that is not registered. */
export function domainDiagnostics(
  folder: string,
  places: SkillPlaces,
  domains: readonly DomainSpec[],
): readonly Diagnostic[] {
  const name = unregisteredIn(folder, domains);
  if (name === undefined) return [];
  const names = domains.map((domain) => domain.name);
  return [
    {
      code: "HASP432",
      severity: "error",
      message: `The skill does not act: its folder names the domain "${name}", which is not registered.`,
      next: `${didYouMean(name, names)} Move a skill for a domain of your own to skills/agent/.`,
      file: `${folder}/SKILL.md`,
      range: places.skillId ?? START_OF_FILE,
    },
  ];
}
