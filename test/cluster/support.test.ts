import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { execa } from "execa";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { missingForCluster } from "../../scripts/lib/cluster.mts";
import { isCi } from "../../scripts/lib/stages.mts";
import type { JoinedDisk } from "../support/full-disk.ts";
import { isAlive, processesOf } from "../support/keeper.mts";
import { startLink } from "../support/link.ts";
import type { JoinedSlurm } from "../support/slurm.ts";
import {
  addClosedHost,
  addImpostor,
  addSilentHost,
  addStranger,
  type JoinedSshd,
  startSshd,
} from "../support/sshd.ts";
import { joinCluster } from "../support/stage-cluster.ts";

const missing = missingForCluster();
const note = missing === undefined ? "" : ` (skipped: ${missing})`;

const poll = { timeout: 60_000, interval: 50 };

test.runIf(isCi())("a machine that tests a change can start a cluster", () => {
  expect(missing).toBeUndefined();
});

const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");

describe.skipIf(missing !== undefined)(`a cluster behind a login node${note}`, () => {
  let slurm: JoinedSlurm;
  let sshd: JoinedSshd;
  let disk: JoinedDisk;
  const read = (name: string): string => textOf(path.join(slurm.home, name));
  beforeAll(async () => {
    ({ slurm, sshd, disk } = await joinCluster());
  });

  test("sbatch over ssh: an array in the home folder, and a job after it", async () => {
    const pwd = await sshd.ssh('pwd; echo "$HOME"');
    expect(pwd).toEqual({ code: 0, out: `${slurm.home}\n${slurm.home}\n`, err: "" });
    const array = await sshd.ssh(
      "sbatch --parsable --array=1-3 -o task-%a.out --wrap 'echo task $SLURM_ARRAY_TASK_ID'",
    );
    expect(array.err).toBe("");
    const id = array.out.trim();
    const after = await sshd.ssh(
      `sbatch --parsable --dependency=afterok:${id} --wrap 'cat task-*.out >all.out'`,
    );
    await slurm.untilState(after.out.trim(), "COMPLETED");
    expect(read("all.out")).toBe("task 1\ntask 2\ntask 3\n");
  });

  test("a job after one that failed never runs", async () => {
    const failed = await slurm.submit("exit 3");
    const after = await slurm.submit("touch after-failed", `--dependency=afterok:${failed}`);
    await slurm.untilState(failed, "FAILED");
    await expect
      .poll(async () => (await slurm.squeue("-h", "-j", after, "-o", "%T %r")).out, poll)
      .toBe("PENDING DependencyNeverSatisfied\n");
    await slurm.run("scancel", after);
    await slurm.untilState(after, "CANCELLED");
    expect(existsSync(path.join(slurm.home, "after-failed"))).toBe(false);
  });

  test("scancel gives SIGTERM to the job's processes and then SIGKILL", async () => {
    const id = await slurm.submit(
      "sh -c \"trap 'echo TERM >>cancelled' TERM; touch trapped; while :; do sleep 0.1; done\" & wait",
    );
    await expect.poll(() => existsSync(path.join(slurm.home, "trapped")), poll).toBe(true);
    expect((await sshd.ssh(`scancel ${id}`)).code).toBe(0);
    await slurm.untilState(id, "CANCELLED");
    // Its shell hears the signal when its `sleep` ends.
    await expect.poll(() => read("cancelled"), poll).toBe("TERM\n");
  });

  test("scontrol requeue runs a job again, which sees that it was restarted", async () => {
    const id = await slurm.submit('echo "run ${SLURM_RESTART_COUNT:-0}" >>requeued; sleep 600', "--requeue");
    await expect.poll(() => read("requeued"), poll).toBe("run 0\n");
    expect((await slurm.scontrol("requeue", id)).code).toBe(0);
    await expect.poll(() => read("requeued"), poll).toBe("run 0\nrun 1\n");
    await slurm.run("scancel", id);
    const never = await slurm.submit("sleep 600", "--no-requeue");
    await slurm.untilState(never, "RUNNING");
    expect(await slurm.scontrol("requeue", never)).toEqual({
      code: 1,
      out: "",
      err: `Requested operation is presently disabled for job ${never}\n`,
    });
    await slurm.run("scancel", never);
  });

  test("a job of `high` takes the nodes from one that gets SIGTERM first and runs again later", async () => {
    const id = await slurm.submit(
      `echo "run \${SLURM_RESTART_COUNT:-0}" >>preempted
[ -z "$SLURM_RESTART_COUNT" ] || exit 0
trap 'echo TERM >>preempted; sleep 1; echo saved >>preempted' TERM
sleep 600 & wait
echo waits >>preempted
sleep 600 & wait`,
      "--requeue",
      "--partition=graceful",
      "--nodes=2",
      "--exclusive",
      "--signal=B:TERM@30",
    );
    await expect.poll(() => read("preempted"), poll).toBe("run 0\n");
    const high = await slurm.submit("sleep 1", "--partition=high", "--nodes=2", "--exclusive");
    await expect.poll(() => read("preempted"), poll).toContain("TERM\nsaved\nwaits\n");
    await slurm.untilState(high, "COMPLETED");
    await slurm.untilState(id, "COMPLETED");
    expect(read("preempted")).toMatch(/^run 0\nTERM\nsaved\nwaits\n(?:TERM\n)?(?:saved\n)?run 1\n$/);
  });

  test("a job runs on while the controller is away", async () => {
    const id = await slurm.submit("touch away; while [ ! -e back ]; do sleep 0.1; done; echo on >away.out");
    await expect.poll(() => existsSync(path.join(slurm.home, "away")), poll).toBe(true);
    await slurm.stopController();
    try {
      expect((await slurm.scontrol("ping")).code).not.toBe(0);
      expect((await slurm.squeue()).err).toContain("Unable to contact slurm controller");
    } finally {
      await slurm.startController();
    }
    expect(await slurm.state(id)).toBe("RUNNING");
    writeFileSync(path.join(slurm.home, "back"), "");
    await slurm.untilState(id, "COMPLETED");
    expect(read("away.out")).toBe("on\n");
  });

  test("sacct -c reads the end of a job from the text file", async () => {
    const id = await slurm.submit("exit 7", "--job-name=seven");
    await slurm.untilState(id, "FAILED");
    const line = async (): Promise<string> =>
      (await slurm.sacct("-c", "-n", "-P", "-j", id, "-o", "JobID,JobName,State")).out;
    await expect.poll(line, poll).toBe(`${id}|seven|FAILED\n`);
  });

  test.each([
    ["shut", /Connection refused/],
    ["stranger", /Host key verification failed/],
  ])("ssh says why it has no connection: %s", async (alias, why) => {
    await addClosedHost(sshd, "shut");
    addStranger(sshd, "stranger");
    const said = await sshd.ssh("true", alias);
    expect(said.code).toBe(255);
    expect(said.err).toMatch(why);
  });

  test("a host that never answers", async () => {
    const silent = await addSilentHost(sshd, "silent");
    onTestFinished(() => silent.close());
    const ssh = execa("ssh", ["-o", "BatchMode=yes", "-o", "ConnectTimeout=1", "silent", "true"], {
      env: sshd.clientEnv,
      reject: false,
    });
    expect((await ssh).stderr).toMatch(/timed out/);
  });

  test("a session that is cut ends, and what it started on the host ends with the cluster", async () => {
    const ssh = execa("ssh", ["cluster", "touch cut; exec sleep 600"], {
      env: sshd.clientEnv,
      reject: false,
    });
    onTestFinished(() => void ssh.kill("SIGKILL"));
    await expect.poll(() => existsSync(path.join(slurm.home, "cut")), poll).toBe(true);
    expect(sshd.connections()).toHaveLength(1);
    sshd.cutConnections();
    expect((await ssh).exitCode).toBe(255);
    await expect.poll(() => sshd.connections(), poll).toEqual([]);
  });

  test("an upload of 20 MB that is cut in the middle leaves a part, which rsync completes", async () => {
    const link = await startLink(sshd);
    onTestFinished(() => link.close());
    const file = path.join(path.dirname(sshd.config), "big");
    const size = 20_000_000;
    const bytes = Buffer.allocUnsafe(size);
    for (let at = 0; at < size; at += 4) bytes.writeUInt32LE(Math.imul(at, 2_654_435_761) >>> 0, at);
    writeFileSync(file, bytes);
    const rsync = ["--partial", "--inplace", file, `${link.host}:big`];
    link.cutAfter(8_000_000, "up");
    const broken = await execa("rsync", rsync, { env: sshd.clientEnv, reject: false });
    expect(broken.exitCode).toBeGreaterThan(0);
    const there = path.join(slurm.home, "big");
    expect(statSync(there).size).toBeGreaterThan(1_000_000);
    expect(statSync(there).size).toBeLessThan(8_000_000);
    await execa("rsync", [...rsync, "--append-verify"], { env: sshd.clientEnv });
    expect(readFileSync(there).equals(bytes)).toBe(true);
  });

  test("the host has another key than before", async () => {
    await addImpostor(sshd, "changed");
    const said = await sshd.ssh("true", "changed");
    expect(said).toMatchObject({ code: 255, out: "" });
    expect(said.err).toContain("REMOTE HOST IDENTIFICATION HAS CHANGED!");
  });

  test("login node and node share a disk that is full", async () => {
    const script = `cd ${disk.root}; head -c 100000 /dev/zero >job.out 2>${slurm.home}/why`;
    await slurm.untilState(await slurm.submit(script), "COMPLETED");
    disk.fill();
    try {
      await slurm.untilState(await slurm.submit(script.replace("job.out", "more.out")), "FAILED");
      expect(read("why")).toContain("No space left on device");
      const said = await sshd.ssh(`echo more >${disk.root}/note`);
      expect(said.code).not.toBe(0);
      expect(said.err).toContain("No space left on device");
    } finally {
      for (const name of ["filler", "job.out", "more.out", "note"]) rmSync(disk.reach(name), { force: true });
    }
  });

  test("sacct asks a database, and a limit of the account refuses a second job", async () => {
    const id = await slurm.submit("while [ ! -e go ]; do sleep 0.1; done; exit 5", "--qos=tight");
    await expect(slurm.submit("true", "--qos=tight")).rejects.toThrow(/QOSMaxSubmitJobPerUserLimit/);
    writeFileSync(path.join(slurm.home, "go"), "");
    await slurm.untilState(id, "FAILED");
    const columns = ["-X", "-n", "-P", "-j", id, "-o", "JobID,Account,QOS,State,ExitCode"];
    await expect
      .poll(async () => (await slurm.sacct(...columns)).out, poll)
      .toBe(`${id}|lab|tight|FAILED|5:0\n`);
  });
});

describe.skipIf(missing !== undefined)(`other hosts${note}`, () => {
  test("a host that wants a password", async () => {
    const sshd = await startSshd({ passwordOnly: true });
    try {
      const said = await sshd.ssh("true");
      expect(said).toMatchObject({ code: 255, out: "" });
      expect(said.err).toContain("Permission denied (password)");
    } finally {
      await sshd.stop();
    }
  });

  test("a cluster ends with the process that started it, even when that is killed", async () => {
    const support = path.join(import.meta.dirname, "../support/slurm.ts");
    const code = `import { startSlurm } from ${JSON.stringify(support)};
const slurm = await startSlurm({ nodes: 1 });
const id = await slurm.submit("trap '' TERM; touch on; sleep 600; sleep 600");
await slurm.untilState(id, "RUNNING");
process.stdout.write(slurm.folder);
setInterval(() => undefined, 1000);`;
    const child = spawn(process.execPath, ["--no-warnings", "--input-type=module", "-e", code], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [text] = (await once(child.stdout, "data")) as [Buffer];
    const folder = String(text);
    // SLURM says that a job runs before its script does.
    await expect.poll(() => existsSync(path.join(folder, "home/on")), poll).toBe(true);
    const pids = processesOf(folder, []);
    expect(pids.length).toBeGreaterThan(4);
    child.kill("SIGKILL");
    await expect.poll(() => existsSync(folder), poll).toBe(false);
    expect(pids.filter(isAlive)).toEqual([]);
  });
});
