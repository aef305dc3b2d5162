import type { Explanation } from "../../src/model/explanation.ts";
import type { PfEvent, PfStatus } from "../../src/model/intervention.ts";
import type { JudgedPf } from "../../src/protocol/replay.ts";
import { judgedSource, recordedSource, type SourceLink } from "./source.ts";

/** Whose decision a card shows: that of the run, that of today's library, or of both where they are the same. */
export type CardOf = "recorded" | "today" | "both";

/** One Program Function on one proposal of a step. */
export interface Card {
  readonly of: CardOf;
  readonly event: PfEvent;
  /** As `JudgedPf.reason`; of a recorded decision, the reason that the run holds. */
  readonly reason: string;
  readonly explanation: Explanation | undefined;
  /** The reason that today's library gives for the same outcome, in other words. */
  readonly reasonToday?: string;
  readonly source: SourceLink;
}

/** Statuses that change the step, or would have but for another PF or a failure. */
const INTERVENING: ReadonlySet<PfStatus> = new Set(["applied", "overridden", "error"]);

export function isIntervention({ event }: Card): boolean {
  return INTERVENING.has(event.status);
}

/** Statuses whose outcome is the status and the intervention; an older version may have given the reason in other words. */
const DONE: ReadonlySet<PfStatus> = new Set(["applied", "overridden", "limited"]);

/** The outcome of a decision as a text, to compare it: what was done or, where nothing was, why. */
function outcomeOf({ status, reason, intervention, by }: PfEvent): string {
  const { reason: _, ...wanted } = intervention ?? { reason };
  return JSON.stringify([status, by, DONE.has(status) ? wanted : reason]);
}

const keyOf = ({ skillId, proposal, pass }: PfEvent): string => `${proposal} ${pass ?? ""} ${skillId}`;

function recordedCard(event: PfEvent, today: JudgedPf | undefined): Card {
  const isSame = today !== undefined && outcomeOf(event) === outcomeOf(today.event);
  const { reason } = event;
  if (!isSame)
    return { of: "recorded", event, reason, explanation: undefined, source: recordedSource(event) };
  const card = { of: "both", event, explanation: today.explanation, source: judgedSource(today) } as const;
  if (today.event.reason === reason) return { ...card, reason: today.reason };
  return { ...card, reason, reasonToday: today.reason };
}

/**
 * The cards of a step: each recorded decision, with that of today's library in the same card where the two agree and else right after
 * it, then what the library alone decides.
 */
export function cardsOf(recorded: readonly PfEvent[], today: readonly JudgedPf[]): Card[] {
  const judged = new Map(today.map((pf) => [keyOf(pf.event), pf]));
  const todayCard = (pf: JudgedPf): Card => ({ ...pf, of: "today", source: judgedSource(pf) });
  const both = recorded.flatMap((event) => {
    const pf = judged.get(keyOf(event));
    judged.delete(keyOf(event));
    const card = recordedCard(event, pf);
    return card.of === "both" || pf === undefined ? [card] : [card, todayCard(pf)];
  });
  return [...both, ...[...judged.values()].map(todayCard)];
}
