import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { failed } from "../app/refusal.ts";
import { environmentSecrets, isSecretName } from "../llm/env-secrets.ts";
import { createRedactor } from "../llm/redact.ts";
import { jobPaths } from "../jobs/job-folder.ts";
import { localBackend, type LocalPorts, type StartedRunner } from "../jobs/local-backend.ts";
import type { RunnerLocks } from "../jobs/ports.ts";
import type { RunnerPorts } from "../jobs/run-job.ts";
import type { Checked } from "../model/diagnostic.ts";
import type { JobBackend, JobProgram, JobSpec } from "../model/job.ts";
import { NO_RECORDS, type OwnRecords } from "../model/own-records.ts";
import { clusterPlace } from "./cluster-place.ts";
import { asFileError } from "./file-error.ts";
import { nodeFiles } from "./files.ts";
import { jobClock } from "./job-clock.ts";
import { openJobLog } from "./job-log.ts";
import { jobProcesses, type Program, type Programs } from "./job-processes.ts";
import { isHeldAnywhere, killHolder, removeLeftovers, tryLock } from "./process-lock.ts";
import { sha256 } from "./sha256.ts";
import { newStudentKey } from "./student-key.ts";
import { absolute } from "./surroundings.ts";
import { PYTHON_VARIABLE } from "./trainer-python.ts";
import { APPEND_FLAGS, writePath } from "./write-path.ts";

/** The build of which jobs run parts. */
export interface JobBuild {
  /** `hasp.cjs`. */
  readonly cli: string;
  /** The folder of the Python package `hasp_trainer`. */
  readonly trainer: string;
}

/** The build that `hasp.cjs` belongs to: `dist/` is beside `trainer/`. */
export const jobBuild = (cli: string): JobBuild => ({
  cli,
  trainer: path.resolve(path.dirname(cli), "../trainer"),
});

const locks: RunnerLocks = {
  take(lock) {
    const { lock: held } = tryLock(writePath(lock));
    if (held !== undefined) removeLeftovers(held);
    return held;
  },
  isHeld: isHeldAnywhere,
  killHolder,
};

const ELECTRON = process.versions["electron"] === undefined ? {} : { ELECTRON_RUN_AS_NODE: "1" };

const haspOf = ({ cli }: JobBuild): Program => ({
  executable: process.execPath,
  leading: [cli],
  env: ELECTRON,
});

function pythonOf({ trainer }: JobBuild, python: string): Program {
  const others = process.env["PYTHONPATH"];
  const PYTHONPATH = [trainer, ...(others === undefined || others === "" ? [] : [others])].join(
    path.delimiter,
  );
  // Safe path: modules of the folder in which a job runs must not stand in for the trainer's.
  return { executable: python, leading: [], env: { PYTHONPATH, PYTHONUNBUFFERED: "1", PYTHONSAFEPATH: "1" } };
}

/** The programs of jobs; without a Python, only `hasp`. */
export function programsOf(build: JobBuild, python: string | undefined): Programs {
  return (program: JobProgram) => {
    if (program === "hasp") return haspOf(build);
    return python === undefined ? undefined : pythonOf(build, python);
  };
}

/** The services of the runner in this process. `stop`: it was asked to end. */
export function runnerPorts(build: JobBuild, stop: AbortSignal): RunnerPorts {
  const { env } = process;
  return {
    files: nodeFiles(),
    clock: jobClock,
    processes: jobProcesses(programsOf(build, env[PYTHON_VARIABLE])),
    locks,
    openLog(file, passEnv) {
      const passed = passEnv.flatMap((name) => env[name]?.trim() ?? []);
      const redactor = createRedactor([...environmentSecrets(env), ...passed]);
      return openJobLog(file, redactor);
    },
    newToken: () => randomUUID(),
    sha256,
    newStudentKey,
    cluster: clusterPlace(env),
    stop,
  };
}

/** Variables of a runner: those of this process without secrets, but for those that the job names. */
function handedOver({ passEnv }: JobSpec, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const named = new Set(passEnv);
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => named.has(name) || !isSecretName(name)),
  );
}

/** The log, as standard output and error of a runner: it says there why it could not begin. */
function openOutput(log: string): { readonly file: number; readonly size: number } {
  try {
    const file = fs.openSync(writePath(log), APPEND_FLAGS);
    return { file, size: fs.fstatSync(file).size };
  } catch (error) {
    throw asFileError(error, log, "written");
  }
}

function textFrom(log: string, size: number): string {
  try {
    return fs.readFileSync(log).subarray(size).toString("utf8").slice(0, 2_000);
  } catch {
    return "";
  }
}

function startRunner(
  build: JobBuild,
  folder: string,
  { attempt, content }: { readonly attempt: number; readonly content: string },
  env: NodeJS.ProcessEnv,
): StartedRunner {
  const at = absolute(folder);
  const { log } = jobPaths(at);
  const { executable, leading } = haspOf(build);
  const { file, size } = openOutput(log);
  const args = [...leading, "job-runner", at, "--attempt", String(attempt), "--content", content];
  const stdio = ["ignore", file, file] as const;
  const options = {
    cwd: path.parse(at).root,
    env: { ...env, ...ELECTRON },
    detached: true,
    windowsHide: true,
  };
  const child = spawn(executable, args, { ...options, stdio: [...stdio] });
  fs.closeSync(file);
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", () => resolve(textFrom(log, size)));
  });
  child.unref();
  return { ended };
}

export interface LocalJobs {
  readonly build: JobBuild;
  /** The Python that has the trainer's packages. */
  readonly python: () => Promise<Checked<string>>;
  readonly environment: NodeJS.ProcessEnv;
  /** Absent: jobs are only looked at. */
  readonly own?: OwnRecords;
}

const needsPython = ({ commands, serve }: JobSpec): boolean =>
  serve !== undefined || commands.some(({ program }) => program === "python");

/** Jobs on this machine. */
export function localJobs({ build, python, environment, own = NO_RECORDS }: LocalJobs): JobBackend {
  const pythonFor = async (spec: JobSpec): Promise<Checked<string | false>> => {
    if (!needsPython(spec)) return { value: false, diagnostics: [] };
    if (fs.existsSync(path.join(build.trainer, "hasp_trainer"))) return python();
    const next = "This job needs the whole folder of HASP Studio: install it again, or build again.";
    return failed("HASP728", `The trainer is missing: ${build.trainer}`, next);
  };
  const ports: LocalPorts = {
    files: nodeFiles(),
    clock: jobClock,
    locks,
    processes: jobProcesses(() => undefined),
    async check(spec) {
      const { value, diagnostics } = await pythonFor(spec);
      return { value: value === undefined ? undefined : true, diagnostics };
    },
    own,
    async startRunner(folder, attempt, { spec, text }) {
      const { value } = await pythonFor(spec);
      const named = typeof value === "string" ? { [PYTHON_VARIABLE]: value } : {};
      const content = sha256(text);
      return startRunner(build, folder, { attempt, content }, { ...handedOver(spec, environment), ...named });
    },
  };
  return localBackend(ports);
}
