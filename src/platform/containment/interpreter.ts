import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import { boundedText } from "./bounded-text.ts";
import { containedChild, pipeOf } from "./contained-child.ts";
import type { ControlGroup } from "./control-group.ts";
import type { Interpreter } from "./interpreter-pool.ts";
import { orderBytes, PRELUDE, STATUS_FD } from "./prelude.ts";
import { sandboxProcesses } from "./sandbox-processes.ts";
import { sandboxArguments, sandboxUser, type Mount } from "./sandbox.ts";
import { syscallFilter } from "./syscall-filter.ts";

/** What an interpreter is started with. */
export interface InterpreterSettings {
  readonly bubblewrap: string;
  readonly python: string;
  readonly mounts: readonly Mount[];
  /** Bounds all processes of the program together; undefined where the system lets nobody do that here. */
  readonly group: ControlGroup | undefined;
}

const INFO_FD = 4;
const FILTER_FD = 6;
/** Bytes of what the prelude tells. */
const STATUS_BYTES = 64;

const signalName = (number: number): string =>
  Object.entries(os.constants.signals).find(([, value]) => value === number)?.[0] ?? `signal ${number}`;

/** The processor's time is bounded where nobody watches the clock: twice the wall time, for a program of several threads. */
const processorSeconds = (wallMs: number): number => Math.ceil((2 * wallMs) / 1000) + 5;

const hasEnded = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ESRCH";

/** The child of a process that has one; undefined where the kernel does not tell. */
function onlyChild(pid: number): number | undefined {
  try {
    const [child] = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ");
    return child === undefined || child === "" ? undefined : Number(child);
  } catch {
    return undefined;
  }
}

/** Starts Python in Bubblewrap, up to where it waits for its order. */
export function startInterpreter({ bubblewrap, python, mounts, group }: InterpreterSettings): Interpreter {
  const filter = syscallFilter();
  const fds = { info: INFO_FD, filter: filter === undefined ? undefined : FILTER_FD };
  const args = sandboxArguments([python, "-s", "-S", "-X", "utf8", "-c", PRELUDE], mounts, fds);
  const child = spawn(bubblewrap, args, {
    // What is contained can read the environment of its parent in the namespace.
    env: {},
    cwd: "/",
    stdio: Array.from({ length: FILTER_FD + 1 }, () => "pipe" as const),
    detached: true,
    ...sandboxUser(),
  });
  // Told to the child's end as well; without a listener it would end this process.
  child.on("error", () => undefined);
  pipeOf(child, FILTER_FD)
    .on("error", () => undefined)
    .end(filter ?? "");
  const status = boundedText(pipeOf(child, STATUS_FD), () => STATUS_BYTES);
  const processes = sandboxProcesses(child, INFO_FD);
  const contained = containedChild(child, {
    kill: processes.kill,
    signal: () => (status.text() === "" ? undefined : signalName(Number(status.text()))),
  });
  /** The program's process enters the group before anything that nobody trusts runs in it; the first one too, whose memory the program can write. */
  async function prepare(): Promise<boolean> {
    if (!(await contained.ready)) return false;
    const first = processes.first();
    const program = first === undefined ? undefined : onlyChild(first);
    if (group === undefined || first === undefined || program === undefined) return true;
    try {
      await Promise.all([group.add(first), group.add(program)]);
      return true;
    } catch (error) {
      // Some may make a group and not move a process into it: as where there are no groups, its own limits hold each process.
      if (!hasEnded(error)) return true;
      contained.stop("stopped");
      return false;
    }
  }

  const ready = prepare();
  return {
    ...contained,
    ready,
    // The group is not removed while a process is put into it.
    ended: contained.ended.then(async (end) => {
      await ready;
      return end;
    }),
    run(order) {
      const { wallMs, memoryBytes } = order.limits;
      group?.limitMemory(memoryBytes);
      contained.begin(order.limits);
      const numbers = { memoryBytes, processorSeconds: processorSeconds(wallMs) };
      pipeOf(child, 0).end(orderBytes({ ...order, ...numbers }));
    },
  };
}
