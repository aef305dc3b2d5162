/** World, recorded behaviours and pre-trained student of a seed. What is there is kept. */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

import { recordBehaviours } from "./behaviours.mts";
import { phasesOf, type Size, STUDENT } from "./plan.mts";
import { python } from "./programs.mts";
import { inventNames, makeWorld, writeWorld } from "./world.mts";

/** Files of a seed. */
export function seedPaths(folder: string, seed: number) {
  const root = resolve(folder, `seed-${seed}`);
  return {
    root,
    questions: resolve(root, "world/questions.jsonl"),
    corpus: resolve(root, "world/corpus.jsonl"),
    behaviours: resolve(root, "behaviours"),
    student: resolve(root, "student"),
    experiment: (name: string) => resolve(root, name),
  };
}

export type SeedPaths = ReturnType<typeof seedPaths>;

/** Makes what the experiments of a seed start from. */
export async function prepareSeed(
  paths: SeedPaths,
  seed: number,
  size: Size,
  interpreter: string,
): Promise<void> {
  if (existsSync(resolve(paths.student, "config.json"))) return;
  mkdirSync(paths.root, { recursive: true });
  const names = inventNames(size.people, size.places);
  const world = `world ${seed}`;
  writeWorld(resolve(paths.root, "world"), makeWorld(names, world, size.heldOut), world);
  await recordBehaviours(paths.behaviours, names, seed);
  const output = `${paths.student}.part`;
  rmSync(output, { recursive: true, force: true });
  const config = resolve(paths.root, "pretrain.json");
  const run = (name: string): string => resolve(paths.behaviours, "runs", name);
  const order = {
    seed,
    names: resolve(paths.behaviours, "names.json"),
    output,
    student: STUDENT,
    phases: phasesOf(size, run),
  };
  writeFileSync(config, `${JSON.stringify(order, null, 2)}\n`);
  await python(interpreter, ["miniature.pretrain", config], { log: resolve(paths.root, "pretrain.log") });
  renameSync(output, paths.student);
}
