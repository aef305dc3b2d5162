import type { LiveEpisode } from "../../trace/live.ts";

/**
 * The reason that an event gives for another action than the proposed one: of the Program Function whose change counts, of a vote against
 * an answer, or of a search in place of a READ. Undefined where the event changes no action.
 */
export function reasonIn(event: Parameters<LiveEpisode["record"]>[0]): string | undefined {
  if (event.event === "judged")
    return event.events.findLast(
      ({ status, intervention }) => status === "applied" && intervention?.type === "MODIFY_ACTION",
    )?.reason;
  if (event.event !== "decided") return undefined;
  const { part, reason, value, votes = [] } = event.decision;
  if (part === "snippet_mode") return reason;
  if (part !== "handler_vote" || value !== true) return undefined;
  return votes.find(({ override }) => override)?.reason ?? reason;
}
