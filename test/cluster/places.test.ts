import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { missingForCluster } from "../../scripts/lib/cluster.mts";
import { checked } from "../../src/app/refusal.ts";
import { endOf, followed, logOf } from "../support/cluster-scene.ts";
import { joinClusterScene, type JoinedScene } from "../support/stage-cluster.ts";

const missing = missingForCluster();
const note = missing === undefined ? "" : ` (skipped: ${missing})`;

/** Counts to 100, keeps its count, and ends with 75 when asked: the first attempt ends in no other way. */
const COUNTS = `
import os, signal, sys, time
isFirst = not os.path.exists("count.txt")
at = 0 if isFirst else int(open("count.txt").read())
def stop(*_):
    open("count.txt", "w").write(str(at))
    sys.exit(75)
signal.signal(signal.SIGTERM, stop)
print("from", at, flush=True)
while at < 100:
    time.sleep(0.05)
    at = min(at + 1, 99) if isFirst else at + 1
print("counted to", at, flush=True)`;

describe.skipIf(missing !== undefined)(`a place on a cluster${note}`, () => {
  let scene: JoinedScene;
  beforeAll(async () => {
    scene = await joinClusterScene();
  });

  test("that another job takes: the job keeps its checkpoint, waits, and resumes from it", async () => {
    const folder = scene.writeJob("preempted", [COUNTS], { resources: { cpus: 2 } });
    const backend = scene.backend(scene.target("slurm", { partition: "low" }));
    await backend.submit(folder);
    let other: Promise<string> | undefined;
    let hasCounted = false;
    const statuses: string[] = [];
    const events = await followed(backend, folder, (event) => {
      if (event.kind === "log") hasCounted ||= event.line === "from 0";
      if (event.kind === "status") statuses.push(event.record.status);
      // The queue may be asked before the job begins, and its files be read after that.
      if (hasCounted && statuses.includes("running"))
        other ??= scene.slurm.submit("sleep 3", "--partition=high", "--nodes=2", "--exclusive");
      return false;
    });
    expect(endOf(events)).toMatchObject({ status: "succeeded", attempt: 2 });
    const [first, second, last] = logOf(events);
    expect(first).toBe("from 0");
    expect(Number(/from (\d+)/.exec(second ?? "")?.[1])).toBeGreaterThan(0);
    expect(last).toBe("counted to 100");
    expect(statuses.lastIndexOf("submitted")).toBeGreaterThan(statuses.indexOf("running"));
  });

  test("that allows less time than the job asks for: the record says why it waits", async () => {
    const partition = async (...changes: readonly string[]): Promise<void> => {
      const { code, err } = await scene.slurm.scontrol("update", "PartitionName=roomy", ...changes);
      expect({ code, err }).toEqual({ code: 0, err: "" });
    };
    await scene.slurm.scontrol("create", "PartitionName=roomy", "Nodes=ALL", "State=DOWN");
    const folder = scene.writeJob("too-long", ["pass"], { resources: { hours: 2 } });
    const backend = scene.backend(scene.target("slurm", { partition: "roomy" }));
    await backend.submit(folder);
    // As a cluster has it that queues such jobs.
    await partition("MaxTime=1");
    await partition("State=UP");
    const events = await followed(
      backend,
      folder,
      (event) => event.kind === "status" && /more/.test(event.record.reason ?? ""),
    );
    expect(events.at(-1)).toMatchObject({
      // SLURM names the time limit at first, and later the partition's configuration.
      record: {
        status: "submitted",
        reason: expect.stringMatching(/^It asks for more (?:time )?than the partition allows\.$/) as string,
      },
    });
    await backend.cancel(folder);
    expect((await backend.status(folder)).status).toBe("stopped");
  });

  const onDisk = () => scene.backend(scene.target("slurm", { folder: `${scene.disk.root}/hasp` }));
  const emptyDisk = (): void => fs.rmSync(scene.disk.reach("filler"), { force: true });

  test("whose disk is full while inputs are sent: it says so, and continues once there is room", async () => {
    fs.writeFileSync(path.join(scene.here, "data.bin"), randomBytes(40_000_000));
    const script = "import os; print(os.stat('data.bin').st_size)";
    const folder = scene.writeJob("full", [script], { inputs: ["data.bin"] });
    const backend = onDisk();
    // Room for what the probe asks for is no room for the input.
    scene.disk.fill(25_000_000);
    const { diagnostics } = await checked(async () => backend.submit(folder)).finally(emptyDisk);
    expect(diagnostics).toMatchObject([{ code: "HASP781" }]);
    await backend.submit(folder);
    expect(logOf(await followed(backend, folder))).toEqual(["40000000"]);
  });

  test("whose disk is full when the job ends: the job has failed, and runs once it is submitted again", async () => {
    const script =
      "import os, time\nprint('begun', flush=True)\nwhile not os.path.exists('go.txt'): time.sleep(0.05)\nopen('result.bin', 'wb').write(b'x' * 1000000)";
    const folder = scene.writeJob("fills", [script]);
    const backend = onDisk();
    await backend.submit(folder);
    await followed(backend, folder, (event) => event.kind === "log" && event.line === "begun");
    const fillAndGo = async () => {
      scene.disk.fill();
      fs.writeFileSync(scene.disk.reach("hasp/work/fills/workspace/go.txt"), "");
      return endOf(await followed(backend, folder));
    };
    const end = await fillAndGo().finally(emptyDisk);
    expect(end).toMatchObject({ status: "failed", exitCode: 1 });
    expect(end?.lastLines?.join(" ")).toContain("No space left on device");
    await backend.submit(folder);
    expect(endOf(await followed(backend, folder))).toMatchObject({ status: "succeeded", attempt: 2 });
  });
});
