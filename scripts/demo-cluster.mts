// `npm run demo:cluster`: a SLURM with a login node on this machine, for trying remote jobs by hand, until Ctrl-C.
import { startSlurm } from "../test/support/slurm.ts";
import { startSshd } from "../test/support/sshd.ts";
import { missingForCluster, prepareCluster } from "./lib/cluster.mts";
import { runMain, say, stop } from "./lib/report.mts";

await runMain(async () => {
  await prepareCluster();
  const missing = missingForCluster();
  if (missing !== undefined) throw stop(`No cluster can be started here: ${missing}.`);
  const ended = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
  const slurm = await startSlurm({ preempt: true, grace: 30, userSignal: true, gpu: "l40s" });
  const sshd = await startSshd({ env: slurm.env });
  say(`A SLURM of two nodes with a GPU each in name, and a login node, below ${slurm.folder}`);
  console.log(`
1. Let ssh know the host \`${sshd.host}\`, with one line at the top of ~/.ssh/config until this ends:

   Include ${sshd.config}

   or start the command line or VS Code with this folder first on its PATH:

   export PATH=${sshd.bin}:$PATH

2. Add targets to hasp.yaml, or to the setting hasp.targets:

   targets:
     demo:
       kind: slurm
       host: ${sshd.host}
     demo-ssh:
       kind: ssh
       host: ${sshd.host}

   Jobs of the partition \`low\`, the default, give way to those of \`high\`:
   ssh ${sshd.host} sbatch -p high -N2 --exclusive --wrap '"sleep 60"'

3. Look at the queue: ssh ${sshd.host} squeue

Ctrl-C ends all of it and removes its folders, the jobs' too.
`);
  await ended;
  await sshd.stop();
  await slurm.stop();
  say("Ended.");
  return 0;
});
