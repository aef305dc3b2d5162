import { describe, expect, it } from "vitest";
import { rmSync } from "node:fs";
import path from "node:path";
import { EXPERIMENTS } from "../../../src/model/experiment.ts";
import { seededRandom } from "../../../src/model/random.ts";
import type { ExperimentEvent, ExperimentFiles } from "../../../src/training/order.ts";
import { readExperiment } from "../../../src/training/report.ts";
import { runExperiment } from "../../../src/training/run-experiment.ts";
import { THOROUGH } from "../../support/thorough.ts";
import {
  FakeMachine,
  filesOf,
  FOLDER,
  orderOf,
  problemsOf,
  servicesOn,
  stagesIn,
  wordsIn,
  workspace,
} from "./support.ts";

describe("runExperiment", () => {
  it("does the jobs of E1 in order and tells what they gave", async () => {
    const root = workspace();
    const machine = new FakeMachine(root, { right: (run) => (run.includes("after") ? 0.75 : 0.25) });
    const events: ExperimentEvent[] = [];
    const ended = await runExperiment(orderOf("e1"), servicesOn(machine, root, { events }));
    expect(ended.diagnostics).toEqual([]);
    expect(stagesIn(events)).toEqual([
      "1/5 evaluate 0 begun",
      "1/5 evaluate 0 done",
      "2/5 rollout 1 begun",
      "2/5 rollout 1 done",
      "3/5 data 1 begun",
      "3/5 data 1 done",
      "4/5 train 1 begun",
      "4/5 train 1 done",
      "5/5 evaluate 1 begun",
      "5/5 evaluate 1 done",
    ]);
    const words = wordsIn(events);
    expect(words[0]).toBe("40 episodes, 25.0% right | 40 episodes, 25.0% right");
    expect(words.slice(1, 4)).toEqual([
      "60 episodes, 25.0% right",
      "3 rows",
      "10 steps, 100 tokens, loss 0.500",
    ]);
    const { value } = ended;
    expect(value).toMatchObject({ endedBy: undefined, adapter: "exp/train/1/adapter" });
    // The first 10 of 40 are right before, the first 30 after: 20 questions are won and none is lost.
    expect(value?.evaluations.map(({ when, pfs, em, questions }) => [when, pfs, em, questions])).toEqual([
      ["before", "off", 0.25, 40],
      ["before", "on", 0.25, 40],
      ["after", "off", 0.75, 40],
      ["after", "on", 0.75, 40],
    ]);
    const change = value?.evaluations[2]?.change;
    expect(change?.value).toBe(0.5);
    expect(change?.low).toBeGreaterThan(0.3);
    expect(change?.high).toBeLessThan(0.7);
  });

  it.each(EXPERIMENTS)("brings %s to its end, and a second sitting does nothing again", async (name) => {
    const root = workspace();
    const machine = new FakeMachine(root);
    const first = await runExperiment(orderOf(name), servicesOn(machine, root));
    expect(first.diagnostics).toEqual([]);
    const worked = machine.worked.length;
    const events: ExperimentEvent[] = [];
    const again = await runExperiment(orderOf(name), servicesOn(machine, root, { events }));
    expect(again.value).toEqual(first.value);
    expect(machine.worked.length).toBe(worked);
    expect(stagesIn(events).every((line) => line.endsWith("done before"))).toBe(true);
  });
});

describe("an iteration without a row", () => {
  it("leaves the student as it was, and the experiment comes to its end", async () => {
    const root = workspace();
    const machine = new FakeMachine(root, { rows: (folder) => (folder.endsWith("data/2") ? 0 : 3) });
    const events: ExperimentEvent[] = [];
    const ended = await runExperiment(orderOf("e3"), servicesOn(machine, root, { events }));
    expect(ended.diagnostics).toEqual([]);
    expect(ended.value).toMatchObject({ endedBy: undefined, adapter: "exp/train/2/adapter" });
    const words = wordsIn(events);
    expect(words.slice(-3, -1)).toEqual([
      "no row: nothing to learn",
      "nothing to learn: the student stays as it was",
    ]);
    const { files, backend } = servicesOn(machine, root);
    const report = await readExperiment(files, FOLDER, (job) => backend.status(path.join(root, job)));
    expect(report.value?.stages.every(({ record }) => record.status === "succeeded")).toBe(true);
  });

  it("fails where it is the first", async () => {
    const root = workspace();
    const machine = new FakeMachine(root, { rows: (folder) => (folder.endsWith("data/1") ? 0 : 3) });
    const ended = await runExperiment(orderOf("e3"), servicesOn(machine, root));
    expect(problemsOf(ended)).toEqual([
      "HASP692 Build training data, iteration 1 of 2: the job has ended, and its result is not complete: exp/data/1/a-sft.jsonl has no row.",
    ]);
  });
});

class Killed extends Error {}

/** The services of a sitting that is killed at its n-th deed, before or after it was done. */
function killedAfter(machine: FakeMachine, root: string, deeds: number, isBefore: boolean) {
  let left = deeds;
  const guarded =
    <A extends readonly unknown[], T>(work: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      left--;
      if (left < 0 || (left === 0 && isBefore)) throw new Killed();
      const value = await work(...args);
      if (left === 0) throw new Killed();
      return value;
    };
  const { files } = machine;
  const deadly: ExperimentFiles = {
    ...files,
    writeAtomic: guarded((file, data) => files.writeAtomic(file, data)),
    makeFolder: guarded((folder) => files.makeFolder(folder)),
  };
  const { backend } = machine;
  const mortal = {
    ...backend,
    submit: guarded((folder: string) => backend.submit(folder)),
    async *follow(folder: string, signal: AbortSignal) {
      for await (const event of backend.follow(folder, signal)) {
        await guarded(async () => undefined)();
        yield event;
      }
    },
  };
  return servicesOn(machine, root, { files: deadly, backend: mortal });
}

describe("an experiment that is killed", () => {
  const SITTINGS = 200;

  // E5 has every kind of job. The others have more of the same: rollouts of a second iteration, and a student that evolves.
  const others = [
    ["e1", 1],
    ["e3", 2],
    ["e7", 4],
  ] as const;
  it.each([["e5", 3] as const, ...(THOROUGH ? others : [])])(
    "has the same end for %s, seed %i",
    async (name, seed) => {
      const straight = workspace();
      const whole = new FakeMachine(straight);
      const expected = (await runExperiment(orderOf(name), servicesOn(whole, straight))).value;
      const root = workspace();
      const machine = new FakeMachine(root);
      const random = seededRandom(seed);
      let kills = 0;
      for (let sitting = 0; sitting < SITTINGS; sitting++) {
        const deeds = 1 + Math.floor(random() * 9);
        const services = killedAfter(machine, root, deeds, random() < 0.5);
        const ended = await runExperiment(orderOf(name), services).catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error;
          return undefined;
        });
        if (ended?.value !== undefined) break;
        expect(ended?.diagnostics ?? []).toEqual([]);
        kills++;
        // Meanwhile the job comes to its end, is lost with its machine, or runs.
        for (const [folder, { status }] of machine.records) {
          if (status !== "running") continue;
          const fate = random();
          if (fate < 0.4) await machine.finish(folder);
          else if (fate < 0.7) machine.records.set(folder, { status: "lost" });
        }
      }
      expect(kills).toBeGreaterThan(3);
      const ended = await runExperiment(orderOf(name), servicesOn(machine, root));
      expect(ended.value).toEqual(expected);
      // No job was done twice, and all of them were.
      expect(new Set(machine.worked).size).toBe(machine.worked.length);
      const plainOf = (at: string): string =>
        JSON.stringify(filesOf(at, FOLDER)).replaceAll(/-[0-9a-f]{8}-/g, "-");
      const without = (at: string): string =>
        plainOf(at)
          .replaceAll(at, "")
          .replaceAll(/\\"id\\": \\"[0-9a-f]{8}\\"/g, "");
      expect(without(root)).toBe(without(straight));
    },
  );
});

describe("stopping and detaching", () => {
  /** Aborts when the job with this stage is followed. */
  function during(machine: FakeMachine, stage: string, work: () => void | Promise<void>) {
    const { backend } = machine;
    return {
      ...backend,
      async *follow(folder: string, signal: AbortSignal) {
        if (path.basename(folder).includes(`-${stage}`)) await work();
        yield* backend.follow(folder, signal);
      },
    };
  }

  it("lets a rollout come to its end", async () => {
    const root = workspace();
    const machine = new FakeMachine(root);
    const stop = new AbortController();
    const backend = during(machine, "rollout", () => stop.abort());
    const events: ExperimentEvent[] = [];
    const services = servicesOn(machine, root, { backend, stop: stop.signal, events });
    const ended = await runExperiment(orderOf("e1"), services);
    expect(ended.value?.endedBy).toBe("stopped");
    expect(machine.cancelled).toEqual([]);
    expect(stagesIn(events).at(-1)).toBe("2/5 rollout 1 done");
    expect(ended.value?.evaluations.map(({ when, pfs }) => [when, pfs])).toEqual([
      ["before", "off"],
      ["before", "on"],
    ]);
    const resumed = await runExperiment(orderOf("e1"), servicesOn(machine, root));
    expect(resumed.value?.endedBy).toBeUndefined();
  });

  it("asks a training for its checkpoint, which resumes", async () => {
    const root = workspace();
    const machine = new FakeMachine(root);
    const stop = new AbortController();
    const backend = during(machine, "train", () => stop.abort());
    const ended = await runExperiment(
      orderOf("e1"),
      servicesOn(machine, root, { backend, stop: stop.signal }),
    );
    expect(ended.value).toMatchObject({ endedBy: "stopped", adapter: undefined });
    expect(machine.cancelled).toEqual([path.join(root, "exp/jobs/04-train-1")]);
    const resumed = await runExperiment(orderOf("e1"), servicesOn(machine, root));
    expect(resumed.value).toMatchObject({ endedBy: undefined, adapter: "exp/train/1/adapter" });
  });

  it.each(["rollout", "train"])(
    "ends the running job, too, where the machine wants its place back: %s",
    async (stage) => {
      const root = workspace();
      const machine = new FakeMachine(root);
      const stop = new AbortController();
      const backend = during(machine, stage, () => stop.abort());
      const services = servicesOn(machine, root, { backend, stop: stop.signal });
      const ended = await runExperiment(orderOf("e1"), { ...services, stopNow: stop.signal });
      expect(ended.value?.endedBy).toBe("stopped");
      expect(machine.cancelled.map((folder) => path.basename(folder).replace(/^\d+-/, ""))).toEqual([
        `${stage}-1`,
      ]);
      const resumed = await runExperiment(orderOf("e1"), servicesOn(machine, root));
      expect(resumed.value?.endedBy).toBeUndefined();
    },
  );

  it("leaves the running job alone where a person detaches, and follows it again", async () => {
    const root = workspace();
    const machine = new FakeMachine(root);
    const detach = new AbortController();
    const backend = during(machine, "rollout", () => detach.abort());
    const ended = await runExperiment(
      orderOf("e1"),
      servicesOn(machine, root, { backend, signal: detach.signal }),
    );
    expect(ended.value?.endedBy).toBe("detached");
    expect(machine.records.get(path.join(root, "exp/jobs/02-rollout-1"))).toEqual({ status: "running" });
    const events: ExperimentEvent[] = [];
    await runExperiment(orderOf("e1"), servicesOn(machine, root, { events }));
    expect(stagesIn(events).slice(0, 3)).toEqual([
      "1/5 evaluate 0 done before",
      "2/5 rollout 1 begun",
      "2/5 rollout 1 done",
    ]);
    expect(machine.worked.filter((id) => id.includes("rollout"))).toHaveLength(1);
  });
});

describe("a job that fails", () => {
  it("is told with the trainer's own words and what to do, and is repeated", async () => {
    const root = workspace();
    const lines = ["loading", "error: row 3 of a-sft.jsonl has no completion", "next: Build the data anew."];
    let isBroken = true;
    const machine = new FakeMachine(root, {
      fails: ({ id }) =>
        isBroken && id.includes("train-1") && !id.includes("rollout") && id.endsWith("-train-1")
          ? { reason: "The command 2 (Train the student) ended with exit code 2.", lastLines: lines }
          : undefined,
    });
    const ended = await runExperiment(orderOf("e1"), servicesOn(machine, root));
    expect(ended.diagnostics).toMatchObject([
      {
        code: "HASP691",
        message:
          "Train the student, iteration 1 of 1: The command 2 (Train the student) ended with exit code 2. row 3 of a-sft.jsonl has no completion",
        next: "Build the data anew. Then repeat the command: what is done is kept.",
        file: "exp/jobs/04-train-1",
      },
    ]);
    isBroken = false;
    const again = await runExperiment(orderOf("e1"), servicesOn(machine, root));
    expect(again.value?.endedBy).toBeUndefined();
    expect(machine.worked.filter((id) => id.includes("rollout"))).toHaveLength(1);
  });

  it("counts as failed where its run lacks episodes", async () => {
    const root = workspace();
    const machine = new FakeMachine(root, { missing: (run) => (run.includes("train-1") ? 2 : 0) });
    const ended = await runExperiment(orderOf("e1"), servicesOn(machine, root));
    expect(problemsOf(ended)).toEqual([
      "HASP692 Roll out the train split, iteration 1 of 1: the job has ended, and its result is not complete: exp/runs/train-1 has 58 of 60 episodes.",
    ]);
  });

  it("counts as failed where services ended more than a tenth of its episodes, and as done below that", async () => {
    const ended = async (outages: number) => {
      const root = workspace();
      const stopReason = (run: string, i: number): string =>
        run.includes("train-1") && i < outages ? "model_connection" : "final";
      const machine = new FakeMachine(root, { stopReason });
      return runExperiment(orderOf("e1"), servicesOn(machine, root));
    };
    expect(problemsOf(await ended(7))).toEqual([
      "HASP693 Roll out the train split, iteration 1 of 1: services around the agent ended 7 of 60 episodes of exp/runs/train-1 (7 by model_connection), so the run says little of the student.",
    ]);
    expect(problemsOf(await ended(6))).toEqual([]);
  });
});

describe("readExperiment", () => {
  it("reads what is done, and what is to do", async () => {
    const root = workspace();
    const machine = new FakeMachine(root, {
      fails: ({ id }) => (id.endsWith("05-evaluate") ? { reason: "It ended." } : undefined),
    });
    const { backend, files } = machine;
    await runExperiment(orderOf("e1"), servicesOn(machine, root));
    const report = (await readExperiment(files, FOLDER, (job) => backend.status(path.join(root, job)))).value;
    expect(report).toMatchObject({
      name: "e1",
      model: "Qwen/Qwen2.5-7B-Instruct",
      adapter: "exp/train/1/adapter",
    });
    expect(report?.stages.map(({ stage, record }) => [stage, record.status])).toEqual([
      ["evaluate", "succeeded"],
      ["rollout", "succeeded"],
      ["data", "succeeded"],
      ["train", "succeeded"],
      ["evaluate", "failed"],
    ]);
    expect(report?.stages[3]?.metrics.map(({ step, loss }) => [step, loss])).toEqual([[10, 0.5]]);
    expect(report?.evaluations.map(({ when }) => when)).toEqual(["before", "before"]);
  });

  it("says that a folder holds none, or a broken one", async () => {
    const root = workspace();
    const { files, backend } = new FakeMachine(root);
    const read = async () =>
      (await readExperiment(files, FOLDER, (job) => backend.status(job))).diagnostics.map(({ code }) => code);
    expect(await read()).toEqual(["HASP681"]);
    await files.writeText("exp/experiment.json", "{");
    expect(await read()).toEqual(["HASP687"]);
    rmSync(path.join(root, "exp"), { recursive: true });
  });
});
