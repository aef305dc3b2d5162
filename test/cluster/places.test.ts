import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { missingForCluster } from "../../scripts/lib/cluster.mts";
import { checked } from "../../src/app/refusal.ts";
import type { JobBackend } from "../../src/model/job.ts";
import { endOf, followed, logOf, openClusterScene, type ClusterScene } from "../support/cluster-scene.ts";
import { openSmallDisk, type SmallDisk } from "../support/full-disk.ts";

const missing = missingForCluster();
const note = missing === undefined ? "" : ` (skipped: ${missing})`;

async function inScene(
  options: Parameters<typeof openClusterScene>[0],
  work: (scene: ClusterScene) => Promise<void>,
): Promise<void> {
  const scene = await openClusterScene(options);
  try {
    await work(scene);
  } finally {
    await scene.close();
  }
}

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
  test("that another job takes: the job keeps its checkpoint, waits, and resumes from it", async () => {
    await inScene({ slurm: { preempt: true, nodes: 1 } }, async (scene) => {
      const folder = scene.writeJob("preempted", [COUNTS], { resources: { cpus: 2 } });
      const backend = scene.backend();
      await backend.submit(folder);
      let other: Promise<string> | undefined;
      let hasCounted = false;
      const statuses: string[] = [];
      const events = await followed(backend, folder, (event) => {
        if (event.kind === "log") hasCounted ||= event.line === "from 0";
        if (event.kind === "status") statuses.push(event.record.status);
        // The queue may be asked before the job begins, and its files be read after that.
        if (hasCounted && statuses.includes("running"))
          other ??= scene.slurm.submit("#!/bin/sh\nsleep 3\n", "--partition=high", "--exclusive");
        return false;
      });
      expect(endOf(events)).toMatchObject({ status: "succeeded", attempt: 2 });
      const [first, second, last] = logOf(events);
      expect(first).toBe("from 0");
      expect(Number(/from (\d+)/.exec(second ?? "")?.[1])).toBeGreaterThan(0);
      expect(last).toBe("counted to 100");
      expect(statuses.lastIndexOf("submitted")).toBeGreaterThan(statuses.indexOf("running"));
    });
  });

  test("with more time than a partition allows, where the cluster queues such jobs: the record says why it waits", async () => {
    await inScene({}, async (scene) => {
      const folder = scene.writeJob("too-long", ["pass"], { resources: { hours: 2 } });
      const backend = scene.backend(scene.target("slurm", { partition: "short" }));
      await backend.submit(folder);
      const events = await followed(
        backend,
        folder,
        (event) => event.kind === "status" && event.record.reason !== undefined,
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
  });

  async function onSmallDisk(
    work: (scene: ClusterScene, disk: SmallDisk, backend: JobBackend) => Promise<void>,
  ): Promise<void> {
    const root = fs.mkdtempSync(path.join(os.tmpdir(), "hasp-full-"));
    const disk = await openSmallDisk(root, 120_000_000);
    try {
      await inScene(
        { slurm: { enter: disk.enter, nodes: 1 }, sshd: { enter: disk.enter } },
        async (scene) => {
          await work(scene, disk, scene.backend(scene.target("slurm", { folder: `${disk.root}/hasp` })));
        },
      );
    } finally {
      await disk.close();
      fs.rmSync(root, { recursive: true, force: true });
    }
  }

  test("whose disk is full while inputs are sent: it says so, and continues once there is room", async () => {
    await onSmallDisk(async (scene, disk, backend) => {
      fs.writeFileSync(path.join(scene.here, "data.bin"), randomBytes(40_000_000));
      const script = "import os; print(os.stat('data.bin').st_size)";
      const folder = scene.writeJob("full", [script], { inputs: ["data.bin"] });
      // Room for what the probe asks for is no room for the input.
      disk.fill(25_000_000);
      const { diagnostics } = await checked(async () => backend.submit(folder));
      expect(diagnostics).toMatchObject([{ code: "HASP781" }]);
      fs.rmSync(disk.reach("filler"));
      await backend.submit(folder);
      expect(logOf(await followed(backend, folder))).toEqual(["40000000"]);
    });
  });

  test("whose disk is full when the job ends: the job has failed, and runs once it is submitted again", async () => {
    await onSmallDisk(async (scene, disk, backend) => {
      const script =
        "import os, time\nprint('begun', flush=True)\nwhile not os.path.exists('go.txt'): time.sleep(0.05)\nopen('result.bin', 'wb').write(b'x' * 1000000)";
      const folder = scene.writeJob("fills", [script]);
      await backend.submit(folder);
      await followed(backend, folder, (event) => event.kind === "log" && event.line === "begun");
      disk.fill();
      fs.writeFileSync(disk.reach("hasp/work/fills/workspace/go.txt"), "");
      const end = endOf(await followed(backend, folder));
      expect(end).toMatchObject({ status: "failed", exitCode: 1 });
      expect(end?.lastLines?.join(" ")).toContain("No space left on device");
      fs.rmSync(disk.reach("filler"));
      await backend.submit(folder);
      expect(endOf(await followed(backend, folder))).toMatchObject({ status: "succeeded", attempt: 2 });
    });
  });
});
