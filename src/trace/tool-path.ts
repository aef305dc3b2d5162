const WINDOWS = /^(?:[A-Za-z]:[\\/]|\\\\)/;

/** The path is one of Windows: it begins with a drive letter or with a share. */
export function isWindowsPath(path: string): boolean {
  return WINDOWS.test(path);
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || isWindowsPath(path);
}

/** The segments of a path without `.`, with `..` taken up; undefined where it leaves the folder that it begins in. */
function segmentsOf(path: string): string[] | undefined {
  const segments: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") segments.push(part);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments;
}

function sameSegment(a: string | undefined, b: string, windows: boolean): boolean {
  return windows ? a?.toLowerCase() === b.toLowerCase() : a === b;
}

/**
 * The path relative to `cwd`, with `/`, where it lies in it (`.` for the folder itself); else as it was given. Windows paths compare
 * without regard to case. In the root folder absolute paths stay absolute, so that `/etc/passwd` is the same wherever the agent stands.
 */
export function pathInFolder(path: string, cwd: string | undefined): string {
  const windows = isWindowsPath(path) || (cwd !== undefined && isWindowsPath(cwd));
  const slashed = windows ? path.replaceAll("\\", "/") : path;
  if (path === "" || path.startsWith("~")) return path;
  const base = windows ? cwd?.replaceAll("\\", "/") : cwd;
  const absolute = isAbsolute(path) || (windows && slashed.startsWith("/"));
  const inside = absolute ? undefined : segmentsOf(slashed);
  if (inside !== undefined) return inside.join("/") || ".";
  const segments = segmentsOf(absolute ? slashed : `${base ?? ""}/${slashed}`);
  const folder = base === undefined ? [] : segmentsOf(base);
  if (segments === undefined || folder === undefined || folder.length === 0) return path;
  if (folder.some((part, index) => !sameSegment(segments[index], part, windows))) return path;
  return segments.slice(folder.length).join("/") || ".";
}

/** The other way: a path that lies in `cwd`, as an absolute path with the separator of `cwd`. */
export function absolutePath(path: string, cwd: string | undefined): string {
  if (cwd === undefined || path === "" || path.startsWith("~") || isAbsolute(path)) return path;
  const separator = isWindowsPath(cwd) ? "\\" : "/";
  const folder = cwd.endsWith("/") || cwd.endsWith("\\") ? cwd.slice(0, -1) : cwd;
  if (path === ".") return folder;
  return `${folder}${separator}${separator === "/" ? path : path.replaceAll("/", separator)}`;
}

/** The host wrote this path as an absolute one. */
export function isAbsolutePath(path: string): boolean {
  return isAbsolute(path);
}
