import type { WorkspaceConfig } from "../evaluation/workspace-config.ts";

/**
 * The libraries of `hasp.yaml` by name, for an experiment whose skills evolve beside them, as far as `hasSkill` finds one in their folder.
 * None where some of their skills are disabled: a skill that is named is not disabled.
 */
export async function namedLibraries(
  { libraries, disabledSkills }: Pick<WorkspaceConfig, "libraries" | "disabledSkills">,
  domain: string,
  hasSkill: (folder: string) => Promise<boolean>,
): Promise<readonly string[]> {
  if (disabledSkills.length > 0) return [];
  const names = await Promise.all(
    libraries.map(async (library) => {
      if (library.kind === "builtin") return library.domain === domain ? [`builtin:${domain}`] : [];
      return (await hasSkill(library.path)) ? [library.path] : [];
    }),
  );
  return names.flat();
}
