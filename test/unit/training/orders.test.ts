import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { ExperimentName } from "../../../src/model/experiment.ts";
import type { ExperimentEvent, ExperimentOrder } from "../../../src/training/order.ts";
import { runExperiment } from "../../../src/training/run-experiment.ts";
import { shippedConfig } from "../../../src/training/shipped-configs.ts";
import { FakeMachine, filesOf, orderOf, problemsOf, servicesOn, stagesIn, workspace } from "./support.ts";

describe("an order", () => {
  const config = shippedConfig("e1");

  it.each<[string, Partial<ExperimentOrder>, string]>([
    ["other epochs", { config: { ...config, train: { ...config.train, epochs: 3 } } }, "config.train.epochs"],
    ["another seed", { seed: 7 }, "seed"],
    ["no corpus", { corpus: undefined }, "corpus"],
    ["another teacher", { teacher: "openai:gpt-4o" }, "teacher"],
  ])("is refused in the folder of another one: %s", async (_name, change, differs) => {
    const root = workspace();
    const machine = new FakeMachine(root);
    await runExperiment(orderOf("e1"), servicesOn(machine, root));
    const other = await runExperiment(orderOf("e1", change), servicesOn(machine, root));
    expect(problemsOf(other)).toEqual([
      `HASP686 The experiment in exp was begun with another order (${differs}).`,
    ]);
  });

  it("is refused where a file or the library has changed since", async () => {
    const root = workspace();
    const machine = new FakeMachine(root);
    await runExperiment(orderOf("e1"), servicesOn(machine, root));
    writeFileSync(path.join(root, "corpus.jsonl"), `{"title": "a", "text": "b"}\n`);
    const services = servicesOn(machine, root, { libraryHash: async () => "changed" });
    expect(problemsOf(await runExperiment(orderOf("e1"), services))).toEqual([
      "HASP686 The experiment in exp was begun with another order (corpus.hash, library).",
    ]);
  });

  it("is refused in a folder that holds something else", async () => {
    const root = workspace();
    const machine = new FakeMachine(root);
    await machine.files.writeText("exp/notes.txt", "mine");
    expect(problemsOf(await runExperiment(orderOf("e1"), servicesOn(machine, root)))).toEqual([
      'HASP680 exp holds "notes.txt" already, and no experiment.',
    ]);
  });

  const withConfig = (name: ExperimentName, change: object): Partial<ExperimentOrder> => ({
    config: { ...shippedConfig(name), ...change },
  });

  it.each<[string, ExperimentName, Partial<ExperimentOrder>, string]>([
    [
      "without a teacher, though reviews are needed",
      "e4",
      { teacher: undefined },
      "HASP688 E4 evolves its library with reviews, and no teacher is named.",
    ],
    [
      "without skills, in closed loop",
      "e5",
      { skills: [] },
      "HASP688 The skills that evolve further are not named.",
    ],
    [
      "with a pool, where evolution comes first",
      "e4",
      { pool: ["pool"] },
      "HASP688 The library evolves before the first rollout, so recorded runs cannot take its place.",
    ],
    [
      "with a model folder that is none",
      "e1",
      withConfig("e1", { model: "./nowhere" }),
      "HASP689 ./nowhere is not a model: there is no such folder.",
    ],
    [
      "with a model folder without a model",
      "e1",
      withConfig("e1", { model: "models/empty" }),
      "HASP689 models/empty is not a model: it has no config.json.",
    ],
    [
      "with an adapter that is none",
      "e2",
      withConfig("e2", { start: { kind: "adapter", folder: "models/empty" } }),
      "HASP689 models/empty is not an adapter: it has no adapter_config.json.",
    ],
    [
      "with a teacher of the editor",
      "e1",
      { teacher: "vscode:copilot/gpt-4o" },
      "HASP688 vscode:copilot/gpt-4o cannot be asked by the jobs of an experiment, which run by themselves.",
    ],
  ])("is refused before anything is written: %s", async (_name, name, change, problem) => {
    const root = workspace();
    const machine = new FakeMachine(root);
    await machine.files.writeText("models/empty/readme.txt", "");
    const ended = await runExperiment(orderOf(name, change), servicesOn(machine, root));
    expect(problemsOf(ended)).toEqual([problem]);
    expect(await machine.files.exists("exp")).toBe(false);
  });

  it("is refused where a split has no question", async () => {
    const root = workspace();
    const machine = new FakeMachine(root);
    writeFileSync(path.join(root, "questions.jsonl"), `{"id": "q", "question": "who?", "gold": ["x"]}\n`);
    const ended = await runExperiment(orderOf("e1"), servicesOn(machine, root));
    expect(problemsOf(ended)).toEqual(["HASP688 The train split of questions.jsonl has no question."]);
    expect(await machine.files.exists("exp")).toBe(false);
  });

  it("takes recorded runs of the train split alone in place of the first rollout", async () => {
    const root = workspace();
    const machine = new FakeMachine(root);
    await runExperiment(orderOf("e1"), servicesOn(machine, root));
    const test = { pool: ["exp/runs/test-before-pfs-off"], folder: "two" };
    expect(problemsOf(await runExperiment(orderOf("e2", test), servicesOn(machine, root)))).toEqual([
      "HASP690 exp/runs/test-before-pfs-off is of the test split; rows come from the train split alone.",
    ]);
    const events: ExperimentEvent[] = [];
    const train = { pool: ["exp/runs/train-1"], folder: "three" };
    const ended = await runExperiment(orderOf("e2", train), servicesOn(machine, root, { events }));
    expect(ended.value?.endedBy).toBeUndefined();
    expect(stagesIn(events).filter((line) => line.includes("rollout"))).toEqual([
      "4/10 rollout 1 begun",
      "4/10 rollout 1 done",
      "7/10 rollout 2 begun",
      "7/10 rollout 2 done",
    ]);
    const data = JSON.parse(filesOf(root, "three")["jobs/02-data-0/job.json"] ?? "") as {
      commands: { args: string[] }[];
    };
    expect(data.commands[0]?.args.slice(0, 4)).toEqual([
      "train-data",
      "exp/runs/train-1",
      "--filter",
      "none",
    ]);
  });
});
