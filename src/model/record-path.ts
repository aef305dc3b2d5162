import { isForeignName } from "./foreign-name.ts";
import { foreignNameSchema } from "./foreign-schemas.ts";

/** An id or a name of a record that becomes the name of one folder or file. */
export const recordNameSchema = foreignNameSchema.refine((name) => !name.includes("/"), "has several parts");

/** A path as it was typed into an earlier version, which recorded it so: without `./`, doubled slashes and a slash at the end. */
const tidied = (path: string): string => path.replaceAll(/(?<=^|\/)(?:\.?\/)+/g, "").replace(/\/$/, "");

/**
 * The path of a folder or file that a record of this workspace names: relative to `root`, normal, and below it. An absolute one, as earlier
 * versions recorded it, is made relative. Undefined for a path that may lead out of the workspace. `root` is absolute.
 */
export function recordPath(root: string, recorded: string): string | undefined {
  const isWindows = root.includes("\\");
  const slashed = (path: string): string => (isWindows ? path.replaceAll("\\", "/") : path);
  const above = `${slashed(root).replace(/\/+$/, "")}/`;
  const path = slashed(recorded);
  const inside = path.startsWith("/") || /^[a-z]:/i.test(path) ? below(above, path) : path;
  const normal = inside === undefined ? "" : tidied(inside);
  return isForeignName(normal) ? normal : undefined;
}

const below = (above: string, path: string): string | undefined =>
  path.startsWith(above) ? path.slice(above.length) : undefined;
