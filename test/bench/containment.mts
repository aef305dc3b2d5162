import { spawn } from "node:child_process";
import fs from "node:fs";
import { openBubblewrap } from "../../src/platform/containment/bubblewrap.ts";
import { startInterpreter } from "../../src/platform/containment/interpreter.ts";
import { interpreterPool } from "../../src/platform/containment/interpreter-pool.ts";
import { PRELUDE } from "../../src/platform/containment/prelude.ts";
import { isContainment, type Containment } from "../../src/scoring/containment.ts";
import { compare, type BenchRow } from "./measure.mts";

const SOLUTIONS = 300;
const WORKERS = [1, 2];
const LIMIT = 1.5;
const MEGABYTE = 1 << 20;
/** Of the processes of a pool, in megabytes. */
const MEMORY_LIMIT = 1024;
const FRESH = {
  bubblewrap: "/usr/bin/bwrap",
  python: "/usr/bin/python3",
  prelude: PRELUDE,
  mounts: [],
  group: undefined,
};
const ORDER = { input: "", limits: { wallMs: 60_000, memoryBytes: 4 * 2 ** 30, outputBytes: MEGABYTE } };

/** A small solution with a few tests, another one each time. */
const solution = (n: number): string => `
def solve(numbers, shift):
    found = {}
    for at, number in enumerate(sorted(numbers)):
        found[number] = found.get(number, 0) + at * shift
    return sum(value for key, value in found.items() if key % 2 == 0)
for test in range(20):
    print(solve([(${n} * 7 + k * test) % 101 for k in range(200)], test))
`;

async function plain(program: string): Promise<void> {
  const child = spawn("/usr/bin/python3", ["-I", "-"], { stdio: ["pipe", "ignore", "inherit"] });
  child.stdin.end(program);
  await new Promise((resolve) => child.once("close", resolve));
}

type Runner = (program: string) => Promise<void>;

const inPool =
  (pool: Pick<Containment, "start">): Runner =>
  async (program) => {
    const end = await pool.start({ ...ORDER, program }, new AbortController().signal).ended;
    if (end.kind !== "exited" || end.code !== 0) throw new Error(`It did not run: ${JSON.stringify(end)}`);
  };

const ROUNDS = 3;
const IN_ROUND = SOLUTIONS / ROUNDS;

/** Milliseconds a solution of two ways to run them by so many workers, in turn. */
async function compareBy(workers: number, ours: Runner, baseline: Runner) {
  const all = (run: Runner) => async (round: number) => {
    let next = round * IN_ROUND;
    const end = next + IN_ROUND;
    const work = async (): Promise<void> => {
      while (next < end) await run(solution(next++));
    };
    await Promise.all(Array.from({ length: workers }, work));
  };
  const times = await compare(ROUNDS, all(ours), all(baseline));
  return { ours: times[0] / IN_ROUND, baseline: times[1] / IN_ROUND, unit: "ms" };
}

/** Memory of the processes that this one has started, in bytes; pages that several have count once. */
function descendantBytes(pid: number): number {
  const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  return children.reduce((sum, child) => {
    if (child === "") return sum;
    const [, kilobytes = "0"] =
      /^Pss: +(\d+)/m.exec(fs.readFileSync(`/proc/${child}/smaps_rollup`, "utf8")) ?? [];
    return sum + Number(kilobytes) * 1024 + descendantBytes(Number(child));
  }, 0);
}

async function benchMemory(places: number): Promise<BenchRow> {
  const own = await openBubblewrap(places);
  if (!isContainment(own)) throw new Error(own.why);
  const abort = new AbortController();
  const program = "import os, time\nos.write(3, b'up\\n')\ntime.sleep(3600)";
  const programs = Array.from({ length: places }, () => own.start({ ...ORDER, program }, abort.signal));
  for (const { results } of programs) for await (const _ of results) break;
  const ours = descendantBytes(process.pid) / MEGABYTE;
  await own.close();
  return {
    name: "containment-memory",
    ours,
    baseline: MEMORY_LIMIT,
    unit: "MB",
    limit: 1,
    method: `resident memory of ${places} idle programs under bubblewrap and of the interpreters that wait beside them; of 1 GB`,
  };
}

/** Small solutions under Bubblewrap, against plain Python and against interpreters that are not started ahead. */
export async function benchContainment(): Promise<BenchRow[]> {
  const opened = await openBubblewrap(Math.max(...WORKERS));
  if (!isContainment(opened)) return [];
  const fresh = interpreterPool(Math.max(...WORKERS), () => startInterpreter(FRESH));
  const rows: BenchRow[] = [];
  for (const workers of WORKERS) {
    const by = `by ${workers} at once`;
    rows.push(
      {
        name: `containment-${workers}`,
        ...(await compareBy(workers, inPool(opened), plain)),
        limit: LIMIT,
        method: `a small solution of ${SOLUTIONS} under ${opened.name} ${by}, each in an interpreter of its own, against \`python3 -I\`; median of ${ROUNDS} rounds in turn`,
      },
      {
        name: `containment-ahead-${workers}`,
        ...(await compareBy(workers, inPool(opened), inPool(fresh))),
        method: `the same ${by}, against interpreters that start with their order and are in no control group`,
      },
    );
  }
  await opened.close();
  return [...rows, await benchMemory(16)];
}
