import type * as vscode from "vscode";
import { openCaseRuns, type RunCase } from "../../app/cases.ts";
import type { CaseOutcome } from "../../model/case-result.ts";
import { serialQueue } from "../../model/serial-queue.ts";
import type { Services } from "../services.ts";
import type { LocatedSkill } from "../workspace/library.ts";
import type { CaseItems, CasePlace } from "./items.ts";
import { brokenMessage, failedMessages } from "./message.ts";

/** How one case came out, for callers in code. */
export interface CaseRun {
  readonly skillId: string;
  readonly name: string;
  readonly outcome: "passed" | "failed" | "errored" | "skipped";
  /** As the Test Explorer shows it; absent where the case holds. */
  readonly message?: string;
  readonly expected?: string;
  readonly actual?: string;
}

/** How a run is followed, and ended before its last case. */
export interface RunControl {
  /** Beside the token of the run. */
  readonly signal?: AbortSignal;
  readonly onCase?: (done: number, total: number) => void;
}

/** Runs cases in a sandbox of its own, a skill at a time. */
export type CaseRunner = ReturnType<typeof createCaseRunner>;

const textIn = ({ message }: vscode.TestMessage): string =>
  typeof message === "string" ? message : message.value;

/** Reports the outcomes of cases to the Test Explorer and to callers in code. */
function openReport(run: vscode.TestRun, total: number, { signal, onCase }: RunControl) {
  const runs: CaseRun[] = [];

  function add(
    leaf: vscode.TestItem,
    { skillId }: LocatedSkill,
    rest: Omit<CaseRun, "skillId" | "name">,
  ): void {
    runs.push({ skillId, name: leaf.label, ...rest });
    onCase?.(runs.length, total);
  }

  function broken(leaf: vscode.TestItem, skill: LocatedSkill, message: vscode.TestMessage): void {
    run.errored(leaf, message);
    add(leaf, skill, { outcome: "errored", message: textIn(message) });
  }

  function ended(leaf: vscode.TestItem, skill: LocatedSkill, outcome: CaseOutcome, ms: number): void {
    if (outcome.result.passed) {
      run.passed(leaf, ms);
      return add(leaf, skill, { outcome: "passed" });
    }
    const messages = failedMessages(outcome, skill);
    run.failed(leaf, messages, ms);
    add(leaf, skill, { outcome: "failed", message: messages.map(textIn).join("\n"), ...outcome.sides });
  }

  async function decided(leaf: vscode.TestItem, { skill, test }: CasePlace, decide: RunCase): Promise<void> {
    if (run.token.isCancellationRequested || signal?.aborted === true) {
      run.skipped(leaf);
      return add(leaf, skill, { outcome: "skipped" });
    }
    run.started(leaf);
    const began = performance.now();
    const outcome = await decide(test);
    ended(leaf, skill, outcome, performance.now() - began);
  }

  return { runs, broken, decided };
}

type Report = ReturnType<typeof openReport>;

interface CaseItem {
  readonly leaf: vscode.TestItem;
  readonly place: CasePlace;
}

export function createCaseRunner(
  { editorServices: { library }, judging }: Pick<Services, "editorServices" | "judging">,
  items: CaseItems,
) {
  const opened = openCaseRuns(judging);
  // One after the other: a sandbox holds one skill at a time.
  const inTurn = serialQueue();

  async function runSkill(cases: readonly CaseItem[], { skill }: CasePlace, report: Report): Promise<void> {
    const [read] = await library.read([skill]);
    const loaded = read && (await opened.open(read));
    const decide = loaded?.value;
    const message = brokenMessage(loaded?.diagnostics[0], skill);
    for (const { leaf, place } of cases)
      if (decide === undefined) report.broken(leaf, skill, message);
      else await report.decided(leaf, place, decide);
  }

  async function runAll(leaves: readonly vscode.TestItem[], report: Report): Promise<readonly CaseRun[]> {
    const cases = leaves.flatMap((leaf) => {
      const unread = items.unreadOf(leaf);
      if (unread !== undefined) report.broken(leaf, unread.skill, brokenMessage(unread.why, unread.skill));
      const place = unread === undefined ? items.caseOf(leaf) : undefined;
      return place === undefined ? [] : [{ leaf, place }];
    });
    for (const [, some] of Map.groupBy(cases, ({ place }) => place.skill.uri.path)) {
      const [first] = some;
      if (first !== undefined) await runSkill(some, first.place, report);
    }
    return report.runs;
  }

  return {
    run(
      leaves: readonly vscode.TestItem[],
      run: vscode.TestRun,
      control: RunControl,
    ): Promise<readonly CaseRun[]> {
      for (const leaf of leaves) run.enqueued(leaf);
      return inTurn(() => runAll(leaves, openReport(run, leaves.length, control)));
    },
    close: () => opened.close(),
  };
}
