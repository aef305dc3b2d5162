import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { ROOT, SAMPLES } from "../../../scripts/lib/paths.mts";
import { systemClock } from "../../../src/platform/clock.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { importRun } from "../../../src/trace/import-run.ts";
import { sha256 } from "../../../src/platform/sha256.ts";

const REAL = resolve(ROOT, "../shared/data/trajectories/reflexion-hotpotqa.jsonl");

/** Why a test of the real run is left out. */
export const NO_REAL_RUN = "../shared/data is not here, so there is no real run to open";

/** A workspace with the 527 real episodes. */
export interface RealWorkspace {
  readonly folder: string;
  remove(): Promise<void>;
}

async function withRun(parent: string, prepare: (folder: string) => Promise<void>): Promise<RealWorkspace> {
  const folder = join(parent, "real");
  await prepare(folder);
  const run = join(folder, ".hasp/runs/reflexion");
  await importRun(
    nodeFiles(),
    { clock: systemClock, sha256 },
    { format: "reflexion", sources: [REAL], folder: run },
  );
  return { folder, remove: () => rm(parent, { recursive: true }) };
}

/** The sample workspace and the real run; undefined where the data is not on this machine. */
export async function realWorkspace(): Promise<RealWorkspace | undefined> {
  if (!existsSync(REAL)) return undefined;
  const parent = await mkdtemp(join(tmpdir(), "hasp-real-"));
  return withRun(parent, (folder) => cp(SAMPLES, folder, { recursive: true }));
}

/** The real run in a workspace that has no skill yet, nor those that come with HASP. */
export async function realRunAlone(): Promise<RealWorkspace | undefined> {
  if (!existsSync(REAL)) return undefined;
  const parent = await mkdtemp(join(tmpdir(), "hasp-real-"));
  return withRun(parent, async (folder) => {
    await mkdir(folder);
    await writeFile(join(folder, "hasp.yaml"), "libraries:\n  - skills\n");
  });
}
