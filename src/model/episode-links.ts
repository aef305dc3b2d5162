import type { Episode, Origin, Step } from "./episode.ts";

/** The keys of `extra` with the ids of the episodes that came out of a step, or of an episode at no known step. */
export const LINK_KEYS: Readonly<Record<Origin["as"], string>> = {
  branch: "branches",
  sub_agent: "subAgents",
};

/** Ids of the episodes that came out of this step: abandoned branches that left after it, or sub-agents that it called. */
export function linkedFrom({ extra }: Pick<Step | Episode, "extra">, as: Origin["as"]): readonly string[] {
  const ids = extra?.[LINK_KEYS[as]];
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
}

/** `abandoned branch of s1, left after step 3`, `called by step 4 of s1`. `name`: what the other episode is called. */
export function originWords({ as, t }: Origin, name: string): string {
  if (as === "branch")
    return t === undefined
      ? `abandoned branch of ${name}, left before its first step`
      : `abandoned branch of ${name}, left after step ${t + 1}`;
  return t === undefined ? `called by ${name}` : `called by step ${t + 1} of ${name}`;
}
