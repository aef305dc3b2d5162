import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { nodeFiles } from "../../src/platform/files.ts";
import { openIndex } from "../../src/trace/episode-index.ts";
import { compare, type BenchRow } from "./measure.mts";
import { makeBigFile, type BigFile } from "./trace-big-file.mts";

const run = promisify(execFile);
const files = nodeFiles();
const GIGABYTE = 1e9;
const ROUNDS = 5;

async function indexed(file: BigFile, save: boolean): Promise<void> {
  const index = await openIndex(files, file.path, { save });
  if (index.entries.length !== file.episodes)
    throw new Error(`${index.entries.length} of ${file.episodes} episodes`);
}

async function row(name: string, file: BigFile, save: boolean): Promise<BenchRow> {
  const [ours, baseline] = await compare(
    ROUNDS,
    () => indexed(file, save),
    () => run("wc", ["-l", file.path]),
  );
  const size = `${(file.bytes / GIGABYTE).toFixed(2)} GB, ${file.episodes} episodes`;
  const method = `${size}, warm cache, median of ${ROUNDS}, in turn with wc -l (its process start included)`;
  return { name, ours, baseline, unit: "ms", method };
}

/** Index of a 1 GB episode file, without and with its sidecar, against `wc -l` on the same file. Needs `wc` and 1 GB of temporary space. */
export async function benchIndex(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "hasp-bench-"));
  try {
    const large = await makeBigFile(join(folder, "episodes.jsonl"), GIGABYTE);
    const rows = [await row("index, lines of 80 KB", large, false)];
    await openIndex(files, large.path);
    rows.push(await row("index from its sidecar, lines of 80 KB", large, true));
    await rm(large.path);
    const small = await makeBigFile(join(folder, "small.jsonl"), GIGABYTE, 5_000);
    rows.push(await row("index, lines of 5 KB", small, false));
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
