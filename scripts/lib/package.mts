import { statSync } from "node:fs";
import { resolve } from "node:path";

import { execa } from "execa";

import { ROOT, vsixPath } from "./paths.mts";
import { say, secondsSince, stop } from "./report.mts";

/** Builds `dist/` and `dist-test/`. */
export async function build(): Promise<void> {
  const start = performance.now();
  await nodeScript("scripts/build.mts", []);
  say(`Built in ${secondsSince(start)}`);
}

/** Packages what `dist/` holds and returns the path of the .vsix. */
export async function packageVsix(): Promise<string> {
  const file = vsixPath();
  // The bundle holds all code it needs, so vsce need not look for dependencies.
  await nodeScript(resolve(ROOT, "node_modules/@vscode/vsce/vsce"), [
    "package",
    "--no-dependencies",
    "--out",
    file,
  ]);
  say(`Packaged ${file} (${(statSync(file).size / 1e6).toFixed(2)} MB)`);
  return file;
}

async function nodeScript(script: string, args: string[]): Promise<void> {
  const run = await execa(process.execPath, [script, ...args], {
    cwd: ROOT,
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
    reject: false,
  });
  if (run.exitCode !== 0) throw stop(`${script} failed; what went wrong stands above.`);
}
