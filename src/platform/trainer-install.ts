import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { failed } from "../app/refusal.ts";
import type { Checked } from "../model/diagnostic.ts";
import { parseJson } from "../model/read-json.ts";
import { asFileError } from "./file-error.ts";
import { makeOwnFolder } from "./own-folder.ts";
import { tryLock } from "./process-lock.ts";
import { makeEnvironment, type EnvironmentOrder } from "./python-environment.ts";
import { replaceSync } from "./sync-files.ts";
import { readyFile, trainerFolder } from "./trainer-python.ts";
import { cacheFolder } from "./user-folders.ts";

/** Gigabytes of the installed packages: on Linux those of PyTorch bring CUDA. */
export const INSTALLED_GB = process.platform === "linux" ? 5.8 : 1.4;
/** Some more while they are unpacked. */
const NEEDED_GB = INSTALLED_GB + 1.4;

/** Files of `trainer/` that say what is installed. */
const REQUIREMENTS = "requirements.txt";
const UV_REQUIREMENTS = "uv.txt";

const requirementsText = (trainer: string): string =>
  fs.readFileSync(path.join(trainer, REQUIREMENTS), "utf8");
const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Free gigabytes on the disk of a folder that may not be there yet. */
function freeGb(folder: string): number {
  for (let at = folder; ; at = path.dirname(at)) {
    if (!fs.existsSync(at) && path.dirname(at) !== at) continue;
    const { bavail, bsize } = fs.statfsSync(at);
    return (bavail * bsize) / 1e9;
  }
}

/** Whether the installed environment is that of these requirements. */
export function isInstalled(trainer: string): boolean {
  try {
    const ready = parseJson(fs.readFileSync(readyFile(trainerFolder()), "utf8"));
    return (ready as { requirements?: unknown }).requirements === hashOf(requirementsText(trainer));
  } catch {
    return false;
  }
}

type InstallOrder = Pick<EnvironmentOrder, "environment" | "signal" | "onLine"> & {
  /** The folder `trainer/` of the build. */
  readonly trainer: string;
};

/**
 * Installs the trainer's packages for this user, unless they are there. Interrupted, it keeps what it downloaded, and the next one resumes. Throws
 * FileError where the folder cannot be written.
 */
export async function installTrainer(order: InstallOrder): Promise<Checked<{ readonly python: string }>> {
  const folder = trainerFolder();
  const free = freeGb(folder);
  if (!fs.existsSync(folder) && free < NEEDED_GB) {
    const what = `The trainer's packages need ${NEEDED_GB.toFixed(1)} GB of disk; ${free.toFixed(1)} GB are free`;
    const next = "Make room, or set XDG_CACHE_HOME to a folder on another disk.";
    return failed("HASP731", `${what} on the disk of ${cacheFolder()}.`, next);
  }
  try {
    makeOwnFolder(cacheFolder());
  } catch (error) {
    throw asFileError(error, cacheFolder(), "made");
  }
  const { lock } = tryLock(`${folder}.lock`);
  if (lock === undefined)
    return failed("HASP732", "Another process installs the trainer's packages.", "Wait until it has ended.");
  try {
    return await installInto(folder, order);
  } finally {
    lock.release();
  }
}

async function installInto(
  folder: string,
  order: InstallOrder,
): Promise<Checked<{ readonly python: string }>> {
  const { trainer, ...rest } = order;
  const ready = readyFile(folder);
  // From here on it is half installed, until the end.
  fs.rmSync(ready, { force: true });
  const made = await makeEnvironment({
    ...rest,
    folder,
    requirements: path.join(trainer, REQUIREMENTS),
    uvRequirements: path.join(trainer, UV_REQUIREMENTS),
    uvFolder: path.join(cacheFolder(), "uv"),
  });
  if ("fault" in made) {
    const { why, next } = made.fault;
    return failed("HASP733", `The trainer's packages are not installed: ${why}.`.replace(/\.\.$/, "."), next);
  }
  const requirements = hashOf(requirementsText(trainer));
  replaceSync(ready, `${JSON.stringify({ schema: "hasp.trainer/1", requirements })}\n`);
  return { value: { python: made.python }, diagnostics: [] };
}

/** Packages whose versions the trainer was tested with; those of vLLM come with a GPU alone. */
const CORE = ["torch", "transformers", "trl", "peft"] as const;

export interface PackageState {
  readonly name: string;
  /** Undefined where it is not installed. */
  readonly version: string | undefined;
  /** As the requirements name it; undefined where they do not. */
  readonly wanted: string | undefined;
}

/** An environment, as its Python describes it. */
export interface TrainerState {
  readonly python: string;
  /** Such as `3.11.7`. */
  readonly version: string;
  readonly packages: readonly PackageState[];
  /** Names and memory of the GPUs that PyTorch can use. */
  readonly gpus: readonly { readonly name: string; readonly gb: number }[];
  /** Why PyTorch cannot be loaded; undefined where it can. */
  readonly fault: string | undefined;
}

const DESCRIBE = `
import importlib.metadata as m, json, sys
def version(name):
    try: return m.version(name)
    except m.PackageNotFoundError: return None
out = {"version": sys.version.split()[0], "packages": {n: version(n) for n in sys.argv[1:]}, "gpus": [], "fault": None}
try:
    import torch
    for i in range(torch.cuda.device_count()):
        p = torch.cuda.get_device_properties(i)
        out["gpus"].append({"name": p.name, "gb": round(p.total_memory / 1e9, 1)})
except Exception as e: out["fault"] = f"{type(e).__name__}: {e}"[:300]
print(json.dumps(out))
`;

/** Milliseconds: PyTorch is imported, from a cold disk. */
const PATIENCE_MS = 180_000;

/** Pinned versions by package. */
function wantedVersions(trainer: string): ReadonlyMap<string, string> {
  const pins = requirementsText(trainer).matchAll(/^([a-z0-9._-]+)==(\S+)/gim);
  return new Map([...pins].map(([, name = "", version = ""]) => [name.toLowerCase(), version]));
}

/** Asks the Python what it has; HASP734 where it does not answer. */
export async function describeTrainer(
  trainer: string,
  python: string,
  environment: NodeJS.ProcessEnv,
): Promise<Checked<TrainerState>> {
  const wanted = wantedVersions(trainer);
  const names = [...CORE, "vllm"];
  try {
    const options = { timeout: PATIENCE_MS, env: environment, cwd: path.dirname(python), windowsHide: true };
    const { stdout } = await promisify(execFile)(python, ["-I", "-c", DESCRIBE, ...names], options);
    const said = parseJson(stdout.trim().split("\n").at(-1) ?? "") as Omit<
      TrainerState,
      "packages" | "python"
    > & {
      readonly packages: Readonly<Record<string, string | null>>;
    };
    const packages = names.map((name) => ({
      name,
      version: said.packages[name] ?? undefined,
      wanted: wanted.get(name),
    }));
    const { version, gpus, fault } = said;
    return { value: { python, version, packages, gpus, fault: fault ?? undefined }, diagnostics: [] };
  } catch (error) {
    const why = error instanceof Error ? (error.message.trim().split("\n").at(-1) ?? "") : String(error);
    const next = "Name the Python of an environment that works, or run `hasp trainer install`.";
    return failed("HASP734", `${python} does not answer: ${why}`, next);
  }
}

/** What keeps jobs from running with it, one sentence each. */
export function unmet({ packages, fault }: TrainerState): readonly string[] {
  const missing = packages.flatMap(({ name, version, wanted }) => {
    if (wanted === undefined || version === wanted) return [];
    const has = version === undefined ? "is missing" : `is ${version}`;
    return [`${name} ${has}; the trainer was made for ${wanted}.`];
  });
  return fault === undefined ? missing : [...missing, `PyTorch cannot be loaded: ${fault}`];
}
