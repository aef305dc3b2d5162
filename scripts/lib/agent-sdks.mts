// The agent SDKs that clients/ has adapters for, each in a place of its own that is kept between runs.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { ROOT } from "./paths.mts";

const CACHE = resolve(ROOT, "node_modules/.cache");
const INSPECT = "inspect-ai==0.3.285";

function runs(command: string, args: readonly string[]): boolean {
  // npm is a script of a shell on Windows.
  const shell = process.platform === "win32" && command === "npm";
  return spawnSync(command, args, { stdio: "ignore", shell }).status === 0;
}

/** The folder of packages that clients/openai-agents-js names, made where it is missing; or why there is none, in a few words. */
export function ensureOpenAiAgents(): { readonly packages: string } | { readonly missing: string } {
  const wanted = resolve(ROOT, "clients/openai-agents-js/package.json");
  const { dependencies } = JSON.parse(readFileSync(wanted, "utf8")) as {
    dependencies: Record<string, string>;
  };
  const names = Object.entries(dependencies).map(([name, version]) => `${name}@${version}`);
  const folder = resolve(CACHE, `hasp-openai-agents-${dependencies["@openai/agents"]}`);
  const packages = resolve(folder, "node_modules");
  const isThere = Object.keys(dependencies).every((name) => existsSync(resolve(packages, name)));
  if (isThere) return { packages };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyFileSync(wanted, resolve(folder, "package.json"));
  const quiet = ["--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund"];
  if (runs("npm", ["install", "--prefix", folder, ...quiet])) return { packages };
  rmSync(folder, { recursive: true, force: true });
  return { missing: `npm could not install ${names.join(" and ")}` };
}

/** The Python that has Inspect, made where it is missing; or why there is none, in a few words. */
export function ensureInspect(): { readonly python: string } | { readonly missing: string } {
  const folder = resolve(CACHE, `hasp-${INSPECT.replace("==", "-")}`);
  const python = resolve(folder, process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
  const ready = ["-c", "import inspect_ai.approval, inspect_ai.review"];
  if (existsSync(python) && runs(python, ready)) return { python };
  if (!runs("python3", ["-c", "import sys; assert sys.version_info >= (3, 10)"]))
    return { missing: "no Python 3.10 or later" };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(CACHE, { recursive: true });
  if (!runs("python3", ["-m", "venv", folder]))
    return { missing: "python3 cannot make a venv: install python3-venv" };
  const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", INSPECT];
  if (!runs(python, install) || !runs(python, ready)) return { missing: `pip could not install ${INSPECT}` };
  return { python };
}
