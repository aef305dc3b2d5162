import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { writeClaudeSessions } from "./claude-sessions.mts";
import { type BenchRow, median } from "./measure.mts";

const ROUNDS = 3;
/** Times of `JSON.parse` of the same lines that an import may take, and megabytes that it may need besides those of the program. */
const TIMES_LIMIT = 2.5;
const MEMORY_LIMIT = 150;

/** Loaded into each child before its program: what it took is the last line of its error output. */
const PROBE = `const { PerformanceObserver } = require("node:perf_hooks");
let gc = 0;
const count = (entries) => { for (const { duration } of entries) gc += duration; };
const observer = new PerformanceObserver((list) => count(list.getEntries()));
observer.observe({ entryTypes: ["gc"] });
process.on("exit", () => {
  count(observer.takeRecords());
  const { user, system } = process.threadCpuUsage();
  const took = { wall: performance.now(), cpu: (user + system) / 1000, gc, peak: process.resourceUsage().maxRSS / 1024 };
  require("node:fs").writeSync(2, "\\n" + JSON.stringify(took));
});`;

const PARSE = `for (const file of process.argv.slice(2))
  for (const line of require("node:fs").readFileSync(file, "utf8").split("\\n")) if (line !== "") JSON.parse(line);
// Node tells of collections once the script has come to an end.
setImmediate(() => setImmediate(() => undefined));`;

/** Milliseconds by the clock, those of the main thread's own work and of garbage collection, and the most megabytes at a time. */
interface Took {
  readonly wall: number;
  readonly cpu: number;
  readonly gc: number;
  readonly peak: number;
}

async function take(probe: string, args: readonly string[]): Promise<Took> {
  const child = spawn(process.execPath, ["--require", probe, ...args], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`It ended with ${String(code)}: ${said}`);
  return JSON.parse(said.slice(said.lastIndexOf("\n"))) as Took;
}

/** An import of sessions beside `JSON.parse` of their lines, each in a process of its own; what starting one takes is subtracted. */
async function measure(folder: string, workerFile: string): Promise<BenchRow[]> {
  const sessions = path.join(folder, "sessions");
  const [probe, parse] = [path.join(folder, "probe.cjs"), path.join(folder, "parse.cjs")];
  await mkdir(sessions);
  await Promise.all([writeFile(probe, PROBE), writeFile(parse, PARSE)]);
  const files = await writeClaudeSessions(sessions);
  const sizes = await Promise.all(files.map((file) => stat(file)));
  const megabytes = Math.round(sizes.reduce((sum, { size }) => sum + size, 0) / 1e6);
  const rounds: { readonly ours: Took; readonly baseline: Took; readonly above: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const run = path.join(folder, `run-${round}`);
    const [node, program] = [await take(probe, [parse]), await take(probe, [workerFile, "--version"])];
    const parsed = await take(probe, [parse, ...files]);
    const imported = await take(probe, [workerFile, "import", ...files, "-o", run]);
    await rm(run, { recursive: true });
    rounds.push({
      ours: less(imported, program),
      baseline: less(parsed, node),
      above: imported.peak - program.peak,
    });
  }
  const of = `${megabytes} MB of Claude Code sessions in ${files.length} files, every third with its requests, median of ${ROUNDS}`;
  const row = (name: string, key: "wall" | "cpu" | "gc", limit: number | undefined): BenchRow => ({
    name,
    ours: median(rounds.map(({ ours }) => ours[key])),
    baseline: median(rounds.map(({ baseline }) => baseline[key])),
    unit: "ms",
    ratio: median(rounds.map(({ ours, baseline }) => ours[key] / baseline[key])),
    ...(limit !== undefined && { limit }),
    method: `${of}, beside JSON.parse of their lines; less the start of each process`,
  });
  return [
    row("import", "wall", TIMES_LIMIT),
    row("import, the main thread's own time", "cpu", undefined),
    row(
      "import, of it garbage collection: a session stays in memory until its branches are known",
      "gc",
      undefined,
    ),
    {
      name: "memory of an import above the start",
      ours: median(rounds.map(({ above }) => above)),
      baseline: MEMORY_LIMIT,
      unit: "MB",
      limit: 1,
      method: `${of}: most resident memory of hasp import less that of hasp --version; the baseline is the limit`,
    },
  ];
}

const less = (a: Took, b: Took): Took => ({
  wall: a.wall - b.wall,
  cpu: a.cpu - b.cpu,
  gc: a.gc - b.gc,
  peak: a.peak - b.peak,
});

export async function benchImport(workerFile: string): Promise<BenchRow[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "hasp-bench-import-"));
  try {
    return await measure(folder, workerFile);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
