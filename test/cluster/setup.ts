import type { TestProject } from "vitest/node";
import { missingForCluster } from "../../scripts/lib/cluster.mts";
import { openDaemons } from "../support/daemons.ts";
import { openSmallDisk } from "../support/full-disk.ts";
import { startSlurm } from "../support/slurm.ts";
import { type SshdPlace, startSshd } from "../support/sshd.ts";

/** The cluster that all files share, one after the other, by its places. */
interface StageCluster {
  readonly folder: string;
  readonly sshd: SshdPlace;
  readonly disk: { readonly root: string; readonly pid: number };
}

declare module "vitest" {
  interface ProvidedContext {
    readonly cluster: StageCluster;
  }
}

/** Room for the program and for an input of some megabytes. */
const DISK_BYTES = 120_000_000;

const PARTITIONS = [
  "PreemptType=preempt/partition_prio",
  "PreemptMode=REQUEUE",
  "SlurmctldParameters=preempt_send_user_signal",
  "PartitionName=low Nodes=ALL PriorityTier=1 PreemptMode=REQUEUE State=UP",
  "PartitionName=graceful Nodes=ALL PriorityTier=1 PreemptMode=REQUEUE GraceTime=4 State=UP",
  "PartitionName=high Nodes=ALL PriorityTier=10 PreemptMode=OFF State=UP",
];

/** Starts a SLURM with accounts and a login node, whose jobs and sessions see a small disk of their own. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (missingForCluster() !== undefined) return undefined;
  const ends: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of ends.toReversed()) await end();
  };
  try {
    const place = await openDaemons("disk");
    ends.push(() => place.close());
    const disk = await openSmallDisk(place.at("disk"), DISK_BYTES);
    ends.push(() => disk.close());
    const { enter } = disk;
    const slurm = await startSlurm({
      hasAccounts: true,
      enforceLimits: true,
      enter,
      lines: PARTITIONS,
    });
    ends.push(() => slurm.stop());
    const sshd = await startSshd({ env: slurm.env, enter });
    ends.push(() => sshd.stop());
    const { folder, port, home } = sshd;
    project.provide("cluster", {
      folder: slurm.folder,
      sshd: { folder, port, home, enter },
      disk: { root: disk.root, pid: disk.pid },
    });
    return close;
  } catch (error) {
    await close();
    throw error;
  }
}
