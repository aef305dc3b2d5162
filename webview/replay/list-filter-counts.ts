import type { FailurePattern } from "../../src/model/failure-pattern.ts";
import { FACET_STATUSES, facetHas, type FacetStatus } from "../../src/model/pf-facet.ts";
import type { EpisodeFacets } from "../../src/protocol/replay.ts";
import type { ReplayState } from "./state.ts";

/** How many episodes each choice of the filter would leave, by what whole episodes show. */
export interface FacetCounts {
  readonly patterns: ReadonlyMap<FailurePattern, number>;
  /** By id, with the status that is chosen, else fired; those that were asked at all are there, with 0 where none has it. */
  readonly pfs: ReadonlyMap<string, number>;
  /** With the PF that is chosen. */
  readonly statuses: ReadonlyMap<FacetStatus, number>;
}

function add<K>(counts: Map<K, number>, key: K, n: number): void {
  counts.set(key, (counts.get(key) ?? 0) + n);
}

export function countFacets(
  found: Iterable<EpisodeFacets>,
  { pf, status, pfSource }: ReplayState["filter"],
): FacetCounts {
  const patterns = new Map<FailurePattern, number>();
  const pfs = new Map<string, number>();
  const statuses = new Map<FacetStatus, number>();
  for (const episode of found) {
    for (const { name } of episode.patterns) add(patterns, name, 1);
    const facets = episode[pfSource] ?? [];
    for (const facet of facets) {
      add(pfs, facet.skillId, facetHas(facet, status === "all" ? "fired" : status) ? 1 : 0);
    }
    const chosen = facets.filter(({ skillId }) => pf === "all" || skillId === pf);
    for (const one of FACET_STATUSES) {
      if (chosen.some((facet) => facetHas(facet, one))) add(statuses, one, 1);
    }
  }
  return { patterns, pfs, statuses };
}
