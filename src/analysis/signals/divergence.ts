import type { Episode } from "../../model/episode.ts";
import { finalActionOf } from "../../model/action-types.ts";
import { isRecorded } from "../../model/recorded-policy.ts";
import { correctionOf } from "./evidence.ts";

/** The step at which a recorded policy left its record: it never read what HASP did there. */
export interface Divergence {
  /** 0-based; the step itself is as the record says, those behind it are not. */
  readonly t: number;
  readonly by: "action" | "context";
}

/** Whether the proposals of this episode were read from a record, and not made for what its policy saw. */
export function isRedriven({ settings }: Pick<Episode, "settings">): boolean {
  return isRecorded(settings?.policy);
}

/**
 * The first step of a re-driven episode at which another action ran than was proposed, or a context was added that the recorded policy
 * never read (SPEC §8, Readings), but for an answer that was reworded as it was given; undefined where there is none, and for every other episode.
 */
export function divergenceOf(episode: Pick<Episode, "settings" | "steps" | "facts">): Divergence | undefined {
  if (!isRedriven(episode)) return undefined;
  const { steps, facts } = episode;
  for (const [i, step] of steps.entries()) {
    // An answer that was reworded and given is the one that was judged.
    const isAnswer = i === steps.length - 1 && step.executed.type === finalActionOf(facts);
    if (correctionOf(step) === "modified" && !isAnswer) return { t: step.t, by: "action" };
    if (step.injected.length > 0) return { t: step.t, by: "context" };
  }
  return undefined;
}
