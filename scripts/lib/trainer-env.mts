// The Python environment of trainer/ with TRL and PyTorch, made by uv from the hashes of trainer/requirements.txt and kept between runs.
import { existsSync } from "node:fs";
import { mkdir, statfs } from "node:fs/promises";
import { resolve } from "node:path";

import { execa } from "execa";

import { VALIDATOR_NEEDS } from "./atif-validator.mts";
import { ROOT } from "./paths.mts";
import { onPath } from "./processes.mts";
import { say, secondsSince } from "./report.mts";
import { ensurePackages } from "./system-packages.mts";

const UV = "uv==0.13.9";
/** Versions and hashes of all packages, without the address of a registry. */
const REQUIREMENTS = "trainer/requirements.txt";
const CACHE = resolve(ROOT, "node_modules/.cache");
const FOLDER = resolve(CACHE, "hasp-trainer");
const inVenv = (folder: string, name: string): string =>
  process.platform === "win32" ? resolve(folder, `Scripts/${name}.exe`) : resolve(folder, "bin", name);
const PYTHON = inVenv(FOLDER, "python");

/** On Linux, where the wheels of PyTorch bring CUDA: 5.6 GB, and some more while they are unpacked. */
const DISK_GB = 7;

/** The Python that has TRL, where it was made before. */
export const trainerPython = (): string | undefined => (existsSync(PYTHON) ? PYTHON : undefined);

export type TrainerEnv = { readonly python: string } | { readonly missing: string };

/** `ensureTrainer` for a machine that may lack Debian's python3-venv. */
export async function prepareTrainer(): Promise<TrainerEnv> {
  try {
    if (onPath("uv") === undefined) await ensurePackages(VALIDATOR_NEEDS);
  } catch (error) {
    return { missing: lastLine(error instanceof Error ? error.message : String(error)) };
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
  const uv = await ensureUv();
  if ("missing" in uv) return uv;
  const start = performance.now();
  if (!isThere) say("Installing PyTorch and TRL for the tests of training data");
  const venv = ["venv", "--quiet", "--no-python-downloads", "--python", ">=3.11", FOLDER];
  const sync = ["pip", "sync", "--quiet", "--require-hashes", "--python", PYTHON, REQUIREMENTS];
  const fault = (isThere ? undefined : await faultOf(uv.uv, venv)) ?? (await faultOf(uv.uv, sync));
  if (fault !== undefined) return { missing: `uv could not install ${REQUIREMENTS}: ${fault}` };
  if (!isThere) say(`PyTorch and TRL installed in ${secondsSince(start)}`);
  return { python: PYTHON };
}

async function ensureUv(): Promise<{ readonly uv: string } | { readonly missing: string }> {
  const found = onPath("uv");
  if (found !== undefined) return { uv: found };
  const folder = resolve(CACHE, `hasp-${UV.replace("==", "-")}`);
  const uv = inVenv(folder, "uv");
  if (existsSync(uv)) return { uv };
  if ((await faultOf("python3", ["-c", "import sys; assert sys.version_info >= (3, 11)"])) !== undefined)
    return { missing: "no Python 3.11 or later" };
  if ((await faultOf("python3", ["-m", "venv", "--clear", folder])) !== undefined)
    return { missing: "python3 cannot make a venv: install python3-venv" };
  const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", UV];
  const fault = await faultOf(inVenv(folder, "python"), install);
  return fault === undefined ? { uv } : { missing: `pip could not install ${UV}: ${fault}` };
}

/** Nothing where the command ends with 0, else the last line that it wrote to stderr. */
async function faultOf(command: string, args: readonly string[]): Promise<string | undefined> {
  const run = await execa(command, args, { cwd: ROOT, stdin: "ignore", reject: false });
  return run.exitCode === 0 ? undefined : lastLine(run.stderr || (run.shortMessage ?? ""));
}

const lastLine = (text: string): string => text.trimEnd().split("\n").at(-1)?.trim() ?? "";
