import os from "node:os";
import { containedChild, pipeOf } from "./contained-child.ts";
import type { ControlGroup } from "./control-group.ts";
import type { Interpreter } from "./interpreter-pool.ts";
import { orderBytes } from "./prelude.ts";
import { bubblewrapProcesses } from "./bubblewrap-processes.ts";
import { bubblewrapArguments, bubblewrapUser, type Mount } from "./bubblewrap-arguments.ts";
import { spawnWithPipes } from "./spawn-with-pipes.ts";
import { syscallFilter } from "./syscall-filter.ts";

/** What an interpreter is started with. */
export interface InterpreterSettings {
  readonly bubblewrap: string;
  readonly python: string;
  /** Source of what runs before a program: `PRELUDE`, or the same compiled. */
  readonly prelude: string;
  readonly mounts: readonly Mount[];
  /** Bounds all processes of the program together; undefined where the system lets nobody do that here. */
  readonly group: ControlGroup | undefined;
}

const INFO_FD = 4;
const BLOCK_FD = 5;
const FILTER_FD = 6;

/**
 * Shell code of the first process: it waits for the program, reaps what that leaves behind, and ends with the program's code, or with 128 and the
 * number of the signal that ended it; the kernel then ends all others. A shell takes less memory than a second interpreter. Its standard error is
 * closed: its message about a signal is not the program's.
 */
const WAITING = 'exec 7>&2 2>&- 4<&- 5<&- 6<&-; (exec "$@" 2>&7 7>&-); exit $?';
const SIGNALLED = 128;

function signalOf(code: number | null): string | undefined {
  const number = (code ?? 0) - SIGNALLED;
  return Object.entries(os.constants.signals).find(([, value]) => value === number)?.[0];
}

/** Limit of processor time, should HASP be killed and the wall clock not be watched: twice the wall time, for a program of several threads. */
const processorSeconds = (wallMs: number): number => Math.ceil((2 * wallMs) / 1000) + 5;

/** Starts Python in Bubblewrap, up to where it waits for its order. */
export function startInterpreter(settings: InterpreterSettings): Interpreter {
  const { bubblewrap, python, prelude, mounts, group } = settings;
  const filter = syscallFilter();
  const fds = { info: INFO_FD, block: BLOCK_FD, filter: filter === undefined ? undefined : FILTER_FD };
  const command = ["/bin/sh", "-c", WAITING, "sh", python, "-s", "-S", "-X", "utf8", "-c", prelude] as const;
  const child = spawnWithPipes(FILTER_FD, bubblewrap, bubblewrapArguments(command, mounts, fds), {
    // What is contained can read the environment of its parent in the namespace.
    env: {},
    cwd: "/",
    detached: true,
    ...bubblewrapUser(),
  });
  pipeOf(child, FILTER_FD).end(filter ?? "");
  const processes = bubblewrapProcesses(child, INFO_FD);
  const contained = containedChild(child, { kill: processes.kill, signal: () => signalOf(child.exitCode) });
  /** The first process enters the group before it starts another one. */
  async function begin(): Promise<void> {
    const first = await processes.first;
    if (first === undefined) return;
    try {
      await group?.add(first);
    } catch {
      // It has ended, or this user may make a group and not move a process into it: as where there are no groups, its own limits hold each process.
    }
    pipeOf(child, BLOCK_FD).end("go");
  }

  const begun = begin();
  return {
    ...contained,
    // The group is not removed while a process is put into it.
    ended: contained.ended.then(async (end) => {
      await begun;
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
