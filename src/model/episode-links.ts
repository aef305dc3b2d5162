import type { Episode, Origin, Step } from "./episode.ts";

/** The keys of `extra` with the ids of the episodes that came out of a step, or of an episode at no known step. */
export const LINK_KEYS: Readonly<Record<Origin["as"], string>> = {
  branch: "branches",
  sub_agent: "subAgents",
};

/** Ids of the episodes that came out of this step: branches that left after it, or sub-agents that it called. */
export function linkedFrom({ extra }: Pick<Step | Episode, "extra">, as: Origin["as"]): readonly string[] {
  const ids = extra?.[LINK_KEYS[as]];
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
}

/**
 * `abandoned branch of s1, left after step 3`, `goes on from step 3 of s1`, `called by step 4 of s1`. `name`: what the other episode is
 * called.
 */
export function originWords({ as, t }: Origin, name: string, outcome: Episode["outcome"]): string {
  if (as === "branch") {
    const isAbandoned = outcome === "abandoned";
    if (t === undefined)
      return isAbandoned
        ? `abandoned branch of ${name}, left before its first step`
        : `goes on from before the first step of ${name}`;
    return isAbandoned
      ? `abandoned branch of ${name}, left after step ${t + 1}`
      : `goes on from step ${t + 1} of ${name}`;
  }
  return t === undefined ? `called by ${name}` : `called by step ${t + 1} of ${name}`;
}
