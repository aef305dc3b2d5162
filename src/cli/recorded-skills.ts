import { libraryOf, recordedLibrary } from "../app/recorded-library.ts";
import { counted } from "../model/counted.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Episode } from "../model/episode.ts";
import { sha256 } from "../platform/sha256.ts";
import type { SkillFolder } from "../skill/read-skill.ts";
import type { OpenedRunFolder } from "../trace/run-folder.ts";
import { need } from "./checked.ts";
import { flag } from "./options.ts";
import type { Session } from "./session.ts";
import { writeError } from "./terminal.ts";

/** The flag is the person's yes to load code of a run folder. */
export const RECORDED_SKILLS = flag(
  "--recorded-skills",
  "judge with the skills that the run had, from its folder: loads their code in the sandbox",
).conflicts(["skills", "triggers"]);

function say(skills: readonly SkillFolder[], folder: string, { streams }: Session): void {
  writeError(
    streams,
    `Loading ${counted(skills.length, "skill")} of the run folder ${folder} in the sandbox.\n`,
  );
}

/** The skills that a run had, with warnings. CliError where a text is missing or changed. */
export async function skillsOfRun(
  opened: OpenedRunFolder,
  session: Session,
): Promise<{ readonly skills: readonly SkillFolder[]; readonly diagnostics: readonly Diagnostic[] }> {
  const read = await recordedLibrary(opened, { ...session, sha256 });
  const skills = need(read);
  say(skills, opened.folder, session);
  return { skills, diagnostics: read.diagnostics };
}

/** The skills that one episode had. CliError where a text is missing or changed. */
export async function skillsOfEpisode(
  { folder }: OpenedRunFolder,
  { library }: Episode,
  session: Session,
): Promise<readonly SkillFolder[]> {
  const skills = need(await libraryOf(folder, library, { ...session, sha256 }));
  say(skills, folder, session);
  return skills;
}
