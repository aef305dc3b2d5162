/**
 * `npm run bench [-- name…]`: builds and packages, measures all or what is named, prints one table. Ratios come from one run on one machine.
 * `npm run bench -- sessions [folder] [--list]`: what the coding skills do on the recorded sessions of a folder, as a report of its own.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { cpus } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { textImports } from "../../scripts/text-imports.mts";
import { build as buildProject, packageVsix } from "../../scripts/lib/package.mts";
import { renderTable } from "../../src/cli/table.ts";
import packageJson from "../../package.json" with { type: "json" };
import type * as Benches from "./benches.mts";
import type { BenchRow } from "./measure.mts";
import type * as Sessions from "./sessions.mts";

const root = path.resolve(import.meta.dirname, "../..");

function cell(value: number | undefined): string {
  if (value === undefined) return "";
  return value >= 1000 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
}

function ratioCell({ ours, baseline, ratio, limit }: BenchRow): string {
  const value = ratio ?? (baseline === undefined ? undefined : ours / baseline);
  if (value === undefined) return "";
  const bound = limit === undefined ? "" : ` ${value > limit ? ">" : "≤"} ${limit.toFixed(1)}`;
  return value.toFixed(2) + bound;
}

function print(rows: readonly BenchRow[]): void {
  const right = (title: string) => ({ title, align: "right" as const });
  const columns = [
    { title: "what" },
    right("ours"),
    right("baseline"),
    { title: "unit" },
    right("ratio"),
    { title: "method" },
  ];
  const cells = rows.map((row) => [
    row.name,
    cell(row.ours),
    cell(row.baseline),
    row.unit,
    ratioCell(row),
    row.method,
  ]);
  for (const line of renderTable(columns, cells)) console.log(line);
  console.log(
    `\nratio = ours / baseline; of pairs in turn, the median of theirs. Node ${process.version}, ${cpus().length} cores, shared with whatever else runs.`,
  );
}

/** The sources import text and the guest script, which only a bundler resolves. */
async function withBundles<T>(names: readonly string[], use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(root, "node_modules/.hasp-bench-"));
  try {
    await build({
      entryPoints: names.map((name) => path.join(root, `test/bench/${name}.mts`)),
      bundle: true,
      outdir: folder,
      outExtension: { ".js": ".mjs" },
      platform: "node",
      format: "esm",
      packages: "external",
      plugins: [textImports()],
    });
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function reportSessions(words: readonly string[]): Promise<void> {
  const [folder = path.join(root, "../shared/data/sessions")] = words.filter(
    (word) => !word.startsWith("--"),
  );
  await withBundles(["sessions"], async (bundles) => {
    const { benchSessions } = (await import(
      pathToFileURL(path.join(bundles, "sessions.mjs")).href
    )) as typeof Sessions;
    const workerFile = path.join(root, "dist/hasp.cjs");
    const order = { root, workerFile, folder: path.resolve(folder), list: words.includes("--list") };
    for (const line of await benchSessions(order)) console.log(line);
  });
}

async function measure(only: readonly string[]): Promise<void> {
  await packageVsix();
  await withBundles(["benches", "replay-server", "mutations-worker"], async (folder) => {
    const { runBenches } = (await import(
      pathToFileURL(path.join(folder, "benches.mjs")).href
    )) as typeof Benches;
    print(await runBenches({ root, folder, version: packageJson.version, only }));
  });
}

const [name, ...words] = process.argv.slice(2);
await buildProject();
await (name === "sessions" ? reportSessions(words) : measure(process.argv.slice(2)));
