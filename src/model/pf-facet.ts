import type { PfEvent, PfStatus } from "./intervention.ts";

/** `fired`: the PF's `intervene` ran and answered, whatever became of it. */
export type FacetStatus = "fired" | PfStatus;

export const FACET_STATUSES = [
  "fired",
  "applied",
  "overridden",
  "limited",
  "skipped",
  "noop",
  "error",
] as const satisfies readonly FacetStatus[];

/** One PF over a whole episode. */
export interface PfFacet {
  readonly skillId: string;
  /** Each once, in the order of `FACET_STATUSES`. */
  readonly statuses: readonly PfStatus[];
  /** 0-based steps at which it fired. */
  readonly fired: readonly number[];
}

/** What the events of a step say; recorded steps and judgements of them both do. */
interface StepEvents {
  readonly t: number;
  readonly events: readonly Pick<PfEvent, "skillId" | "status">[];
}

/** True for a PF whose `intervene` ran and answered. */
export function hasFired(status: PfStatus): boolean {
  return status === "applied" || status === "overridden" || status === "noop";
}

/** What every PF that left an event did over the steps of an episode; by id. */
export function pfFacets(steps: readonly StepEvents[]): PfFacet[] {
  const seen = new Map<string, { statuses: Set<PfStatus>; fired: Set<number> }>();
  for (const { t, events } of steps) {
    for (const { skillId, status } of events) {
      const facet = seen.get(skillId) ?? { statuses: new Set(), fired: new Set() };
      seen.set(skillId, facet);
      facet.statuses.add(status);
      if (hasFired(status)) facet.fired.add(t);
    }
  }
  return [...seen]
    .map(([skillId, { statuses, fired }]) => ({
      skillId,
      statuses: FACET_STATUSES.filter((status) => status !== "fired").filter((status) =>
        statuses.has(status),
      ),
      fired: [...fired],
    }))
    .toSorted((a, b) => (a.skillId < b.skillId ? -1 : 1));
}

export function facetHas({ statuses }: PfFacet, status: FacetStatus): boolean {
  return status === "fired" ? statuses.some(hasFired) : statuses.includes(status);
}
