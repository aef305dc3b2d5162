import { openLibrary, type Library } from "../analysis/library.ts";
import type { PfHost } from "../sandbox/pf-host.ts";
import type { SkillFolder } from "../skill/read-skill.ts";
import type { Judging } from "./ports.ts";

/** Loads skills into a sandbox of their own, which is closed whatever happens. */
export async function inLibrary<T>(
  skills: readonly SkillFolder[],
  { startHost }: Pick<Judging, "startHost">,
  work: (library: Library, host: PfHost) => Promise<T>,
): Promise<T> {
  const host = startHost();
  try {
    return await work(await openLibrary(skills, host), host);
  } finally {
    await host.close();
  }
}
