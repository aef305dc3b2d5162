import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { missingForCluster } from "../../scripts/lib/cluster.mts";
import { seededRandom } from "../../src/model/random.ts";
import { endOf, followed, logOf } from "../support/cluster-scene.ts";
import { startLink, type Link } from "../support/link.ts";
import { jobNames, joinClusterScene, type JoinedScene } from "../support/stage-cluster.ts";
import { THOROUGH } from "../support/thorough.ts";

const missing = missingForCluster();
const note = missing === undefined ? "" : ` (skipped: ${missing})`;
/** More of them by hand: each seed kills at other moments. */
const KILLS = Number(process.env["HASP_CLUSTER_KILLS"] ?? 25);
const SEED = Number(process.env["HASP_CLUSTER_SEED"] ?? 16);
const thorough = THOROUGH ? "" : " (skipped: `npm test -- --thorough` runs it)";
const PATIENCE = 120_000 + KILLS * 30_000;

/** Prints a line every 20 ms, and ends after `count`. */
const prints = (count: number): string => `
import time
for i in range(${count}):
    print("line", i, flush=True)
    time.sleep(0.02)`;

const linesTo = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `line ${i}`);

describe.skipIf(missing !== undefined)(`a job survives${note}`, () => {
  let scene: JoinedScene;
  let link: Link;
  beforeAll(async () => {
    scene = await joinClusterScene();
    link = await startLink(scene.sshd);
  });
  afterAll(async () => {
    await link.close();
  });
  const overLink = () => scene.backend(scene.target("slurm", { host: link.host }));

  test("a link that is cut in the middle of an upload: what arrived is not sent again", async () => {
    fs.writeFileSync(path.join(scene.here, "large.bin"), randomBytes(30_000_000));
    const folder = scene.writeJob("upload", ["import os; print(os.stat('large.bin').st_size)"], {
      inputs: ["large.bin"],
    });
    const backend = overLink();
    link.cutAfter(20_000_000, "up");
    await expect(backend.submit(folder)).rejects.toMatchObject({ diagnostics: [{ code: "HASP776" }] });
    const before = link.sent;
    await backend.submit(folder);
    expect(link.sent - before).toBeLessThan(24_000_000);
    expect(logOf(await followed(backend, folder))).toEqual(["30000000"]);
  });

  test("a link that is cut and closed while it is followed: every line comes once, in order", async () => {
    const folder = scene.writeJob("follow", [prints(150)]);
    const backend = overLink();
    await backend.submit(folder);
    const cuts = new Set([20, 70]);
    const events = await followed(backend, folder, (event) => {
      const line = event.kind === "log" ? Number(/\d+/.exec(event.line)?.[0]) : -1;
      if (cuts.delete(line)) link.cut();
      return false;
    });
    expect(cuts.size).toBe(0);
    expect(logOf(events)).toEqual(linesTo(150));
    expect(endOf(events)?.status).toBe("succeeded");
  });

  test("two windows that follow it at once, and one that asks: each gets every line once, and the copy is the log", async () => {
    const folder = scene.writeJob("twice", [prints(100)]);
    await scene.backend().submit(folder);
    const [asker, over] = [scene.backend(), new AbortController()];
    const asking = (async () => {
      while (!over.signal.aborted) await asker.status(folder);
    })();
    const both = await Promise.all([followed(scene.backend(), folder), followed(scene.backend(), folder)]);
    over.abort();
    await asking;
    expect(both.map(logOf)).toEqual([linesTo(100), linesTo(100)]);
    const there = path.join(scene.slurm.home, "hasp/jobs/twice");
    for (const name of ["log.txt", "state.jsonl"])
      expect(fs.readFileSync(path.join(folder, name), "utf8")).toBe(
        fs.readFileSync(path.join(there, name), "utf8"),
      );
  });

  test("a link that is down: the record says so, and the following resumes when it is back", async () => {
    const folder = scene.writeJob("down", [prints(100)]);
    const backend = overLink();
    await backend.submit(folder);
    let isShut = false;
    const events = await followed(backend, folder, (event) => {
      if (event.kind === "log" && event.line === "line 10") {
        isShut = true;
        link.cut();
        void link.shut();
      }
      if (event.kind === "status" && event.record.unreachable !== undefined && isShut) {
        isShut = false;
        void link.open();
      }
      return false;
    });
    expect(events.some((event) => event.kind === "status" && event.record.unreachable !== undefined)).toBe(
      true,
    );
    expect(logOf(events)).toEqual(linesTo(100));
    expect(endOf(events)?.status).toBe("succeeded");
  });

  test("a link that is cut in the middle of a fetch: the next fetch continues, and what arrives is verified", async () => {
    const script =
      "import hashlib; data = b''.join(hashlib.sha256(bytes([i % 256, i // 256 % 256, i // 65536])).digest() for i in range(600000)); open('result.bin', 'wb').write(data); print(hashlib.sha256(data).hexdigest())";
    const folder = scene.writeJob("fetch", [script], { outputs: ["result.bin"] });
    const backend = overLink();
    await backend.submit(folder);
    const [hash] = logOf(await followed(backend, folder));
    link.cutAfter(12_000_000, "down");
    await expect(backend.fetch(folder)).rejects.toMatchObject({ diagnostics: [{ code: "HASP776" }] });
    expect(fs.existsSync(path.join(scene.here, "result.bin"))).toBe(false);
    const before = link.received;
    await backend.fetch(folder);
    expect(link.received - before).toBeLessThan(12_000_000);
    const { createHash } = await import("node:crypto");
    expect(
      createHash("sha256")
        .update(fs.readFileSync(path.join(scene.here, "result.bin")))
        .digest("hex"),
    ).toBe(hash);
  });

  /** A client in a process group of its own, with its ssh. */
  const submission = (folder: string, target = scene.target()) => {
    const script = path.resolve("test/support/submit-remote.mts");
    const child = spawn(process.execPath, [script, JSON.stringify(target), folder], {
      env: scene.environment,
      stdio: "ignore",
      detached: true,
    });
    const ended = once(child, "exit");
    /** Its own ssh dies with it, as when the machine loses power. */
    const kill = async (): Promise<void> => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
      await ended;
    };
    return { ended, kill };
  };
  const endsWell = async (folder: string, why: string): Promise<void> => {
    const backend = scene.backend();
    await backend.submit(folder);
    expect(endOf(await followed(backend, folder))?.status, why).toBe("succeeded");
  };
  const namesOf = async (start: string) =>
    (await jobNames(scene)).filter((name) => name.startsWith(start)).toSorted();

  test("a client that is killed while its job is handed over: it finds the job that it never heard of", async () => {
    const bin = fs.mkdtempSync(path.join(scene.slurm.home, "bin-"));
    const [asked, dead] = [path.join(bin, "asked"), path.join(bin, "dead")];
    const wait = `touch ${asked}; while [ ! -e ${dead} ]; do sleep 0.02; done`;
    // Other calls ask for the version, and whether the cluster would take the job.
    const text = `#!/bin/sh\ncase " $* " in *" --parsable "*) ${wait} ;; esac\nexec /usr/bin/sbatch "$@"\n`;
    fs.writeFileSync(path.join(bin, "sbatch"), text, { mode: 0o755 });
    const setup = [...(scene.target().setup ?? []), `PATH=${bin}:$PATH`];
    const folder = scene.writeJob("handed-over", ["pass"]);
    const { kill } = submission(folder, scene.target("slurm", { setup }));
    try {
      await expect.poll(() => fs.existsSync(asked), { timeout: 60_000 }).toBe(true);
    } finally {
      await kill();
      fs.writeFileSync(dead, "");
    }
    await expect
      .poll(() => namesOf("hasp-handed-over-"), { timeout: 60_000 })
      .toEqual(["hasp-handed-over-1"]);
    await endsWell(folder, "killed while sbatch ran");
    expect(await namesOf("hasp-handed-over-")).toEqual(["hasp-handed-over-1"]);
  });

  test.skipIf(!THOROUGH)(
    `a client that is killed at ${KILLS} moments of its submission: one job each${thorough}`,
    { timeout: PATIENCE },
    async () => {
      const random = seededRandom(SEED);
      const started = performance.now();
      await submission(scene.writeJob("kill-1", ["pass"])).ended;
      const whole = performance.now() - started;
      let killed = 0;
      for (let i = 2; i <= KILLS; i++) {
        const folder = scene.writeJob(`kill-${i}`, ["pass"]);
        const { ended, kill } = submission(folder);
        const isOver = await Promise.race([delay(random() * whole, false), ended.then(() => true)]);
        if (!isOver) killed++;
        await kill();
        await endsWell(folder, `kill ${i}`);
      }
      expect(killed).toBeGreaterThan(KILLS / 2);
      const wanted = Array.from({ length: KILLS }, (_, i) => `hasp-kill-${i + 1}-1`).toSorted();
      expect(await namesOf("hasp-kill-")).toEqual(wanted);
    },
  );

  test("a controller that is restarted while the job runs, and one that is down while it is asked", async () => {
    const folder = scene.writeJob("controller", [prints(200)]);
    const backend = scene.backend();
    await backend.submit(folder);
    let stopped: Promise<void> = Promise.resolve();
    let started: Promise<void> = Promise.resolve();
    const events = await followed(backend, folder, (event) => {
      if (event.kind === "log" && event.line === "line 20") stopped = scene.slurm.stopController();
      if (event.kind === "log" && event.line === "line 120")
        started = stopped.then(() => scene.slurm.startController());
      return false;
    });
    await started;
    expect(logOf(events)).toEqual(linesTo(200));
    expect(endOf(events)?.status).toBe("succeeded");
  });

  test("a controller that is down when the job is submitted: it says so, and submits once it is back", async () => {
    const folder = scene.writeJob("no-controller", ["print('ran')"]);
    const backend = scene.backend();
    await scene.slurm.stopController();
    try {
      await expect(backend.submit(folder)).rejects.toMatchObject({ diagnostics: [{ code: "HASP783" }] });
    } finally {
      await scene.slurm.startController();
    }
    await backend.submit(folder);
    expect(logOf(await followed(backend, folder))).toEqual(["ran"]);
    expect((await jobNames(scene)).filter((name) => name === "hasp-no-controller-1")).toHaveLength(1);
  });
});
