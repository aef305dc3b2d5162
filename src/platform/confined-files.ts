import path from "node:path";
import type { NodeFiles } from "./files.ts";

/** Files of a few folders and of nothing else, however a path is written and wherever links lead. */
export interface ConfinedFiles {
  readonly files: NodeFiles;
  /** The path without links and with `/`, where something is there and it stands in one of the folders. */
  readonly inside: (given: string) => Promise<string | undefined>;
  /** A path as it is written from the folder that holds it; as it is, where none does. */
  readonly shown: (file: string) => string;
}

const slashed = (file: string): string => file.split(path.sep).join("/");

/** Below the folder or the folder itself. */
function holds(root: string, file: string): boolean {
  const relative = path.relative(root, file);
  return relative === "" || (!relative.startsWith("..") && !path.isAbsolute(relative));
}

/**
 * Confines what reads and lists to `roots`, which must be without links (`realPath`). What stands outside is as if it were not there.
 * A path that is not absolute is looked for in each of them in turn.
 */
export function confinedFiles(files: NodeFiles, roots: readonly string[]): ConfinedFiles {
  const real = async (file: string): Promise<string | undefined> => {
    const found = await files.realPath(file).catch(() => undefined);
    return found !== undefined && roots.some((root) => holds(root, found)) ? found : undefined;
  };
  const inside = async (given: string): Promise<string | undefined> => {
    for (const root of roots) {
      const found = await real(path.resolve(root, given));
      if (found !== undefined) return slashed(found);
    }
    return undefined;
  };
  const outside = (file: string): Error => new Error(`${file} is not in the workspace`);
  const need = async (file: string): Promise<void> => {
    if ((await real(file)) === undefined) throw outside(file);
  };
  return {
    inside,
    shown(file) {
      const root = roots.find((one) => holds(one, file));
      return root === undefined ? file : slashed(path.relative(root, file)) || ".";
    },
    files: {
      ...files,
      readText: async (file, most) =>
        (await real(file)) === undefined ? { kind: "absent" } : files.readText(file, most),
      list: async (folder) => ((await real(folder)) === undefined ? [] : files.list(folder)),
      stat: async (file) => ((await real(file)) === undefined ? undefined : files.stat(file)),
      async read(file, offset, length) {
        await need(file);
        return files.read(file, offset, length);
      },
      async *chunks(file, from, to) {
        await need(file);
        yield* files.chunks(file, from, to);
      },
    },
  };
}
