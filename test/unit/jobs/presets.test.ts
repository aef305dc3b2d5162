import { expect, test } from "vitest";
import { PRESETS, presetHeader, presetNamed, presetOf } from "../../../src/jobs/presets.ts";

test("GPUs, hours and measured hours are those of SPEC §8", () => {
  const table = Object.entries(PRESETS).map(([name, { resources, measured }]) => [
    name,
    resources.gpus,
    resources.hours,
    measured,
  ]);
  expect(table).toEqual([
    ["e1", 1, 24, 12],
    ["e2", 2, 30, 24],
    ["e3", 2, 24, 18],
    ["e4", 2, 48, 20],
    ["e5", 2, 48, 22],
    ["e6", 2, 48, 14],
    ["evolve-web", 2, 40, 30],
    ["evolve-math", 2, 12, 8],
    ["evolve-code", 1, 12, 10],
    ["bootstrap", 1, 6, undefined],
    ["eval-7b", 2, 24, undefined],
    ["eval-30b", 2, 30, undefined],
  ]);
  expect(Object.values(PRESETS).every(({ resources }) => resources.memoryGb === 48)).toBe(true);
});

test("the head of a batch script, with the target's own partition and GPU", () => {
  const target = { kind: "slurm" as const, folder: "~/hasp", partition: "gpu", gpu: "l40s" };
  expect(presetHeader("e4", target)).toEqual([
    "#!/bin/sh",
    "# Experiment E4: about 20 hours on L40S cards.",
    "#SBATCH --job-name=hasp-e4",
    "#SBATCH --requeue",
    "#SBATCH --partition=gpu",
    "#SBATCH --nodes=1",
    "#SBATCH --ntasks-per-node=1",
    "#SBATCH --mem=49152M",
    "#SBATCH --gres=gpu:l40s:2",
    "#SBATCH --time=2-00:00:00",
  ]);
});

test.each([
  [{ name: "experiment", experiment: "e3", isServed: false }, "e3"],
  [{ name: "experiment", experiment: "e7", isServed: false }, undefined],
  [{ name: "evolve", domain: "code", isServed: false }, "evolve-code"],
  [{ name: "evolve", isServed: false }, "evolve-web"],
  [{ name: "run", isServed: true }, "eval-7b"],
  [{ name: "run", isServed: false }, undefined],
  [{ name: "train", isServed: false }, undefined],
])("%o has the preset %s", (command, name) => expect(presetOf(command)).toBe(name));

test("a preset by its name in any case", () => {
  expect(presetNamed("Eval-7B")).toBe("eval-7b");
  expect(presetNamed("e9")).toBeUndefined();
});
