import path from "node:path";
import { openLibrary, type Library } from "../../src/analysis/library.ts";
import type { PlacedEpisode } from "../../src/trace/placed-episodes.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { pfHosts } from "../../src/platform/pf-hosts.ts";
import { startCompiler } from "../../src/platform/worker-compiler.ts";
import { startPfHost } from "../../src/platform/worker-pf-host.ts";
import type { PfHost } from "../../src/sandbox/pf-host.ts";
import { findSkillFolders, readSkillFolder, type SkillFolder } from "../../src/skill/read-skill.ts";
import { PAPER } from "../support/shipped.ts";

/** A library in a host of its own. */
export interface Opened {
  readonly library: Library;
  readonly host: PfHost;
}

/** The skills that ship for a domain, compiled; of several lists the paper's, which stays the same. */
export async function shippedFolders(
  root: string,
  workerFile: string,
  domain: "web-search" | "coding-agent" | "math" = "web-search",
): Promise<SkillFolder[]> {
  const files = nodeFiles();
  const compiler = startCompiler({ workerFile });
  try {
    const found =
      domain === "web-search"
        ? PAPER.map((folder) => path.join(root, folder))
        : await findSkillFolders(files, path.join(root, "skills", domain));
    return await Promise.all(found.map((folder) => readSkillFolder(files, compiler, folder)));
  } finally {
    await compiler.close();
  }
}

export async function openIn(workerFile: string, folders: readonly SkillFolder[]): Promise<Opened> {
  const host = pfHosts(() => startPfHost({ workerFile }));
  return { library: await openLibrary(folders, host), host };
}

const IDLE = `import { ProgramFunction, noop } from "hasp";
export default class Idle extends ProgramFunction {
  maxFires = 1;
  shouldActivate() { return false; }
  intervene() { return noop("idle"); }
}`;

/** The same skills with PFs that look at nothing: what is left is the sandbox. */
export const idled = (folders: readonly SkillFolder[]): SkillFolder[] =>
  folders.map((folder) =>
    folder.program === undefined ? folder : { ...folder, program: { ...folder.program, code: IDLE } },
  );

export async function* again(
  episodes: readonly PlacedEpisode[],
  times: number,
): AsyncGenerator<PlacedEpisode> {
  for (let i = 0; i < times; i++) yield* episodes;
}
