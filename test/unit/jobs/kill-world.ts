import { setImmediate } from "node:timers/promises";
import { sha256 } from "../../../src/platform/sha256.ts";
import { EVERY_RECORD } from "../../support/every-record.mts";
import type { JobFiles } from "../../../src/jobs/job-folder.ts";
import { localBackend, type LocalPorts } from "../../../src/jobs/local-backend.ts";
import { TOKEN_VARIABLE, type JobClock, type ProcessEnd, type RunnerLocks } from "../../../src/jobs/ports.ts";
import { runJob } from "../../../src/jobs/run-job.ts";
import type { JobBackend } from "../../../src/model/job.ts";
import { seededRandom } from "../../../src/model/random.ts";

/** A machine whose processes advance one step at a time, in an order that a seed decides, and are killed between any two. */

class Killed extends Error {}

interface Process {
  readonly kind: "submitter" | "runner";
  isAlive: boolean;
  /** The end of the process for whoever waits for it. */
  readonly ended: PromiseWithResolvers<string>;
}

interface Step {
  readonly process: Process;
  readonly resume: () => void;
}

/** A command that runs, also after its runner was killed. */
interface Command {
  readonly token: string;
  readonly process: Process;
  end(how: ProcessEnd): void;
}

export interface KillWorld {
  readonly backend: JobBackend;
  /** Begins to submit in a process of its own. */
  submit(): void;
  /** Advances by steps until nothing waits; kills with this chance at each. */
  run(chance: { readonly submitter: number; readonly runner: number }): Promise<void>;
  /** Commands that ran at once with another, or after the job had succeeded. */
  readonly faults: readonly string[];
  /** Failures of submitters that were not killed. */
  readonly failures: readonly unknown[];
  stateLines(): readonly { readonly kind: string; readonly attempt: number; readonly status?: string }[];
}

const FOLDER = "/job";

export function openKillWorld(seed: number, job: object): KillWorld {
  const random = seededRandom(seed);
  const contents = new Map<string, Uint8Array>([
    [`${FOLDER}/job.json`, new TextEncoder().encode(JSON.stringify(job))],
  ]);
  let waiting: Step[] = [];
  const running = new Set<Command>();
  const locks = new Map<string, Process>();
  const processes = new Set<Process>();
  const [faults, failures]: [string[], unknown[]] = [[], []];
  let tokens = 0;
  let time = 0;
  let cutChance = 0;

  const spawned = (kind: Process["kind"]): Process => {
    const process = { kind, isAlive: true, ended: Promise.withResolvers<string>() };
    processes.add(process);
    return process;
  };
  const step = (process: Process): Promise<void> =>
    new Promise((resume, reject) => {
      if (process.isAlive) waiting.push({ process, resume });
      else reject(new Killed());
    });
  const kill = (process: Process): void => {
    process.isAlive = false;
    process.ended.resolve("");
    waiting = waiting.filter((one) => one.process !== process);
  };
  const clockOf = (process: Process): JobClock => ({
    now: () => new Date(time++).toISOString(),
    sleep: (_ms, signal) =>
      Promise.race([
        step(process),
        new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true })),
      ]),
  });
  const bytesOf = (path: string): Uint8Array => contents.get(path) ?? new Uint8Array();
  const filesOf = (process: Process): JobFiles => ({
    async stat(path) {
      await step(process);
      if (path === `${FOLDER}/.`) return { size: 0, mtimeMs: 0, isFile: false };
      return contents.has(path) ? { size: bytesOf(path).length, mtimeMs: 0, isFile: true } : undefined;
    },
    async read(path, offset, length) {
      await step(process);
      return bytesOf(path).slice(offset, offset + length);
    },
    async append(path, data) {
      await step(process);
      // Half of a line is on the disk when the power fails.
      const isCut = process.kind === "runner" && random() < cutChance;
      const part = isCut ? data.slice(0, Math.floor(data.length / 2)) : data;
      contents.set(path, new Uint8Array([...bytesOf(path), ...part]));
      if (isCut) kill(process);
      await step(process);
    },
  });
  const isHeld = (lock: string): boolean => locks.get(lock)?.isAlive === true;
  const locksOf = (process: Process): RunnerLocks => ({
    isHeld,
    take(lock) {
      if (isHeld(lock)) return undefined;
      locks.set(lock, process);
      return {
        lost: new AbortController().signal,
        release: () => void (process.isAlive && locks.get(lock) === process && locks.delete(lock)),
      };
    },
    killHolder: () => undefined,
  });
  const endMarkedBy = (process: Process) => async (token: string) => {
    await step(process);
    for (const command of running) if (command.token === token) command.end({ signal: "SIGTERM" });
  };
  const hasSucceeded = (): boolean => world.stateLines().some(({ status }) => status === "succeeded");

  function startCommand(runner: Process, token: string): Promise<ProcessEnd> {
    if (running.size > 0) faults.push("two commands at once");
    if (hasSucceeded()) faults.push("a command after the success");
    // It lives on without its runner.
    const process = spawned("submitter");
    return new Promise((resolve) => {
      const command: Command = {
        token,
        process: runner,
        end(how) {
          running.delete(command);
          kill(process);
          resolve(how);
        },
      };
      running.add(command);
      const advance = async (): Promise<void> => {
        // An orphan runs until somebody ends it.
        for (let steps = Math.floor(random() * 6); steps > 0; steps--) await step(process);
        if (runner.isAlive) command.end({ exitCode: 0 });
      };
      processes.delete(process);
      void advance().catch(() => undefined);
    });
  }

  function startRunner(attempt: number, content: string): { readonly ended: Promise<string> } {
    const process = spawned("runner");
    const ports = {
      files: filesOf(process),
      clock: clockOf(process),
      locks: locksOf(process),
      processes: {
        start: ({ env }: { readonly env: Readonly<Record<string, string>> }) => ({
          ended: startCommand(process, env[TOKEN_VARIABLE] ?? ""),
          ask: () => undefined,
          kill: () => undefined,
        }),
        endMarked: endMarkedBy(process),
      },
      sha256,
      openLog: () => ({ write: (text: string) => text, hide: () => undefined, close: () => undefined }),
      newToken: () => `00000000-0000-4000-8000-${String(++tokens).padStart(12, "0")}`,
      newStudentKey: () => ({ value: "", file: "", remove: () => undefined }),
      stop: new AbortController().signal,
    };
    const run = async (): Promise<void> => {
      await step(process);
      await runJob(ports, FOLDER, { attempt, content });
    };
    void run().then(
      () => kill(process),
      (error: unknown) => {
        if (process.isAlive) failures.push(error);
        kill(process);
      },
    );
    return { ended: process.ended.promise };
  }

  const backendOf = (process: Process): JobBackend => {
    const ports: LocalPorts = {
      files: filesOf(process),
      clock: clockOf(process),
      locks: locksOf(process),
      processes: { endMarked: endMarkedBy(process) },
      own: EVERY_RECORD,
      check: async () => ({ value: true, diagnostics: [] }),
      async startRunner(_folder, attempt, { text }) {
        await step(process);
        const started = startRunner(attempt, sha256(text));
        await step(process);
        return started;
      },
    };
    return localBackend(ports);
  };

  const world: KillWorld = {
    backend: backendOf(spawned("runner")),
    faults,
    failures,
    submit() {
      const process = spawned("submitter");
      void backendOf(process)
        .submit(FOLDER)
        .catch((error: unknown) => void (process.isAlive && failures.push(error)))
        .finally(() => kill(process));
    },
    async run(chance) {
      cutChance = chance.runner;
      for (;;) {
        await setImmediate();
        if (waiting.length === 0) return;
        const [next] = waiting.splice(Math.floor(random() * waiting.length), 1);
        if (next === undefined) return;
        const isKilled = processes.has(next.process) && random() < chance[next.process.kind];
        if (isKilled) kill(next.process);
        else next.resume();
      }
    },
    stateLines: () =>
      new TextDecoder()
        .decode(bytesOf(`${FOLDER}/state.jsonl`))
        .split("\n")
        .flatMap((line) => {
          try {
            return [JSON.parse(line) as ReturnType<KillWorld["stateLines"]>[number]];
          } catch {
            return [];
          }
        }),
  };
  return world;
}
