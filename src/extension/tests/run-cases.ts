import type * as vscode from "vscode";
import { caseOutcome, type CaseBench, type CaseOutcome } from "../../analysis/case-outcome.ts";
import { asIfActing, openLibrary } from "../../analysis/library.ts";
import { domainOf } from "../../domains/registry.ts";
import { webSearch } from "../../domains/web-search/web-search.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { PfHost } from "../../sandbox/pf-host.ts";
import type { Compiler } from "../../skill/compiler.ts";
import type { LibrarySource, LocatedSkill } from "../workspace/library.ts";
import type { CaseItems } from "./items.ts";
import { brokenMessage, failedMessages } from "./message.ts";

interface Services {
  readonly library: LibrarySource;
  readonly compiler: Pick<Compiler, "instrument">;
  readonly startHost: () => PfHost;
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

function bySkill(
  leaves: readonly vscode.TestItem[],
  items: CaseItems,
): ReadonlyMap<LocatedSkill, vscode.TestItem[]> {
  const groups = new Map<string, { skill: LocatedSkill; leaves: vscode.TestItem[] }>();
  for (const leaf of leaves) {
    const place = items.placeOf(leaf);
    if (place?.kind !== "case") continue;
    const group = groups.get(place.skill.uri.path) ?? { skill: place.skill, leaves: [] };
    group.leaves.push(leaf);
    groups.set(place.skill.uri.path, group);
  }
  return new Map([...groups.values()].map(({ skill, leaves: own }) => [skill, own]));
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

export function createCaseRunner({ library, compiler, startHost, items }: Services): CaseRunner {
  let host: PfHost | undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** What the cases of a skill are judged with, or why they cannot be. */
  async function benchOf(skill: LocatedSkill): Promise<CaseBench | Diagnostic | undefined> {
    const [read] = await library.read([skill]);
    if (read === undefined) return undefined;
    const own = (host ??= startHost());
    // The cases of a skill that hasp.yaml switches off are run like those of others, and so are those of a template.
    const { active, diagnostics } = await openLibrary([asIfActing(read)], own);
    const [first] = active;
    if (first === undefined) return [...diagnostics, ...read.diagnostics].find((d) => d.severity === "error");
    return { active: first, domain: domainOf(skill.domain) ?? webSearch, compiler, host: own };
  }

  async function runCase(
    { run, isCancelled }: Watched,
    leaf: vscode.TestItem,
    bench: CaseBench,
    skill: LocatedSkill,
  ): Promise<CaseRun> {
    const place = items.placeOf(leaf);
    if (place?.kind !== "case" || isCancelled()) {
      run.skipped(leaf);
      return { skillId: skill.skillId, name: leaf.label, outcome: "skipped" };
    }
    run.started(leaf);
    const began = performance.now();
    const outcome = await caseOutcome(place.test, bench);
    return told(run, leaf, outcome, skill, performance.now() - began);
  }

  async function runSkill(
    watched: Watched,
    skill: LocatedSkill,
    leaves: readonly vscode.TestItem[],
  ): Promise<CaseRun[]> {
    const bench = await benchOf(skill);
    if (bench !== undefined && "active" in bench) {
      const done: CaseRun[] = [];
      for (const leaf of leaves) {
        done.push(await runCase(watched, leaf, bench, skill));
        watched.ended();
      }
      return done;
    }
    const message = brokenMessage(bench, skill);
    return leaves.map((leaf) => {
      watched.run.errored(leaf, message);
      watched.ended();
      return { skillId: skill.skillId, name: leaf.label, outcome: "errored", message: textIn(message) };
    });
  }

  async function runAll(leaves: readonly vscode.TestItem[], watched: Watched): Promise<readonly CaseRun[]> {
    const done: CaseRun[] = [];
    for (const [skill, own] of bySkill(leaves, items)) done.push(...(await runSkill(watched, skill, own)));
    return done;
  }

  return {
    run(leaves, run, control) {
      for (const leaf of leaves) run.enqueued(leaf);
      // One after the other: a sandbox holds one skill at a time.
      const next = last.then(() => runAll(leaves, watch(run, leaves.length, control)));
      last = next.catch(() => undefined);
      return next;
    },
    close: async () => host?.close(),
  };
}
