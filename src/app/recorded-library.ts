import { START_OF_FILE, type Checked, type Diagnostic } from "../model/diagnostic.ts";
import { skillRefSchema, type SkillRef } from "../model/episode.ts";
import { z } from "../model/zod.ts";
import { readSkillFolder, type SkillCompiler, type SkillFolder } from "../skill/read-skill.ts";
import type { SkillFiles } from "../skill/skill-files.ts";
import { readEpisode } from "../trace/episode-file.ts";
import { keptFolder, textsHash } from "../trace/library-store.ts";
import type { Sha256, TraceFiles } from "../trace/ports.ts";
import type { OpenedRunFolder } from "../trace/run-folder.ts";
import { failed } from "./refusal.ts";

/** Services of `recordedLibrary`. `realPath` keeps the reader within the run folder. */
export interface RecordedLibraryPorts {
  readonly files: TraceFiles & SkillFiles & Required<Pick<SkillFiles, "realPath">>;
  readonly compiler: SkillCompiler;
  readonly sha256: Sha256;
}

const refsSchema = z.array(skillRefSchema);

/** The library of `run.json`, else of the first episode. */
async function refsOf(files: TraceFiles, { run, index }: OpenedRunFolder): Promise<readonly SkillRef[]> {
  const recorded = refsSchema.safeParse(run?.settings?.["library"]);
  if (recorded.success) return recorded.data;
  return index.entries.length === 0 ? [] : ((await readEpisode(files, index, 0)).value?.library ?? []);
}

/** Files of which none is read through a link that leads out of `root`, an existing folder. */
async function filesWithin(files: RecordedLibraryPorts["files"], root: string): Promise<SkillFiles> {
  const real = (await files.realPath(root)).replace(/[/\\]+$/, "");
  const isWithin = async (path: string): Promise<boolean> => {
    const found = await files.realPath(path).catch(() => undefined);
    return found?.startsWith(real) === true && /^[/\\]/.test(found.slice(real.length));
  };
  return {
    readText: async (path, maxBytes) =>
      (await isWithin(path)) ? files.readText(path, maxBytes) : { kind: "absent" },
    list: async (folder) => ((await isWithin(folder)) ? files.list(folder) : []),
    realPath: (path) => files.realPath(path),
  };
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
      ? "Judge with today's skills: --skills."
      : "Copy `library/` from the machine that made the run, or judge with today's skills: --skills.",
    file,
    range: START_OF_FILE,
  };
}

function changed({ skillId }: SkillRef, file: string): Diagnostic {
  return {
    code: "HASP594",
    severity: "error",
    message: `The texts of ${skillId} in the run folder are not those of the run: they were edited, or a secret in them is hidden.`,
    next: "Copy `library/` again from the machine that made the run, or judge with today's skills: --skills.",
    file,
    range: START_OF_FILE,
  };
}

/**
 * The skills that a run had, from the texts in its folder; nothing outside of the folder is read. Without a value where a text is missing
 * (HASP593) or does not fit its hash (HASP594): with part of its library a run would be judged otherwise.
 */
export async function recordedLibrary(
  opened: OpenedRunFolder,
  { files, compiler, sha256 }: RecordedLibraryPorts,
): Promise<Checked<readonly SkillFolder[]>> {
  const refs = await refsOf(files, opened);
  if (refs.length === 0)
    return failed(
      "HASP593",
      "The run names no skills.",
      "Judge with today's skills: --skills.",
      opened.folder,
    );
  const own = await filesWithin(files, opened.folder);
  const skills: SkillFolder[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const ref of refs) {
    const root = keptFolder(opened.folder, ref.hash);
    const folder = root === undefined ? undefined : await skillBelow(own, root);
    const skill = folder === undefined ? undefined : await readSkillFolder(own, compiler, folder);
    if (skill?.skillMd === undefined) diagnostics.push(missing(ref, root ?? opened.folder));
    else if (textsHash(sha256, { skillMd: skill.skillMd, pf: skill.pfSource }) !== ref.hash)
      diagnostics.push(changed(ref, skill.folder));
    else skills.push(skill);
  }
  return { value: diagnostics.length > 0 ? undefined : skills, diagnostics };
}
