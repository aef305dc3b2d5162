import { mkdtempSync } from "node:fs";
import path from "node:path";
import { inject } from "vitest";
import { type ClusterScene, sceneOf } from "./cluster-scene.ts";
import { joinSmallDisk, type JoinedDisk } from "./full-disk.ts";
import { joinSlurm, type JoinedSlurm } from "./slurm.ts";
import { joinSshd, type JoinedSshd } from "./sshd.ts";

/** The cluster of the stage (test/cluster/setup.ts) as a test file has it. */
interface JoinedCluster {
  readonly slurm: JoinedSlurm;
  /** With a client of this file alone. */
  readonly sshd: JoinedSshd;
  /** The disk that jobs and sessions share. */
  readonly disk: JoinedDisk;
  /** A folder of this file. */
  readonly folder: string;
}

/** The controller is up and the queue empty, whatever the file before has left. */
export async function joinCluster(): Promise<JoinedCluster> {
  const place = inject("cluster");
  const slurm = joinSlurm(place.folder);
  const folder = mkdtempSync(path.join(place.folder, "file-"));
  await slurm.clear();
  return { slurm, sshd: joinSshd(place.sshd, folder), disk: joinSmallDisk(place.disk), folder };
}

/** A workspace of this file at the cluster of the stage. */
export interface JoinedScene extends ClusterScene {
  readonly disk: JoinedDisk;
  /** Numbers of the jobs that were there before. */
  readonly known: ReadonlySet<string>;
}

export async function joinClusterScene(): Promise<JoinedScene> {
  const { slurm, sshd, disk, folder } = await joinCluster();
  const before = await namesById(slurm);
  return { ...sceneOf(slurm, sshd, folder), disk, known: new Set(before.keys()) };
}

/** Names of all jobs of the scene that the cluster knows or remembers, one for each job. */
export async function jobNames({ slurm, known }: JoinedScene): Promise<readonly string[]> {
  const all = await namesById(slurm);
  return [...all].flatMap(([id, name]) => (known.has(id) ? [] : [name]));
}

async function namesById(slurm: JoinedSlurm): Promise<ReadonlyMap<string, string>> {
  const { out } = await slurm.sacct("-c", "-n", "-P", "-o", "JobID,JobName");
  const queued = await slurm.squeue("--noheader", "--states=all", "--format=%i|%j");
  const rows = `${out}\n${queued.out}`.split("\n").flatMap((line) => {
    const [id = "", name = ""] = line.trim().split("|");
    return id === "" ? [] : [[id.replace(/_.*$/, ""), name] as const];
  });
  return new Map(rows);
}
