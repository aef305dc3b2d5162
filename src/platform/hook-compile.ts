import { createHash } from "node:crypto";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { openLibrary } from "../analysis/library.ts";
import type {
  CompiledSkills,
  HookSkill,
  HookSkills,
  LeftOutSkill,
  WorkspacePart,
} from "../agents/hook/library.ts";
import { allDomains } from "../domains/registry.ts";
import { HOOK_DEFAULTS } from "../evaluation/hook-settings.ts";
import { libraryRefs } from "../evaluation/library-refs.ts";
import { parseWorkspaceConfig, type WorkspaceConfig } from "../evaluation/workspace-config.ts";
import { nodeFiles } from "./files.ts";
import { buildOf, sourceAt, type PreparedWorkspace, type Source } from "./hook-cache.ts";
import { sha256 } from "./sha256.ts";
import { trustedHash } from "./trust.ts";
import { domainFolderOf } from "../model/domain-folder.ts";
import { CODING_AGENT } from "../model/domain-names.ts";
import { startCompiler } from "./worker-compiler.ts";
import { startPfHost } from "./worker-pf-host.ts";
import type { PfHost } from "../sandbox/pf-host.ts";
import type { Compiler } from "../skill/compiler.ts";
import {
  findSkillFolders,
  readSkillFolder,
  type SkillCompiler,
  type SkillFolder,
} from "../skill/read-skill.ts";
import type { SkillFiles } from "../skill/skill-files.ts";
import { CONFIG_FILE } from "../skill/workspace-files.ts";

const CONFIG_BYTES = 1_000_000;

/** A PF for coding agents: it says so, or it is for all and stands among those that are. */
function isOurs({ folder, skill, pfSource, isForeign }: SkillFolder): boolean {
  if (isForeign || skill === undefined || pfSource === undefined) return false;
  const { applicableModes: modes } = skill;
  return (
    modes.includes(CODING_AGENT) || (modes.includes("all") && domainFolderOf(folder).domain === CODING_AGENT)
  );
}

export async function readFolders(
  files: SkillFiles,
  folders: readonly string[],
  compiler: SkillCompiler,
): Promise<SkillFolder[]> {
  const read = await Promise.all(folders.map((folder) => readSkillFolder(files, compiler, folder)));
  return read.filter(isOurs);
}

/** Skills that can act together: each PF is loaded once here, and what does not load takes no part. */
export async function actingOf(folders: readonly SkillFolder[], host: PfHost): Promise<CompiledSkills> {
  const library = await openLibrary(folders, host);
  const programs = new Map(library.active.map(({ program }) => [program.skillId, program]));
  const skills = library.skills.flatMap(({ skill, promptOnly, domain }): HookSkill[] => {
    const program = programs.get(skill.skillId);
    // Its text is for people; nothing in a hook reads it.
    return program === undefined ? [] : [{ skill: { ...skill, body: "" }, program, promptOnly, domain }];
  });
  const acting = new Set(skills.map(({ skill }) => skill.skillId));
  const kept = library.kept.filter(({ skillId }) => acting.has(skillId));
  return { skills, refs: libraryRefs({ kept }, sha256), kept };
}

/** Reads texts and compiles nothing: what a workspace brings is told without running anything of it. */
const TEXTS_ONLY: SkillCompiler = {
  domains: async () => allDomains(),
  transpile: async () => ({ value: undefined, diagnostics: [] }),
  readCases: async () => ({ value: [], diagnostics: [] }),
};

function hashOf(
  root: string,
  own: readonly SkillFolder[],
  { hook, disabledSkills }: WorkspaceConfig,
): string {
  const hash = createHash("sha256").update(JSON.stringify(hook));
  // Without the key the hash stays what it was, and what a person trusted stays trusted.
  if (disabledSkills.length > 0) hash.update(JSON.stringify(disabledSkills.toSorted()));
  for (const { folder, skill, pfSource } of own.toSorted((a, b) => (a.folder < b.folder ? -1 : 1)))
    hash.update(JSON.stringify([path.relative(root, folder), skill, pfSource]));
  return hash.digest("hex");
}

/** Every file and folder that another preparation could come out differently for. */
function sourcesOf(root: string, libraries: readonly string[], folders: readonly string[]): Source[] {
  const between = folders.flatMap((folder) => [folder, path.dirname(folder)]);
  const files = folders.flatMap((folder) => [`${folder}/SKILL.md`, `${folder}/pf.ts`]);
  const all = [path.join(root, CONFIG_FILE), ...libraries, ...between, ...files];
  return [...new Set(all)].map(sourceAt);
}

async function readConfigAt(root: string): Promise<WorkspaceConfig> {
  const file = path.join(root, CONFIG_FILE);
  const found = await nodeFiles()
    .readText(file, CONFIG_BYTES)
    .catch(() => ({ kind: "absent" as const }));
  return parseWorkspaceConfig(found.kind === "text" ? found.text : "", file).value;
}

/** The contents of a workspace, read and not loaded. */
interface Found {
  readonly config: WorkspaceConfig;
  readonly sources: readonly Source[];
  readonly folders: readonly string[];
  readonly own: readonly SkillFolder[];
}

async function findIn(root: string, onSources: (sources: readonly Source[]) => void): Promise<Found> {
  const files = nodeFiles();
  const config = await readConfigAt(root);
  const libraries = config.libraries.flatMap((one) =>
    one.kind === "folder" ? [path.join(root, one.path)] : [],
  );
  const found = await Promise.all(
    libraries.map((folder) => findSkillFolders(files, folder, () => undefined).catch(() => [])),
  );
  const folders = found.flat();
  const sources = sourcesOf(root, libraries, folders);
  onSources(sources);
  return { config, sources, folders, own: await readFolders(files, folders, TEXTS_ONLY) };
}

function partOf(root: string, { config, own }: Found): WorkspacePart | undefined {
  const { hook: settings, disabledSkills: disabled } = config;
  if (own.length === 0 && disabled.length === 0 && isDeepStrictEqual(settings, HOOK_DEFAULTS))
    return undefined;
  return {
    hash: hashOf(root, own, config),
    settings,
    disabled,
    own: own.flatMap(({ skill }) => skill?.skillId ?? []),
    compiled: undefined,
    leftOut: [],
  };
}

/** Why a skill that was found does not act, in a few words. */
function leftOutOf(found: readonly SkillFolder[], acting: HookSkills, host: LoadFaults): LeftOutSkill[] {
  const acts = new Set(acting.skills.map(({ skill }) => skill.skillId));
  return found.flatMap(({ skill, program, diagnostics }) => {
    if (skill === undefined || acts.has(skill.skillId)) return [];
    const error = diagnostics.find(({ severity }) => severity === "error")?.message;
    const reason = program === undefined ? error : host.get(skill.skillId);
    // One that another version or skill replaces is where it should be.
    return reason === undefined ? [] : [{ skillId: skill.skillId, reason }];
  });
}

type LoadFaults = ReadonlyMap<string, string>;

/** Notes what each PF that does not load says. */
function noting(host: PfHost): { host: PfHost; faults: LoadFaults } {
  const faults = new Map<string, string>();
  const load: PfHost["load"] = async (programs) => {
    const loaded = await host.load(programs);
    for (const pf of loaded) if (!pf.ok) faults.set(pf.skillId, pf.message);
    return loaded;
  };
  return { host: { ...host, load }, faults };
}

/** The skills of a workspace, for a person to decide about: read and compiled, not loaded. */
export async function ownSkills(
  root: string,
  compiler: Compiler,
): Promise<{ readonly part: WorkspacePart | undefined; readonly own: readonly SkillFolder[] }> {
  const found = await findIn(root, () => undefined);
  return { part: partOf(root, found), own: await readFolders(nodeFiles(), found.folders, compiler) };
}

/** After the yes: its skills are compiled, and loaded once in a worker that is stopped where a PF hangs. */
async function compiledPart(
  root: string,
  part: WorkspacePart,
  { folders, config }: Found,
  cli: string,
): Promise<WorkspacePart> {
  const compiler = startCompiler({ workerFile: cli });
  const { host, faults } = noting(startPfHost({ workerFile: cli }));
  try {
    const own = await readFolders(nodeFiles(), folders, compiler);
    // They were read a second time: what changed meanwhile is not what the person said yes to.
    if (hashOf(root, own, config) !== part.hash) return part;
    const compiled = await actingOf(own, host);
    return { ...part, compiled, leftOut: leftOutOf(own, compiled, faults) };
  } catch (error) {
    return {
      ...part,
      unread: `cannot be compiled: ${error instanceof Error ? error.message : String(error)}`,
    };
  } finally {
    await Promise.all([compiler.close(), host.close()]);
  }
}

/**
 * Prepares a workspace's own skills and settings for its agents' sessions. Nothing of it is loaded unless a person said yes to exactly this content.
 * `onSources` hears early of what it is made from. `cli`: the file of this command, whose workers compile and load.
 */
export async function compileWorkspace(
  root: string,
  cli: string,
  onSources: (sources: readonly Source[]) => void = () => undefined,
): Promise<PreparedWorkspace> {
  const found = await findIn(root, onSources);
  const part = partOf(root, found);
  const isTrusted = part !== undefined && trustedHash(root) === part.hash;
  return {
    schema: "hasp.hook-workspace/1",
    build: buildOf(cli),
    sources: found.sources,
    isTrusted,
    part: isTrusted ? await compiledPart(root, part, found, cli) : part,
  };
}
