import { counted } from "../model/counted.ts";
import { START_OF_FILE, type Checked, type Diagnostic } from "../model/diagnostic.ts";
import { skillRefSchema, type SkillRef } from "../model/episode.ts";
import { z } from "../model/zod.ts";
import { readSkillFolder, type SkillCompiler, type SkillFolder } from "../skill/read-skill.ts";
import type { SkillFiles } from "../skill/skill-files.ts";
import { readEpisode, readEpisodes } from "../trace/episode-file.ts";
import { keptFolder, textsHash } from "../trace/library-store.ts";
import type { Sha256, TraceFiles } from "../trace/ports.ts";
import type { OpenedRunFolder } from "../trace/run-folder.ts";
import { filesWithin } from "../trace/within-folder.ts";
import { failed } from "./refusal.ts";

/** Services of `recordedLibrary`. */
export interface RecordedLibraryPorts {
  readonly files: TraceFiles & SkillFiles;
  readonly compiler: SkillCompiler;
  readonly sha256: Sha256;
}

/** In their place, on the command line and in the editor. */
const TODAYS = "today's skills (`--skills`, “HASP: Judge with Today's Skills”)";

const refsSchema = z.array(skillRefSchema);

/** The library of `run.json`, else of the first episode. */
export async function refsOf(
  files: TraceFiles,
  { run, index }: OpenedRunFolder,
): Promise<readonly SkillRef[]> {
  const recorded = refsSchema.safeParse(run?.settings?.["library"]);
  if (recorded.success) return recorded.data;
  return index.entries.length === 0 ? [] : ((await readEpisode(files, index, 0)).value?.library ?? []);
}

/** The one skill folder below a hash: `<name>`, or `<domain>/<name>`. Undefined where there is none, or several. */
async function skillBelow(files: SkillFiles, root: string): Promise<string | undefined> {
  let folder = root;
  for (let depth = 0; depth < 2; depth++) {
    const [name, ...more] = await files.list(folder);
    if (name === undefined || more.length > 0) return undefined;
    folder = `${folder}/${name}`;
    if ((await files.list(folder)).includes("SKILL.md")) return folder;
  }
  return undefined;
}

function missing({ skillId, hash }: SkillRef, file: string): Diagnostic {
  const isOld = hash.length < 32;
  return {
    code: "HASP593",
    severity: "error",
    message: `The run folder has no texts of ${skillId}${isOld ? ": an old record keeps hashes alone" : ""}.`,
    next: isOld
      ? `Judge with ${TODAYS}.`
      : `Copy \`library/\` from the machine that made the run, or judge with ${TODAYS}.`,
    file,
    range: START_OF_FILE,
  };
}

function changed({ skillId }: SkillRef, file: string): Diagnostic {
  return {
    code: "HASP594",
    severity: "error",
    message: `The texts of ${skillId} in the run folder are not those of the run: they were edited, or a secret in them is hidden.`,
    next: `Copy \`library/\` again from the machine that made the run, or judge with ${TODAYS}.`,
    file,
    range: START_OF_FILE,
  };
}

/** The diagnostic on episodes that ran with another library than the one that judges them: none where all ran with it. */
async function othersThan(
  refs: readonly SkillRef[],
  files: TraceFiles,
  { folder, index }: OpenedRunFolder,
): Promise<Diagnostic[]> {
  const nameOf = (library: readonly SkillRef[]): string =>
    JSON.stringify(library.map(({ hash, skillId }) => `${hash} ${skillId}`).toSorted());
  const own = nameOf(refs);
  let others = 0;
  for await (const { value } of readEpisodes(files, index))
    if (value !== undefined && nameOf(value.library) !== own) others += 1;
  if (others === 0) return [];
  return [
    {
      code: "HASP596",
      severity: "warning",
      message: `${counted(others, "episode")} of ${index.entries.length} ran with other skills than those that judge here.`,
      next: "`hasp explain` and `hasp replay` judge an episode with the very skills that it had.",
      file: folder,
      range: START_OF_FILE,
    },
  ];
}

/** The library of a run, as `libraryOf` reads it, with a warning where episodes had another one (HASP596). */
export async function recordedLibrary(
  opened: OpenedRunFolder,
  ports: RecordedLibraryPorts,
): Promise<Checked<readonly SkillFolder[]>> {
  const refs = await refsOf(ports.files, opened);
  const { value, diagnostics } = await libraryOf(opened.folder, refs, ports);
  if (value === undefined) return { value, diagnostics };
  return { value, diagnostics: [...diagnostics, ...(await othersThan(refs, ports.files, opened))] };
}

/**
 * The skills of a recorded library, from the texts in the run folder; nothing outside of the folder is read. Without a value where a text is missing
 * (HASP593) or does not fit its hash (HASP594): with part of its library a run would be judged otherwise.
 */
export async function libraryOf(
  runFolder: string,
  refs: readonly SkillRef[],
  { files, compiler, sha256 }: RecordedLibraryPorts,
): Promise<Checked<readonly SkillFolder[]>> {
  if (refs.length === 0)
    return failed("HASP593", "The record names no skills.", `Judge with ${TODAYS}.`, runFolder);
  const own = await filesWithin(files, runFolder);
  const skills: SkillFolder[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const ref of refs) {
    const root = keptFolder(runFolder, ref.hash);
    const folder = root === undefined ? undefined : await skillBelow(own, root);
    const skill = folder === undefined ? undefined : await readSkillFolder(own, compiler, folder);
    if (skill?.skillMd === undefined) diagnostics.push(missing(ref, root ?? runFolder));
    else if (textsHash(sha256, { skillMd: skill.skillMd, pf: skill.pfSource }) !== ref.hash)
      diagnostics.push(changed(ref, skill.folder));
    else skills.push(skill);
  }
  return { value: diagnostics.length > 0 ? undefined : skills, diagnostics };
}
