import type * as vscode from "vscode";
import { openCaseRuns, type CaseRuns, type RunCase } from "../../app/cases.ts";
import type { Judging } from "../../app/ports.ts";
import type { CaseOutcome } from "../../model/case-result.ts";
import { serialQueue } from "../../model/serial-queue.ts";
import type { LibrarySource, LocatedSkill } from "../workspace/library.ts";
import type { CaseItems, TestPlace } from "./items.ts";
import { brokenMessage, failedMessages } from "./message.ts";

interface Services {
  readonly library: LibrarySource;
  readonly judging: Judging;
  readonly items: CaseItems;
}

/** How one case came out, for callers in code. */
export interface CaseRun {
  readonly skillId: string;
  readonly name: string;
  readonly outcome: "passed" | "failed" | "errored" | "skipped";
  /** What the Test Explorer says of it; absent where it holds. */
  readonly message?: string;
  readonly expected?: string;
  readonly actual?: string;
}

/** How a run is followed, and ended before its last case. */
export interface RunControl {
  /** Beside the run's own. */
  readonly token?: vscode.CancellationToken;
  readonly onCase?: (done: number, total: number) => void;
}

/** Runs cases in a sandbox of its own, a skill at a time. */
export interface CaseRunner {
  run(
    items: readonly vscode.TestItem[],
    run: vscode.TestRun,
    control: RunControl,
  ): Promise<readonly CaseRun[]>;
  close(): Promise<void>;
}

type CasePlace = Extract<TestPlace, { kind: "case" }>;

/** Cases of one skill. */
interface SkillCases {
  readonly skill: LocatedSkill;
  readonly cases: Map<vscode.TestItem, CasePlace>;
}

function bySkill(leaves: readonly vscode.TestItem[], items: CaseItems): Iterable<SkillCases> {
  const groups = new Map<string, SkillCases>();
  for (const leaf of leaves) {
    const place = items.placeOf(leaf);
    if (place?.kind !== "case") continue;
    const { skill } = place;
    const group = groups.get(skill.uri.path) ?? { skill, cases: new Map() };
    groups.set(skill.uri.path, group);
    group.cases.set(leaf, place);
  }
  return groups.values();
}

const textIn = ({ message }: vscode.TestMessage): string =>
  typeof message === "string" ? message : message.value;

function told(
  run: vscode.TestRun,
  leaf: vscode.TestItem,
  outcome: CaseOutcome,
  skill: LocatedSkill,
  ms: number,
): CaseRun {
  const { skillId } = skill;
  if (outcome.result.passed) {
    run.passed(leaf, ms);
    return { skillId, name: leaf.label, outcome: "passed" };
  }
  const messages = failedMessages(outcome, skill);
  run.failed(leaf, messages, ms);
  const text = messages.map(textIn).join("\n");
  return { skillId, name: leaf.label, outcome: "failed", message: text, ...outcome.sides };
}

/** One run under way. */
interface Watched {
  readonly run: vscode.TestRun;
  readonly isCancelled: () => boolean;
  /** A case has ended. */
  readonly ended: () => void;
}

function watch(run: vscode.TestRun, total: number, { token, onCase }: RunControl): Watched {
  let done = 0;
  const isCancelled = (): boolean =>
    run.token.isCancellationRequested || token?.isCancellationRequested === true;
  return { run, isCancelled, ended: () => onCase?.(++done, total) };
}

async function runCase(
  { run, isCancelled }: Watched,
  leaf: vscode.TestItem,
  { skill, test }: CasePlace,
  decide: RunCase,
): Promise<CaseRun> {
  if (isCancelled()) {
    run.skipped(leaf);
    return { skillId: skill.skillId, name: leaf.label, outcome: "skipped" };
  }
  run.started(leaf);
  const began = performance.now();
  const outcome = await decide(test);
  return told(run, leaf, outcome, skill, performance.now() - began);
}

function runBroken(
  { run, ended }: Watched,
  leaf: vscode.TestItem,
  message: vscode.TestMessage,
  skill: LocatedSkill,
): CaseRun {
  run.errored(leaf, message);
  ended();
  return { skillId: skill.skillId, name: leaf.label, outcome: "errored", message: textIn(message) };
}

async function runSkill(
  watched: Watched,
  skill: LocatedSkill,
  cases: ReadonlyMap<vscode.TestItem, CasePlace>,
  { runs, library }: { readonly runs: CaseRuns; readonly library: LibrarySource },
): Promise<CaseRun[]> {
  const [read] = await library.read([skill]);
  const opened = read && (await runs.open(read));
  const decide = opened?.value;
  if (decide === undefined) {
    const message = brokenMessage(opened?.diagnostics[0], skill);
    return [...cases.keys()].map((leaf) => runBroken(watched, leaf, message, skill));
  }
  const done: CaseRun[] = [];
  for (const [leaf, place] of cases) {
    done.push(await runCase(watched, leaf, place, decide));
    watched.ended();
  }
  return done;
}

export function createCaseRunner({ library, judging, items }: Services): CaseRunner {
  const runs = openCaseRuns(judging);
  // One after the other: a sandbox holds one skill at a time.
  const inTurn = serialQueue();

  async function runAll(leaves: readonly vscode.TestItem[], watched: Watched): Promise<readonly CaseRun[]> {
    const done: CaseRun[] = [];
    for (const { skill, cases } of bySkill(leaves, items))
      done.push(...(await runSkill(watched, skill, cases, { runs, library })));
    return done;
  }

  return {
    run(leaves, run, control) {
      for (const leaf of leaves) run.enqueued(leaf);
      return inTurn(() => runAll(leaves, watch(run, leaves.length, control)));
    },
    close: () => runs.close(),
  };
}
