import path from "node:path";
import { execa } from "execa";
import { missingForCluster } from "../../scripts/lib/cluster.mts";
import type { BenchRow } from "./measure.mts";

/** The overhead of a job over a bare sbatch, in a process of its own: its daemons are started by files that a bundle does not have. */
export async function benchJob(root: string): Promise<BenchRow[]> {
  const missing = missingForCluster();
  if (missing !== undefined) throw new Error(`The bench job needs SLURM and sshd: ${missing}`);
  const { stdout } = await execa(process.execPath, [path.join(root, "test/bench/job-cluster.mts")], {
    cwd: root,
  });
  const { rounds, job, script } = JSON.parse(stdout) as Record<"rounds" | "job" | "script", number>;
  const method = `submit to the first line of metrics here, median of ${rounds} after a warm-up that sends the program; baseline: sbatch of the same script over one ssh`;
  return [{ name: "job over ssh and SLURM", ours: job, baseline: script, unit: "ms", method }];
}
