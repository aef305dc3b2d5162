import type { Episode } from "./episode.ts";

/**
 * `running`: the file of the episode was written to within the last half minute, at least by a heartbeat. `stopped`: it was
 * not, so the run was killed and the episode will not go on by itself (docs/formats.md).
 */
export type LiveState = "running" | "stopped";

/** An episode that is not in `episodes.jsonl` yet, as a list shows it. */
export interface LiveHead {
  readonly id: string;
  readonly questionId: string;
  readonly question: string;
  /** Steps that began, the one in progress included. */
  readonly length: number;
  readonly state: LiveState;
}

/**
 * What is known of the last step: `proposed`, and its PFs have not answered; `judged`, and nothing was executed; `executed`, and no
 * observation came. Undefined: the step is whole, or there is none.
 */
export type StepPhase = "proposed" | "judged" | "executed" | undefined;

/** An episode as far as it has come. It is a valid one at every moment. */
export interface PartialEpisode {
  /** Its outcome is `halted` until it has finished. While the last step is not executed, its `executed` repeats what was proposed. */
  readonly episode: Episode;
  readonly phase: StepPhase;
}
