import type { ChildProcess } from "node:child_process";
import process from "node:process";
import { pipeOf } from "./contained-child.ts";
import { FILTER_FD, INFO_FD, type PyodideLaunch } from "./pyodide-launch.ts";
import { bubblewrapProcesses } from "./bubblewrap-processes.ts";
import { spawnWithPipes } from "./spawn-with-pipes.ts";

/** A Node that runs, with pipes at its descriptors 0 to 3. */
export interface PyodideChild {
  readonly child: ChildProcess;
  /** Ends it and all that it started. */
  readonly kill: () => void;
}

/** Starts the command of a launch. */
export function startChild({ file, args, env, user, wrapped }: PyodideLaunch): PyodideChild {
  const child = spawnWithPipes(FILTER_FD, file, args, {
    env,
    cwd: process.platform === "win32" ? undefined : "/",
    windowsHide: true,
    detached: wrapped !== undefined,
    ...user,
  });
  pipeOf(child, FILTER_FD).end(wrapped?.filter ?? "");
  if (wrapped !== undefined) return { child, kill: bubblewrapProcesses(child, INFO_FD).kill };
  return { child, kill: () => void child.kill("SIGKILL") };
}
