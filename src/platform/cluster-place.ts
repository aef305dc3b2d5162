import { execFileSync } from "node:child_process";
import type { ClusterPlace } from "../jobs/launch.ts";

/** Ports for meetings, below those that systems give out by themselves. */
const FIRST_PORT = 15_000;
const PORTS = 10_000;
/** Milliseconds for the cluster's own list of hosts. */
const PATIENCE_MS = 10_000;

/**
 * The first host of a list such as `gpu[03-05,9],login1`. Undefined where it has none.
 */
export function firstHost(list: string): string | undefined {
  const [, before = "", ranges, after = ""] =
    /^([^[\],\s]*)(?:\[([^\]]*)\]([^,[\]\s]*))?/.exec(list.trim()) ?? [];
  if (ranges === undefined) return before === "" ? undefined : before;
  const [, number] = /^(\d+)/.exec(ranges) ?? [];
  return number === undefined ? undefined : `${before}${number}${after}`;
}

/** The cluster's own answer: it knows every form of a list. */
function askedHost(list: string): string | undefined {
  try {
    const said = execFileSync("scontrol", ["show", "hostnames", list], {
      encoding: "utf8",
      timeout: PATIENCE_MS,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return /^\S+/.exec(said)?.[0];
  } catch {
    return undefined;
  }
}

/**
 * The machines that SLURM has given to the job of this process, by its variables; undefined outside of one, and where it has one machine. `ask`
 * gives the first host of a list of hosts, or nothing where it cannot.
 */
export function clusterPlace(
  env: Readonly<Record<string, string | undefined>>,
  ask: (list: string) => string | undefined = askedHost,
): ClusterPlace | undefined {
  const nodes = Number(env["SLURM_JOB_NUM_NODES"] ?? env["SLURM_NNODES"]);
  const list = env["SLURM_JOB_NODELIST"] ?? env["SLURM_NODELIST"];
  const job = Number(env["SLURM_JOB_ID"] ?? env["SLURM_JOBID"]);
  if (!Number.isInteger(nodes) || nodes < 2 || list === undefined || !Number.isInteger(job)) return undefined;
  const address = ask(list) ?? firstHost(list);
  return address === undefined ? undefined : { nodes, address, port: FIRST_PORT + (job % PORTS) };
}
