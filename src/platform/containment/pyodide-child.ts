import { spawn, type ChildProcess } from "node:child_process";
import process from "node:process";
import { withPipes } from "./child-descriptors.ts";
import { pipeOf } from "./contained-child.ts";
import { FILTER_FD, INFO_FD, type PyodideLaunch } from "./pyodide-launch.ts";
import { bubblewrapProcesses } from "./bubblewrap-processes.ts";

/** A Node that runs, with pipes at its descriptors 0 to 3. */
export interface PyodideChild {
  readonly child: ChildProcess;
  /** Ends it and all that it started. */
  readonly kill: () => void;
}

/** Starts the command of a launch. */
export function startChild({ file, args, env, user, wrapped }: PyodideLaunch): PyodideChild {
  const child = withPipes(FILTER_FD, (stdio) =>
    spawn(file, args, {
      env,
      cwd: process.platform === "win32" ? undefined : "/",
      stdio: [...stdio],
      windowsHide: true,
      detached: wrapped !== undefined,
      ...user,
    }),
  );
  // Who waits for the child's end sees it; without a listener it would end this process.
  child.on("error", () => undefined);
  for (const fd of [0, 1, 2, 3, INFO_FD, FILTER_FD]) pipeOf(child, fd).on("error", () => undefined);
  pipeOf(child, FILTER_FD).end(wrapped?.filter ?? "");
  if (wrapped !== undefined) return { child, kill: bubblewrapProcesses(child, INFO_FD).kill };
  return { child, kill: () => void child.kill("SIGKILL") };
}
