/** Starts the programs of the miniature: the command line of this checkout, and the Python of the trainer. */
import { appendFileSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import process from "node:process";

import { execa } from "execa";

import { serveStudent } from "../../src/jobs/serve-student.ts";
import { jobBuild } from "../../src/platform/local-jobs.ts";
import { localServing } from "../../src/platform/local-serving.ts";
import { STUDENT_ADDRESS, STUDENT_KEY_FILE } from "../../src/model/job.ts";
import { newStudentKey } from "../../src/platform/student-key.ts";
import { ROOT } from "../lib/paths.mts";

const HASP = resolve(ROOT, "dist/hasp.cjs");
const TRAINER = resolve(ROOT, "trainer");

/** A program that ended with an error: its command and the end of its output. */
function failure(what: string, code: unknown, output: string): Error {
  return new Error(
    `${what} ended with ${String(code)}:\n${output.trimEnd().split("\n").slice(-12).join("\n")}`,
  );
}

/** Runs `hasp` and returns its output; throws with the end of it where its exit code is none of `fine`. */
export async function hasp(
  args: readonly string[],
  options: {
    readonly cwd?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly fine?: readonly number[];
  } = {},
): Promise<string> {
  const { cwd = ROOT, env = {}, fine = [0] } = options;
  const run = await execa(process.execPath, [HASP, ...args], {
    cwd,
    env,
    stdin: "ignore",
    all: true,
    reject: false,
  });
  if (run.exitCode === undefined || !fine.includes(run.exitCode))
    throw failure(`hasp ${args.slice(0, 2).join(" ")}`, run.exitCode ?? run.signal, run.all);
  return run.all;
}

/** Variables under which our Python packages are found and nothing is fetched. */
export const pythonEnv = (): Record<string, string> => ({
  PYTHONPATH: [TRAINER, process.env["PYTHONPATH"]]
    .filter((entry) => entry !== undefined && entry !== "")
    .join(delimiter),
  HF_HUB_OFFLINE: "1",
  TOKENIZERS_PARALLELISM: "false",
});

/** Runs a module of `trainer/` and shows what it says, line by line. */
export async function python(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>>; readonly log: string },
): Promise<void> {
  const run = await execa(command, ["-m", ...args], {
    cwd: options.cwd ?? ROOT,
    env: { ...pythonEnv(), ...options.env },
    stdin: "ignore",
    stdout: { file: options.log, append: true },
    stderr: ["pipe", { file: options.log, append: true }],
    reject: false,
  });
  if (run.exitCode !== 0)
    throw failure(`python -m ${args.slice(0, 2).join(" ")}`, run.exitCode ?? run.signal, run.stderr);
}

/** A student to be served. */
export interface ServedStudent {
  readonly interpreter: string;
  readonly model: string;
  /** A LoRA adapter on it. */
  readonly adapter?: string;
  readonly log: string;
}

/** Serves a student while `work` runs; `work` gets the variables by which commands find it. */
export async function withStudent<T>(
  { interpreter, model, adapter, log }: ServedStudent,
  work: (student: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  const student = { model, ...(adapter !== undefined && { adapter }), engine: "auto" } as const;
  const ports = localServing({ build: jobBuild(HASP), python: interpreter, student, cwd: ROOT });
  const start: typeof ports.start = ({ env, onText }) => {
    const heard = (text: string): void => {
      appendFileSync(log, text);
      onText(text);
    };
    return ports.start({ env, onText: heard });
  };
  const key = newStudentKey();
  try {
    const given = { clock: ports.clock, key: key.value, start };
    const serving = await serveStudent(given, student, new AbortController().signal);
    if (serving.served === undefined) throw new Error(`${serving.reason} ${log} has its output.`);
    try {
      return await work({ [STUDENT_ADDRESS]: serving.served.policy, [STUDENT_KEY_FILE]: key.file });
    } finally {
      await serving.served.close();
    }
  } finally {
    key.remove();
  }
}
