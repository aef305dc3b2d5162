import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checked } from "../../src/app/refusal.ts";
import type { RemoteLink, RemotePorts } from "../../src/jobs/remote/ports.ts";
import { remoteBackend } from "../../src/jobs/remote/remote-backend.ts";
import { seededRandom } from "../../src/model/random.ts";
import type { NamedTarget } from "../../src/model/target.ts";
import { remotePorts } from "../../src/platform/remote/remote-jobs.ts";
import { EVERY_RECORD } from "../support/every-record.mts";
import { startScriptedCluster, type ScriptedCluster } from "../support/scripted-cluster.ts";
import { THOROUGH } from "../support/thorough.ts";

const SEEDS = Number(process.env["HASP_KILL_SEEDS"] ?? (THOROUGH ? 1_000 : 100));

let cluster: ScriptedCluster;
let folder: string;

beforeAll(() => {
  cluster = startScriptedCluster();
  folder = fs.mkdtempSync(path.join(fs.existsSync("/dev/shm") ? "/dev/shm" : os.tmpdir(), "hasp-kills-"));
  fs.writeFileSync(path.join(folder, "hasp.cjs"), "// the program\n");
});

afterAll(async () => {
  await cluster.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

class Killed extends Error {}

/** A client that is killed after so many of its steps: requests, and writes to its own disk. */
function mortal(ports: RemotePorts, life: number): RemotePorts {
  let left = life;
  const step = (): void => {
    if (left-- <= 0) throw new Killed();
  };
  const { files } = ports;
  const link = (target: NamedTarget["target"]): RemoteLink => {
    const real = ports.link(target);
    return {
      async *call(request, options) {
        step();
        yield* real.call(request, options);
        // The reply was on its way when the client was killed.
        step();
      },
    };
  };
  return {
    ...ports,
    link,
    files: {
      ...files,
      async append(file, data, options) {
        step();
        await files.append(file, data, options);
        step();
      },
    },
  };
}

const NAMED: NamedTarget = { name: "scripted", target: { kind: "slurm", folder: "" } };

function writeJob(at: string): string {
  const job = path.join(at, "job");
  fs.mkdirSync(job, { recursive: true });
  fs.writeFileSync(path.join(at, "in.txt"), "in\n");
  const spec = {
    schema: "hasp.job/1",
    id: "killed",
    title: "Killed",
    cwd: "..",
    commands: [{ program: "hasp", args: ["data", "in.txt"], about: "work" }],
    env: {},
    passEnv: [],
    inputs: ["in.txt"],
    outputs: ["out.txt"],
  };
  fs.writeFileSync(path.join(job, "job.json"), JSON.stringify(spec));
  return job;
}

/** A whole life of a job under one seed: clients that are killed, then one that lives. */
async function live(seed: number): Promise<{ readonly kills: number }> {
  const random = seededRandom(seed);
  const at = path.join(folder, `seed-${seed}`);
  const job = writeJob(at);
  const named: NamedTarget = { ...NAMED, target: { ...NAMED.target, folder: path.join(at, "target") } };
  await cluster.open(seed);
  // Of the 14 steps of the request that hands the job over the later half is met most: two lie between the scheduler's answer and its record.
  const killThere = (operation: string): number | undefined => {
    const [share, steps] = operation === "submit" ? [0.8, 14] : [0.1, 6];
    return random() < share ? Math.floor(Math.sqrt(random()) * steps) : undefined;
  };
  const portsWith = (killAfter: (operation: string) => number | undefined): RemotePorts => ({
    ...remotePorts({
      own: EVERY_RECORD,
      build: { cli: path.join(folder, "hasp.cjs"), trainer: path.resolve("trainer") },
      environment: {},
      on: () => undefined,
    }),
    program: async () => [{ from: path.join(folder, "hasp.cjs"), at: "dist/hasp.cjs" }],
    link: () => cluster.link(killAfter),
  });
  let kills = 0;
  for (let client = 0; client < 6; client++) {
    const backend = remoteBackend(mortal(portsWith(killThere), Math.floor(random() * 40)), named);
    try {
      const { value } = await checked(async () => {
        await backend.submit(job);
        await backend.status(job);
        return true;
      });
      kills += value === undefined ? 1 : 0;
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      kills++;
    }
    await cluster.advance(Math.floor(random() * 3));
  }
  await cluster.settle();
  const backend = remoteBackend(
    portsWith(() => undefined),
    named,
  );
  await backend.submit(job);
  const { jobs, executed } = await cluster.settle();
  expect(jobs.map(({ name }) => name)).toEqual(["hasp-killed-1"]);
  expect(executed).toEqual([jobs[0]?.id]);
  expect((await backend.status(job)).status).toBe("succeeded");
  await backend.fetch(job);
  expect(fs.readFileSync(path.join(at, "out.txt"), "utf8")).toBe("done\n");
  fs.rmSync(at, { recursive: true });
  return { kills };
}

test(`a client killed at any of its steps, ${SEEDS} times over: one job in the queue, none lost, its output here`, async () => {
  let kills = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    try {
      kills += (await live(seed)).kills;
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  }
  // A test in which no client dies shows nothing.
  expect(kills).toBeGreaterThan(SEEDS);
}, 600_000);
