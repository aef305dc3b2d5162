import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { missingForCluster } from "../../scripts/lib/cluster.mts";
import { checked } from "../../src/app/refusal.ts";
import type { Target } from "../../src/model/target.ts";
import { followed } from "../support/cluster-scene.ts";
import { addClosedHost, addImpostor, addSilentHost, addStranger, startSshd } from "../support/sshd.ts";
import { jobNames, joinClusterScene, type JoinedScene } from "../support/stage-cluster.ts";

const missing = missingForCluster();
const note = missing === undefined ? "" : ` (skipped: ${missing})`;

describe.skipIf(missing !== undefined)(`a job that cannot be submitted${note}`, () => {
  let scene: JoinedScene;
  let count = 0;
  beforeAll(async () => {
    scene = await joinClusterScene();
  });
  afterAll(async () => {
    // Nothing of all this was ever booked.
    expect(await jobNames(scene)).toEqual([]);
  });

  async function refusal(target: Target, fields: object = {}) {
    const folder = scene.writeJob(`bad-${++count}`, ["pass"], fields);
    const { value, diagnostics } = await checked(async () => {
      await scene.backend(target).submit(folder);
      return true;
    });
    expect(value).toBeUndefined();
    const { code, message, next } = diagnostics.at(-1) ?? { code: "", message: "", next: "" };
    return { code, message, next };
  }

  const toHost = (host: string): Target => scene.target("slurm", { host });
  /** A folder before all others of the PATH there, with programs that stand in for its own. */
  function programs(files: Readonly<Record<string, string>>): readonly string[] {
    const folder = fs.mkdtempSync(path.join(scene.slurm.home, "bin-"));
    for (const [name, text] of Object.entries(files))
      fs.writeFileSync(path.join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    return [...(scene.target().setup ?? []), `PATH=${folder}:$PATH`];
  }

  test("a host that no name server knows", async () => {
    expect(await refusal(toHost("no-such-host.invalid"))).toEqual({
      code: "HASP770",
      message: "There is no machine named no-such-host.invalid.",
      next: "Correct the host of the target, or add it to ~/.ssh/config.",
    });
  });

  test("a host whose key changed", async () => {
    await addImpostor(scene.sshd, "changed");
    expect(await refusal(toHost("changed"))).toMatchObject({
      code: "HASP771",
      next: expect.stringContaining("ssh-keygen -R changed") as string,
    });
  });

  test("a host whose key nobody has confirmed", async () => {
    addStranger(scene.sshd, "stranger");
    expect(await refusal(toHost("stranger"))).toMatchObject({
      code: "HASP772",
      next: "Run `ssh stranger` once in a terminal, compare its key, and confirm it.",
    });
  });

  test("a host on which nobody listens", async () => {
    await addClosedHost(scene.sshd, "closed");
    expect(await refusal(toHost("closed"))).toMatchObject({ code: "HASP773" });
  });

  test("a host that asks for a password", async () => {
    const strict = await startSshd({ env: scene.slurm.env, passwordOnly: true });
    try {
      scene.sshd.addHost("strict", strict.port, [`UserKnownHostsFile ${strict.knownHosts}`]);
      expect(await refusal(toHost("strict"))).toMatchObject({
        code: "HASP774",
        message: "strict does not let you in without a password.",
      });
    } finally {
      await strict.stop();
    }
  });

  test("a host that takes the connection and says nothing", async () => {
    const silent = await addSilentHost(scene.sshd, "silent");
    try {
      expect(await refusal(toHost("silent"))).toMatchObject({ code: "HASP775" });
    } finally {
      await silent.close();
    }
  });

  test("no SLURM there", async () => {
    const folder = fs.mkdtempSync(path.join(scene.slurm.home, "bare-"));
    for (const name of ["sh", "python3"]) fs.symlinkSync(`/usr/bin/${name}`, path.join(folder, name));
    const found = await refusal(
      scene.target("slurm", { setup: [`PATH=${path.dirname(process.execPath)}:${folder}`] }),
    );
    expect(found).toMatchObject({ code: "HASP782" });
  });

  test("no Python there, or one that is too old", async () => {
    const none = ["PATH=/nonexistent"];
    expect(await refusal(scene.target("slurm", { setup: none }))).toMatchObject({ code: "HASP778" });
    const old = programs({ python3: "exit 93", python: "exit 93" });
    expect(await refusal(scene.target("slurm", { setup: old as string[] }))).toMatchObject({
      code: "HASP778",
    });
  });

  test("no Python that the trainer runs with", async () => {
    const target = scene.target("slurm", { python: "/usr/bin/python2.7" });
    const { environment: _environment, ...bare } = target;
    expect(await refusal(bare)).toMatchObject({ code: "HASP785" });
  });

  test("an environment that is not there", async () => {
    expect(await refusal(scene.target("slurm", { environment: "/opt/nothing/bin/python" }))).toMatchObject({
      code: "HASP785",
      message: "There is no Python at /opt/nothing/bin/python on cluster.",
    });
  });

  test("a setup line that fails names what it said", async () => {
    const found = await refusal(
      scene.target("slurm", { setup: ["echo 'no such module: cuda/99' >&2; false"] }),
    );
    expect(found).toMatchObject({ code: "HASP779" });
    expect(found.message).toContain("no such module: cuda/99");
  });

  test("a folder that cannot be written", async () => {
    expect(await refusal(scene.target("slurm", { folder: "/proc/hasp" }))).toMatchObject({ code: "HASP781" });
  });

  test.each([
    ["a partition that does not exist", { partition: "gpus" }, {}, /invalid partition/i],
    [
      "more time than the partition allows",
      { partition: "short" },
      { resources: { hours: 2 } },
      /time limit/i,
    ],
    ["a kind of GPU that nobody has", { gpu: "h900" }, { resources: { gpus: 1 } }, /generic resource|gres/i],
    ["more tasks than the cluster takes", {}, { tasks: 500 }, /array/i],
  ] as const)("%s, before anything is sent", async (_name, fields, job, words) => {
    fs.writeFileSync(path.join(scene.here, "never-sent.txt"), "never\n");
    scene.lines.length = 0;
    const found = await refusal(scene.target("slurm", fields), { ...job, inputs: ["never-sent.txt"] });
    expect(found.code).toBe("HASP784");
    expect(found.message).toMatch(words);
    expect(scene.lines.filter((line) => line.startsWith("sending"))).toEqual([]);
  });

  test.each([
    { outputs: ["../escaped.txt"] },
    { cwd: "/", outputs: ["etc/escaped.txt"] },
    { outputs: ["."] },
  ])("an output outside of the workspace, or all of it: %j", async (fields) => {
    expect(await refusal(scene.target(), fields)).toMatchObject({ code: "HASP811" });
  });

  test("an input that is not here", async () => {
    expect(await refusal(scene.target(), { inputs: ["missing.jsonl"] })).toMatchObject({
      code: "HASP790",
      message: "The job reads missing.jsonl, which is not there.",
    });
  });
});

describe.skipIf(missing !== undefined)(`a cluster with accounts${note}`, () => {
  let scene: JoinedScene;
  beforeAll(async () => {
    scene = await joinClusterScene();
  });

  test.each([
    ["an account that does not exist", { account: "nobody" }, /account/i],
    ["a partition of other accounts", { partition: "closed" }, /account|partition/i],
    ["a QOS that does not exist", { qos: "gold" }, /qos/i],
  ] as const)("%s is refused before anything is sent", async (name, fields, words) => {
    const folder = scene.writeJob(name.replaceAll(/\W/g, "-").toLowerCase(), ["pass"]);
    scene.lines.length = 0;
    const { diagnostics } = await checked(async () =>
      scene.backend(scene.target("slurm", fields)).submit(folder),
    );
    expect(diagnostics).toMatchObject([{ code: "HASP784", message: expect.stringMatching(words) as string }]);
    expect(scene.lines.filter((line) => line.startsWith("sending"))).toEqual([]);
  });

  test("a quota that is used up: the job says so, and nothing is booked", async () => {
    const backend = scene.backend(scene.target("slurm", { qos: "tight" }));
    const first = scene.writeJob("within", ["import time; time.sleep(600)"]);
    await backend.submit(first);
    const second = scene.writeJob("beyond", ["pass"]);
    const { diagnostics } = await checked(async () => backend.submit(second));
    expect(diagnostics).toMatchObject([
      { code: "HASP784", message: expect.stringMatching(/limit/i) as string },
    ]);
    await backend.cancel(first);
    // Once there is room, the same submission is made.
    await backend.submit(second);
    expect((await followed(backend, second)).at(-1)).toMatchObject({ record: { status: "succeeded" } });
    // Accounting lags behind the controller.
    const names = async () =>
      (await scene.slurm.sacct("--qos=tight", "-n", "-P", "-X", "-o", "JobName")).out
        .trim()
        .split("\n")
        .filter((name) => name.startsWith("hasp-"))
        .toSorted();
    await expect.poll(names, { timeout: 30_000 }).toEqual(["hasp-beyond-1", "hasp-within-1"]);
  });
});
