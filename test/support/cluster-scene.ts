import fs from "node:fs";
import { EVERY_RECORD } from "./every-record.mts";
import path from "node:path";
import process from "node:process";
import { remoteBackend } from "../../src/jobs/remote/remote-backend.ts";
import { remotePorts } from "../../src/platform/remote/remote-jobs.ts";
import type { JobBackend, JobEvent, JobRecord, JobSpec } from "../../src/model/job.ts";
import type { Target, TargetKind } from "../../src/model/target.ts";
import { startSlurm, type JoinedSlurm } from "./slurm.ts";
import { startSshd, type JoinedSshd } from "./sshd.ts";

/** A workspace of a person, and a cluster of which they have an account. */
export interface ClusterScene {
  readonly slurm: JoinedSlurm;
  readonly sshd: JoinedSshd;
  /** The workspace folder; the home folder of the account there is `slurm.home`. */
  readonly here: string;
  /** The variables of a client here: its ssh knows the hosts of the scene. */
  readonly environment: NodeJS.ProcessEnv;
  target(kind?: TargetKind, fields?: Partial<Target>): Target;
  backend(target?: Target, environment?: NodeJS.ProcessEnv): JobBackend;
  /** Progress that backends of this scene told. */
  readonly lines: string[];
  /** Writes a job of Python programs; answers its folder. */
  writeJob(id: string, scripts: readonly string[], fields?: Partial<JobSpec>): string;
  /** The text of a file of the workspace. */
  read(name: string): string;
}

/** One whose cluster is its own. */
export interface OwnScene extends ClusterScene {
  close(): Promise<void>;
}

/** The Python of the system, which jobs of tests run with. */
export const SYSTEM_PYTHON = "/usr/bin/python3";

/** A cluster of its own. */
export async function openClusterScene(): Promise<OwnScene> {
  const slurm = await startSlurm();
  const sshd = await startSshd({ env: slurm.env }).catch(async (error: unknown) => {
    await slurm.stop();
    throw error;
  });
  return {
    ...sceneOf(slurm, sshd, slurm.folder),
    async close() {
      await sshd.stop();
      await slurm.stop();
    },
  };
}

/** A workspace below a folder, and a client of the cluster. */
export function sceneOf(slurm: JoinedSlurm, sshd: JoinedSshd, folder: string): ClusterScene {
  const here = path.join(folder, "here");
  fs.mkdirSync(path.join(here, ".hasp/jobs"), { recursive: true });
  const environment = { ...process.env, ...sshd.clientEnv };
  const lines: string[] = [];
  const build = { cli: path.resolve("dist/hasp.cjs"), trainer: path.resolve("trainer") };
  const target: ClusterScene["target"] = (kind = "slurm", fields = {}) => ({
    kind,
    host: sshd.host,
    folder: "~/hasp",
    // Node is beside no Python of the system.
    setup: [`PATH=${path.dirname(process.execPath)}:$PATH`],
    environment: SYSTEM_PYTHON,
    ...fields,
  });
  return {
    slurm,
    sshd,
    here,
    environment,
    target,
    lines,
    backend: (to = target(), variables = environment) =>
      remoteBackend(
        remotePorts({ build, environment: variables, own: EVERY_RECORD, on: (line) => lines.push(line) }),
        {
          name: "cluster",
          target: to,
        },
      ),
    writeJob(id, scripts, fields = {}) {
      const job = path.join(here, ".hasp/jobs", id);
      fs.mkdirSync(job, { recursive: true });
      const spec: JobSpec = {
        schema: "hasp.job/1",
        id,
        title: id,
        cwd: "../../..",
        commands: scripts.map((script) => ({ program: "python", args: ["-c", script], about: "work" })),
        env: {},
        passEnv: [],
        graceSeconds: 5,
        ...fields,
      };
      fs.writeFileSync(path.join(job, "job.json"), JSON.stringify(spec));
      return job;
    },
    read: (name) => fs.readFileSync(path.join(here, name), "utf8"),
  };
}

/** Follows a job until `until` says so, or to its end; answers all events. */
export async function followed(
  backend: JobBackend,
  folder: string,
  until: (event: JobEvent) => boolean = () => false,
): Promise<readonly JobEvent[]> {
  const over = new AbortController();
  const events: JobEvent[] = [];
  for await (const event of backend.follow(folder, over.signal)) {
    events.push(event);
    if (until(event)) over.abort();
  }
  return events;
}

export const logOf = (events: readonly JobEvent[]): readonly string[] =>
  events.flatMap((event) => (event.kind === "log" ? [event.line] : []));

export const endOf = (events: readonly JobEvent[]): JobRecord | undefined => {
  const last = events.at(-1);
  return last?.kind === "status" ? last.record : undefined;
};
