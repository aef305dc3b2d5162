import { sameAction } from "../model/action.ts";
import type { PfEvent } from "../model/intervention.ts";
import type { PfChange, StepChange, WhatIf } from "../model/what-if.ts";
import type { RecordedJudgement } from "./judge.ts";

/** The reason alone is no decision, and neither is what another PF made of it. */
function decisionOf(event: PfEvent | undefined): string {
  if (event === undefined) return "";
  const { status, intervention } = event;
  if (intervention === undefined) return status;
  const { reason: _, ...does } = intervention;
  return `${status} ${JSON.stringify(does)}`;
}

const keyOf = ({ skillId, proposal }: PfEvent): string => JSON.stringify([skillId, proposal]);

function changesOf(before: readonly PfEvent[], after: readonly PfEvent[]): PfChange[] {
  const [old, now] = [before, after].map((events) => new Map(events.map((event) => [keyOf(event), event])));
  if (old === undefined || now === undefined) return [];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => {
    const change = { before: old.get(key), after: now.get(key) };
    const skillId = (change.after ?? change.before)?.skillId;
    // A PF that came or went and does nothing here changes nothing.
    const isIdle = [change.before, change.after].every(
      (event) => event === undefined || event.status === "skipped",
    );
    if (skillId === undefined || isIdle || decisionOf(change.before) === decisionOf(change.after)) return [];
    return { skillId, ...change };
  });
}

const divergedIn = (judged: readonly RecordedJudgement[]): number[] =>
  judged.filter(({ diverged }) => diverged).map(({ t }) => t);

/** What two libraries make of the same recorded episode; both judgements are of all its steps. */
export function compareJudgements(
  before: readonly RecordedJudgement[],
  after: readonly RecordedJudgement[],
): WhatIf {
  const changes = after.flatMap((now, t): StepChange[] => {
    const old = before[t];
    if (old === undefined) return [];
    const pfs = changesOf(old.events, now.events);
    if (pfs.length === 0 && sameAction(old.executed, now.executed)) return [];
    return [{ t, pfs, executedBefore: old.executed, executedAfter: now.executed }];
  });
  return { changes, divergedBefore: divergedIn(before), divergedAfter: divergedIn(after) };
}
