import { resolve } from "node:path";

import { prepareAgentHosts } from "./agent-hosts.mts";
import { prepareCluster } from "./cluster.mts";
import { ensureServerHost, serverHostNeeds } from "./code-server-host.mts";
import { ROOT } from "./paths.mts";
import { prepareRealModel } from "./real-model.mts";
import { messageOf, say } from "./report.mts";
import { BROWSER, CONTAINMENT, ensurePackages, missingPackages, type Need } from "./system-packages.mts";
import { prepareTrainer } from "./trainer-env.mts";

export interface Stage {
  name: string;
  /** Arguments of Node, one command after the other. Each writes its counts. */
  commands: readonly (readonly string[])[];
  /** About how long it takes by itself on two cores. */
  seconds: Seconds;
  /** Of two lanes: 0 where it mostly waits, 2 where it keeps both cores busy by itself and nothing that takes a lane may run beside it. */
  lanes: 0 | 1 | 2;
  /** Whether nothing else may run or be prepared meanwhile. */
  isAlone?: true;
  /** Tests that its normal form leaves out. */
  omits?: string;
  /** Whether plain `npm test` leaves it out: it runs where it is named, or thorough, or where its sources change. */
  isOptional?: true;
  /** The form that a change of its sources asks for; thorough where it is left out. */
  formOfChange?: "normal";
}

interface Seconds {
  normal: number;
  thorough: number;
}

const REPORTER = resolve(ROOT, "scripts/lib/count-reporter.mts");

function vitest(name: string, seconds: Seconds, rest: Partial<Stage> = {}): Stage {
  // The star: some stages have a second project, such as `unit-mocks`.
  const options = [`--project=${name}*`, "--reporter=default", `--reporter=${REPORTER}`];
  const command = [resolve(ROOT, "node_modules/vitest/vitest.mjs"), "run", ...options];
  return { name, commands: [command], seconds, lanes: 1, ...rest };
}

const HOST = resolve(ROOT, "test/host/run.mts");

/** The stages of `npm test`. A VS Code keeps two cores busy by itself, and closes a list or a hint where a key comes late. */
export const STAGES: readonly Stage[] = [
  vitest(
    "golden",
    { normal: 430, thorough: 840 },
    {
      omits:
        "most kills of a process, most forms of hostile code and of links, a training by the real trainer, the table of the settings, the study of the gate, what all real episodes say of the library",
    },
  ),
  vitest(
    "unit",
    { normal: 400, thorough: 770 },
    { omits: "most kills of an evolution and of submissions, most cases of three properties" },
  ),
  vitest("webview", { normal: 100, thorough: 170 }, { omits: "the contrast that axe finds in each theme" }),
  vitest(
    "trainer",
    { normal: 160, thorough: 450 },
    { omits: "most trainings of several processes, most variants of a trainer's settings" },
  ),
  vitest("cluster", { normal: 410, thorough: 800 }, { lanes: 0, omits: "900 of 1,000 scripted kills" }),
  vitest(
    "miniature",
    { normal: 870, thorough: 870 },
    { isOptional: true, omits: "the training of the miniature (some 13 minutes)" },
  ),
  vitest(
    "hosts",
    { normal: 170, thorough: 170 },
    { isOptional: true, omits: "the installed hooks in real Claude Code and Codex (some 3 minutes)" },
  ),
  vitest(
    "model",
    { normal: 600, thorough: 1500 },
    {
      lanes: 2,
      isAlone: true,
      isOptional: true,
      formOfChange: "normal",
      omits: "questions answered by a real language model (some 10 minutes), and its work as a teacher",
    },
  ),
  vitest(
    "e2e",
    { normal: 130, thorough: 710 },
    {
      lanes: 2,
      omits:
        "stories whose steps host and webview tests look at one by one, trainings on a cluster, pictures",
    },
  ),
  {
    name: "host",
    commands: [[HOST], [HOST, "--workspace-trust"]],
    seconds: { normal: 250, thorough: 490 },
    lanes: 2,
    omits: "tests whose title has [thorough], all scenes of rules but one of each kind",
  },
];

/**
 * Installs what these stages need and this machine lacks. Each stage may start once its own part is there: only e2e and
 * host wait for VS Code's server, whose first install takes minutes. Rejects for a stage that cannot run.
 */
export function prepare(names: readonly string[]): (name: string) => Promise<void> {
  const has = (...some: readonly string[]): boolean => some.some((name) => names.includes(name));
  const inServer = has("host", "e2e");
  const browser = has("host", "e2e", "webview") ? BROWSER : [];
  const containment = has("unit", "golden", "host", "e2e") ? CONTAINMENT : [];
  const needs = [...containment, ...browser, ...(inServer ? serverHostNeeds() : [])];
  // One after the other, because apt runs once at a time. Golden tests find python3 among the packages.
  const packages = settled(ensurePackages(needs));
  const cluster = settled(packages.then(async () => (has("cluster") ? await prepareCluster() : undefined)));
  const inTrainer = has("trainer", "miniature");
  const trainer = settled(cluster.then(async () => (inTrainer ? await prepareTrainer() : undefined)));
  const server = settled(packages.then(async () => (inServer ? await ensureServerHost() : undefined)));
  const agents = settled(has("hosts") ? prepareAgentHosts() : Promise.resolve());
  const model = settled(trainer.then(async () => (has("model") ? await prepareRealModel() : undefined)));
  return async (name) => {
    if (name === "model") return throwIf(await model);
    if (name === "hosts") return throwIf(await agents);
    const error = await packages;
    if (name === "unit" || name === "golden") inContainment(error);
    if (name === "webview") refuseWithout(BROWSER, error);
    if (name === "trainer" || name === "miniature") throwIf(await trainer);
    if (name === "cluster") inCluster(await cluster);
    if (name !== "host" && name !== "e2e") return;
    refuseWithout(BROWSER, error);
    throwIf(await server);
  };
}

/** The error of a promise that rejects, or undefined. */
const settled = async (work: Promise<unknown>): Promise<unknown> =>
  await work.then(
    () => undefined,
    (error: unknown) => error ?? new Error("without a reason"),
  );

function throwIf(error: unknown): void {
  if (error !== undefined) throw error;
}

/** Packages of other stages may be missing: what counts is whether its own are there. */
function refuseWithout(needs: readonly Need[], error: unknown): void {
  if (missingPackages(needs).length > 0) throwIf(error);
}

/** Tests that contain programs skip themselves without it, except where the tests of a change run. */
function inContainment(error: unknown): void {
  if (missingPackages(CONTAINMENT).length > 0) inCluster(error);
}

/** Its tests skip themselves with the reason, except where the tests of a change run. */
function inCluster(error: unknown): void {
  if (error === undefined) return;
  if (isCi()) throw error;
  say(messageOf(error));
}

/** Whether this is a machine that runs the tests of a change. */
export const isCi = (): boolean => !["", "0", "false"].includes(process.env.CI ?? "");
