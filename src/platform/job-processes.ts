import { spawn, type ChildProcess } from "node:child_process";
import process from "node:process";
import { StringDecoder } from "node:string_decoder";
import type { JobProgram } from "../model/job.ts";
import { TOKEN_VARIABLE, type JobProcess, type JobProcesses, type ProcessEnd } from "../jobs/ports.ts";
import { endMarkedProcesses } from "./marked-processes.ts";

/** How a program of a job is started on this machine. */
export interface Program {
  readonly executable: string;
  /** Come before the arguments of the job. */
  readonly leading: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The program; undefined where this machine has none. */
export type Programs = (program: JobProgram) => Program | undefined;

/** Characters of a line after which it is handed over before it ends. */
const LONGEST_LINE = 64 * 1024;
/** Milliseconds that a process outside of the group may keep the output open after its end. */
const OUTPUT_MS = 5_000;

/** Hands text over up to its last line break; the rest follows. */
function inLines(onText: (text: string) => void): { add(bytes: Buffer): void; end(): void } {
  const decoder = new StringDecoder("utf8");
  let held = "";
  const take = (text: string, isEnd: boolean): void => {
    held += text;
    const lineEnd = Math.max(held.lastIndexOf("\n"), held.lastIndexOf("\r")) + 1;
    const until = isEnd || (lineEnd === 0 && held.length > LONGEST_LINE) ? held.length : lineEnd;
    if (until === 0) return;
    const ready = held.slice(0, until);
    held = held.slice(until);
    onText(ready);
  };
  return { add: (bytes) => take(decoder.write(bytes), false), end: () => take(decoder.end(), true) };
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  if (process.platform === "win32") {
    spawn("taskkill", ["/pid", String(child.pid), "/t", "/f"], { stdio: "ignore", windowsHide: true }).on(
      "error",
      () => child.kill("SIGKILL"),
    );
    return;
  }
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // Nothing of the group is left.
  }
}

function endOf(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    let end: ProcessEnd | undefined;
    child.once("error", (error) => resolve({ failed: error.message }));
    child.once("exit", (code, signal) => {
      end = signal === null ? { exitCode: code ?? 1 } : { signal };
      killGroup(child);
      // One that left the group, as a daemon does, may hold the pipes for ever.
      setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, OUTPUT_MS).unref();
    });
    child.once("close", () => resolve(end ?? { failed: "it ended in no known way" }));
  });
}

/**
 * The program and arguments by which SLURM starts a command once on each of `nodes` machines of the job. It ends with
 * the highest exit code; a machine on which it has not ended a minute after the first is not waited for.
 */
function onNodes(nodes: number, { SLURM_CPUS_PER_TASK: cpus }: NodeJS.ProcessEnv): readonly string[] {
  // A step has one core for a task unless it is told again.
  const cores = cpus === undefined ? [] : [`--cpus-per-task=${cpus}`];
  return ["srun", `--nodes=${nodes}`, `--ntasks=${nodes}`, "--ntasks-per-node=1", "--wait=60", ...cores];
}

/** The processes of this machine, with the variables of this process. `programs`: how each program is started. */
export function jobProcesses(programs: Programs): JobProcesses {
  return {
    start({ program, args, cwd, env, nodes = 1, onText }): JobProcess {
      const found = programs(program);
      if (found === undefined) {
        const failed = `there is no ${program} for jobs on this machine`;
        return { ended: Promise.resolve({ failed }), ask: () => undefined, kill: () => undefined };
      }
      const line = [...(nodes > 1 ? onNodes(nodes, process.env) : []), found.executable, ...found.leading];
      const [executable = "", ...leading] = line;
      const child = spawn(executable, [...leading, ...args], {
        cwd,
        env: { ...process.env, ...env, ...found.env },
        stdio: ["ignore", "pipe", "pipe"],
        detached: true,
        windowsHide: true,
      });
      for (const stream of [child.stdout, child.stderr]) {
        const lines = inLines(onText);
        stream.on("data", (bytes: Buffer) => lines.add(bytes));
        stream.once("close", () => lines.end());
        stream.on("error", () => undefined);
      }
      return {
        ended: endOf(child),
        // srun takes SIGTERM for the order to kill all at once; this one it passes on, and a trainer takes it for the same.
        ask: () => void child.kill(nodes > 1 ? "SIGUSR1" : "SIGTERM"),
        kill: () => killGroup(child),
      };
    },
    endMarked: (token, graceMs) => endMarkedProcesses(`${TOKEN_VARIABLE}=${token}`, graceMs),
  };
}
