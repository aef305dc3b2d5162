import { serveArguments } from "../jobs/serve-student.ts";
import type { JobClock, JobProcess, ProcessOrder } from "../jobs/ports.ts";
import type { ServedStudent } from "../model/job.ts";
import { jobClock } from "./job-clock.ts";
import { jobProcesses } from "./job-processes.ts";
import { type JobBuild, programsOf } from "./local-jobs.ts";
import { newKey } from "./student-key.ts";

/** A student that a process serves for itself, outside of a job. */
export interface ServingOrder {
  readonly build: JobBuild;
  /** The Python that has the trainer's packages. */
  readonly python: string;
  readonly student: ServedStudent;
  /** Relative folders of the student are below it. */
  readonly cwd: string;
}

/** The services that `serveStudent` takes. The server ends with this process, however that ends. */
export function localServing({ build, python, student, cwd }: ServingOrder): {
  readonly clock: JobClock;
  readonly key: string;
  readonly start: (order: Pick<ProcessOrder, "env" | "onText">) => JobProcess;
} {
  const processes = jobProcesses(programsOf(build, python));
  const args = serveArguments(student);
  return {
    clock: jobClock,
    key: newKey(),
    start: (order) => processes.start({ program: "python", args, cwd, ...order }),
  };
}
