// The Python environment of trainer/ with TRL and PyTorch, made from the hashes of trainer/requirements.txt and kept between runs.
import { existsSync } from "node:fs";
import { mkdir, statfs } from "node:fs/promises";
import { resolve } from "node:path";

import { inVenv, makeEnvironment, onPath } from "../../src/platform/python-environment.ts";
import { VALIDATOR_NEEDS } from "./atif-validator.mts";
import { ROOT } from "./paths.mts";
import { say, secondsSince } from "./report.mts";
import { ensurePackages } from "./system-packages.mts";

const CACHE = resolve(ROOT, "node_modules/.cache");
const FOLDER = resolve(CACHE, "hasp-trainer");
const PYTHON = inVenv(FOLDER, "python");

/** On Linux, where the wheels of PyTorch bring CUDA: 5.6 GB, and some more while they are unpacked. */
const DISK_GB = 7;

/** The Python that has TRL, where it was made before. */
export function trainerPython(): string | undefined {
  const python = inVenv(FOLDER, "python");
  return existsSync(python) ? python : undefined;
}

export type TrainerEnv = { readonly python: string } | { readonly missing: string };

/** `ensureTrainer` for a machine that may lack Debian's python3-venv. */
export async function prepareTrainer(): Promise<TrainerEnv> {
  try {
    if (onPath("uv", process.env).length === 0) await ensurePackages(VALIDATOR_NEEDS);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { missing: message.trimEnd().split("\n").at(-1)?.trim() ?? "" };
  }
  return await ensureTrainer();
}

/** The Python that has TRL, made where it is missing or not as the requirements say; or why there is none, in a few words. */
export async function ensureTrainer(): Promise<TrainerEnv> {
  await mkdir(CACHE, { recursive: true });
  const isThere = existsSync(PYTHON);
  const { bavail, bsize } = await statfs(CACHE);
  const free = (bavail * bsize) / 1e9;
  if (!isThere && free < DISK_GB)
    return { missing: `${DISK_GB} GB of disk are needed, ${free.toFixed(1)} GB are free` };
  const start = performance.now();
  if (!isThere) say("Installing PyTorch and TRL for the tests of training data");
  const made = await makeEnvironment({
    folder: FOLDER,
    requirements: resolve(ROOT, "trainer/requirements.txt"),
    uvRequirements: resolve(ROOT, "trainer/uv.txt"),
    uvFolder: resolve(CACHE, "hasp-uv-0.13.9"),
    environment: process.env,
    onLine: () => undefined,
  });
  if ("fault" in made) return { missing: made.fault.why };
  if (!isThere) say(`PyTorch and TRL installed in ${secondsSince(start)}`);
  return made;
}
