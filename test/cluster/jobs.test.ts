import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { missingForCluster } from "../../scripts/lib/cluster.mts";
import { endOf, followed, logOf } from "../support/cluster-scene.ts";
import { jobNames, joinClusterScene, type JoinedScene } from "../support/stage-cluster.ts";

const missing = missingForCluster();
const note = missing === undefined ? "" : ` (skipped: ${missing})`;

/** Waits for a file, and ends when asked, as a trainer does: with 75. */
const waitsFor = (file: string): string => `
import os, signal, sys, time
def stop(*_):
    open("stopped.txt", "a").write("stopped\\n")
    sys.exit(75)
signal.signal(signal.SIGTERM, stop)
print("begun", flush=True)
while not os.path.exists(${JSON.stringify(file)}):
    time.sleep(0.05)
print("found", flush=True)
`;

describe.skipIf(missing !== undefined)(`jobs of a cluster${note}`, () => {
  let scene: JoinedScene;
  beforeAll(async () => {
    scene = await joinClusterScene();
  });
  /** The folder in which the jobs of a group run there. */
  const work = (group: string): string => path.join(scene.slurm.home, "hasp/work", group, "workspace");

  test.each(["slurm", "ssh"] as const)(
    "over %s a job gets its inputs, is followed, and its outputs come here",
    async (kind) => {
      fs.writeFileSync(path.join(scene.here, "in.txt"), "seven\n");
      fs.mkdirSync(path.join(scene.slurm.folder, "elsewhere"), { recursive: true });
      const outside = path.join(scene.slurm.folder, "elsewhere/more.txt");
      fs.writeFileSync(outside, "eleven\n");
      const script = `
import os, sys
text = open("in.txt").read() + open(sys.argv[1]).read()
os.makedirs("out-${kind}/deep", exist_ok=True)
open("out-${kind}/deep/text.txt", "w").write(text.upper())
print("wrote it")`;
      const folder = scene.writeJob(`copy-${kind}`, [], {
        commands: [{ program: "python", args: ["-c", script, outside], about: "copy" }],
        inputs: ["in.txt", outside],
        outputs: [`out-${kind}`],
      });
      const backend = scene.backend(scene.target(kind));
      await backend.submit(folder);
      const events = await followed(backend, folder);
      expect(logOf(events)).toEqual(["wrote it"]);
      expect(endOf(events)?.status).toBe("succeeded");
      await backend.fetch(folder);
      expect(scene.read(`out-${kind}/deep/text.txt`)).toBe("SEVEN\nELEVEN\n");
    },
  );

  test("nothing is sent twice: a second job with the same files sends none", async () => {
    fs.writeFileSync(path.join(scene.here, "big.txt"), "x".repeat(3_000_000));
    const fields = { inputs: ["big.txt"] };
    const backend = scene.backend();
    await backend.submit(scene.writeJob("first", ["pass"], fields));
    scene.lines.length = 0;
    await backend.submit(scene.writeJob("second", ["pass"], fields));
    expect(scene.lines.filter((line) => line.startsWith("sending"))).toEqual([]);
  });

  test("the job folder alone is enough to follow and fetch a job from another machine", async () => {
    const folder = scene.writeJob("moved", ["open('moved.txt', 'w').write('here')"], {
      outputs: ["moved.txt"],
    });
    await scene.backend().submit(folder);
    const elsewhere = path.join(scene.slurm.folder, "another/.hasp/jobs/moved");
    fs.cpSync(folder, elsewhere, { recursive: true });
    const backend = scene.backend();
    expect(endOf(await followed(backend, elsewhere))?.status).toBe("succeeded");
    await backend.fetch(elsewhere);
    expect(fs.readFileSync(path.join(scene.slurm.folder, "another/moved.txt"), "utf8")).toBe("here");
  });

  test("a failure names the command, its exit code and its last lines", async () => {
    const folder = scene.writeJob("fails", ["print('about to fail'); raise SystemExit(3)"]);
    const backend = scene.backend();
    await backend.submit(folder);
    expect(endOf(await followed(backend, folder))).toMatchObject({
      status: "failed",
      exitCode: 3,
      lastLines: ["about to fail"],
    });
  });

  test("a command that a signal kills is a failure", async () => {
    const folder = scene.writeJob("killed", ["import os, signal; os.kill(os.getpid(), signal.SIGKILL)"]);
    const backend = scene.backend();
    await backend.submit(folder);
    expect(endOf(await followed(backend, folder))).toMatchObject({ status: "failed", signal: "SIGKILL" });
  });

  test.each(["slurm", "ssh"] as const)(
    "over %s a job that is cancelled ends at a clean boundary",
    async (kind) => {
      const folder = scene.writeJob(`cancel-${kind}`, [waitsFor("never.txt")], { outputs: ["stopped.txt"] });
      const backend = scene.backend(scene.target(kind));
      await backend.submit(folder);
      await followed(backend, folder, (event) => event.kind === "log" && event.line === "begun");
      await backend.cancel(folder);
      expect((await backend.status(folder)).status).toBe("stopped");
      expect(fs.readFileSync(path.join(work(`cancel-${kind}`), "stopped.txt"), "utf8")).toBe("stopped\n");
    },
  );

  test("a job that waits in the queue is taken out of it", async () => {
    const folder = scene.writeJob("waiting", ["pass"], { resources: { nodes: 1, cpus: 2 } });
    const blocker = await scene.slurm.submit("#!/bin/sh\nsleep 600\n", "--exclusive", "--nodes=2");
    await scene.slurm.untilState(blocker, "RUNNING");
    const backend = scene.backend();
    await backend.submit(folder);
    expect(await backend.status(folder)).toMatchObject({ status: "submitted" });
    await backend.cancel(folder);
    expect((await backend.status(folder)).status).toBe("stopped");
    await scene.slurm.run("scancel", blocker);
  });

  test("a job with tasks is an array: each task has its number, and one that follows waits for all", async () => {
    const script =
      "import sys; open('part-' + sys.argv[1] + '.txt', 'w').write(sys.argv[1]); print('task', sys.argv[1])";
    const parts = scene.writeJob("array", [], {
      commands: [{ program: "python", args: ["-c", script, "{task}"], about: "a part" }],
      tasks: 5,
    });
    const whole = scene.writeJob(
      "whole",
      [
        "import glob; open('whole.txt', 'w').write(''.join(open(p).read() for p in sorted(glob.glob('part-*'))))",
      ],
      {
        group: "array",
        after: ["array"],
        outputs: ["whole.txt"],
      },
    );
    const backend = scene.backend();
    await backend.submit(parts);
    await backend.submit(whole);
    const events = await followed(backend, parts);
    expect(logOf(events).toSorted()).toEqual([1, 2, 3, 4, 5].map((task) => `[${task}] task ${task}`));
    expect(endOf(events)).toMatchObject({ status: "succeeded", tasks: { total: 5, succeeded: 5 } });
    expect(endOf(await followed(backend, whole))?.status).toBe("succeeded");
    await backend.fetch(whole);
    expect(scene.read("whole.txt")).toBe("12345");
  });

  test("a job after one that failed does not run, and says why", async () => {
    const script =
      "import os, time\nwhile not os.path.exists('go.txt'): time.sleep(0.05)\nraise SystemExit(1)";
    const first = scene.writeJob("bad-first", [script]);
    const next = scene.writeJob("bad-next", ["open('never-written.txt', 'w')"], {
      after: ["bad-first"],
      group: "bad-first",
    });
    const backend = scene.backend();
    await backend.submit(first);
    await backend.submit(next);
    fs.writeFileSync(path.join(work("bad-first"), "go.txt"), "");
    expect(endOf(await followed(backend, first))?.status).toBe("failed");
    const end = endOf(await followed(backend, next));
    expect(end?.status).not.toBe("succeeded");
    expect(end?.reason ?? end?.status).toMatch(/before it|stopped/);
    expect(fs.existsSync(path.join(work("bad-first"), "never-written.txt"))).toBe(false);
  });

  test("a job that the scheduler queues again resumes in a next attempt", async () => {
    const script = `
import os, signal, sys, time
open("attempts.txt", "a").write("attempt\\n")
if os.path.exists("checkpoint.txt"):
    print("resumed", flush=True)
    sys.exit(0)
def stop(*_):
    open("checkpoint.txt", "w").write("step 1")
    sys.exit(75)
signal.signal(signal.SIGTERM, stop)
print("begun", flush=True)
time.sleep(600)`;
    const folder = scene.writeJob("again", [script]);
    const backend = scene.backend();
    await backend.submit(folder);
    await followed(backend, folder, (event) => event.kind === "log" && event.line === "begun");
    const { out } = await scene.slurm.squeue("--noheader", "--name=hasp-again-1", "--format=%i");
    // As SLURM does shortly before the time is over.
    await scene.slurm.run("scancel", "--batch", "--signal=USR1", out.trim());
    const events = await followed(backend, folder);
    expect(logOf(events)).toContain("resumed");
    expect(endOf(events)).toMatchObject({ status: "succeeded", attempt: 2 });
    expect(fs.readFileSync(path.join(work("again"), "attempts.txt"), "utf8")).toBe("attempt\nattempt\n");
  });

  test("a key reaches the job, and stands in no file of it", async () => {
    const key = "sk-cluster-0123456789abcdefghij";
    const script =
      "import os, hashlib; print(hashlib.sha256(os.environ['OPENAI_API_KEY'].encode()).hexdigest()); print(os.environ['OPENAI_API_KEY'])";
    const folder = scene.writeJob("keyed", [script], { passEnv: ["OPENAI_API_KEY"] });
    const backend = scene.backend(scene.target(), { ...scene.environment, OPENAI_API_KEY: key });
    await backend.submit(folder);
    const [hash, shown] = logOf(await followed(backend, folder));
    const { createHash } = await import("node:crypto");
    expect(hash).toBe(createHash("sha256").update(key).digest("hex"));
    expect(shown).not.toContain(key);
    const texts = fs
      .readdirSync(path.join(scene.slurm.home, "hasp"), { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .filter((one) => fs.readFileSync(path.join(one.parentPath, one.name), "latin1").includes(key));
    expect(texts.map(({ name }) => name)).toEqual([]);
  });

  test("an output that somebody changed here is not overwritten", async () => {
    const folder = scene.writeJob("mine", ["open('mine.txt', 'w').write('theirs')"], {
      outputs: ["mine.txt"],
    });
    const backend = scene.backend();
    await backend.submit(folder);
    await followed(backend, folder);
    fs.writeFileSync(path.join(scene.here, "mine.txt"), "my own work");
    await expect(backend.fetch(folder)).rejects.toMatchObject({ diagnostics: [{ code: "HASP791" }] });
    expect(scene.read("mine.txt")).toBe("my own work");
  });

  test("every job of this file is in the memory of the cluster once", async () => {
    // This memory has the tasks of an array as jobs of their own.
    const isOurs = (name: string): boolean => name.startsWith("hasp-") && name !== "hasp-array-1";
    const names = (await jobNames(scene)).filter(isOurs);
    expect(names.length).toBeGreaterThan(8);
    expect(names).toEqual([...new Set(names)]);
  });
});
