import { spawn, type ChildProcess } from "node:child_process";
import process from "node:process";
import { boundedText } from "./bounded-text.ts";
import { pipeOf } from "./contained-child.ts";
import { FILTER_FD, INFO_FD, type PyodideLaunch } from "./pyodide-launch.ts";

/** Bytes of what Bubblewrap tells of itself. */
const INFO_BYTES = 4096;

/** A Node that runs, with pipes at its descriptors 0 to 3. */
export interface PyodideChild {
  readonly child: ChildProcess;
  /** Ends it and all that it started. */
  readonly kill: () => void;
}

/** Bubblewrap ends when the kernel has ended the whole namespace, which it does when the first process is killed. */
function namespaceKiller(child: ChildProcess): () => void {
  const info = boundedText(pipeOf(child, INFO_FD), () => INFO_BYTES);
  let isKilled = false;
  function killFirst(): void {
    const [, pid] = /"child-pid": *(\d+)/.exec(info.text()) ?? [];
    if (!isKilled || pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  }
  pipeOf(child, INFO_FD).on("data", killFirst);
  return () => {
    isKilled = true;
    killFirst();
  };
}

/** Starts the command of a launch. */
export function startChild({ file, args, env, user, wrapped }: PyodideLaunch): PyodideChild {
  const child = spawn(file, args, {
    env,
    cwd: process.platform === "win32" ? undefined : "/",
    stdio: Array.from({ length: FILTER_FD + 1 }, () => "pipe" as const),
    windowsHide: true,
    ...user,
  });
  // Told to the child's end as well; without a listener it would end this process.
  child.on("error", () => undefined);
  for (const fd of [0, 1, 2, 3, INFO_FD, FILTER_FD]) pipeOf(child, fd).on("error", () => undefined);
  pipeOf(child, FILTER_FD).end(wrapped?.filter ?? "");
  return { child, kill: wrapped === undefined ? () => void child.kill("SIGKILL") : namespaceKiller(child) };
}
