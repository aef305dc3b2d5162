import { domainFolderOf } from "../model/domain-folder.ts";
import type { Guards } from "../app/load-commands.ts";
import { DEFAULT_LIST, hasLists, shippedIn, type ShippedList } from "../model/shipped-lists.ts";
import type { SkillFiles } from "../skill/skill-files.ts";
import tree from "../../skills?tree";

/** What names a library that came with HASP Studio: `builtin:web-search`. */
const SCHEME = "builtin:";

/** Path inside `skills/` → text. They travel inside the CLI, which is one file. */
const SHIPPED = new Map(Object.entries(JSON.parse(tree) as Record<string, string>));
const FOLDERS = new Set([...SHIPPED.keys()].map((path) => path.replace(/\/[^/]*$/, "")));

export function isBuiltIn(path: string): boolean {
  return path.startsWith(SCHEME);
}

/** Whether which shipped skills a folder `builtin:<domain>/<name>` is among depends on the list. */
export function isOfList(folder: string): boolean {
  return isBuiltIn(folder) && hasLists(FOLDERS, domainFolderOf(folder).domain ?? "");
}

/** Texts of a list by `<domain>/<name>/<file>`. */
function textsOf(list: ShippedList): ReadonlyMap<string, string> {
  const names = new Map([...shippedIn(FOLDERS, list)].map(([name, folder]) => [folder, name]));
  return new Map(
    [...SHIPPED].flatMap(([path, text]) => {
      const [, folder = "", file = ""] = /^(.*)\/([^/]*)$/.exec(path) ?? [];
      const name = names.get(folder);
      return name === undefined ? [] : [[`${name}/${file}`, text] as const];
    }),
  );
}

function namesIn(folder: string, texts: ReadonlyMap<string, string>): string[] {
  const inside = [...texts.keys()].filter((path) => path.startsWith(`${folder}/`));
  return [...new Set(inside.map((path) => path.slice(folder.length + 1).split("/")[0] ?? ""))];
}

/** The same files, with the shipped skills of a list as the folders `builtin:<domain>`. */
export function withBuiltIn<F extends SkillFiles>(files: F, list: ShippedList): F {
  const shipped = textsOf(list);
  const overlay: SkillFiles = {
    async readText(path, maxBytes) {
      if (!isBuiltIn(path)) return files.readText(path, maxBytes);
      const text = shipped.get(path.slice(SCHEME.length));
      return text === undefined ? { kind: "absent" } : { kind: "text", text };
    },
    list: async (folder) =>
      isBuiltIn(folder) ? namesIn(folder.slice(SCHEME.length), shipped) : files.list(folder),
    realPath: async (path) => (isBuiltIn(path) ? path : ((await files.realPath?.(path)) ?? path)),
  };
  return { ...files, ...overlay };
}

/** The shipped skills, as checks of skills read them. */
export const builtInGuards = (files: SkillFiles): Guards => ({
  files: withBuiltIn(files, DEFAULT_LIST),
  folderOf: (domain) => `${SCHEME}${domain}`,
});
