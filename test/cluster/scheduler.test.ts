import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { missingForCluster } from "../../scripts/lib/cluster.mts";
import type { JoinedSlurm } from "../support/slurm.ts";
import { joinCluster } from "../support/stage-cluster.ts";

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

/** What a cluster may keep of the ends of jobs, by the lines of slurm.conf that sacct then lacks. */
const KEEPS = {
  "a database": /^JobComp/,
  "a text file": /^AccountingStorage/,
  nothing: /^(?:JobComp|AccountingStorage)/,
} as const;
type Kept = keyof typeof KEEPS;
const KEPT = Object.keys(KEEPS) as Kept[];

const brief = (all: readonly Entry[]): string[] =>
  all
    .map(({ task, state, exitCode, signal }) => `${task ?? "-"} ${state} ${exitCode ?? "-"}:${signal ?? "-"}`)
    .toSorted();

describe.skipIf(missing !== undefined)(`the knowledge of a cluster about a job${note}`, () => {
  let slurm: JoinedSlurm;
  const confOf = (kept: Kept): string => path.join(folder, `${KEPT.indexOf(kept)}.conf`);
  let folder: string;
  let conf: string;
  beforeAll(async () => {
    ({ slurm, folder } = await joinCluster());
    conf = readFileSync(slurm.conf, "utf8");
    for (const kept of KEPT) {
      const lines = conf.split("\n").filter((line) => !KEEPS[kept].test(line));
      writeFileSync(confOf(kept), lines.join("\n"));
    }
  });

  /** How the program of a target sees the jobs of a name; of one of them where its number is given. */
  async function entries(kept: Kept, name: string, ...job: readonly string[]): Promise<Entry[]> {
    const python = ["PYTHONDONTWRITEBYTECODE=1", "/usr/bin/python3", "-c", ASK];
    const variables = [`PYTHONPATH=${TRAINER}`, `SLURM_CONF=${confOf(kept)}`];
    const { code, out, err } = await slurm.run("env", ...variables, ...python, name, ...job);
    if (code !== 0) throw new Error(err);
    return JSON.parse(out) as Entry[];
  }

  /** The same answer from each kind of cluster. */
  async function everywhere<T>(look: (kept: Kept) => Promise<T>): Promise<Record<Kept, T>> {
    const seen = KEPT.map(async (kept) => [kept, await look(kept)] as const);
    return Object.fromEntries(await Promise.all(seen)) as Record<Kept, T>;
  }
  const same = <T>(value: T): Record<Kept, T> =>
    Object.fromEntries(KEPT.map((kept) => [kept, value])) as Record<Kept, T>;

  test("a job that sbatch refused is none, although SLURM keeps it as failed", async () => {
    await expect(slurm.submit("true", "--job-name=gone", "--tmp=1000000")).rejects.toThrow(
      /Requested node configuration is not available/,
    );
    expect((await slurm.squeue("-h", "-t", "all", "-n", "gone", "-o", "%T %r")).out).toBe(
      "FAILED BadConstraints\n",
    );
    expect(await everywhere((kept) => entries(kept, "gone"))).toEqual(same([]));
    const id = await slurm.submit("sleep 600", "--job-name=gone");
    const ids = async (kept: Kept) => (await entries(kept, "gone")).map((one) => one.id);
    expect(await everywhere(ids)).toEqual(same([id]));
    await slurm.run("scancel", id);
  });

  test("exit codes and signals of what has ended a short while ago", async () => {
    const three = await slurm.submit("exit 3", "--job-name=three");
    const killed = await slurm.submit("kill -9 $$", "--job-name=killed");
    await slurm.untilState(three, "FAILED");
    await slurm.untilState(killed, "FAILED");
    const seen = async (kept: Kept) => [
      brief(await entries(kept, "three", three)),
      brief(await entries(kept, "killed", killed)),
    ];
    expect(await everywhere(seen)).toEqual(same([["- FAILED 3:0"], ["- FAILED 0:9"]]));
  });

  test("tasks of an array one by one, those that wait too", async () => {
    const id = await slurm.submit(
      "case $SLURM_ARRAY_TASK_ID in 1) exit 5;; 2) exit 0;; *) exec sleep 600;; esac",
      "--job-name=tasks",
      "--array=1-4%3",
      "--cpus-per-task=2",
      "--nodelist=n1",
    );
    const seen = () => everywhere(async (kept) => brief(await entries(kept, "tasks", id)));
    await expect
      .poll(seen, poll)
      .toEqual(same(["1 FAILED 5:0", "2 COMPLETED 0:0", "3 RUNNING 0:0", "4 PENDING 0:0"]));
    await slurm.run("scancel", id);
    await expect
      .poll(seen, poll)
      .toEqual(same(["1 FAILED 5:0", "2 COMPLETED 0:0", "3 CANCELLED 0:15", "4 CANCELLED 0:0"]));
  });

  describe("once the controller has forgotten it", () => {
    const untilForgotten = (id: string): Promise<void> =>
      expect.poll(() => slurm.state(id), poll).toBeUndefined();
    const remember = async (seconds: number): Promise<void> => {
      writeFileSync(slurm.conf, conf.replace(/^MinJobAge=.*$/m, `MinJobAge=${seconds}`));
      // This SLURM's controller sometimes ends while it reads its configuration anew.
      if ((await slurm.scontrol("reconfigure")).code !== 0) await slurm.clear();
    };
    beforeAll(() => remember(2));
    afterAll(() => remember(3600));

    test("its end is what the cluster keeps of it", async () => {
      await slurm.submit("true", "--job-name=refused", "--tmp=1000000").catch(() => undefined);
      const again = '[ -n "$SLURM_RESTART_COUNT" ] || exec sleep 600; exit 4';
      const id = await slurm.submit(again, "--job-name=four", "--requeue");
      await slurm.untilState(id, "RUNNING");
      await slurm.scontrol("requeue", id);
      await slurm.untilState(id, "PENDING");
      const seen = (...job: readonly string[]) =>
        everywhere(async (kept) => brief(await entries(kept, "four", ...job)));
      expect(await seen(id)).toEqual(same(["- PENDING -:-"]));
      await untilForgotten(id);
      const kept = { "a database": ["- FAILED 4:0"], "a text file": ["- FAILED 4:0"], nothing: [] };
      await expect.poll(() => seen(id), poll).toEqual(kept);
      await expect.poll(() => seen(), poll).toEqual(kept);
      expect(await everywhere((one) => entries(one, "refused"))).toEqual(same([]));
    });

    test("tasks of an array are not mixed up where `sacct -c` numbers them like jobs", async () => {
      const id = await slurm.submit("exit $SLURM_ARRAY_TASK_ID", "--job-name=mixed", "--array=0-1");
      await slurm.untilState(id, "FAILED", "COMPLETED");
      await untilForgotten(id);
      expect(await entries("a text file", "mixed", id)).toEqual([]);
    });
  });
});
