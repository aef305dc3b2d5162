import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { median, type BenchRow } from "./measure.mts";

const run = promisify(execFile);
const ROUNDS = 5;

/** Everything that the extension's code reads while it activates, from its folder. */
const PARTS = ["dist", "docs", "media", "samples", "skills", "syntaxes", "assistant"];

/** The built extension without its own activation events, so that nothing activates it before the clock runs. */
async function quietExtension(root: string, folder: string): Promise<void> {
  const manifest = JSON.parse(await readFile(path.join(root, "package.json"), "utf8")) as object;
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ ...manifest, activationEvents: [] }));
  for (const part of PARTS) await symlink(path.join(root, part), path.join(folder, part));
}

async function activateOnce(root: string, extension: string, workspace: string): Promise<number> {
  const host = path.join(root, "test/host/run.mts");
  const places = ["--extension", extension, "--workspace", workspace];
  const { stdout } = await run(process.execPath, [host, ...places, "--grep", "The extension activates$"]);
  const found = /activated in ([\d.]+) ms/.exec(stdout)?.[1];
  if (found === undefined) throw new Error(`The host did not say how long activation took:\n${stdout}`);
  return Number(found);
}

/** From asking for the extension to its being active, file loading included, in a fresh VS Code on an empty folder. */
export async function benchActivation(root: string): Promise<BenchRow[]> {
  const workspace = await mkdtemp(path.join(tmpdir(), "hasp-empty-"));
  const extension = await mkdtemp(path.join(tmpdir(), "hasp-extension-"));
  try {
    await quietExtension(root, extension);
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) times.push(await activateOnce(root, extension, workspace));
    const method = `real VS Code (server host), empty folder, median of ${ROUNDS} fresh starts: ${times.join(", ")}`;
    return [{ name: "activation", ours: median(times), baseline: undefined, unit: "ms", method }];
  } finally {
    for (const folder of [workspace, extension]) await rm(folder, { recursive: true, force: true });
  }
}
