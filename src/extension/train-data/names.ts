import { isAbsolute, join, relative, sep } from "node:path";

/** A folder of the workspace. */
export interface NamedRoot {
  readonly name: string;
  readonly path: string;
}

const isOutside = (path: string): boolean => isAbsolute(path) || path === ".." || path.startsWith(`..${sep}`);

/** The innermost folder that holds a path. */
export function rootOf(roots: readonly NamedRoot[], path: string): NamedRoot | undefined {
  const holding = roots.filter((root) => !isOutside(relative(root.path, path)));
  return holding.toSorted((a, b) => b.path.length - a.path.length)[0];
}

/**
 * The name of a run or file in rows and data.yaml: relative to its workspace folder, with `/`, so that `hasp train-data --row` from there
 * opens it; behind the name of the folder where the workspace has several; absolute outside of all.
 */
export function nameOfPath(roots: readonly NamedRoot[], path: string): string {
  const root = rootOf(roots, path);
  if (root === undefined) return path;
  const inside = relative(root.path, path).split(sep).join("/");
  return roots.length > 1 ? `${root.name}/${inside}` : inside;
}

/**
 * The path of a name. Where no folder of the workspace has its first part for a name, it is relative to the folder that holds `home`, else to
 * the first folder.
 */
export function pathOfName(roots: readonly NamedRoot[], name: string, home?: string): string {
  if (isAbsolute(name)) return name;
  const [first = "", ...rest] = name.split("/");
  const named = roots.length > 1 ? roots.find((root) => root.name === first) : undefined;
  if (named !== undefined) return join(named.path, ...rest);
  const root = (home === undefined ? undefined : rootOf(roots, home)) ?? roots[0];
  return root === undefined ? name : join(root.path, name);
}

/** The same for a name that a record has: undefined where it leads out of every folder of the workspace. */
export function pathInWorkspace(
  roots: readonly NamedRoot[],
  name: string,
  home?: string,
): string | undefined {
  const path = pathOfName(roots, name, home);
  return rootOf(roots, path) === undefined ? undefined : path;
}

/** Reason why a text names no folder below the workspace folder; undefined where it does. */
export function folderProblem(text: string): string | undefined {
  const parts = text.split(/[/\\]/);
  if (text === "") return "Name a folder.";
  if (isAbsolute(text) || /^([/\\]|[a-z]:)/i.test(text) || parts.includes(".."))
    return "Name a folder below the workspace folder, such as .hasp/data/first.";
  if (parts.some((part) => part === "." || part === ""))
    return "Name the folder without empty parts and without `.`.";
  return /[\p{Cc}<>:"|?*]/u.test(text)
    ? 'These characters cannot be in the name of a folder: < > : " | ? *'
    : undefined;
}
