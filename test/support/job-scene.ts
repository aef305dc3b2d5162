import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import type { JobBackend, JobCommand, JobEvent, JobRecord, JobSpec } from "../../src/model/job.ts";
import { openScene, type HookScene } from "./hook-process.ts";
import { SHELL_JOBS } from "./shell-jobs.mts";

/** Takes `-c script` as Python does, and `-m name` for the script in the file of that name. */
const SHELL_AS_PYTHON = `#!/bin/sh
[ "$1" != -m ] || shift
exec /bin/sh "$@"
`;

/** Waits for `go` in the folder of the job. */
export const WAIT = "while [ ! -e go ]; do sleep 0.02; done";

/** A command of a job that is a shell script. */
export const sh = (script: string): JobCommand => ({
  program: "python",
  args: ["-c", script],
  about: "A script.",
});

export const linesOf = (events: readonly JobEvent[]): string[] =>
  events.flatMap((event) => (event.kind === "log" ? [event.line] : []));

/** A job folder, and a user who has folders of their own. */
export interface JobScene {
  readonly processes: HookScene;
  readonly jobs: JobBackend;
  readonly folder: string;
  /** Writes `job.json`; answers the folder. */
  write(commands: readonly JobCommand[], more?: Partial<JobSpec>): string;
  /** Every event until the job ends or is lost. */
  events(): Promise<JobEvent[]>;
  /** A file of the job's folder. */
  read(name: string): string;
  has(name: string): boolean;
  make(name: string): void;
  untilThere(name: string): Promise<void>;
  status(): Promise<JobRecord>;
  untilStatus(status: string): Promise<void>;
  /** The runner that holds the job now. */
  runner(): number;
  /** Fails where something still runs, and ends it. */
  close(): Promise<void>;
}

export function openJobScene(environment: Readonly<Record<string, string>> = {}): JobScene {
  const processes = openScene("job");
  const folder = processes.at("job");
  mkdirSync(folder);
  const shell = path.join(processes.base, "python");
  writeFileSync(shell, SHELL_AS_PYTHON, { mode: 0o755 });
  // Each runner is the one file of the CLI, which is compiled once for all tests (vitest.config.mts).
  const { NODE_COMPILE_CACHE } = process.env;
  Object.assign(processes.env, environment, { HASP_TEST_SHELL: shell, NODE_COMPILE_CACHE });
  const jobs = SHELL_JOBS(processes.env);
  const at = (name: string): string => path.join(folder, name);
  const scene: JobScene = {
    processes,
    jobs,
    folder,
    write(commands, more = {}) {
      const base = { schema: "hasp.job/1", id: "one", title: "One", cwd: ".", env: {}, passEnv: [] };
      writeFileSync(at("job.json"), JSON.stringify({ ...base, ...more, commands }));
      return folder;
    },
    async events() {
      const events: JobEvent[] = [];
      for await (const event of jobs.follow(folder, new AbortController().signal)) events.push(event);
      return events;
    },
    read: (name) => readFileSync(at(name), "utf8"),
    has: (name) => existsSync(at(name)),
    make: (name) => writeFileSync(at(name), ""),
    untilThere: (name) => expect.poll(() => scene.has(name), { timeout: 30_000 }).toBe(true),
    status: () => jobs.status(folder),
    untilStatus: (status) =>
      expect.poll(async () => (await scene.status()).status, { timeout: 60_000 }).toBe(status),
    runner: () => (JSON.parse(scene.read("runner.lock")) as { pid: number }).pid,
    async close() {
      try {
        await expect.poll(() => processes.running(), { timeout: 20_000 }).toEqual([]);
      } finally {
        for (const pid of processes.running()) process.kill(pid, "SIGKILL");
        processes.close();
      }
    },
  };
  return scene;
}
