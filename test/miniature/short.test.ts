import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { need } from "../../src/app/refusal.ts";
import type { JobEvent, JobSpec } from "../../src/model/job.ts";
import { nodeFiles } from "../../src/platform/files.ts";
import { filesBelow } from "../../src/platform/files-below.ts";
import { jobsFor } from "../../src/training/command-job.ts";
import type { CommandOrder } from "../../src/training/job-parts.ts";
import { endOf, followed, openClusterScene, type OwnScene } from "../support/cluster-scene.ts";
import { missingForCluster } from "../../scripts/lib/cluster.mts";
import { isCi } from "../../scripts/lib/stages.mts";
import { trainerPython } from "../../scripts/lib/trainer-env.mts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "hasp-miniature-"));
const seed = path.join(folder, "seed-1");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isReady = isCi() || trainerPython() !== undefined;
const note = isReady ? "" : " (skipped: `npm test -- --only trainer` installs the trainer's Python)";

const cluster = missingForCluster();
const clusterNote = cluster === undefined ? "" : ` (skipped: ${cluster})`;

const linesOf = <T>(file: string): T[] =>
  readFileSync(path.join(seed, file), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);

interface Episode {
  readonly outcome: string;
  readonly steps: readonly { readonly events?: readonly { readonly status: string }[] }[];
}

describe.skipIf(!isReady)(`npm run demo:train -- --short${note}`, () => {
  beforeAll(async () => {
    const options = ["--short", "--built", "--lanes", "1", "-o", folder];
    await execa(process.execPath, [path.join(ROOT, "scripts/demo-train.mts"), ...options], { cwd: ROOT });
  });

  test("each phase of the pre-training lowers its loss", () => {
    const lines = linesOf<{ phase: string; loss: number }>("student/pretraining.jsonl");
    const phases = [...Map.groupBy(lines, ({ phase }) => phase)];
    expect(phases.map(([phase]) => phase)).toEqual(["recall", "good", "mixed"]);
    for (const [phase, own] of phases)
      expect({ phase, falls: (own.at(-1)?.loss ?? 9) < (own[0]?.loss ?? 0) }).toEqual({ phase, falls: true });
  });

  test("E1 has rows of the train split alone, and trains on them", () => {
    const rows = linesOf<{ question_id: string; prompt: object[]; sample_weight: number }>(
      "e1/data/1/a-sft.jsonl",
    );
    expect(rows.length).toBeGreaterThan(0);
    const questions = linesOf<{ id: string }>("world/questions.jsonl").map(({ id }) => id);
    const test = new Set(questions.slice(0, 32));
    expect(rows.filter(({ question_id }) => test.has(question_id))).toEqual([]);
    const losses = linesOf<{ loss: number }>("e1/train/1/metrics.jsonl").map(({ loss }) => loss);
    expect(losses.length).toBeGreaterThan(1);
    expect(losses.at(-1)).toBeLessThan(losses[0] ?? 0);
  });

  test.each(["before", "after"])(
    "the evaluation %s training has its episodes, with and without skills",
    (when) => {
      const off = linesOf<Episode>(`e1/runs/test-${when}-pfs-off/episodes.jsonl`);
      const on = linesOf<Episode>(`e1/runs/test-${when}-pfs-on/episodes.jsonl`);
      expect([off.length, on.length]).toEqual([6, 6]);
      expect(off.flatMap(({ steps }) => steps.flatMap(({ events = [] }) => events))).toEqual([]);
      const asked = on.flatMap(({ steps }) => steps.flatMap(({ events = [] }) => events));
      expect(asked.length).toBeGreaterThan(0);
    },
  );

  test("the table has a row for every student that learned something, and the controls took as many steps as E1", () => {
    // A student that has hardly learned may have no right answer to learn from; that depends on the processor.
    const learned = ["own", "own-right"].filter(
      (name) => linesOf(`control/${name}/data/a-sft.jsonl`).length > 0,
    );
    expect(learned).toContain("own");
    const table = JSON.parse(readFileSync(path.join(folder, "miniature-results.json"), "utf8")) as {
      rows: { name: string; off?: object; on?: object; triggers?: unknown[] }[];
    };
    expect(
      table.rows.map(({ name, off, on }) => ({ name, all: off !== undefined && on !== undefined })),
    ).toEqual(
      ["before training", "E1", "control: own", "control: own-right"].map((name) => ({
        name,
        all: !name.startsWith("control") || learned.includes(name.slice("control: ".length)),
      })),
    );
    expect(table.rows.some(({ triggers = [] }) => triggers.length > 0)).toBe(true);
    const steps = (file: string): number =>
      (JSON.parse(readFileSync(path.join(seed, file), "utf8")) as { steps: number }).steps;
    const own = steps("e1/train/1/result.json");
    for (const name of learned)
      expect({ name, steps: steps(`control/${name}/train/result.json`) }).toEqual({ name, steps: own });
  });

  describe.skipIf(cluster !== undefined)(`on a cluster of this machine${clusterNote}`, () => {
    let scene: OwnScene;
    beforeAll(async () => {
      scene = await openClusterScene();
      for (const name of ["student", "world", "e1/data"])
        cpSync(path.join(seed, name), path.join(scene.here, name), { recursive: true });
    });
    afterAll(async () => {
      await scene.close();
    });

    /** Jobs of SLURM, with the Python that has the trainer's packages. */
    const backend = () => scene.backend(scene.target("slurm", { environment: trainerPython() ?? "" }));

    async function written(order: CommandOrder): Promise<readonly string[]> {
      const specs = need(await jobsFor(order, filesBelow(scene.here, nodeFiles())));
      return specs.map((spec) => writeSpec(scene.here, spec));
    }

    /** A path of the demonstration, in the workspace of this scene. */
    const relative = (text: string): string => text.replaceAll(`${seed}/`, "");

    test("the same training as a job of SLURM has the same curve, and brings its adapter here", async () => {
      const config = readFileSync(path.join(seed, "e1/jobs/04-train-1/config.json"), "utf8");
      writeFileSync(path.join(scene.here, "train.json"), relative(config));
      const [job = ""] = await written({ id: "train", args: ["train", "train.json"] });
      await backend().submit(job);
      const events = await followed(backend(), job);
      expect(endOf(events)).toMatchObject({ status: "succeeded" });
      const local = linesOf<{ step: number; loss: number }>("e1/train/1/metrics.jsonl");
      expect(lossesOf(events).map(({ step }) => step)).toEqual(local.map(({ step }) => step));
      for (const [i, { loss }] of lossesOf(events).entries())
        expect(loss).toBeCloseTo(local[i]?.loss ?? 0, 5);
      await backend().fetch(job);
      expect(existsSync(path.join(scene.here, "e1/train/1/adapter/adapter_model.safetensors"))).toBe(true);
    });

    test("an evaluation dealt out to two tasks, each with a student of its own, is the evaluation of one", async () => {
      const { commands } = JSON.parse(
        readFileSync(path.join(seed, "e1/jobs/05-evaluate/job.json"), "utf8"),
      ) as JobSpec;
      const args = (commands[0]?.args ?? []).filter((arg) => arg !== "--resume").map(relative);
      const student = { model: "student", adapter: "e1/train/1/adapter", engine: "transformers" } as const;
      const jobs = await written({
        id: "evaluate",
        args,
        shards: 2,
        serve: student,
        resources: { gpus: 0, cpus: 1, memoryGb: 2 },
      });
      for (const job of jobs) await backend().submit(job);
      for (const job of jobs)
        expect(endOf(await followed(backend(), job))).toMatchObject({ status: "succeeded" });
      await backend().fetch(jobs.at(-1) ?? "");
      const answers = (folder: string) => {
        const lines = readFileSync(path.join(folder, "e1/runs/test-after-pfs-off/episodes.jsonl"), "utf8");
        const episodes = lines
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line) as Answered);
        const actions = episodes.map(({ id, steps }) => [id, steps.map(({ executed }) => executed)] as const);
        return new Map(actions.toSorted(([a], [b]) => (a < b ? -1 : 1)));
      };
      expect(answers(scene.here)).toEqual(answers(seed));
    });
  });
});

interface Answered {
  readonly id: string;
  readonly steps: readonly { readonly executed: object }[];
}

function writeSpec(here: string, spec: JobSpec): string {
  const folder = path.join(here, ".hasp/jobs", spec.id);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "job.json"), JSON.stringify(spec));
  return folder;
}

const lossesOf = (events: readonly JobEvent[]) =>
  events.flatMap((event) =>
    event.kind === "metrics" ? [{ step: event.metrics.step, loss: event.metrics.loss }] : [],
  );
