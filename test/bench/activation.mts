import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { median, type BenchRow } from "./measure.mts";

const run = promisify(execFile);
const ROUNDS = 3;

async function activateOnce(root: string, workspace: string): Promise<number> {
  const host = path.join(root, "test/host/run.mts");
  const { stdout } = await run(process.execPath, [
    host,
    "--workspace",
    workspace,
    "--grep",
    "The extension activates$",
  ]);
  const found = /activated in ([\d.]+) ms/.exec(stdout)?.[1];
  if (found === undefined) throw new Error(`The host did not say how long activation took:\n${stdout}`);
  return Number(found);
}

/** From asking for the extension to its being active, file loading included, in a fresh VS Code on an empty folder. */
export async function benchActivation(root: string): Promise<BenchRow[]> {
  const workspace = await mkdtemp(path.join(tmpdir(), "hasp-empty-"));
  try {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) times.push(await activateOnce(root, workspace));
    const method = `real VS Code (server host), empty folder, median of ${ROUNDS} fresh starts: ${times.join(", ")}`;
    return [{ name: "activation", ours: median(times), baseline: undefined, unit: "ms", method }];
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}
