import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { missingForCluster } from "../../scripts/lib/cluster.mts";
import { type Slurm, startSlurm } from "../support/slurm.ts";

const TRAINER = path.resolve(import.meta.dirname, "../../trainer");
const missing = missingForCluster();
const note = missing === undefined ? "" : ` (skipped: ${missing})`;
const poll = { timeout: 60_000, interval: 100 };

interface Entry {
  readonly id: string;
  readonly task: number | null;
  readonly state: string;
  readonly reason: string;
  readonly exitCode: number | null;
  readonly signal: number | null;
}

const ASK = `import json, sys
from hasp_target import scheduler
print(json.dumps(scheduler.entries(*sys.argv[1:])))`;

/** How the program of a target sees the jobs of a name; of one of them where its number is given. */
async function entries(slurm: Slurm, name: string, ...job: readonly string[]): Promise<Entry[]> {
  const { code, out, err } = await slurm.run(
    "env",
    `PYTHONPATH=${TRAINER}`,
    "PYTHONDONTWRITEBYTECODE=1",
    "/usr/bin/python3",
    "-c",
    ASK,
    name,
    ...job,
  );
  if (code !== 0) throw new Error(err);
  return JSON.parse(out) as Entry[];
}

const brief = (all: readonly Entry[]): string[] =>
  all
    .map(({ task, state, exitCode, signal }) => `${task ?? "-"} ${state} ${exitCode ?? "-"}:${signal ?? "-"}`)
    .toSorted();

const untilForgotten = (slurm: Slurm, id: string): Promise<void> =>
  expect.poll(() => slurm.state(id), poll).toBeUndefined();

describe.skipIf(missing !== undefined)(`the knowledge of a cluster about a job${note}`, () => {
  describe.each(["jobcomp", "slurmdbd", "none"] as const)("with the accounting %s", (accounting) => {
    let slurm: Slurm;
    beforeAll(async () => {
      slurm = await startSlurm({ accounting, gpu: "l40s" });
    });
    afterAll(async () => {
      await slurm?.stop();
    });

    test("a job that sbatch refused is none, although SLURM keeps it as failed", async () => {
      await expect(slurm.submit("true", "--job-name=gone", "--gres=gpu:h100:1")).rejects.toThrow(
        /Requested node configuration is not available/,
      );
      expect((await slurm.squeue("-h", "-t", "all", "-n", "gone", "-o", "%T %r")).out).toBe(
        "FAILED BadConstraints\n",
      );
      expect(await entries(slurm, "gone")).toEqual([]);
      const id = await slurm.submit("sleep 600", "--job-name=gone", "--gres=gpu:l40s:1");
      expect((await entries(slurm, "gone")).map((one) => one.id)).toEqual([id]);
      await slurm.run("scancel", id);
    });

    test("exit codes and signals of what has ended a short while ago", async () => {
      const id = await slurm.submit("exit 3", "--job-name=three");
      await slurm.untilState(id, "FAILED");
      expect(brief(await entries(slurm, "three", id))).toEqual(["- FAILED 3:0"]);
      const killed = await slurm.submit("kill -9 $$", "--job-name=killed");
      await slurm.untilState(killed, "FAILED");
      expect(brief(await entries(slurm, "killed", killed))).toEqual(["- FAILED 0:9"]);
    });

    test("tasks of an array one by one, those that wait too", async () => {
      const id = await slurm.submit(
        "case $SLURM_ARRAY_TASK_ID in 1) exit 5;; 2) exit 0;; *) exec sleep 600;; esac",
        "--job-name=tasks",
        "--array=1-4%3",
        "--cpus-per-task=2",
        "--nodelist=n1",
      );
      const seen = async (): Promise<string[]> => brief(await entries(slurm, "tasks", id));
      await expect
        .poll(seen, poll)
        .toEqual(["1 FAILED 5:0", "2 COMPLETED 0:0", "3 RUNNING 0:0", "4 PENDING 0:0"]);
      await slurm.run("scancel", id);
      await expect
        .poll(seen, poll)
        .toEqual(["1 FAILED 5:0", "2 COMPLETED 0:0", "3 CANCELLED 0:15", "4 CANCELLED 0:0"]);
    });
  });

  test.each([
    ["jobcomp", ["- FAILED 4:0"]],
    ["slurmdbd", ["- FAILED 4:0"]],
    ["none", []],
  ] as const)(
    "with the accounting %s, once the controller has forgotten it",
    async (accounting, expected) => {
      const slurm = await startSlurm({ accounting, minJobAge: 2, nodes: 1, gpu: "l40s" });
      try {
        await slurm.submit("true", "--job-name=refused", "--gres=gpu:h100:1").catch(() => undefined);
        const again = '[ -n "$SLURM_RESTART_COUNT" ] || exec sleep 600; exit 4';
        const id = await slurm.submit(again, "--job-name=four", "--requeue");
        await slurm.untilState(id, "RUNNING");
        await slurm.scontrol("requeue", id);
        await slurm.untilState(id, "PENDING");
        expect(brief(await entries(slurm, "four", id))).toEqual(["- PENDING -:-"]);
        await untilForgotten(slurm, id);
        await expect.poll(async () => brief(await entries(slurm, "four", id)), poll).toEqual(expected);
        await expect.poll(async () => brief(await entries(slurm, "four")), poll).toEqual(expected);
        expect(await entries(slurm, "refused")).toEqual([]);
      } finally {
        await slurm.stop();
      }
    },
  );

  test("tasks of a forgotten array are not mixed up where `sacct -c` numbers them like jobs", async () => {
    const slurm = await startSlurm({ minJobAge: 2, nodes: 1 });
    try {
      const id = await slurm.submit("exit $SLURM_ARRAY_TASK_ID", "--job-name=mixed", "--array=0-1");
      await slurm.untilState(id, "FAILED", "COMPLETED");
      await untilForgotten(slurm, id);
      expect(await entries(slurm, "mixed", id)).toEqual([]);
    } finally {
      await slurm.stop();
    }
  });
});
