import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { resolve } from "node:path";

import { closingLine, type Counts, COUNTS_FILE, noCounts, sumOf, withFault } from "./counts.mts";
import { messageOf, say } from "./report.mts";
import { runTasks } from "./schedule.mts";
import { type Limits, runStageProcess, type Use } from "./stage-process.mts";
import type { Stage } from "./stages.mts";

/** A stage to run. */
export interface Planned {
  stage: Stage;
  isThorough: boolean;
  /** Rejects where this machine cannot run it. */
  ready: Promise<void>;
}

export interface Result {
  name: string;
  counts: Counts;
  /** Undefined for a stage that did not start. */
  use?: Use;
  /** Why it did not start, where that is no failure of its own. */
  notRun?: string;
}

export interface Place {
  /** The folder that the commands run in. */
  root: string;
  /** The folder of logs and counts. */
  output: string;
  /** Added to the environment of the commands. */
  env: Record<string, string>;
  lanes: number;
  limits: Limits;
  /** Ends all that runs when aborted, and starts nothing more. */
  signal: AbortSignal;
}

/** The variable that asks the tests of a stage for all kills, seeds and themes. */
const THOROUGH = "HASP_TEST_THOROUGH";

/** The longest stage was seen at 25 minutes in its thorough form; what takes longer hangs. */
export const LIMITS: Limits = { timeout: 45 * 60_000, grace: 30_000, patience: 10_000 };

/** Runs the stages, each as soon as this machine has what it needs. Never rejects; the results are in the order of the plan. */
export async function runStages(plan: readonly Planned[], place: Place): Promise<Result[]> {
  const results = new Map<string, Result>();
  const tasks = plan.map((planned) => {
    const { stage, isThorough } = planned;
    const ready = readiness(planned, place.signal);
    return {
      seconds: isThorough ? stage.seconds.thorough : stage.seconds.normal,
      lanes: stage.lanes,
      isAlone: stage.isAlone,
      ready: ready.then(() => undefined),
      run: async () =>
        void results.set(stage.name, await resultOf(planned, await ready, place, plan.length > 1)),
    };
  });
  await runTasks(tasks, place.lanes);
  return plan.flatMap(({ stage }) => results.get(stage.name) ?? []);
}

/** Why the stage cannot run, as soon as that is known; an interruption does not wait for an install. */
async function readiness({ ready }: Planned, signal: AbortSignal): Promise<string | undefined> {
  const interrupted = new Promise<void>((settle) => {
    if (signal.aborted) settle();
    signal.addEventListener("abort", () => settle());
  });
  try {
    await Promise.race([ready, interrupted]);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

async function resultOf(
  planned: Planned,
  missing: string | undefined,
  place: Place,
  isBeside: boolean,
): Promise<Result> {
  const { name } = planned.stage;
  if (place.signal.aborted) return { name, counts: noCounts(), notRun: messageOf(place.signal.reason) };
  if (missing !== undefined) {
    say(`Stage ${name} does not run. ${missing}`);
    return { name, counts: withFault(noCounts(), `did not run: ${missing.split("\n")[0]}`) };
  }
  try {
    return await runStage(planned, place, isBeside);
  } catch (error) {
    return { name, counts: withFault(noCounts(), messageOf(error)) };
  }
}

/** Runs a stage's commands. The output of one of several stages is shown in one piece, at its end. */
async function runStage(planned: Planned, place: Place, isBeside: boolean): Promise<Result> {
  const { name, commands } = planned.stage;
  const log = resolve(place.output, `${name}.log`);
  const form = planned.isThorough ? ", thorough" : "";
  mkdirSync(place.output, { recursive: true });
  rmSync(log, { force: true });
  say(`Stage ${name}${form}${isBeside ? ` (in ${log} until it ends)` : ""}`);
  const output = isBeside ? openSync(log, "a") : "inherit";
  const runs: { counts: Counts; use: Use }[] = [];
  try {
    for (const args of commands)
      if (!place.signal.aborted) runs.push(await runCommand(args, planned, place, output));
  } finally {
    if (output !== "inherit") closeSync(output);
  }
  if (isBeside) process.stdout.write(readFileSync(log));
  const result = { name, counts: sumOf(runs.map(({ counts }) => counts)), use: sumOfUses(runs) };
  say(`Stage ${name}: ${closingLine(result.counts)} in ${result.use.wallSeconds.toFixed(1)} s`);
  return result;
}

async function runCommand(
  args: readonly string[],
  { stage, isThorough }: Planned,
  { root, output: folder, env: own, limits, signal }: Place,
  output: number | "inherit",
): Promise<{ counts: Counts; use: Use }> {
  const file = resolve(folder, `${stage.name}.json`);
  rmSync(file, { force: true });
  const env = { ...own, [COUNTS_FILE]: file, [THOROUGH]: isThorough ? "1" : "0" };
  const { fault, use } = await runStageProcess({
    args,
    env,
    cwd: root,
    output,
    counts: file,
    limits,
    signal,
  });
  const full = fault === undefined ? "" : onFullDisk(folder);
  return { counts: judge(readCounts(file), fault === undefined ? undefined : fault + full), use };
}

/** Undefined where there are none, or where they are not whole. */
function readCounts(file: string): Counts | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Counts;
  } catch {
    return undefined;
  }
}

/** Adds a fault where no test ran, and where the process failed for another reason than a failed test. */
function judge(counts: Counts | undefined, fault: string | undefined): Counts {
  const because = fault === undefined ? "" : `: ${fault}`;
  if (counts === undefined) return withFault(noCounts(), `wrote no counts${because}`);
  if (counts.passed + counts.failed === 0) return withFault(counts, `ran no test${because}`);
  const isExplained = fault === undefined || (counts.failed > 0 && /^ended with \d+$/.test(fault));
  return isExplained ? counts : withFault(counts, fault);
}

/** The end of a fault if the disk is full, which no exit code says. */
function onFullDisk(folder: string): string {
  return statfsSync(folder).bavail === 0 ? `; the disk of ${folder} is full` : "";
}

function sumOfUses(runs: readonly { use: Use }[]): Use {
  const processor = runs.map(({ use }) => use.processorSeconds);
  return {
    wallSeconds: runs.reduce((sum, { use }) => sum + use.wallSeconds, 0),
    processorSeconds: processor.reduce(
      (sum, one) => (sum === undefined || one === undefined ? undefined : sum + one),
      0,
    ),
  };
}
