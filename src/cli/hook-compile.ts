import { createHash } from "node:crypto";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { openLibrary } from "../analysis/library.ts";
import type { HookLibrary, HookSkills, WorkspacePart } from "../agents/hook/library.ts";
import { HOOK_DEFAULTS } from "../evaluation/hook-settings.ts";
import { libraryRefs } from "../evaluation/library-refs.ts";
import { parseWorkspaceConfig, type WorkspaceConfig } from "../evaluation/workspace-config.ts";
import { threadCpuNow } from "../platform/cpu-clock.ts";
import { nodeFiles } from "../platform/files.ts";
import { buildOf, keepRealm, sourceAt, writeCached, type Source } from "../platform/hook-cache.ts";
import { startCompiler } from "../platform/worker-compiler.ts";
import { createPfHost } from "../sandbox/create-pf-host.ts";
import { createSandbox, imageOf } from "../sandbox/quickjs-host.ts";
import type { Compiler } from "../skill/compiler.ts";
import { findSkillFolders, readSkillFolder, type SkillFolder } from "../skill/read-skill.ts";
import { CONFIG_FILE } from "../skill/workspace-files.ts";
import { withBuiltIn } from "./builtin-skills.ts";

const DOMAIN = "coding-agent";
const SHIPPED = `builtin:${DOMAIN}`;
const CONFIG_BYTES = 1_000_000;

/** A PF for coding agents: it says so, or it is for all and stands among those that are. */
function isOurs({ folder, skill, program, isForeign }: SkillFolder): boolean {
  if (isForeign || skill === undefined || program === undefined) return false;
  const { applicableModes: modes } = skill;
  return modes.includes(DOMAIN) || (modes.includes("all") && folder.split(/[/\\]/).at(-2) === DOMAIN);
}

async function readFolders(folders: readonly string[], compiler: Compiler): Promise<SkillFolder[]> {
  const files = withBuiltIn(nodeFiles());
  const read = await Promise.all(folders.map((folder) => readSkillFolder(files, compiler, folder)));
  return read.filter(isOurs);
}

/** Skills that can act together: each PF is loaded once here, and what does not load takes no part. */
async function actingOf(root: string, folders: readonly SkillFolder[]): Promise<HookSkills> {
  const host = createPfHost(createSandbox(threadCpuNow));
  try {
    const library = await openLibrary(folders, host);
    const programs = new Map(library.active.map(({ program }) => [program.skillId, program]));
    const skills = library.skills.flatMap(({ skill, promptOnly }) => {
      const program = programs.get(skill.skillId);
      // Its text is for people; nothing in a hook reads it.
      return program === undefined ? [] : [{ skill: { ...skill, body: "" }, program, promptOnly }];
    });
    const acting = new Set(skills.map(({ skill }) => skill.skillId));
    const image = await imageOf(
      skills.map(({ program }) => program),
      threadCpuNow,
    );
    return {
      skills,
      refs: libraryRefs(library).filter(({ skillId }) => acting.has(skillId)),
      realm: image && keepRealm(root, image),
    };
  } finally {
    await host.close();
  }
}

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

async function workspacePart(
  root: string,
  own: readonly SkillFolder[],
  shipped: readonly SkillFolder[],
  config: WorkspaceConfig,
): Promise<WorkspacePart | undefined> {
  const disabled = new Set(config.disabledSkills);
  if (own.length === 0 && disabled.size === 0 && isDeepStrictEqual(config.hook, HOOK_DEFAULTS))
    return undefined;
  const ids = new Set(own.map(({ skill }) => skill?.skillId));
  const kept = shipped.filter(({ skill }) => !ids.has(skill?.skillId));
  const isOn = ({ skill }: SkillFolder): boolean => skill === undefined || !disabled.has(skill.skillId);
  return {
    hash: hashOf(root, own, config),
    library: await actingOf(root, [...kept, ...own].filter(isOn)),
    settings: config.hook,
    own: own.flatMap(({ skill }) => skill?.skillId ?? []),
  };
}

/** Every file and folder that another compilation could come out differently for. */
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

/**
 * What can judge in a workspace: the shipped skills of coding agents, and the workspace's own as a part that has to be trusted. Also keeps
 * it for the hooks to come, which load no compiler. `cli`: the file of this command, whose workers compile.
 */
export async function compileHookLibrary(root: string, cli: string): Promise<HookLibrary> {
  const files = nodeFiles();
  const compiler = startCompiler({ workerFile: cli });
  try {
    const config = await readConfigAt(root);
    const libraries = config.libraries.flatMap((one) =>
      one.kind === "folder" ? [path.join(root, one.path)] : [],
    );
    const found = await Promise.all(
      libraries.map((folder) => findSkillFolders(files, folder, () => undefined).catch(() => [])),
    );
    const folders = found.flat();
    const sources = sourcesOf(root, libraries, folders);
    const shippedFolders = await findSkillFolders(withBuiltIn(files), SHIPPED);
    const shipped = await readFolders(shippedFolders, compiler);
    const own = await readFolders(folders, compiler);
    const library: HookLibrary = {
      shipped: await actingOf(root, shipped),
      workspace: await workspacePart(root, own, shipped, config),
    };
    writeCached(root, { build: buildOf(cli), sources, library });
    return library;
  } finally {
    await compiler.close();
  }
}
