// `npm test`: builds, prepares the machine, runs the stages of tests and closes with one line `N passed, N failed`.
import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";

import type { Counts } from "./lib/counts.mts";
import { build } from "./lib/package.mts";
import { exitOnSignals } from "./lib/processes.mts";
import { runMain, say, secondsSince, stop } from "./lib/report.mts";
import { logOf, prepare, runStage, STAGES, type Stage } from "./lib/stages.mts";

const USAGE = `npm test -- [--only ${STAGES.join(",")}] [--built]
  --built   with dist/ and dist-test/ as they are`;

/** Stages at a time: none of them keeps two cores busy, and their deadlines hold on half a core. */
const LANES = 2;
/** A VS Code keeps two cores busy by itself, and closes a list or a hint where a key comes late: these run one by one, after the others. */
const ALONE: ReadonlySet<Stage> = new Set<Stage>(["e2e", "host"]);

type Result = readonly [name: string, counts: Counts];

await runMain(async () => {
  exitOnSignals();
  const { values } = parseArgs({
    options: { only: { type: "string" }, built: { type: "boolean", default: false } },
  });
  const stages = chosenStages(values.only);
  const isBuilt = values.built || (await built());
  return summarize(isBuilt ? await runAll(stages) : [["build", oneFault("what went wrong stands above")]]);
});

function chosenStages(only: string | undefined): Stage[] {
  if (only === undefined) return [...STAGES];
  const wanted = only.split(",");
  const unknown = wanted.filter((name) => !(STAGES as readonly string[]).includes(name));
  if (unknown.length > 0) throw stop(`Unknown stage ${unknown.join(", ")}.\n${USAGE}`);
  return STAGES.filter((stage) => wanted.includes(stage));
}

/** A build that fails is a failed test, said in the closing line like any other. */
async function built(): Promise<boolean> {
  try {
    await build();
    return true;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return false;
  }
}

function oneFault(fault: string): Counts {
  return { passed: 0, failed: 1, skipped: 0, faults: [fault], skips: [] };
}

/** Runs the stages, each as soon as the machine has what it needs; one that it cannot have has failed. */
async function runAll(stages: readonly Stage[]): Promise<Result[]> {
  const ready = prepare(stages);
  const inLane = lanes(LANES);
  const result = async (stage: Stage): Promise<Result> => {
    const missing = await ready(stage).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    if (missing === undefined)
      return [stage, await inLane(async () => await timed(stage, stages.length > 1))];
    say(`Stage ${stage} does not run. ${missing}`);
    return [stage, oneFault("did not run, the reason stands above")];
  };
  const results = await Promise.all(stages.filter((stage) => !ALONE.has(stage)).map(result));
  for (const stage of stages) if (ALONE.has(stage)) results.push(await result(stage));
  return results;
}

/** Calls at most `count` functions at a time, in the order of asking. */
function lanes(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = count;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => void waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

/** The output of one of several stages is shown in one piece, at its end. */
async function timed(stage: Stage, isBeside: boolean): Promise<Counts> {
  say(`Stage ${stage}${isBeside ? ` (in ${logOf(stage)} until it ends)` : ""}`);
  const start = performance.now();
  const counts = await runStage(stage, isBeside);
  if (isBeside && existsSync(logOf(stage))) process.stdout.write(readFileSync(logOf(stage)));
  say(`Stage ${stage}: ${closingLine(counts)} in ${secondsSince(start)}`);
  return counts;
}

function closingLine({ passed, failed, skipped }: Omit<Counts, "faults" | "skips">): string {
  const skips = skipped > 0 ? `, ${skipped} skipped` : "";
  return `${passed} passed, ${failed} failed${skips}`;
}

/** Prints each stage's faults, what it skipped and why, and the sum as the very last line; returns the exit code. */
function summarize(results: readonly Result[]): number {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const [stage, counts] of results) {
    for (const skip of counts.skips) console.log(`[hasp] ${stage}: ${skip}`);
    for (const fault of counts.faults) console.log(`[hasp] ${stage}: ${fault}`);
    sum.passed += counts.passed;
    sum.failed += counts.failed;
    sum.skipped += counts.skipped;
  }
  console.log(closingLine(sum));
  return sum.failed > 0 ? 1 : 0;
}
