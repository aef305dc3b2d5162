import type { SkillCase } from "../model/case.ts";
import { START_OF_FILE, type Checked, type Diagnostic } from "../model/diagnostic.ts";
import type { PfProgram, Skill } from "../model/skill.ts";
import type { Compiler } from "./compiler.ts";
import { parseCases } from "./parse-cases.ts";
import { parseSkill } from "./parse-skill.ts";

/** The files that a skill is read from. Paths are joined with `/`; a path that is not there is no error. */
export interface SkillFiles {
  /** The file as text where it has at most `maxBytes`; `size` in bytes. Rejects only when a file cannot be read. */
  readText(
    path: string,
    maxBytes: number,
  ): Promise<
    | { readonly kind: "text"; readonly text: string }
    | { readonly kind: "absent" }
    | { readonly kind: "too-large"; readonly size: number }
  >;
  /** Names in a folder, files and folders; none when it is not a folder. */
  list(folder: string): Promise<readonly string[]>;
}

/** A skill as its folder holds it: what could be read, and all that was wrong with it. */
export interface SkillFolder {
  /** Its path, as given. */
  readonly folder: string;
  /** With defaults where SKILL.md had errors; undefined when its frontmatter could not be read. */
  readonly skill: Skill | undefined;
  /** The TypeScript of `pf.ts`; undefined when the skill has none. */
  readonly pfSource: string | undefined;
  /** Undefined without a PF, or when SKILL.md or pf.ts cannot be used. */
  readonly program: PfProgram | undefined;
  readonly cases: readonly SkillCase[];
  readonly diagnostics: readonly Diagnostic[];
}

const SKILL_FILE = "SKILL.md";
/** No file of a skill is longer: what is, was not written by hand. */
const MAX_BYTES = 10_000_000;
/** Deeper than any workspace keeps its skills; ends a loop of links. */
const DEEPEST = 8;
const NEVER_SKILLS: ReadonlySet<string> = new Set(["node_modules", "dist", "out", "__pycache__"]);

/**
 * Reads one skill: SKILL.md, `pf.ts`, `cases.yaml`. Bad content and a missing SKILL.md are diagnostics; types and rules of
 * the PF are not checked here (`Compiler.check`). Rejects only on I/O errors.
 */
export async function readSkillFolder(
  files: SkillFiles,
  compiler: Pick<Compiler, "transpile">,
  folder: string,
): Promise<SkillFolder> {
  const path = (name: string): string => `${folder}/${name}`;
  const diagnostics: Diagnostic[] = [];
  const keep = <T>(checked: Checked<T>): T | undefined => {
    diagnostics.push(...checked.diagnostics);
    return checked.value;
  };
  const [skillText, pfSource, casesText] = await Promise.all(
    [SKILL_FILE, "pf.ts", "cases.yaml"].map(async (name) => keep(await readText(files, path(name)))),
  );
  const skillFile = path(SKILL_FILE);
  if (skillText === undefined && diagnostics.every((d) => d.file !== skillFile))
    diagnostics.push(noSkillFile(skillFile));
  const skill =
    skillText === undefined
      ? undefined
      : keep(parseSkill(skillText, { file: skillFile, folder: lastName(folder) }));
  const cases = casesText === undefined ? undefined : keep(parseCases(casesText, path("cases.yaml")));
  const code = pfSource === undefined ? undefined : keep(await compiler.transpile(path("pf.ts"), pfSource));
  const program =
    skill !== undefined && code !== undefined
      ? { skillId: skill.skillId, priority: skill.priority, file: path("pf.ts"), code }
      : undefined;
  return { folder, skill, pfSource, program, cases: cases ?? [], diagnostics };
}

async function readText(files: SkillFiles, file: string): Promise<Checked<string>> {
  const found = await files.readText(file, MAX_BYTES);
  if (found.kind === "text") return { value: found.text, diagnostics: [] };
  if (found.kind === "absent") return { value: undefined, diagnostics: [] };
  const size = (found.size / 1_000_000).toFixed(1);
  const tooLarge: Diagnostic = {
    code: "HASP402",
    severity: "error",
    message: `The file has ${size} MB; a file of a skill may have ${MAX_BYTES / 1_000_000} MB.`,
    next: "Keep data out of the skill's own files.",
    file,
    range: START_OF_FILE,
  };
  return { value: undefined, diagnostics: [tooLarge] };
}

function noSkillFile(file: string): Diagnostic {
  return {
    code: "HASP403",
    severity: "error",
    message: "The folder has no SKILL.md, so it is no skill.",
    next: "Run `HASP: New Skill`, or name a folder that holds a SKILL.md.",
    file,
    range: START_OF_FILE,
  };
}

/** Empty for `.` and `..`, which do not say what the folder is called. */
function lastName(folder: string): string {
  const name = folder.split(/[\\/]/).findLast((part) => part !== "") ?? "";
  return name === "." || name === ".." ? "" : name;
}

/** Folders at or under `root` that hold a SKILL.md, sorted; hidden folders and installed packages are not entered. */
export async function findSkillFolders(files: Pick<SkillFiles, "list">, root: string): Promise<string[]> {
  const found: string[] = [];
  const visit = async (folder: string, depth: number): Promise<void> => {
    const names = await files.list(folder);
    if (names.includes(SKILL_FILE)) found.push(folder);
    if (depth === DEEPEST) return;
    for (const name of names) {
      // A name with a dot is a file, or hidden: our folders are kebab-case.
      if (!name.includes(".") && !NEVER_SKILLS.has(name)) await visit(`${folder}/${name}`, depth + 1);
    }
  };
  await visit(root.length > 1 ? root.replace(/\/+$/, "") : root, 0);
  return found.toSorted();
}

/** What is wrong between the skills of one library: two with the same skill_id would share limits and statistics. */
export function libraryDiagnostics(folders: readonly SkillFolder[]): readonly Diagnostic[] {
  const first = new Map<string, SkillFolder>();
  const diagnostics: Diagnostic[] = [];
  for (const folder of folders) {
    if (folder.skill === undefined) continue;
    const { skillId } = folder.skill;
    const other = first.get(skillId);
    if (other === undefined) first.set(skillId, folder);
    else {
      diagnostics.push({
        code: "HASP401",
        severity: "error",
        message: `The skill_id "${skillId}" is taken: ${other.folder} has it too, and only the first is used.`,
        next: "Give one of the two another skill_id.",
        file: `${folder.folder}/${SKILL_FILE}`,
        range: START_OF_FILE,
      });
    }
  }
  return diagnostics;
}
