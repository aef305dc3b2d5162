/**
 * The controls: as many optimizer steps as E1, on what the student does without Program Functions. `own`: all of its actions, each with the
 * same weight. `own-right`: through the data layers as E1, whose rewards know whether the answer was right.
 */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

import { say } from "../lib/report.mts";
import { EPISODE } from "./behaviours.mts";
import { type Size, TRAINING } from "./plan.mts";
import type { SeedPaths } from "./prepare.mts";
import { hasp, python, withStudent } from "./programs.mts";

export const CONTROLS = ["own", "own-right"] as const;
export type ControlName = (typeof CONTROLS)[number];

/** Data and training options of a control. */
const OPTIONS: Readonly<
  Record<ControlName, { readonly data: readonly string[]; readonly weights: "none" | "row" }>
> = {
  own: { data: ["--floor", "0"], weights: "none" },
  "own-right": { data: [], weights: "row" },
};

/** As E1 samples, without skills. */
const ROLLOUT = "--split train --temperature 0.9 --top-p 0.95 --no-skills".split(" ");

export interface ControlOrder {
  readonly paths: SeedPaths;
  readonly seed: number;
  readonly size: Size;
  readonly split: "test" | "val";
  readonly interpreter: string;
}

/**
 * Rolls out, trains and evaluates both controls of a seed; E1 must be done. What is there is kept. A control without a row, as that of a
 * student of `--short` that is never right may be, is left out of the table.
 */
export async function runControls(order: ControlOrder): Promise<void> {
  const { paths, interpreter } = order;
  const root = paths.experiment("control");
  mkdirSync(root, { recursive: true });
  const rollout = resolve(root, "rollout");
  const served = { interpreter, model: paths.student, log: resolve(root, "log.txt") };
  if (!existsSync(resolve(root, "rolled-out")))
    await withStudent(served, async (student) => {
      await ask(order, { student, name: "before" }, rollout, ROLLOUT);
      writeFileSync(resolve(root, "rolled-out"), "");
    });
  for (const name of CONTROLS) await runControl(order, name, rollout);
}

async function runControl(order: ControlOrder, name: ControlName, rollout: string): Promise<void> {
  const { paths, interpreter } = order;
  const root = paths.experiment("control");
  const folder = resolve(root, name);
  if (existsSync(resolve(folder, "done"))) return;
  mkdirSync(folder, { recursive: true });
  const log = resolve(folder, "log.txt");
  const data = resolve(folder, "data");
  await hasp(["train-data", rollout, "-o", data, "--allow-empty", ...OPTIONS[name].data], { fine: [0, 1] });
  if (statSync(resolve(data, "a-sft.jsonl")).size === 0) {
    say(
      `seed ${order.seed}: control ${name} has nothing to learn: no action of the student has a reward above the floor`,
    );
    writeFileSync(resolve(folder, "done"), "");
    return;
  }
  const output = resolve(folder, "train");
  const config = resolve(folder, "train.json");
  const training = {
    method: "sft",
    model: paths.student,
    data: [resolve(data, "a-sft.jsonl")],
    output,
    // More than enough: the steps end it.
    epochs: 1000,
    max_steps: stepsOf(resolve(paths.experiment("e1"), "train/1/result.json")),
    weights: OPTIONS[name].weights,
    ...TRAINING,
  };
  writeFileSync(config, `${JSON.stringify(training, null, 2)}\n`);
  await python(interpreter, ["hasp_trainer", "sft", config], { log });
  const served = { interpreter, model: paths.student, adapter: resolve(output, "adapter"), log };
  await withStudent(served, async (student) => {
    for (const pfs of ["off", "on"] as const)
      await evaluate(order, { student, name }, resolve(folder, `pfs-${pfs}`), pfs);
  });
  writeFileSync(resolve(folder, "done"), "");
}

const stepsOf = (result: string): number =>
  (JSON.parse(readFileSync(result, "utf8")) as { readonly steps: number }).steps;

/** A served student, and a name that no other student of the seed has: replies are kept by it. */
interface Served {
  readonly student: Readonly<Record<string, string>>;
  readonly name: string;
}

async function evaluate(order: ControlOrder, student: Served, run: string, pfs: "off" | "on"): Promise<void> {
  const { split, size } = order;
  const limit = size.limit === null ? [] : ["--limit", String(size.limit)];
  const skills =
    pfs === "on"
      ? ["--setting", "pf-only", "--skills", "builtin:web-search", "--triggers", "paper"]
      : ["--no-skills"];
  await ask(order, student, run, ["--split", split, "--temperature", "0", ...limit, ...skills]);
}

async function ask(
  order: ControlOrder,
  { student, name }: Served,
  run: string,
  more: readonly string[],
): Promise<void> {
  const { paths, seed } = order;
  const resume = existsSync(resolve(run, "run.json")) ? ["--resume"] : [];
  const from = ["--questions", paths.questions, "--corpus", paths.corpus, ...EPISODE];
  const made = Math.floor(statSync(resolve(paths.student, "config.json")).mtimeMs);
  const asked = ["--policy", `served:control-${made}-${name}`, "--seed", String(seed), "--concurrency", "8"];
  await hasp(["run", ...from, ...asked, ...more, "-o", run, ...resume], {
    cwd: paths.root,
    env: student,
    fine: [0, 1],
  });
}
