import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ROOT } from "../support/core.ts";
import { openJobScene, sh, WAIT, type JobScene } from "../support/job-scene.ts";
import { THOROUGH } from "../support/thorough.ts";

/** Jobs whose submitter or runner is killed. */

const PATIENCE = 120_000;

let scene: JobScene;
beforeEach(() => {
  scene = openJobScene();
});
afterEach(() => scene.close(), PATIENCE);

/** A command that must not run twice at once, and says in `ran` when it does. */
const ALONE = `mkdir alone || { echo twice >> ran; exit 1; }; echo begun >> ran; ${WAIT}; rmdir alone; echo ended >> ran`;

const SUBMIT = path.join(ROOT, "test/support/submit-job.mts");

describe("processes that are killed", () => {
  it(
    "a submitter that is killed at any moment starts no second attempt, and the next submit finds the first",
    async () => {
      const isThere = (file: string) => (folder: string) => existsSync(path.join(folder, file));
      // Node starts, the runner is started, the first attempt begins. Thorough: moments spread over all of it.
      const afterMs = (ms: number) => (_folder: string, since: number) => performance.now() > since + ms;
      const moments = THOROUGH
        ? Array.from({ length: 8 }, (_, i) => afterMs(150 + 120 * i))
        : [isThere("runner.lock")];
      for (const [i, isTime] of moments.entries()) {
        const name = `job-${i}`;
        mkdirSync(scene.processes.at(name));
        const spec = {
          schema: "hasp.job/1",
          id: name,
          title: name,
          cwd: ".",
          env: {},
          passEnv: [],
          commands: [sh(ALONE)],
        };
        const folder = scene.processes.at(name);
        writeFileSync(path.join(folder, "job.json"), JSON.stringify(spec));
        const { child, ended } = scene.processes.start([SUBMIT, folder], "");
        const others = [scene.processes.start([SUBMIT, folder], "")];
        const since = performance.now();
        const watch = setInterval(() => {
          if (!isTime(folder, since)) return;
          clearInterval(watch);
          child.kill("SIGKILL");
        }, 1);
        await ended;
        clearInterval(watch);
        others.push(scene.processes.start([SUBMIT, folder], ""));
        for (const other of others) expect(await other.ended).toMatchObject({ code: 0, err: "" });
        writeFileSync(path.join(folder, "go"), "");
        await expect
          .poll(async () => (await scene.jobs.status(folder)).status, { timeout: 30_000 })
          .toBe("succeeded");
        const ran = readFileSync(path.join(folder, "ran"), "utf8");
        expect([ran, (await scene.jobs.status(folder)).attempt]).toEqual(["begun\nended\n", 1]);
      }
    },
    2 * PATIENCE,
  );

  it(
    "a runner that is killed is lost; the next submit ends what it left, and begins anew",
    async () => {
      // Its own group, as workers of a served model have, and deaf to all but SIGKILL.
      const folder = scene.write([
        sh(`setsid sh -c 'trap "" TERM PIPE; echo $$ > orphan; ${WAIT}' & touch up; ${WAIT}`),
      ]);
      await scene.jobs.submit(folder);
      await scene.untilThere("up");
      await scene.untilThere("orphan");
      const orphan = Number(scene.read("orphan"));
      process.kill(scene.runner(), "SIGKILL");
      await scene.untilStatus("lost");
      expect((await scene.events()).at(-1)).toMatchObject({ record: { status: "lost", attempt: 1 } });
      expect(scene.processes.running()).toContain(orphan);
      await scene.jobs.submit(folder);
      expect(scene.processes.running()).not.toContain(orphan);
      scene.make("go");
      await scene.untilStatus("succeeded");
      expect((await scene.status()).attempt).toBe(2);
    },
    PATIENCE,
  );

  it(
    "cancelling a lost job ends what its runner left",
    async () => {
      const folder = scene.write([sh(`trap '' TERM; touch up; ${WAIT}`)]);
      await scene.jobs.submit(folder);
      await scene.untilThere("up");
      process.kill(scene.runner(), "SIGKILL");
      await scene.jobs.cancel(folder);
      expect(await scene.status()).toMatchObject({ status: "stopped", attempt: 1 });
      expect(scene.processes.running()).toEqual([]);
    },
    PATIENCE,
  );

  it(
    "a process that has the pid of a dead runner is not taken for it, and not ended",
    async () => {
      const folder = scene.write([sh(`touch up; ${WAIT}`)]);
      await scene.jobs.submit(folder);
      await scene.untilThere("up");
      const lock = JSON.parse(scene.read("runner.lock")) as object;
      process.kill(scene.runner(), "SIGKILL");
      await scene.untilStatus("lost");
      // Ours, as if the system had given us that pid.
      writeFileSync(path.join(scene.folder, "runner.lock"), JSON.stringify({ ...lock, pid: process.pid }));
      expect((await scene.status()).status).toBe("lost");
      await scene.jobs.cancel(folder);
      expect((await scene.status()).status).toBe("stopped");
    },
    PATIENCE,
  );
});
