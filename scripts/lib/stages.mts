import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";

import { execa } from "execa";

import { prepareCluster } from "./cluster.mts";
import { ensureServerHost, serverHostNeeds } from "./code-server-host.mts";
import { COUNTS_FILE, type Counts } from "./counts.mts";
import { ROOT, TEST_OUTPUT } from "./paths.mts";
import { say } from "./report.mts";
import { BROWSER, ensurePackages } from "./system-packages.mts";
import { prepareTrainer } from "./trainer-env.mts";

/** The stages of `npm test`, in the order in which they start. The last two wait for VS Code's server, which may be installed meanwhile. */
export const STAGES = [
  "golden",
  "unit",
  "webview",
  "trainer",
  "cluster",
  "miniature",
  "e2e",
  "host",
] as const;

export type Stage = (typeof STAGES)[number];

/**
 * Installs what these stages need and this machine lacks. Each stage may start once its own part is there: VS Code's server,
 * which takes minutes the first time, is waited for by those alone that run in it.
 */
export function prepare(stages: readonly Stage[]): (stage: Stage) => Promise<void> {
  const inServer = (stage: Stage): boolean => stage === "host" || stage === "e2e";
  const inBrowser = stages.some((stage) => inServer(stage) || stage === "webview");
  const needs = stages.some(inServer) ? serverHostNeeds() : [];
  const packages = ensurePackages([...(inBrowser ? BROWSER : []), ...needs]);
  const server = packages.then(async () => {
    if (stages.some(inServer)) await ensureServerHost();
  });
  // A failure is that of the stages that wait for it.
  server.catch(() => undefined);
  // One after the other, because apt runs once at a time. The tests of both skip themselves, with the reason, where something is missing.
  const cluster = packages
    .catch(() => undefined)
    .then(async () => (stages.includes("cluster") ? await prepareCluster() : undefined));
  cluster.catch(() => undefined);
  const inTrainer = stages.includes("trainer") || (stages.includes("miniature") && isCi());
  const trainer = cluster
    .catch(() => undefined)
    .then(async () => (inTrainer ? await prepareTrainer() : undefined));
  return async (stage) => {
    if (stage === "trainer" || stage === "miniature") return void (await trainer);
    if (stage === "cluster") return await (isCi() ? cluster : cluster.catch(sayWhy));
    // Golden tests find python3 among the packages; unit tests need none of them.
    if (stage !== "unit") await packages;
    if (inServer(stage)) await server;
  };
}

const sayWhy = (error: unknown): void => say(error instanceof Error ? error.message : String(error));

/** Whether this is a machine that runs the tests of a change; there the trainer's Python is installed for the miniature, too. */
export const isCi = (): boolean => !["", "0", "false"].includes(process.env.CI ?? "");

/** The output of a stage that did not run alone, as it comes. */
export const logOf = (stage: Stage): string => resolve(TEST_OUTPUT, `${stage}.log`);

/**
 * Runs one stage and counts. Its output is shown as it comes, or with `isQuiet` goes to `logOf(stage)` alone. Never throws
 * for a stage that fails or crashes.
 */
export async function runStage(stage: Stage, isQuiet: boolean): Promise<Counts> {
  const log = isQuiet ? logOf(stage) : undefined;
  mkdirSync(TEST_OUTPUT, { recursive: true });
  rmSync(logOf(stage), { force: true });
  if (stage !== "host") return await vitest(stage, log);
  const trusted = await inHost([], log);
  const restricted = await inHost(["--workspace-trust"], log);
  return {
    passed: trusted.passed + restricted.passed,
    failed: trusted.failed + restricted.failed,
    // Each of the two runs leaves out the other's tests by their title, before mocha counts them.
    skipped: trusted.skipped + restricted.skipped,
    faults: [...trusted.faults, ...restricted.faults.map((fault) => `--workspace-trust: ${fault}`)],
    skips: [],
  };
}

// The longest stage was seen at half an hour on two busy cores; what takes longer hangs and would never end.
const TIMEOUT = 45 * 60_000;

interface Ended {
  /** Why the process failed, or nothing where it ended with 0. */
  fault: string | undefined;
  /** What it wrote to stdout. */
  stdout: string;
}

async function node(
  args: string[],
  log: string | undefined,
  env: Record<string, string> = {},
): Promise<Ended> {
  const shown = log === undefined ? "inherit" : { file: log, append: true };
  const run = await execa(process.execPath, args, {
    cwd: ROOT,
    env,
    stdin: "ignore",
    stdout: [shown, "pipe"],
    stderr: shown,
    timeout: TIMEOUT,
    reject: false,
  });
  if (run.timedOut) return { fault: `still ran after ${TIMEOUT / 60_000} minutes`, stdout: run.stdout };
  const fault =
    run.exitCode === 0 ? undefined : `ended with ${run.exitCode ?? run.signal ?? run.shortMessage}`;
  return { fault, stdout: run.stdout };
}

async function vitest(project: string, log: string | undefined): Promise<Counts> {
  const report = resolve(TEST_OUTPUT, `${project}.json`);
  rmSync(report, { force: true });
  const reporter = resolve(ROOT, "scripts/lib/count-reporter.mts");
  const options = [`--project=${project}`, "--reporter=default", `--reporter=${reporter}`];
  const args = [resolve(ROOT, "node_modules/vitest/vitest.mjs"), "run", ...options];
  const ended = await node(args, log, { [COUNTS_FILE]: report });
  const counts = existsSync(report) ? (JSON.parse(readFileSync(report, "utf8")) as Counts) : nothing();
  return judge(counts, ended.fault);
}

async function inHost(options: string[], log: string | undefined): Promise<Counts> {
  const ended = await node([resolve(ROOT, "test/host/run.mts"), ...options], log);
  const line = ended.stdout.split("\n").findLast((text) => text.startsWith("HOST {"));
  if (line === undefined) return judge(nothing(), ended.fault);
  const counts = JSON.parse(line.slice("HOST ".length)) as Omit<Counts, "skips">;
  return judge({ ...counts, skips: [] }, ended.fault);
}

const nothing = (): Counts => ({ passed: 0, failed: 0, skipped: 0, faults: [], skips: [] });

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
