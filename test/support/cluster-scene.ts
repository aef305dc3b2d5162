import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { remoteBackend } from "../../src/jobs/remote/remote-backend.ts";
import { remotePorts } from "../../src/platform/remote/remote-jobs.ts";
import type { JobBackend, JobEvent, JobRecord, JobSpec } from "../../src/model/job.ts";
import type { Target, TargetKind } from "../../src/model/target.ts";
import { startSlurm, type Slurm } from "./slurm.ts";
import type { SlurmOptions } from "./slurm-conf.ts";
import { startSshd, type Sshd, type SshdOptions } from "./sshd.ts";

/** A workspace of a person, and a cluster of which they have an account. */
export interface ClusterScene {
  readonly slurm: Slurm;
  readonly sshd: Sshd;
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
  close(): Promise<void>;
}

/** The Python of the system, which jobs of tests run with. */
export const SYSTEM_PYTHON = "/usr/bin/python3";

export async function openClusterScene(
  options: { readonly slurm?: SlurmOptions; readonly sshd?: Omit<SshdOptions, "env"> } = {},
): Promise<ClusterScene> {
  const slurm = await startSlurm(options.slurm);
  const sshd = await startSshd({ env: slurm.env, ...options.sshd }).catch(async (error: unknown) => {
    await slurm.stop();
    throw error;
  });
  const here = path.join(slurm.folder, "here");
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
      remoteBackend(remotePorts({ build, environment: variables, on: (line) => lines.push(line) }), {
        name: "cluster",
        target: to,
      }),
    writeJob(id, scripts, fields = {}) {
      const folder = path.join(here, ".hasp/jobs", id);
      fs.mkdirSync(folder, { recursive: true });
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
      fs.writeFileSync(path.join(folder, "job.json"), JSON.stringify(spec));
      return folder;
    },
    read: (name) => fs.readFileSync(path.join(here, name), "utf8"),
    async close() {
      await sshd.stop();
      await slurm.stop();
    },
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

/** Names of all jobs that the cluster knows or remembers, one for each job. */
export async function jobNames({ slurm }: ClusterScene): Promise<readonly string[]> {
  const { out } = await slurm.sacct("-c", "-n", "-P", "-o", "JobID,JobName");
  const queued = await slurm.squeue("--noheader", "--states=all", "--format=%i|%j");
  const rows = `${out}\n${queued.out}`.split("\n").flatMap((line) => {
    const [id = "", name = ""] = line.trim().split("|");
    return id === "" ? [] : [[id.replace(/_.*$/, ""), name] as const];
  });
  return [...new Map(rows).values()];
}
