// `npm test`: builds, prepares the machine, runs the stages of tests and closes with one line `N passed, N failed`.
import { resolve } from "node:path";

import { noCounts, withFault } from "./lib/counts.mts";
import { uncommittedFiles } from "./lib/git.mts";
import { interruption } from "./lib/interruption.mts";
import { takeTurn } from "./lib/one-at-a-time.mts";
import { ROOT, TEST_OUTPUT } from "./lib/paths.mts";
import { runMain } from "./lib/report.mts";
import { LIMITS, type Place, type Result, runStages } from "./lib/run-stages.mts";
import { runStageProcess } from "./lib/stage-process.mts";
import { isCi, prepare } from "./lib/stages.mts";
import { isFailure, summaryOf } from "./lib/summary.mts";
import { LANES, readPlan, type TestPlan } from "./lib/test-plan.mts";

await runMain(async () => {
  const plan = readPlan(process.argv.slice(2));
  const signal = interruption(plan.minutes);
  const { env } = await takeTurn(TEST_OUTPUT);
  const place = { root: ROOT, output: TEST_OUTPUT, env, lanes: LANES, limits: LIMITS, signal };
  const before = new Set(uncommittedFiles());
  const results = await run(plan, place);
  const changed = uncommittedFiles().filter((file) => !before.has(file));
  // Elsewhere a person may be at work in the same clone.
  if (isCi() && changed.length > 0)
    results.push(failed("clone", `tests changed files: ${changed.join(", ")}`));
  for (const line of summaryOf(results, plan.omitted)) console.log(line);
  // Not the end of the loop: an install may still be running where the stages were interrupted.
  return process.exit(isFailure(results) || signal.aborted ? 1 : 0);
});

const failed = (name: string, fault: string): Result => ({ name, counts: withFault(noCounts(), fault) });

async function run({ stages, isBuilt }: TestPlan, place: Place): Promise<Result[]> {
  const build = isBuilt ? [] : [await built(place)];
  if (build.some(({ counts }) => counts.failed > 0)) {
    const notRun = "the build failed";
    return [...build, ...stages.map(({ stage: { name } }) => ({ name, counts: noCounts(), notRun }))];
  }
  const ready = prepare(stages.map(({ stage }) => stage.name));
  const planned = stages.map((one) => ({ ...one, ready: ready(one.stage.name) }));
  return [...build, ...(await runStages(planned, place))];
}

/** A build that fails is a failed test, said in the closing line like any other. */
async function built({ root: cwd, output: folder, ...rest }: Place): Promise<Result> {
  const counts = resolve(folder, "build.json");
  const args = ["scripts/build.mts"];
  const { fault, use } = await runStageProcess({ ...rest, args, cwd, counts, output: "inherit" });
  return { name: "build", counts: fault === undefined ? noCounts() : withFault(noCounts(), fault), use };
}
