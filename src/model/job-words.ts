import { counted } from "./counted.ts";
import type { JobRecord, JobStatus, Resources } from "./job.ts";

const STATUS_WORDS: Readonly<Record<JobStatus, string>> = {
  prepared: "not submitted",
  submitted: "queued",
  running: "running",
  succeeded: "done",
  failed: "failed",
  stopped: "cancelled",
  lost: "cut off",
};

/** How a job is, in a word or two for people. */
export const jobStatusWord = ({ status }: Pick<JobRecord, "status">): string => STATUS_WORDS[status];

/** `2 GPUs, 48 GB of memory, 30 h`; empty where nothing is asked for. */
export function resourceWords({ gpus, nodes, cpus, memoryGb, hours }: Resources): string {
  const parts = [
    nodes === undefined || nodes === 1 ? undefined : counted(nodes, "node"),
    gpus === undefined ? undefined : gpus === 0 ? "no GPU" : counted(gpus, "GPU"),
    cpus === undefined ? undefined : counted(cpus, "core"),
    memoryGb === undefined ? undefined : `${memoryGb} GB of memory`,
    hours === undefined ? undefined : `${hours} h`,
  ];
  return parts.filter((part) => part !== undefined).join(", ");
}
