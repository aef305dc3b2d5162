import type { AssistWorld } from "../agents/assist/world.ts";
import { readWorkspaceConfig } from "../app/run/settings.ts";
import { openContainment } from "../platform/containment/open-containment.ts";
import { confinedFiles } from "../platform/confined-files.ts";
import { nodeFiles, type NodeFiles } from "../platform/files.ts";
import { pfHosts } from "../platform/pf-hosts.ts";
import { shellWord } from "../platform/shell-word.ts";
import { mayRunFor } from "../platform/trust.ts";
import { startCompiler } from "../platform/worker-compiler.ts";
import { startPfHost } from "../platform/worker-pf-host.ts";
import { AGENT_SKILL_FOLDERS, findPublished, isAgentFolder } from "../skill/agent-folders.ts";
import { findSkillFolders } from "../skill/read-skill.ts";
import { CONFIG_FILE } from "../skill/workspace-files.ts";
import { runPaths } from "../trace/run-paths.ts";

const RUNS = ".hasp/runs";

/** The folders of skills that `hasp.yaml` names, `skills`, and those of coding agents. */
async function libraryFolders(files: NodeFiles, root: string): Promise<readonly string[]> {
  const { libraries } = (await readWorkspaceConfig(files, `${root}/${CONFIG_FILE}`)).value;
  const named = libraries.flatMap((library) => (library.kind === "folder" ? library.path : []));
  return [...new Set([...named, "skills", ...AGENT_SKILL_FOLDERS])];
}

/** A workspace for `hasp mcp`. `root` is a folder; workers start from `workerFile` with their first call. */
export async function openAssistWorld(root: string, workerFile: string) {
  const disk = nodeFiles();
  const real = await disk.realPath(root);
  const { files, inside, shown } = confinedFiles(disk, [real]);
  const compiler = startCompiler({ workerFile });
  const at = (name: string): string => `${real.split("\\").join("/")}/${name}`;
  const world: AssistWorld = {
    files,
    compiler,
    startHost: () => pfHosts(() => startPfHost({ workerFile })),
    openContainment,
    // A repository can name this server in a file of its own, so that starting it is nobody's yes. Looked at with each call.
    get mayRun() {
      return mayRunFor(real);
    },
    howToTrust: `hasp mcp trust ${shellWord(real)}`,
    async skillFolders() {
      const folders = await libraryFolders(files, real);
      const findIn = (folder: string) => (isAgentFolder(folder) ? findPublished : findSkillFolders);
      const found = await Promise.all(folders.map((folder) => findIn(folder)(files, at(folder))));
      return [...new Set(found.flat())];
    },
    async runFolders() {
      const names = (await files.list(at(RUNS))).filter((name) => !name.startsWith("."));
      const found = names.map(async (name) => {
        const folder = at(`${RUNS}/${name}`);
        const stat = await files.stat(runPaths(folder).episodes);
        return stat === undefined ? [] : { folder, changed: stat.mtimeMs };
      });
      const runs = (await Promise.all(found)).flat();
      const sorted = runs.toSorted((a, b) => b.changed - a.changed || (a.folder < b.folder ? -1 : 1));
      return sorted.map(({ folder }) => folder);
    },
    inside,
    shown,
  };
  return { world, close: () => compiler.close() };
}
