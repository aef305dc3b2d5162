import { existsSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";

import { execa } from "execa";

import { ensureServerHost, serverHostNeeds } from "./code-server-host.mts";
import { ROOT, TEST_OUTPUT } from "./paths.mts";
import { BROWSER, ensurePackages } from "./system-packages.mts";

/** The stages of `npm test`, quickest first. */
export const STAGES = ["unit", "golden", "webview", "host", "e2e"] as const;

export type Stage = (typeof STAGES)[number];

/** What a stage came to. A fault (a crash, a stage without a test) counts in `failed` as well. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  faults: string[];
}

/** Installs what the stages need and this machine lacks. */
export async function prepare(stages: readonly Stage[]): Promise<void> {
  const server = stages.includes("host") || stages.includes("e2e");
  const browser = server || stages.includes("webview");
  await ensurePackages([...(browser ? BROWSER : []), ...(server ? serverHostNeeds() : [])]);
  if (server) await ensureServerHost();
}

/** Runs one stage with its output shown, and counts. Never throws for a stage that fails or crashes. */
export async function runStage(stage: Stage): Promise<Counts> {
  if (stage !== "host") return await vitest(stage);
  const trusted = await inHost([]);
  const restricted = await inHost(["--workspace-trust"]);
  return {
    passed: trusted.passed + restricted.passed,
    failed: trusted.failed + restricted.failed,
    // Each of the two runs leaves out the other's tests by their title, before mocha counts them.
    skipped: trusted.skipped + restricted.skipped,
    faults: [...trusted.faults, ...restricted.faults.map((fault) => `--workspace-trust: ${fault}`)],
  };
}

// The longest stage was seen at a few minutes on two cores; after half an hour it hangs and would never end.
const TIMEOUT = 30 * 60_000;

interface Ended {
  /** Why the process failed, or nothing where it ended with 0. */
  fault: string | undefined;
  /** What it wrote to stdout. */
  stdout: string;
}

async function node(args: string[]): Promise<Ended> {
  const run = await execa(process.execPath, args, {
    cwd: ROOT,
    stdin: "ignore",
    stdout: ["inherit", "pipe"],
    stderr: "inherit",
    timeout: TIMEOUT,
    reject: false,
  });
  if (run.timedOut) return { fault: "still ran after 30 minutes", stdout: run.stdout };
  const fault =
    run.exitCode === 0 ? undefined : `ended with ${run.exitCode ?? run.signal ?? run.shortMessage}`;
  return { fault, stdout: run.stdout };
}

async function vitest(project: string): Promise<Counts> {
  const report = resolve(TEST_OUTPUT, `${project}.json`);
  rmSync(report, { force: true });
  const ended = await node([
    resolve(ROOT, "node_modules/vitest/vitest.mjs"),
    "run",
    `--project=${project}`,
    "--reporter=default",
    "--reporter=json",
    `--outputFile=${report}`,
  ]);
  return judge(existsSync(report) ? countVitest(readFileSync(report, "utf8")) : nothing(), ended.fault);
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { name: string; status: string; assertionResults: { status: string }[] }[];
}

function countVitest(text: string): Counts {
  const report = JSON.parse(text) as VitestReport;
  // A file that cannot be loaded has failed without a failed test of its own.
  const broken = report.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
    faults: broken.map((file) => `${file.name} failed outside its tests`),
  };
}

async function inHost(options: string[]): Promise<Counts> {
  const ended = await node([resolve(ROOT, "test/host/run.mts"), ...options]);
  const line = ended.stdout.split("\n").findLast((text) => text.startsWith("HOST {"));
  if (line === undefined) return judge(nothing(), ended.fault);
  const counts = JSON.parse(line.slice("HOST ".length)) as Omit<Counts, "faults">;
  return judge({ ...counts, faults: [] }, ended.fault);
}

const nothing = (): Counts => ({ passed: 0, failed: 0, skipped: 0, faults: [] });

/** Adds a fault where nothing ran, or where the process failed though no test did. */
function judge(counts: Counts, fault: string | undefined): Counts {
  if (counts.failed > 0) return counts;
  const ended = fault === undefined ? "" : ` (${fault})`;
  if (counts.passed === 0) return withFault(counts, `ran no test${ended}`);
  return fault === undefined ? counts : withFault(counts, fault);
}

const withFault = (counts: Counts, fault: string): Counts => ({
  ...counts,
  failed: counts.failed + 1,
  faults: [...counts.faults, fault],
});
