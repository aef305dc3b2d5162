import type { Episode } from "../../model/episode.ts";
import { correctionOf } from "./evidence.ts";

/** Where a recorded policy lost the thread of its record: it has not read what HASP did at this step. */
export interface Divergence {
  /** 0-based; the step itself is as the record says, those behind it are not. */
  readonly t: number;
  readonly by: "action" | "context";
}

const RECORDED = /^recorded:/;

/** Whether the proposals of this episode were read from a record, and not made for what its policy saw. */
export function isRedriven({ settings }: Pick<Episode, "settings">): boolean {
  return RECORDED.test(settings?.policy ?? "");
}

/**
 * The first step of a re-driven episode at which another action ran than was proposed, or a context was added that the recorded policy
 * never read (SPEC §8, Readings); undefined where there is none, and for every other episode.
 */
export function divergenceOf(episode: Pick<Episode, "settings" | "steps">): Divergence | undefined {
  if (!isRedriven(episode)) return undefined;
  for (const step of episode.steps) {
    if (correctionOf(step) === "modified") return { t: step.t, by: "action" };
    if (step.injected.length > 0) return { t: step.t, by: "context" };
  }
  return undefined;
}
