/** `node test/bench/job-cluster.mts`: milliseconds from the submission of a job to its first line of metrics here, over real ssh and SLURM. */
import { existsSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openClusterScene, type ClusterScene } from "../support/cluster-scene.ts";
import { compare } from "./measure.mts";

const ROUNDS = 7;
const POLL_MS = 20;

/** A line of metrics as a trainer writes it. */
const LINE = '{"step": 1, "iteration": 1, "loss": 1.0}';
const trains = (file: string): string =>
  `open(${JSON.stringify(file)}, "w").write(${JSON.stringify(`${LINE}\n`)})`;

/** Hands a script to sbatch over ssh, and looks for its line as a person does who watches the file there. */
async function bare({ sshd, slurm }: ClusterScene, round: number): Promise<void> {
  const file = path.join(slurm.home, `bare-${round}.jsonl`);
  const script = `#!/bin/sh\npython3 -c '${trains(file).replaceAll("'", `'\\''`)}'\n`;
  const quoted = `'${script.replaceAll("'", `'\\''`)}'`;
  const { code, err } = await sshd.ssh(`printf %s ${quoted} | sbatch --output=/dev/null`);
  if (code !== 0) throw new Error(`sbatch ended with ${code}: ${err}`);
  while (!existsSync(file)) await delay(POLL_MS);
}

async function ours(scene: ClusterScene, round: number): Promise<void> {
  const folder = scene.writeJob(`bench-${round}`, [trains("metrics.jsonl")], { metrics: ["metrics.jsonl"] });
  const backend = scene.backend();
  await backend.submit(folder);
  const seen = new AbortController();
  for await (const { kind } of backend.follow(folder, seen.signal)) if (kind === "metrics") seen.abort();
}

const scene = await openClusterScene();
try {
  const [job, script] = await compare(
    ROUNDS,
    (round) => ours(scene, round),
    (round) => bare(scene, round),
  );
  console.log(JSON.stringify({ rounds: ROUNDS, job, script }));
} finally {
  await scene.close();
}
