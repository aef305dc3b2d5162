import { refuse } from "../../app/refusal.ts";
import { readRecord } from "../../jobs/remote/record.ts";
import { remoteBackend } from "../../jobs/remote/remote-backend.ts";
import type { JobBackend } from "../../model/job.ts";
import { hostOf, type NamedTarget } from "../../model/target.ts";
import { nodeFiles } from "../files.ts";
import { localJobs, type LocalJobs } from "../local-jobs.ts";
import { remotePorts } from "./remote-jobs.ts";

export interface JobBackendsOptions extends LocalJobs {
  /** Whether jobs may be sent to, and asked of, a target: one of the person's own settings, or one that a person said yes to. */
  readonly isAllowed: (named: NamedTarget) => boolean;
  /** Progress of what is sent and fetched. */
  readonly on: (line: string) => void;
}

/** The backends of jobs, by the place where they run. */
export interface JobBackends {
  readonly local: JobBackend;
  /** Refuses with HASP797 where the target is not allowed. */
  on(named: NamedTarget): JobBackend;
  /** That of a job by its folder: of the target that it was sent to, or of this machine. Refuses with HASP797. */
  of(folder: string): Promise<JobBackend>;
}

/** Jobs on this machine and on targets. */
export function jobBackends({ isAllowed, on, ...local }: JobBackendsOptions): JobBackends {
  const here = localJobs(local);
  const { build, environment, own } = local;
  const onTarget = (named: NamedTarget): JobBackend => {
    if (!isAllowed(named))
      refuse(
        "HASP797",
        `Nobody has allowed the target ${named.name} (${hostOf(named.target)}) yet.`,
        "Look at it, then allow it: `hasp job target allow`, or HASP: Test Target in VS Code.",
      );
    return remoteBackend(remotePorts({ build, environment, own, on }), named);
  };
  return {
    local: here,
    on: onTarget,
    async of(folder) {
      const record = await readRecord(nodeFiles(), folder);
      return record === undefined ? here : onTarget(record);
    },
  };
}
