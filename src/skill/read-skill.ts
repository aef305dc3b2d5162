import type { SkillCase } from "../model/case.ts";
import { START_OF_FILE, type Checked, type Diagnostic } from "../model/diagnostic.ts";
import type { DomainSpec } from "../model/domain-spec.ts";
import type { ShippedList } from "../model/shipped-lists.ts";
import type { PfProgram, Skill } from "../model/skill.ts";
import { findPublished, isAgentHome } from "./agent-folders.ts";
import type { Compiler } from "./compiler.ts";
import { parseCases } from "./parse-cases.ts";
import { parseSkill } from "./parse-skill.ts";
import { fromPortable } from "./portable.ts";
import { hasOurKeys } from "./skill-keys.ts";
import { readSkillMdBytes } from "./skill-md-bytes.ts";
import type { SkillFiles } from "./skill-files.ts";
import { NO_PLACES, placesIn, type SkillPlaces } from "./skill-places.ts";
import { domainDiagnostics } from "./skill-domain.ts";
import { isTemplate, templateDiagnostics } from "./template-text.ts";
import { BUILD_FOLDERS } from "./vocabulary.ts";

/** A skill as its folder holds it: what could be read, and all that was wrong with it. */
export interface SkillFolder {
  /** Its path, as given. */
  readonly folder: string;
  /** With defaults where SKILL.md had errors; undefined when its frontmatter could not be read. */
  readonly skill: Skill | undefined;
  /** The text of `SKILL.md`; undefined where it cannot be read. */
  readonly skillMd: string | undefined;
  /** The TypeScript of `pf.ts`; undefined when the skill has none. */
  readonly pfSource: string | undefined;
  /** Undefined without a PF, or when SKILL.md or pf.ts cannot be used. */
  readonly program: PfProgram | undefined;
  /**
   * A prompt could replace it (SPEC §3, "A+B"): it has no handler, and either no PF or one that modifies no action and injects only
   * fixed texts.
   */
  readonly promptEquivalent: boolean;
  /** The constant texts that its PF injects, where the PF modifies no action and builds no text. */
  readonly fixedTexts?: readonly string[];
  /** Another product's Agent Skill: no key of ours, no `pf.ts`, no `cases.yaml`. It takes no part in a library. */
  readonly isForeign: boolean;
  /** `disabled_skills` of hasp.yaml names it: it is read and checked, and does not act. */
  readonly isDisabled?: boolean;
  /** A text of the template is left in its code or prompts: it is read and checked, and does not act. */
  readonly isTemplate?: boolean;
  /** Its folder names a domain that is not registered: it is read and checked, and does not act. */
  readonly isMisplaced?: boolean;
  /** Of a shipped skill whose domain has several lists: the one that it was read for. */
  readonly shippedList?: ShippedList;
  readonly cases: readonly SkillCase[];
  readonly places: SkillPlaces;
  readonly diagnostics: readonly Diagnostic[];
}

const SKILL_FILE = "SKILL.md";
/** One for all, so that two readings of the same texts hold the same. */
const NO_CASES: readonly SkillCase[] = [];
const NO_FILE = { text: undefined, diagnostics: [] };
/** No file of a skill is longer: what is, was not written by hand. */
const MAX_BYTES = 10_000_000;
/** Deeper than any workspace keeps its skills; ends a loop of links. */
const DEEPEST = 8;

/** What a SKILL.md says. */
export interface ReadSkillMd {
  /** Undefined where its frontmatter could not be read. */
  readonly skill: Skill | undefined;
  readonly places: SkillPlaces;
  readonly hasOurKeys: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** What reading a skill asks of the compiler; where it also reads texts (`cachedCompiler`), it is asked for these too. */
export type SkillCompiler = Pick<Compiler, "transpile" | "domains"> &
  Partial<Pick<Compiler, "promptEquivalence">> & {
    readonly skillMd?: (file: string, text: string) => ReadSkillMd | Promise<ReadSkillMd>;
    readonly readCases?: (file: string, text: string) => Promise<Checked<readonly SkillCase[]>>;
  };

/** Reads the SKILL.md of the folder that `file` names. */
export function readSkillMd(file: string, text: string, domains: readonly DomainSpec[]): ReadSkillMd {
  const { value, diagnostics } = fromPortable(text, file);
  if (value === undefined) return { skill: undefined, places: NO_PLACES, hasOurKeys: true, diagnostics };
  const read = parseSkill(value, { file, folder: lastName(file.slice(0, -SKILL_FILE.length)) }, domains);
  return {
    skill: read.value,
    places: read.value === undefined ? NO_PLACES : placesIn(value, read.value),
    hasOurKeys: hasOurKeys(value),
    diagnostics: [...diagnostics, ...read.diagnostics],
  };
}

/**
 * Reads one skill: SKILL.md, `pf.ts`, `cases.yaml`. Bad content, a missing SKILL.md and files that cannot be read are diagnostics;
 * types and rules of the PF are not checked here (`Compiler.check`). Rejects only when the compiler does.
 */
export async function readSkillFolder(
  files: SkillFiles,
  compiler: SkillCompiler,
  folder: string,
): Promise<SkillFolder> {
  const path = (name: string): string => `${folder}/${name}`;
  const diagnostics: Diagnostic[] = [];
  const keep = <T>(checked: Checked<T>): T | undefined => {
    diagnostics.push(...checked.diagnostics);
    return checked.value;
  };
  const names = await files.list(folder).catch((): readonly string[] => []);
  const [found, pf, casesFile] = await Promise.all(
    [SKILL_FILE, "pf.ts", "cases.yaml"].map(async (name) =>
      keep(await readText(files, path(name), names.includes(name))),
    ),
  );
  const skillFile = path(SKILL_FILE);
  const { text: written, diagnostics: ofBytes } =
    found === undefined ? NO_FILE : readSkillMdBytes(skillFile, found);
  diagnostics.push(...ofBytes);
  const [pfSource, casesText] = [pf?.text, casesFile?.text];
  const pfFile = path("pf.ts");
  const md =
    written === undefined
      ? undefined
      : await (compiler.skillMd?.(skillFile, written) ??
          readSkillMd(skillFile, written, await compiler.domains()));
  if (md === undefined && diagnostics.every((d) => d.file !== skillFile))
    diagnostics.push(noSkillFile(skillFile));
  diagnostics.push(...(md?.diagnostics ?? []));
  const [cases, code, fixed] = await Promise.all([
    casesText === undefined ? undefined : casesOf(path("cases.yaml"), casesText, compiler),
    pfSource === undefined ? undefined : compiler.transpile(pfFile, pfSource),
    pfSource === undefined ? [] : fixedTextsOf(pfFile, pfSource, compiler),
  ]);
  diagnostics.push(...(cases?.diagnostics ?? []), ...(code?.diagnostics ?? []));
  for (const [name, text = ""] of [
    [SKILL_FILE, written],
    ["pf.ts", pfSource],
    ["cases.yaml", casesText],
  ] as const)
    diagnostics.push(...templateDiagnostics(path(name), text));
  const skill = md?.skill;
  const isForeign = md?.hasOurKeys === false && pfSource === undefined && casesText === undefined;
  const misplaced = isForeign
    ? []
    : domainDiagnostics(folder, md?.places ?? NO_PLACES, await compiler.domains());
  diagnostics.push(...misplaced);
  const program =
    skill !== undefined && code?.value !== undefined
      ? {
          skillId: skill.skillId,
          priority: skill.priority,
          file: pfFile,
          code: code.value,
          phases: skill.applicablePhases,
        }
      : undefined;
  return {
    folder,
    skill,
    skillMd: written,
    pfSource,
    program,
    promptEquivalent: skill !== undefined && skill.handler === undefined && fixed !== undefined,
    fixedTexts: fixed ?? [],
    isTemplate: isTemplate(skill, pfSource),
    isMisplaced: misplaced.length > 0,
    isForeign,
    cases: cases?.value ?? NO_CASES,
    places: md?.places ?? NO_PLACES,
    diagnostics,
  };
}

async function casesOf(
  file: string,
  text: string,
  compiler: SkillCompiler,
): Promise<Checked<readonly SkillCase[]>> {
  return compiler.readCases?.(file, text) ?? parseCases(text, file, await compiler.domains());
}

/** The texts of a PF that is prompt-equivalent; undefined of any other. */
async function fixedTextsOf(
  file: string,
  source: string,
  compiler: SkillCompiler,
): Promise<readonly string[] | undefined> {
  const found = await compiler.promptEquivalence?.(file, source);
  return found?.promptEquivalent === true ? (found.texts ?? []) : undefined;
}

/** A folder of skills that cannot be read, told as a skill that is none, so that the others go on. */
export function unreadableFolder(folder: string, error: unknown): SkillFolder {
  return {
    folder,
    skill: undefined,
    skillMd: undefined,
    pfSource: undefined,
    program: undefined,
    promptEquivalent: false,
    isForeign: false,
    cases: [],
    places: NO_PLACES,
    diagnostics: [unreadable(folder, error)],
  };
}

const WHY: Readonly<Record<string, readonly [why: string, next: string]>> = {
  EACCES: [
    "its permissions do not allow it",
    "Give yourself the right to read it, or take it out of the library.",
  ],
  EPERM: [
    "its permissions do not allow it",
    "Give yourself the right to read it, or take it out of the library.",
  ],
  ENOENT: ["it is a link to nothing", "Fix the link, or delete it."],
  ELOOP: ["its links lead in a circle", "Delete the link."],
};

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** What keeps a file or folder from being read is told, and the rest goes on without it. */
export function unreadable(file: string, error: unknown): Diagnostic {
  const said = error instanceof Error ? error.message : String(error);
  const [why, next] = WHY[codeOf(error)] ?? [said, "Check the file, or take it out of the library."];
  return {
    code: "HASP404",
    severity: "error",
    message: `It cannot be read: ${why}. The rest goes on without it.`,
    next,
    file,
    range: START_OF_FILE,
  };
}

async function readText(
  files: SkillFiles,
  file: string,
  isListed: boolean,
): Promise<Checked<{ readonly text: string; readonly bytes?: Uint8Array }>> {
  const found = await files.readText(file, MAX_BYTES).catch((error: unknown) => unreadable(file, error));
  if ("code" in found) return { value: undefined, diagnostics: [found] };
  if (found.kind === "text") return { value: found, diagnostics: [] };
  if (found.kind === "absent") {
    const why = isListed ? [unreadable(file, new Error("it is a folder, or a link to nothing"))] : [];
    return { value: undefined, diagnostics: why };
  }
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

/** The places to look at besides plain folders. */
export interface FindOptions {
  readonly published?: boolean;
}

/**
 * Folders at or under `root` that hold a SKILL.md, sorted; hidden folders and installed packages are not entered, and each folder
 * once, however many links lead to it. Folders that cannot be read are told to `onUnreadable` and passed over. With `published` also
 * those of the folders in which coding agents look for skills, wherever they are below `root`.
 */
export async function findSkillFolders(
  files: Pick<SkillFiles, "list" | "realPath">,
  root: string,
  onUnreadable: (folder: string, error: unknown) => void = () => undefined,
  { published = false }: FindOptions = {},
): Promise<string[]> {
  const found: string[] = [];
  const agentFolders: string[] = [];
  const seen = new Set<string>();
  const enter = async (folder: string): Promise<readonly string[]> => {
    const real = (await files.realPath?.(folder)) ?? folder;
    if (seen.has(real)) return [];
    seen.add(real);
    return files.list(folder);
  };
  const visit = async (folder: string, depth: number): Promise<void> => {
    const names = await enter(folder).catch((error: unknown): readonly string[] => {
      onUnreadable(folder, error);
      return [];
    });
    if (names.includes(SKILL_FILE)) found.push(folder);
    if (depth === DEEPEST) return;
    for (const name of names) {
      // A name with a dot is a file, or hidden: our folders are kebab-case.
      if (!name.includes(".") && !BUILD_FOLDERS.has(name)) await visit(`${folder}/${name}`, depth + 1);
      else if (published && isAgentHome(name)) agentFolders.push(`${folder}/${name}/skills`);
    }
  };
  await visit(root.length > 1 ? root.replace(/\/+$/, "") : root, 0);
  // After all others: a link to a skill is found as the skill itself.
  for (const agentFolder of agentFolders)
    for (const folder of await findPublished(files, agentFolder))
      if ((await enter(folder).catch(() => [])).length > 0) found.push(folder);
  return found.toSorted();
}
