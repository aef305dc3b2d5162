// `npm test`: prepares the machine, builds, runs every stage of tests and closes with one line `N passed, N failed`.
import { parseArgs } from "node:util";

import { build } from "./lib/package.mts";
import { exitOnSignals } from "./lib/processes.mts";
import { runMain, say, secondsSince, stop } from "./lib/report.mts";
import { type Counts, prepare, runStage, STAGES, type Stage } from "./lib/stages.mts";

const USAGE = `npm test -- [--only ${STAGES.join(",")}]`;

await runMain(async () => {
  exitOnSignals();
  const stages = chosenStages();
  const results: [string, Counts][] = [];
  if (await prepared(stages)) {
    for (const stage of stages) results.push([stage, await timed(stage)]);
  } else {
    results.push([
      "setup and build",
      { passed: 0, failed: 1, skipped: 0, faults: ["what went wrong stands above"] },
    ]);
  }
  return summarize(results);
});

function chosenStages(): Stage[] {
  const { values } = parseArgs({ options: { only: { type: "string" } } });
  if (values.only === undefined) return [...STAGES];
  const wanted = values.only.split(",");
  const unknown = wanted.filter((name) => !(STAGES as readonly string[]).includes(name));
  if (unknown.length > 0) throw stop(`Unknown stage ${unknown.join(", ")}.\n${USAGE}`);
  return STAGES.filter((stage) => wanted.includes(stage));
}

/** A build that fails is a failed test, said in the closing line like any other; a missing package is not, it stops with what to do. */
async function prepared(stages: Stage[]): Promise<boolean> {
  await prepare(stages);
  try {
    await build();
    return true;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return false;
  }
}

async function timed(stage: Stage): Promise<Counts> {
  say(`Stage ${stage}`);
  const start = performance.now();
  const counts = await runStage(stage);
  say(`Stage ${stage}: ${closingLine(counts)} in ${secondsSince(start)}`);
  return counts;
}

function closingLine({ passed, failed, skipped }: Omit<Counts, "faults">): string {
  const skips = skipped > 0 ? `, ${skipped} skipped` : "";
  return `${passed} passed, ${failed} failed${skips}`;
}

/** Prints each stage's faults and the sum as the very last line; returns the exit code. */
function summarize(results: [string, Counts][]): number {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const [stage, counts] of results) {
    for (const fault of counts.faults) console.log(`[hasp] ${stage}: ${fault}`);
    sum.passed += counts.passed;
    sum.failed += counts.failed;
    sum.skipped += counts.skipped;
  }
  console.log(closingLine(sum));
  return sum.failed > 0 ? 1 : 0;
}
