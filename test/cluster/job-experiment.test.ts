import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { execa } from "execa";
import { beforeAll, describe, expect, test } from "vitest";
import { missingForCluster } from "../../scripts/lib/cluster.mts";
import {
  CORPUS,
  COUNTRIES,
  SMALL_CONFIG,
  writeCountries,
  writeScriptedPython,
} from "../support/experiment-world.ts";
import { joinClusterScene, type JoinedScene } from "../support/stage-cluster.ts";
import { THOROUGH } from "../support/thorough.ts";

/** A whole experiment as one job of a cluster, cancelled in its training. */
const missing = THOROUGH ? missingForCluster() : "`npm test -- --thorough` runs it";
const note = missing === undefined ? "" : ` (skipped: ${missing})`;

const CLI = path.resolve("dist/hasp.cjs");
const OUTPUT = ".hasp/experiments/e1";

describe.skipIf(missing !== undefined)(`an experiment on a cluster${note}`, () => {
  let scene: JoinedScene;
  const at = (...names: string[]): string => path.join(scene.here, ...names);

  async function hasp(...args: readonly string[]) {
    const { exitCode, stdout, stderr } = await execa(process.execPath, [CLI, ...args], {
      cwd: scene.here,
      env: { ...scene.environment, XDG_CONFIG_HOME: at("../config") },
      reject: false,
      stdin: "ignore",
    });
    return { code: exitCode, out: stdout, err: stderr };
  }

  beforeAll(async () => {
    scene = await joinClusterScene();
    writeCountries(scene.here);
    fs.writeFileSync(at("small.yaml"), SMALL_CONFIG);
    const program = path.resolve("test/support/scripted-trainer.ts");
    const environment = writeScriptedPython(scene.slurm.folder, program, { steps: 60, stepMs: 100 });
    const setup = [`PATH=${path.dirname(process.execPath)}:$PATH`];
    const lab = { kind: "slurm", host: scene.sshd.host, setup, environment };
    fs.writeFileSync(at("hasp.yaml"), JSON.stringify({ targets: { lab } }));
  });

  test("ends with its training when it is cancelled, resumes, and its results come here", async () => {
    const asked = ["--gpus", "0", "--memory", "1", "--hours", "1", "--yes", "--json"];
    const files = ["--questions", COUNTRIES, "--corpus", CORPUS, "--config", "small.yaml"];
    const sent = await hasp("job", "submit", "--target", "lab", ...asked, "--", "experiment", "e1", ...files);
    expect(sent).toMatchObject({ code: 0, err: "" });
    const { id, folder } = (JSON.parse(sent.out) as { jobs: { id: string; folder: string }[] }).jobs[0] ?? {
      id: "",
      folder: "",
    };
    const there = path.join(scene.slurm.home, "hasp/work", id, "workspace", OUTPUT);
    const metrics = path.join(there, "train/1/metrics.jsonl");
    for (let i = 0; i < 600 && !fs.existsSync(metrics); i++) await delay(200);
    expect(fs.existsSync(metrics)).toBe(true);
    const cancelled = await hasp("job", "cancel", id);
    expect(cancelled.out).toContain("cancelled");
    // The training has ended, too: by a checkpoint, not by a kill.
    const jobs = fs.readdirSync(path.join(there, "jobs")).filter((name) => name.includes("train-1"));
    const state = fs.readFileSync(path.join(there, "jobs", jobs[0] ?? "", "state.jsonl"), "utf8");
    expect(state.trim().split("\n").at(-1)).toContain('"stopped"');
    expect(fs.existsSync(path.join(there, "train/1/result.json"))).toBe(false);

    const resumed = await hasp("job", "submit", id, "--follow");
    expect(resumed).toMatchObject({ code: 0, err: "" });
    expect(fs.readFileSync(path.join(folder, "log.txt"), "utf8")).toContain("done before");
    expect((await hasp("job", "fetch", id)).code).toBe(0);
    expect(fs.existsSync(at(OUTPUT, "train/1/result.json"))).toBe(true);
    expect(fs.existsSync(at(OUTPUT, "train/1/checkpoints"))).toBe(false);
    const report = await hasp("experiment", "e1", "--status");
    expect(report).toMatchObject({ code: 0, err: "" });
    expect(report.out.match(/ succeeded/g)).toHaveLength(5);
    expect(report.out).toContain(`adapter: ${OUTPUT}/train/1/adapter`);
  }, 480_000);
});
