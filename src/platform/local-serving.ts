import { serveArguments } from "../jobs/serve-student.ts";
import { TOKEN_VARIABLE, type JobClock, type JobProcess, type ProcessOrder } from "../jobs/ports.ts";
import type { ServedStudent } from "../model/job.ts";
import { jobClock } from "./job-clock.ts";
import { jobProcesses } from "./job-processes.ts";
import { type JobBuild, programsOf } from "./local-jobs.ts";

/** A student that a process serves for itself, outside of a job. */
export interface ServingOrder {
  readonly build: JobBuild;
  /** The Python that has the trainer's packages. */
  readonly python: string;
  readonly student: ServedStudent;
  /** Relative folders of the student are below it. */
  readonly cwd: string;
  /** Marks its processes, so that those that a crash leaves behind can be ended. */
  readonly token: string;
}

/** The services that `serveStudent` takes. */
export function localServing({ build, python, student, cwd, token }: ServingOrder): {
  readonly clock: JobClock;
  readonly start: (onText: ProcessOrder["onText"]) => JobProcess;
} {
  const processes = jobProcesses(programsOf(build, python));
  const args = serveArguments(student);
  const env = { [TOKEN_VARIABLE]: token };
  const start = (onText: ProcessOrder["onText"]): JobProcess =>
    processes.start({ program: "python", args, cwd, env, onText });
  return { clock: jobClock, start };
}

/** Ends what a process that crashed has left of a served student. */
export async function endServing(token: string): Promise<void> {
  const graceMs = 2_000;
  await jobProcesses(() => undefined).endMarked(token, graceMs);
}
