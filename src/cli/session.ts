import path from "node:path";
import process from "node:process";
import { openLibrary, type Library } from "../analysis/library.ts";
import { nodeFiles, type NodeFiles } from "../platform/files.ts";
import { startCompiler } from "../platform/worker-compiler.ts";
import { startPfHost } from "../platform/worker-pf-host.ts";
import type { PfHost } from "../sandbox/pf-host.ts";
import type { Compiler } from "../skill/compiler.ts";
import { findSkillFolders, readSkillFolder, type SkillFolder } from "../skill/read-skill.ts";
import { CliError } from "./terminal.ts";

/** What a command that runs PFs needs. Workers start on first use and end with `close`. */
export interface Session {
  readonly files: NodeFiles;
  readonly compiler: Compiler;
  readonly host: PfHost;
  close(): Promise<void>;
}

/** This very file, once bundled: the workers start from it too. */
const WORKER_FILE = __filename;

export function openSession(): Session {
  const compiler = startCompiler({ workerFile: WORKER_FILE });
  const host = startPfHost({ workerFile: WORKER_FILE });
  return {
    files: nodeFiles(),
    compiler,
    host,
    async close() {
      await Promise.all([compiler.close(), host.close()]);
    },
  };
}

/** Runs a command's work in a session that is closed whatever happens. */
export async function inSession<T>(work: (session: Session) => Promise<T>): Promise<T> {
  const session = openSession();
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

/** Skill folders under each of the paths; a path to a file inside a skill folder means that skill. */
export async function readSkills(paths: readonly string[], session: Session): Promise<SkillFolder[]> {
  const folders = new Set<string>();
  for (const given of paths) {
    const found = await foldersAt(given, session.files);
    if (found.length === 0) {
      throw new CliError(
        `No skill at ${given}.`,
        "Name a skill folder (it holds a SKILL.md) or a folder above skills.",
      );
    }
    for (const folder of found) folders.add(folder);
  }
  return Promise.all([...folders].map((folder) => readSkillFolder(session.files, session.compiler, folder)));
}

const SKILL_FILES = new Set(["SKILL.md", "pf.ts", "cases.yaml"]);

async function foldersAt(given: string, files: NodeFiles): Promise<readonly string[]> {
  const relative = path.relative(process.cwd(), path.resolve(given)) || ".";
  const normal = relative.split(path.sep).join("/");
  if (!(await files.exists(normal))) throw new CliError(`There is no ${given}.`, "Check the path.");
  return findSkillFolders(
    files,
    SKILL_FILES.has(path.basename(normal)) ? path.posix.dirname(normal) : normal,
  );
}

/** The library in these folders, loaded into the session's sandbox. */
export async function readLibrary(paths: readonly string[], session: Session): Promise<Library> {
  return openLibrary(await readSkills(paths, session), session.host);
}
