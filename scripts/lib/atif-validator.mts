// NVIDIA NeMo Agent Toolkit's models of ATIF 1.7, in a Python environment of their own that is kept between runs.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { ROOT } from "./paths.mts";

const PACKAGE = "nvidia-nat-atif==1.9.0";
const FOLDER = resolve(ROOT, "node_modules/.cache/hasp-atif-1.9.0");
const PYTHON = resolve(FOLDER, process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
const READY = ["-c", "import nat.atif"];

/** Debian's packages that the environment is made with. */
export const VALIDATOR_NEEDS = [
  { name: "python3-venv", present: (): boolean => runs("python3", ["-c", "import ensurepip, venv"]) },
];

function runs(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}

/** The Python that has the models, made where it is missing; or why there is none, in a few words. */
export function ensureAtifValidator(): { readonly python: string } | { readonly missing: string } {
  if (existsSync(PYTHON) && runs(PYTHON, READY)) return { python: PYTHON };
  if (!runs("python3", ["-c", "import sys; assert sys.version_info >= (3, 11)"]))
    return { missing: "no Python 3.11 or later" };
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(resolve(FOLDER, ".."), { recursive: true });
  if (!runs("python3", ["-m", "venv", FOLDER]))
    return { missing: "python3 cannot make a venv: install python3-venv" };
  const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", PACKAGE];
  if (!runs(PYTHON, install) || !runs(PYTHON, READY)) return { missing: `pip could not install ${PACKAGE}` };
  return { python: PYTHON };
}
