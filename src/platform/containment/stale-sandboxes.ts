import fs from "node:fs/promises";
import process from "node:process";
import { OWN_WORDS } from "./bubblewrap-arguments.ts";

async function read(pid: string, name: string): Promise<string> {
  try {
    return await fs.readFile(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}

const isBubblewrap = async (pid: string): Promise<boolean> => (await read(pid, "comm")).trim() === "bwrap";

/** The first process of one of our sandboxes, still Bubblewrap itself, without the Bubblewrap that started it. */
async function isStale(pid: string): Promise<boolean> {
  if (!(await isBubblewrap(pid)) || !(await read(pid, "cmdline")).includes(OWN_WORDS.join("\0")))
    return false;
  const status = await read(pid, "status");
  const [, parent = ""] = /^PPid:\t(\d+)$/m.exec(status) ?? [];
  return /^NSpid:\t.*\t1$/m.test(status) && !(await isBubblewrap(parent));
}

/**
 * Ends the first processes of sandboxes whose starter was killed. Bubblewrap ends with its starter; if it does so after it has started the first
 * process and before it has let that one go on, the process waits for ever without having run anything. Does not reject.
 */
export async function endStaleSandboxes(): Promise<void> {
  const all = await fs.readdir("/proc").catch(() => []);
  const pids = all.filter((name) => /^\d+$/.test(name));
  const stale = await Promise.all(pids.map(isStale));
  for (const [i, pid] of pids.entries()) {
    if (stale[i] !== true) continue;
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch {
      // It has ended, or is another user's.
    }
  }
}
