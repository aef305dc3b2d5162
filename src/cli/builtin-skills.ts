import type { SkillFiles } from "../skill/skill-files.ts";
import tree from "../../skills?tree";

/** What names a library that came with HASP Studio: `builtin:web-search`. */
const SCHEME = "builtin:";

/** Path inside `skills/` → text. They travel inside the CLI, which is one file. */
const SHIPPED = new Map(Object.entries(JSON.parse(tree) as Record<string, string>));

export function isBuiltIn(path: string): boolean {
  return path.startsWith(SCHEME);
}

function namesIn(folder: string): string[] {
  const prefix = folder === "" ? "" : `${folder}/`;
  const inside = [...SHIPPED.keys()].filter((path) => path.startsWith(prefix));
  return [...new Set(inside.map((path) => path.slice(prefix.length).split("/")[0] ?? ""))];
}

/** The same files, with the shipped skills as the folders `builtin:<domain>`. */
export function withBuiltIn(files: SkillFiles): SkillFiles {
  return {
    async readText(path, maxBytes) {
      if (!isBuiltIn(path)) return files.readText(path, maxBytes);
      const text = SHIPPED.get(path.slice(SCHEME.length));
      return text === undefined ? { kind: "absent" } : { kind: "text", text };
    },
    async list(folder) {
      return isBuiltIn(folder) ? namesIn(folder.slice(SCHEME.length)) : files.list(folder);
    },
    realPath: async (path) => (isBuiltIn(path) ? path : ((await files.realPath?.(path)) ?? path)),
  };
}
