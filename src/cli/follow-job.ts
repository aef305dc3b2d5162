import type { JobEvent, JobRecord } from "../model/job.ts";
import { interruptible } from "./interrupt.ts";
import type { OpenJob } from "./job-folders.ts";
import { recordLine, recordLines } from "./job-words.ts";
import { metricsLine } from "./jobs.ts";
import { EXIT, type ExitCode, type Terminal } from "./terminal.ts";

/** Which events of a job are printed. */
export interface Shown {
  readonly log: boolean;
  readonly metrics: boolean;
}

function showing(terminal: Terminal, { log, metrics }: Shown): (event: JobEvent) => void {
  let known = "";
  return (event) => {
    if (event.kind === "log" && log) terminal.line(event.line);
    else if (event.kind === "metrics" && metrics) terminal.line(metricsLine(event.metrics));
    else if (event.kind === "trouble") terminal.line(`! ${event.message}`);
    else if (event.kind === "status") {
      const line = recordLine(event.record);
      if (line !== known) terminal.line(`[${line}]`);
      known = line;
    }
  };
}

/** The code of a job that is not under way: anything but success is a finding. */
export const exitCodeOf = ({ status }: JobRecord): ExitCode =>
  status === "succeeded" ? EXIT.fine : EXIT.findings;

/**
 * Prints what happens to a job until it ends; Ctrl-C leaves it running, and undefined is answered. Rejects with a refusal (app/refusal.ts)
 * where its target cannot be asked for a reason that does not pass.
 */
export async function followToEnd(
  terminal: Terminal,
  { folder, spec, backend }: OpenJob,
  shown: Shown,
): Promise<JobRecord | undefined> {
  const show = showing(terminal, shown);
  let last: JobRecord | undefined;
  const isLeft = await interruptible(terminal, async (signal) => {
    for await (const event of backend.follow(folder, signal)) {
      if (event.kind === "status") last = event.record;
      show(event);
    }
    return signal.aborted;
  });
  if (!isLeft) return last;
  terminal.line(`The job continues by itself. Follow it again: hasp job follow ${spec.id}`);
  return undefined;
}

/** The end of a job for people. */
export function printEnd(terminal: Terminal, record: JobRecord): void {
  if (record.status !== "succeeded") for (const line of recordLines(record)) terminal.line(line);
}
