import type { Decision } from "../model/decision.ts";
import type { PfEvent } from "../model/intervention.ts";

/**
 * The reason that another action than the proposed one ran: of the Program Function whose change counts, of a vote against an answer, or of
 * a search in place of a READ. Undefined where nothing was changed. `decisions` are those of the step.
 */
export function whyChanged(events: readonly PfEvent[], decisions: readonly Decision[]): string | undefined {
  const last = decisions.findLast(
    ({ part, value }) => part === "snippet_mode" || (part === "handler_vote" && value === true),
  );
  if (last !== undefined) return last.votes?.find(({ override }) => override)?.reason ?? last.reason;
  return events.findLast(
    ({ status, intervention }) => status === "applied" && intervention?.type === "MODIFY_ACTION",
  )?.reason;
}
