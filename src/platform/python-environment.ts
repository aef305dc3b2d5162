import { execFile, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

/** What every installation needs. */
interface InstallOrder {
  /** What is made. Its parent must be there, or be made by the installation. */
  readonly folder: string;
  /** Versions and hashes of uv, for a machine without one, in an environment of its own in `uvFolder`. */
  readonly uvRequirements: string;
  readonly uvFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
  /** Lines of the programs that do it, for a person who waits. */
  readonly onLine: (line: string) => void;
}

/**
 * How a Python environment is made from a file of pinned packages with their hashes, or brought in line with it. Used by `hasp trainer install`
 * and by our tests.
 */
export interface EnvironmentOrder extends InstallOrder {
  /** Versions and hashes of all packages. */
  readonly requirements: string;
}

/** A new folder of packages by name, for one Python. */
export interface PackagesOrder extends InstallOrder {
  readonly python: string;
  readonly names: readonly string[];
}

/** Why there is no environment: `why` in a clause, `next` what to do. */
export interface EnvironmentFault {
  readonly why: string;
  readonly next: string;
}

export type MadeEnvironment = { readonly python: string } | { readonly fault: EnvironmentFault };

/** The least version of Python that the trainer runs with. */
export const LEAST_PYTHON = "3.11";
const IS_RECENT = ["-c", "import sys; sys.exit(sys.version_info < (3, 11))"];
const PYTHONS = ["python3.13", "python3.12", "python3.11", "python3", "python"];
/** Milliseconds for a Python that says its version; a cold start from a slow disk. */
const PATIENCE_MS = 20_000;

/** A program of a virtual environment. */
export const inVenv = (folder: string, name: string): string =>
  process.platform === "win32" ? path.join(folder, "Scripts", `${name}.exe`) : path.join(folder, "bin", name);

/** Programs of that name on the PATH, in its order. Relative folders are passed over: they would name programs of a workspace. */
export function onPath(name: string, environment: EnvironmentOrder["environment"]): readonly string[] {
  const folders = (environment["PATH"] ?? environment["Path"] ?? "").split(path.delimiter);
  const file = process.platform === "win32" ? `${name}.exe` : name;
  return folders
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, file))
    .filter((program) => fs.existsSync(program));
}

async function works(program: string, args: readonly string[]): Promise<boolean> {
  const asked = promisify(execFile)(program, args, { timeout: PATIENCE_MS });
  return asked.then(
    () => true,
    () => false,
  );
}

async function recentPython({ environment }: InstallOrder): Promise<string | undefined> {
  for (const python of PYTHONS.flatMap((name) => onPath(name, environment)))
    if (await works(python, IS_RECENT)) return python;
  return undefined;
}

/** Runs a program; nothing where it ends with 0, else its last line. It runs beside the environment: never in a workspace, whose settings it would read. */
function faultOf(order: InstallOrder, program: string, args: readonly string[]): Promise<string | undefined> {
  const { folder, environment, signal, onLine } = order;
  return new Promise((resolve) => {
    const cwd = path.dirname(folder);
    const stdio = ["ignore", "pipe", "pipe"] as const;
    const child = spawn(program, args, {
      cwd,
      env: environment,
      signal,
      stdio: [...stdio],
      windowsHide: true,
    });
    let last = "";
    const take = (line: string): void => {
      if (line.trim() === "") return;
      last = line.trim();
      onLine(last);
    };
    for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on("line", take);
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, by) => {
      if (code === 0) resolve(undefined);
      else resolve(last || `it ended with ${by ?? `exit code ${code}`}`);
    });
  });
}

const NO_PYTHON: EnvironmentFault = {
  why: `no Python ${LEAST_PYTHON} or later is on the PATH`,
  next: "Install Python 3.11, 3.12 or 3.13, or uv; then repeat the command.",
};

/** uv of the PATH, or one of our own, which pip installs by its hash. */
async function uvFor(
  order: InstallOrder,
): Promise<{ readonly uv: string } | { readonly fault: EnvironmentFault }> {
  const [found] = onPath("uv", order.environment);
  if (found !== undefined) return { uv: found };
  const uv = inVenv(order.uvFolder, "uv");
  // An interrupted pip may have left half of it.
  if (await works(uv, ["--version"])) return { uv };
  const python = await recentPython(order);
  if (python === undefined) return { fault: NO_PYTHON };
  const venv = await faultOf(order, python, ["-m", "venv", "--clear", order.uvFolder]);
  if (venv !== undefined) {
    const next = "Install Python's venv (on Debian and Ubuntu the package python3-venv), or uv.";
    return { fault: { why: `${python} cannot make an environment: ${venv}`, next } };
  }
  const pip = ["-m", "pip", "install", "--disable-pip-version-check", "--require-hashes", "-r"];
  const fault = await faultOf(order, inVenv(order.uvFolder, "python"), [...pip, order.uvRequirements]);
  const next =
    "Check the network and the settings of pip (`pip config list`), or install uv; then repeat the command.";
  return fault === undefined ? { uv } : { fault: { why: `pip could not install uv: ${fault}`, next } };
}

const INTERRUPTED: EnvironmentFault = {
  why: "interrupted",
  next: "Repeat the command to resume: what was downloaded is kept.",
};

/**
 * Makes the environment, or brings it in line with the requirements; repeating it after an interruption downloads only what is missing.
 * Rejects where its folder cannot be made.
 */
export async function makeEnvironment(order: EnvironmentOrder): Promise<MadeEnvironment> {
  const made = await madeEnvironment(order);
  return "fault" in made && order.signal?.aborted === true ? { fault: INTERRUPTED } : made;
}

async function madeEnvironment(order: EnvironmentOrder): Promise<MadeEnvironment> {
  const { folder, requirements } = order;
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  const found = await uvFor(order);
  if ("fault" in found) return found;
  const python = inVenv(folder, "python");
  const venv = ["venv", "--quiet", "--no-config", "--allow-existing", "--no-python-downloads"];
  const which = ["--python", (await recentPython(order)) ?? `>=${LEAST_PYTHON}`, folder];
  const isThere = fs.existsSync(python) && fs.existsSync(path.join(folder, "pyvenv.cfg"));
  const made = isThere ? undefined : await faultOf(order, found.uv, [...venv, ...which]);
  if (made !== undefined)
    return { fault: { ...NO_PYTHON, why: `uv could not make the environment: ${made}` } };
  const sync = ["pip", "sync", "--require-hashes", "--python", python, requirements];
  const fault = await faultOf(order, found.uv, sync);
  if (fault === undefined) return { python };
  const next =
    "Check the network, the disk and the settings of uv; then repeat the command: what was downloaded is kept.";
  return { fault: { why: `uv could not install the packages: ${fault}`, next } };
}

/** Installs packages that are already built: building one would run its code. Undefined where it succeeds. Rejects where the folder's parent cannot be made. */
export async function installPackages(order: PackagesOrder): Promise<EnvironmentFault | undefined> {
  const { folder, python, names, signal } = order;
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  const found = await uvFor(order);
  const args = ["pip", "install", "--no-config", "--compile-bytecode", "--only-binary", ":all:"];
  const fault =
    "fault" in found
      ? found.fault
      : packagesFault(
          await faultOf(order, found.uv, [...args, "--python", python, "--target", folder, "--", ...names]),
        );
  return fault !== undefined && signal?.aborted === true ? INTERRUPTED : fault;
}

function packagesFault(fault: string | undefined): EnvironmentFault | undefined {
  if (fault === undefined) return undefined;
  const next = "Check the names, the network and the disk; then repeat the command.";
  return { why: `uv could not install the packages: ${fault}`, next };
}
