import { describe, expect, test } from "vitest";
import { jobScript, sbatchOptions, shellQuoted, timeLimit } from "../../../../src/jobs/remote/script.ts";
import type { JobSpec } from "../../../../src/model/job.ts";
import type { Target } from "../../../../src/model/target.ts";

const SPEC: JobSpec = {
  schema: "hasp.job/1",
  id: "train-1",
  title: "Train",
  cwd: ".",
  commands: [{ program: "hasp", args: ["data"], about: "work" }],
  env: {},
  passEnv: ["OPENAI_API_KEY"],
};
const PLACE = {
  root: "/home/me/hasp",
  folder: "/home/me/hasp/jobs/train-1",
  content: "c0ffee",
  program: "/home/me/hasp/programs/hasp-1",
  node: "/usr/bin/node",
  python: undefined,
};
const SLURM: Target = { kind: "slurm", host: "cluster", folder: "~/hasp" };

describe("the script of a submission", () => {
  test("for SLURM has the name by which it is found, may be requeued, and gets a signal before its time is over", () => {
    const lines = jobScript(SLURM, { ...SPEC, resources: { hours: 24 } }, PLACE, 3).split("\n");
    expect(lines[0]).toBe("#!/bin/sh");
    expect(lines.filter((line) => line.startsWith("#SBATCH"))).toEqual([
      "#SBATCH --job-name=hasp-train-1-3",
      "#SBATCH --output=/home/me/hasp/jobs/train-1/scheduler-3.txt",
      "#SBATCH --open-mode=append",
      "#SBATCH --requeue",
      "#SBATCH --signal=B:USR1@300",
      "#SBATCH --time=1-00:00:00",
    ]);
    expect(lines.at(-2)).toBe(
      "exec /usr/bin/node /home/me/hasp/programs/hasp-1/dist/hasp.cjs job-runner /home/me/hasp/jobs/train-1 --submission 3 --content c0ffee",
    );
  });

  test("of an hour gets its signal a minute before", () => {
    expect(jobScript(SLURM, { ...SPEC, resources: { hours: 1 } }, PLACE, 1)).toContain(
      "--signal=B:USR1@60\n",
    );
  });

  test("of a job with tasks is an array, and each runner executes its own", () => {
    const script = jobScript(SLURM, { ...SPEC, tasks: 8 }, PLACE, 1);
    expect(script).toContain("#SBATCH --array=1-8\n");
    expect(script).toContain(`--submission 1 --task "$SLURM_ARRAY_TASK_ID" --content c0ffee\n`);
  });

  test("over ssh has no header and no claim, and executes all tasks itself", () => {
    const script = jobScript({ ...SLURM, kind: "ssh" }, { ...SPEC, tasks: 8 }, PLACE, 1);
    expect(script).not.toMatch(/SBATCH|claim|--task/);
  });

  test("has the setup lines before everything that needs them, and no key", () => {
    const script = jobScript({ ...SLURM, setup: ["module load cuda"] }, SPEC, PLACE, 1);
    expect(script.indexOf("module load cuda")).toBeLessThan(script.indexOf("exec "));
    expect(script).not.toContain("OPENAI_API_KEY");
  });
});

test.each([
  [1, "01:00:00"],
  [30.5, "1-06:30:00"],
  [0.001, "00:01:00"],
  [0.26, "00:16:00"],
  [48, "2-00:00:00"],
])("%d hours are the time limit %s", (hours, limit) => {
  expect(timeLimit(hours)).toBe(limit);
});

test("what a job asks and where the target puts it are options of sbatch, the target's own last", () => {
  const target: Target = {
    ...SLURM,
    partition: "gpu",
    account: "lab",
    gpu: "l40s",
    options: ["--exclude=node7"],
  };
  expect(sbatchOptions(target, { gpus: 2, nodes: 2, cpus: 8, memoryGb: 48 })).toEqual([
    "--partition=gpu",
    "--account=lab",
    "--nodes=2",
    "--ntasks-per-node=1",
    "--cpus-per-task=8",
    "--mem=49152M",
    "--gres=gpu:l40s:2",
    "--exclude=node7",
  ]);
  expect(sbatchOptions(SLURM, { gpus: 0 })).toEqual([]);
  expect(sbatchOptions(SLURM, { gpus: 1 })).toEqual(["--gres=gpu:1"]);
});

test.each([
  ["/home/me/hasp", "/home/me/hasp"],
  ["/home/my files", "'/home/my files'"],
  ["$(touch x)", "'$(touch x)'"],
  ["it's", `'it'\\''s'`],
])("%s is one word of sh: %s", (text, word) => {
  expect(shellQuoted(text)).toBe(word);
});
