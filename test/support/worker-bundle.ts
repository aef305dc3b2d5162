import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { textImports } from "../../scripts/text-imports.mts";

/** worker-main.ts as one file, as the product ships it, for tests that start workers from sources. */
export async function bundleWorker(): Promise<{ file: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "hasp-worker-"));
  const file = path.join(folder, "worker.cjs");
  await build({
    entryPoints: [path.resolve(import.meta.dirname, "../../src/platform/worker-main.ts")],
    bundle: true,
    outfile: file,
    platform: "node",
    format: "cjs",
    target: "node22",
    plugins: [textImports()],
  });
  return { file, remove: () => rm(folder, { recursive: true, force: true }) };
}
