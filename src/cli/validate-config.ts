import { allDomains } from "../domains/registry.ts";
import path from "node:path";
import { unknownSkills } from "../app/unknown-skills.ts";
import type { WorkspaceConfig } from "../app/run/settings.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { readSkillMd } from "../skill/read-skill.ts";
import type { SkillFiles } from "../skill/skill-files.ts";
import { withBuiltIn } from "./builtin-skills.ts";
import { controlFor, readConfig } from "./control-options.ts";
import { foldersAt, type Session } from "./session.ts";
import { CliError } from "./terminal.ts";

/** No file of a workspace's configuration and skills that was read is longer. */
const MAX_BYTES = 10_000_000;

async function idIn(folder: string, files: SkillFiles): Promise<string[]> {
  const file = `${folder}/SKILL.md`;
  const found = await files.readText(file, MAX_BYTES).catch(() => undefined);
  if (found?.kind !== "text") return [];
  const { skill } = readSkillMd(file, found.text, allDomains());
  return skill === undefined ? [] : [skill.skillId];
}

/** Ids of all skills in the libraries that a `hasp.yaml` names, those that it switches off too. */
async function idsOf(config: WorkspaceConfig, session: Session): Promise<readonly string[]> {
  const { file, libraries, triggers } = config;
  const files = withBuiltIn(session.files, session.triggers ?? triggers);
  const places = libraries.map((library) =>
    library.kind === "builtin" ? `builtin:${library.domain}` : path.join(path.dirname(file), library.path),
  );
  // A library that is not there, or cannot be read, has no skill.
  const found = await Promise.all(
    places.map((place) => foldersAt(place, files, () => undefined).catch(() => [])),
  );
  return (await Promise.all(found.flat().map((folder) => idIn(folder, files)))).flat();
}

/** What is wrong with a `hasp.yaml`: by itself, with the contradictions in it, and with the skills that it names. */
export async function validateConfig(file: string, session: Session): Promise<readonly Diagnostic[]> {
  if (!(await session.files.exists(file))) throw new CliError(`There is no ${file}.`, "Check the path.");
  const { value, diagnostics } = await readConfig(session.files, file);
  const found = await session.files.readText(file, MAX_BYTES).catch(() => undefined);
  const text = found?.kind === "text" ? found.text : "";
  // Most name no skill, and then no library has to be looked through.
  const named = unknownSkills(text, file, []).length > 0;
  const unknown = named ? unknownSkills(text, file, await idsOf(value, session)) : [];
  return [...diagnostics, ...controlFor({}, value).diagnostics, ...unknown];
}
