import path from "node:path";
import type { Judging } from "../app/ports.ts";
import { openContainment } from "../platform/containment/open-containment.ts";
import { nodeFiles, type NodeFiles } from "../platform/files.ts";
import { absolute, currentFolder } from "../platform/surroundings.ts";
import {
  findSkillFolders,
  readSkillFolder,
  unreadableFolder,
  type FindOptions,
  type SkillFolder,
} from "../skill/read-skill.ts";
import { findPublished, isAgentFolder, withoutCopies } from "../skill/agent-folders.ts";
import type { ShippedList } from "../model/shipped-lists.ts";
import { isBuiltIn, isOfList, withBuiltIn } from "./builtin-skills.ts";
import { readConfig, withoutErrors } from "./control-options.ts";
import type { CliContext, Streams } from "./context.ts";
import { CliError, type Terminal } from "./terminal.ts";

/** What a command that runs PFs needs. Workers start on first use and end with `close`. */
export interface Session extends Judging {
  readonly files: NodeFiles;
  readonly host: ReturnType<Judging["startHost"]>;
  readonly streams: Streams;
  /** `--triggers`; undefined: the list of hasp.yaml. */
  readonly triggers?: ShippedList | undefined;
  close(): Promise<void>;
}

/** Runs a command's work in a session that is closed whatever happens. */
export async function inSession<T>(
  { workers: { startCompiler, startHost }, streams }: CliContext,
  triggers: ShippedList | undefined,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const compiler = startCompiler();
  const host = startHost();
  const close = async (): Promise<void> => void (await Promise.all([compiler.close(), host.close()]));
  try {
    return await work({
      files: nodeFiles(),
      compiler,
      startHost,
      openContainment,
      host,
      streams,
      triggers,
      close,
    });
  } finally {
    await close();
  }
}

const FIX_CONFIG = "Fix hasp.yaml, or name the skills.";

/** The list of shipped skills that `--triggers` names, else `hasp.yaml` of the current folder; what is wrong with that ends the command. */
async function listOf({ files, triggers }: Pick<Session, "files" | "triggers">): Promise<ShippedList> {
  return triggers ?? withoutErrors(await readConfig(files), "Fix hasp.yaml, or pass --triggers.").triggers;
}

/** The files of a session, with the shipped skills of its list where these folders are of some. */
export async function skillFiles(session: Session, folders: readonly string[]): Promise<NodeFiles> {
  return folders.some(isBuiltIn) ? withBuiltIn(session.files, await listOf(session)) : session.files;
}

/** The libraries that `hasp.yaml` of the current folder names; what is wrong with it ends the command. */
export async function configuredLibraries(files: NodeFiles) {
  const config = withoutErrors(await readConfig(files), FIX_CONFIG);
  const { libraries, disabledSkills } = config;
  const named = libraries.map((library) =>
    library.kind === "builtin" ? `builtin:${library.domain}` : library.path,
  );
  // A workspace may have no skills of its own yet.
  const there = await Promise.all(named.map(async (path) => isBuiltIn(path) || (await files.exists(path))));
  return { paths: named.filter((_, i) => there[i]), disabled: new Set(disabledSkills) };
}

/** A library of `hasp.yaml` that is a file brings no skill; said as of a folder that cannot be read. */
async function notAFolder(path: string, files: NodeFiles): Promise<SkillFolder[]> {
  const isFile = !isBuiltIn(path) && (await files.readText(path, 0)).kind !== "absent";
  return isFile ? [unreadableFolder(path, new Error("it is a file, and not a folder of skills"))] : [];
}

export interface ReadOptions extends FindOptions {
  /** The libraries of `hasp.yaml` may hold no skill: the command has something to say without them. */
  readonly mayBeNone?: boolean;
}

/**
 * Skill folders under each of the paths; a path to a file inside a skill folder means that skill, `builtin:<domain>` what
 * came with HASP Studio. With `published`, the skills of coding agents below a path too (`.claude/skills`). Without paths, the libraries
 * of `hasp.yaml` with what it disables; a skill that is named is not disabled. A folder that cannot be read is told as one without a
 * skill.
 */
export async function readSkills(
  paths: readonly string[] | undefined,
  session: Session,
  { mayBeNone = false, ...options }: ReadOptions = {},
): Promise<SkillFolder[]> {
  const folders = new Set<string>();
  const unreadable: SkillFolder[] = [];
  const chosen =
    paths === undefined ? await configuredLibraries(session.files) : { paths, disabled: new Set<string>() };
  const list = chosen.paths.some(isBuiltIn) ? await listOf(session) : undefined;
  const files = list === undefined ? session.files : withBuiltIn(session.files, list);
  for (const given of chosen.paths) {
    const before = unreadable.length;
    const onUnreadable = (folder: string, error: unknown) => unreadable.push(unreadableFolder(folder, error));
    const found = await foldersAt(given, files, onUnreadable, paths === undefined ? {} : options);
    for (const folder of found) folders.add(folder);
    if (found.length > 0 || unreadable.length > before) continue;
    if (paths !== undefined) throw noSkillAt(given);
    unreadable.push(...(await notAFolder(given, session.files)));
  }
  if (folders.size + unreadable.length === 0 && !mayBeNone) throw noSkillAt("the libraries of hasp.yaml");
  const read = await Promise.all(
    [...folders].map(async (folder): Promise<SkillFolder> => ({
      ...(await readSkillFolder(files, session.compiler, folder)),
      ...(list !== undefined && isOfList(folder) && { shippedList: list }),
    })),
  );
  return [...withoutReplaced(read).map((one) => switched(one, chosen.disabled)), ...unreadable];
}

function switched(folder: SkillFolder, disabled: ReadonlySet<string>): SkillFolder {
  const { skill } = folder;
  return skill !== undefined && disabled.has(skill.skillId) ? { ...folder, isDisabled: true } : folder;
}

/** The folders with what the `hasp.yaml` of the current folder disables marked so, named or not: for what is said between skills. */
export async function withSwitches(
  folders: readonly SkillFolder[],
  { files }: Session,
): Promise<readonly SkillFolder[]> {
  const disabled = new Set((await readConfig(files)).value.disabledSkills);
  return folders.map((folder) => switched(folder, disabled));
}

function noSkillAt(place: string): CliError {
  return new CliError(
    `No skill at ${place}.`,
    "Name a skill folder (it holds a SKILL.md) or a folder above skills.",
  );
}

/** A skill that came with HASP Studio gives way to a workspace's own of the same id. */
function withoutReplaced(folders: readonly SkillFolder[]): SkillFolder[] {
  const own = new Set(folders.flatMap(({ folder, skill }) => (isBuiltIn(folder) ? [] : [skill?.skillId])));
  const left = folders.filter(({ folder, skill }) => !isBuiltIn(folder) || !own.has(skill?.skillId));
  return withoutCopies(left, ({ folder, skill }) => ({ folder, skillId: skill?.skillId }));
}

/** Works on skills one after the other, with progress on the terminal; closes `parts` whatever happens. */
export async function eachSkill<T>(
  folders: readonly SkillFolder[],
  terminal: Terminal,
  parts: { close(): Promise<void> },
  work: (folder: SkillFolder) => Promise<T>,
): Promise<readonly T[]> {
  const results: T[] = [];
  try {
    for (const folder of folders) {
      terminal.progress(results.length, folders.length, folder.folder);
      results.push(await work(folder));
    }
  } finally {
    await parts.close();
  }
  return results;
}

const SKILL_FILES = new Set(["SKILL.md", "pf.ts", "cases.yaml"]);

/** The skill folders at a path; rejects where it is not there. Shipped ones are found where the files have them (`withBuiltIn`). */
export async function foldersAt(
  given: string,
  files: NodeFiles,
  onUnreadable: (folder: string, error: unknown) => void,
  options: FindOptions = {},
): Promise<readonly string[]> {
  if (isBuiltIn(given)) return findSkillFolders(files, given);
  const relative = path.relative(currentFolder() ?? "", absolute(given)) || ".";
  const normal = relative.split(path.sep).join("/");
  if (!(await files.exists(normal))) throw new CliError(`There is no ${given}.`, "Check the path.");
  if (isAgentFolder(normal)) return findPublished(files, normal);
  return findSkillFolders(
    files,
    SKILL_FILES.has(path.basename(normal)) ? path.posix.dirname(normal) : normal,
    onUnreadable,
    options,
  );
}
