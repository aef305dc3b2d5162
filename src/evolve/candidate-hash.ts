import { hashText } from "../trace/hash.ts";
import { hasEffect } from "./held-out-worth.ts";
import { bareCode } from "./refusals/code-text.ts";
import type { PlacedWorth } from "./worth-episodes.ts";

/** Equal for Program Functions that differ in comments and layout alone. */
export const programHash = (pf: string): string => hashText(bareCode(pf));

/** Equal for candidates with the same effects on the same judged episodes; empty for one without an effect. */
export function effectsHash(episodes: readonly PlacedWorth[]): string {
  if (!episodes.some(hasEffect)) return "";
  const places = episodes.map((one) => JSON.stringify([one.run, one.index, one.outcome, hasEffect(one)]));
  return hashText(places.toSorted().join("\n"));
}
