import { spawnSync } from "node:child_process";

import { ROOT } from "./paths.mts";

/** Output of git, split at NUL; undefined where it fails, as outside a clone. */
function git(...args: readonly string[]): string[] | undefined {
  const { status, stdout } = spawnSync("git", args, { cwd: ROOT, encoding: "utf8", maxBuffer: 1e8 });
  return status === 0 ? stdout.split("\0").filter((part) => part !== "") : undefined;
}

/** Files that differ between a commit and HEAD; undefined where this clone does not have the commit. */
export const changedFiles = (base: string): string[] | undefined =>
  git("diff", "--name-only", "--no-renames", "-z", base, "HEAD");

/** Files that git would show as changed or new. */
export const uncommittedFiles = (): string[] => git("status", "--porcelain", "-z") ?? [];
