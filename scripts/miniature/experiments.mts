/** Runs one experiment of the paper on the small student, by `hasp experiment`. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

import type { ExperimentName } from "../../src/model/experiment.ts";
import { configOf, isWarmedUp, type Size } from "./plan.mts";
import type { SeedPaths } from "./prepare.mts";
import { hasp, pythonEnv } from "./programs.mts";

export interface OneExperiment {
  readonly name: ExperimentName;
  readonly paths: SeedPaths;
  readonly seed: number;
  readonly size: Size;
  readonly split: "test" | "val";
  readonly interpreter: string;
  /** Address of author and teacher. */
  readonly roles: string;
}

/** Experiments that ask an author for skills. */
const CLOSED: ReadonlySet<ExperimentName> = new Set<ExperimentName>(["e4", "e5", "e6"]);

/** Experiments that start from the student that E2 warmed up: one epoch of SFT on one rollout, which serves all of them. */
export const needsWarmStart = (name: ExperimentName): boolean => isWarmedUp(name) && name !== "e2";

/** An experiment of a seed, or what is left of it. */
export async function runOne({
  name,
  paths,
  seed,
  size,
  split,
  interpreter,
  roles,
}: OneExperiment): Promise<void> {
  const folder = paths.experiment(name);
  const done = resolve(folder, "done");
  if (existsSync(done)) return;
  mkdirSync(paths.root, { recursive: true });
  const config = resolve(paths.root, `${name}.json`);
  const adapter = resolve(paths.experiment("e2"), "train/0/adapter");
  const start =
    needsWarmStart(name) && existsSync(adapter) ? { start: { kind: "adapter", folder: adapter } } : {};
  const values = { ...configOf(name, size, paths.student, split), ...start };
  writeFileSync(config, `${JSON.stringify(values, null, 2)}\n`);
  const author = CLOSED.has(name) ? ["--author", `${roles}#author`] : [];
  // Only the reviews of E4 need it; E5 and E6 evolve in the lite mode.
  const teacher = name === "e4" ? ["--teacher", `${roles}#teacher`] : [];
  const files = ["--questions", paths.questions, "--corpus", paths.corpus, "--skills", "builtin:web-search"];
  const output = await hasp(
    [
      "experiment",
      name,
      "--config",
      config,
      ...files,
      ...author,
      ...teacher,
      "--seed",
      String(seed),
      "-o",
      folder,
    ],
    { cwd: paths.root, env: { ...pythonEnv(), HASP_TRAINER_PYTHON: interpreter } },
  );
  writeFileSync(resolve(paths.root, `${name}.log`), output);
  writeFileSync(done, "");
}
