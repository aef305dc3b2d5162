import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { failed } from "../../app/refusal.ts";
import type { Checked } from "../../model/diagnostic.ts";
import { parseJson } from "../../model/read-json.ts";
import { asFileError } from "../file-error.ts";
import { makeOwnFolder } from "../own-folder.ts";
import { tryLock } from "../process-lock.ts";
import { installPackages } from "../python-environment.ts";
import { replaceSync } from "../sync-files.ts";
import { variables } from "../surroundings.ts";
import { cacheFolder } from "../user-folders.ts";
import { pythonVersion, systemPython } from "./system-python.ts";

/** Packages for contained programs, in a folder of this user. */
export interface PackageOrder {
  /** As uv takes them: `numpy`, `pandas==2.2.3`. They replace those of an earlier order. */
  readonly names: readonly string[];
  /** The folder `trainer/` of the build, whose `uv.txt` names the uv to install where there is none. */
  readonly trainer: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
  /** Lines of the programs that do it, for a person who waits. */
  readonly onLine: (line: string) => void;
}

/** Packages that contained programs can import. */
export interface Packages {
  readonly folder: string;
  /** Top-level modules. */
  readonly modules: ReadonlySet<string>;
}

const SCHEMA = "hasp.packages/1";
const READY = "hasp-packages.json";
/** A requirement of one package: no option of uv, no file, no address. */
const REQUIREMENT = /^[A-Za-z0-9][\w.-]*(\[[\w,.-]*\])?([<>=!~][\w.*+!,<>=~-]*)?$/;
const LONGEST = 200;

/** Root's own folders are closed to the user that Bubblewrap runs as. */
function packagesFolder(): string {
  if (process.getuid?.() !== 0) return path.join(cacheFolder(), "packages");
  const { XDG_CACHE_HOME: given } = variables();
  const base = given !== undefined && path.isAbsolute(given) ? given : "/var/cache";
  return path.join(base, "hasp-packages");
}

/** A folder above that only its owner enters; undefined where there is none, and for others than root, who keep their user. */
function closedAbove(folder: string): string | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const above = path.dirname(folder);
  const isClosed = fs.existsSync(above) && (fs.statSync(above).mode & 0o001) === 0;
  if (isClosed) return above;
  return above === folder ? undefined : closedAbove(above);
}

/** Modules in a folder of packages. Names that no `import` can have belong to their records. */
function modulesIn(folder: string): ReadonlySet<string> {
  const names = fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const [name = ""] = entry.name.split(".");
    const isModule = entry.isDirectory() ? entry.name === name : /\.(py|so|pyd)$/.test(entry.name);
    return isModule && /^[A-Za-z_]\w*$/.test(name) && name !== "__pycache__" && name !== "bin" ? [name] : [];
  });
  return new Set(names);
}

/** `3.11` of `3.11.7`: packages with machine code belong to one of them. */
const minorOf = (version: string): string => version.split(".").slice(0, 2).join(".");

/** The packages that were made for this Python; undefined where there are none. */
export function readPackages(version: string): Packages | undefined {
  const folder = packagesFolder();
  try {
    const ready = parseJson(fs.readFileSync(path.join(folder, READY), "utf8"));
    const { schema, python } = ready as { readonly schema?: unknown; readonly python?: unknown };
    if (schema !== SCHEMA || python !== minorOf(version)) return undefined;
    return { folder, modules: modulesIn(folder) };
  } catch {
    return undefined;
  }
}

/**
 * Installs packages for contained programs, on a person's order only; its programs run outside of every containment, so that only built packages
 * are taken, whose installation runs no code of theirs. Interrupted, it leaves the earlier packages. HASP735 for a name that is none, HASP736
 * while another process installs, HASP737 where it fails. Throws FileError where the folder cannot be written.
 */
export async function makePackages(order: PackageOrder): Promise<Checked<Packages>> {
  const wrong = order.names.find((name) => name.length > LONGEST || !REQUIREMENT.test(name));
  if (wrong !== undefined || order.names.length === 0) {
    const next = "Name packages as in `numpy,pandas==2.2.3`.";
    return failed("HASP735", `Expected names of Python packages, not ${JSON.stringify(wrong ?? "")}.`, next);
  }
  const found = systemPython();
  if (found === undefined)
    return failed(
      "HASP737",
      "Packages for Bubblewrap need a Python in /usr/bin.",
      "Install the package python3.",
    );
  try {
    makeOwnFolder(cacheFolder());
  } catch (error) {
    throw asFileError(error, cacheFolder(), "made");
  }
  const closed = closedAbove(packagesFolder());
  if (closed !== undefined)
    return failed(
      "HASP737",
      `Programs in Bubblewrap run as another user than root, who cannot enter ${closed}.`,
      "Let all users enter it, or set XDG_CACHE_HOME to another folder or to none.",
    );
  const { lock } = tryLock(`${packagesFolder()}.lock`);
  if (lock === undefined)
    return failed(
      "HASP736",
      "Another process installs packages for contained programs.",
      "Wait until it has ended.",
    );
  const fresh = `${packagesFolder()}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    return await installInto(fresh, found, order);
  } finally {
    fs.rmSync(fresh, { recursive: true, force: true });
    lock.release();
  }
}

async function installInto(fresh: string, python: string, order: PackageOrder): Promise<Checked<Packages>> {
  const { names, trainer, ...rest } = order;
  const fault = await installPackages({
    ...rest,
    folder: fresh,
    python,
    names,
    uvRequirements: path.join(trainer, "uv.txt"),
    uvFolder: path.join(cacheFolder(), "uv"),
  });
  if (fault !== undefined) {
    const { why, next } = fault;
    return failed("HASP737", `The packages are not installed: ${why}.`.replace(/\.\.$/, "."), next);
  }
  const ready = { schema: SCHEMA, python: minorOf(await pythonVersion(python)), names };
  replaceSync(path.join(fresh, READY), `${JSON.stringify(ready)}\n`);
  const folder = packagesFolder();
  fs.rmSync(folder, { recursive: true, force: true });
  fs.renameSync(fresh, folder);
  return { value: { folder, modules: modulesIn(folder) }, diagnostics: [] };
}
