// The programs of SLURM and ssh that the tests of remote jobs start on this machine.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

import { onPath } from "./processes.mts";
import { ensurePackages, type Need } from "./system-packages.mts";

/** A package by its programs; those of an administrator are not on every user's PATH. */
const programs = (name: string, ...files: readonly string[]): Need => ({
  name,
  present: () => files.every((file) => onPath(file) !== undefined || existsSync(`/usr/sbin/${file}`)),
});

const NEEDS: readonly Need[] = [
  programs("slurm-wlm", "slurmctld", "slurmd", "sbatch"),
  programs("munge", "munged"),
  programs("openssh-server", "sshd"),
  programs("openssh-client", "ssh", "ssh-keygen"),
  programs("rsync", "rsync"),
  // For the accounting of a cluster: `sacct` asks slurmdbd, which asks MariaDB.
  programs("slurmdbd", "slurmdbd"),
  programs("mariadb-server-core", "mariadbd", "mariadb-install-db"),
  programs("mariadb-client-core", "my_print_defaults"),
];

/** Installs the packages of a cluster where this user could start one. Rejects where apt cannot. */
export async function prepareCluster(): Promise<void> {
  if (notPermitted() === undefined) await ensurePackages(NEEDS);
}

/** Why no cluster can be started here, in a few words; nothing where it can. */
export function missingForCluster(): string | undefined {
  const lacking = NEEDS.filter((need) => !need.present()).map(({ name }) => name);
  return notPermitted() ?? (lacking.length === 0 ? undefined : `not installed: ${lacking.join(", ")}`);
}

function notPermitted(): string | undefined {
  if (process.platform !== "linux") return "SLURM is for Linux";
  if (process.getuid?.() !== 0) return "a cluster for tests is started by root";
  const { status } = spawnSync("unshare", ["--mount", "true"], { stdio: "ignore" });
  return status === 0 ? undefined : "no mount namespaces are permitted";
}
