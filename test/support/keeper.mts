// Ends all that was started below one folder when its input ends: by a test's `close`, or because the test process is gone, however that came.
import { readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** The variable of all processes that a test starts; its value is the folder that they belong to. */
export const KEPT = "HASP_TEST_FOLDER";

const PROC = "/proc";

function parentOf(pid: number): number {
  // The name in brackets may hold anything, spaces and brackets too.
  const stat = readFileSync(`${PROC}/${pid}/stat`, "utf8");
  const [state = "", parent = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (state === "Z") throw new Error("ended, and nobody has asked for its exit code");
  return Number(parent);
}

/** Whether a process runs: a zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    return parentOf(pid) >= 0;
  } catch {
    return false;
  }
}

function linksOf(pid: number): string[] {
  const files = readdirSync(`${PROC}/${pid}/fd`).map((name) => `fd/${name}`);
  return ["cwd", ...files].flatMap((name) => {
    try {
      return [readlinkSync(`${PROC}/${pid}/${name}`)];
    } catch {
      return [];
    }
  });
}

/** By its environment, or, because daemons overwrite theirs with a title, by the folder that it is in or a file that it has open. */
function belongs(pid: number, folder: string): boolean {
  const environment = readFileSync(`${PROC}/${pid}/environ`, "utf8").split("\0");
  if (environment.includes(`${KEPT}=${folder}`)) return true;
  return linksOf(pid).some((link) => link === folder || link.startsWith(`${folder}/`));
}

/** Processes that belong to the folder, and those that they started. Zombies are not among them. */
export function processesOf(folder: string, except: readonly number[]): number[] {
  const parents = new Map<number, number>();
  const found = new Set<number>();
  for (const name of readdirSync(PROC)) {
    const pid = Number(name);
    if (!(pid > 1)) continue;
    try {
      parents.set(pid, parentOf(pid));
      if (!except.includes(pid) && belongs(pid, folder)) found.add(pid);
    } catch {
      // Ended meanwhile, or another user's.
    }
  }
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const [pid, parent] of parents) if (found.has(parent) && !except.includes(pid)) found.add(pid);
  }
  return [...found];
}

/** Pids of the processes that a process started itself. */
export function childrenOf(parent: number): number[] {
  return readdirSync(PROC).flatMap((name) => {
    try {
      return Number(name) > 1 && parentOf(Number(name)) === parent ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

async function endAll(folder: string, except: readonly number[]): Promise<readonly number[]> {
  const until = performance.now() + 15_000;
  for (;;) {
    const left = processesOf(folder, except);
    if (left.length === 0 || performance.now() > until) return left;
    for (const pid of left) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // Ended meanwhile.
      }
    }
    await delay(20);
  }
}

/** `keeper.mts <folder> <pid of the test>`: says `ready`, waits for the end of its input, ends all and removes the folder. */
async function main([folder = "", owner = ""]: readonly string[]): Promise<void> {
  process.stdout.on("error", () => undefined);
  process.stdout.write("ready\n");
  for await (const _ of process.stdin) void _;
  const left = await endAll(folder, [process.pid, Number(owner)]);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  if (left.length === 0) return;
  process.stderr.write(`still running: ${left.join(", ")}\n`);
  process.exitCode = 1;
}

if (import.meta.main) await main(process.argv.slice(2));
