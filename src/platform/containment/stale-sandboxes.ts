import fs from "node:fs";
import process from "node:process";
import { OWN_WORDS } from "./bubblewrap-arguments.ts";

function read(pid: string, name: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}

const isBubblewrap = (pid: string): boolean => read(pid, "comm").trim() === "bwrap";

/** The first process of one of our sandboxes, still Bubblewrap itself, without the Bubblewrap that started it. */
function isStale(pid: string): boolean {
  if (!isBubblewrap(pid) || !read(pid, "cmdline").includes(OWN_WORDS.join("\0"))) return false;
  const status = read(pid, "status");
  const [, parent = ""] = /^PPid:\t(\d+)$/m.exec(status) ?? [];
  return /^NSpid:\t.*\t1$/m.test(status) && !isBubblewrap(parent);
}

/**
 * Ends what is left of sandboxes whose starter was killed: a Bubblewrap that ends with it between the start of the first process and its word to
 * go on leaves that waiting for ever, before it runs anything.
 */
export function endStaleSandboxes(): void {
  for (const pid of fs.readdirSync("/proc")) {
    if (!/^\d+$/.test(pid) || !isStale(pid)) continue;
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch {
      // It has ended, or is another user's.
    }
  }
}
