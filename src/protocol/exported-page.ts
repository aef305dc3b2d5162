import type { Episode } from "../model/episode.ts";
import type { FoundPattern } from "../model/failure-pattern.ts";
import type { Note } from "../model/note.ts";
import type { ContextChange } from "./context-changes.ts";
import type { PooledEpisode } from "./judged-pool.ts";
import type { PackedSignals } from "./packed-signals.ts";
import type { PromptPart } from "./read-prompt.ts";
import type { JudgedPf, OpenedRun } from "./replay.ts";

/** What an exported page knows without reading an episode: the JSON of the element `RUN_ELEMENT`. */
export interface PageRun {
  readonly opened: OpenedRun;
  readonly notes: readonly Note[];
  /** By position of the episode; absent where nobody looked for patterns. */
  readonly patterns?: readonly (readonly FoundPattern[])[];
  /** What the judgements of the episodes refer to; absent where nobody judged. */
  readonly pool?: readonly JudgedPf[];
}

/** The JSON of the element `episodeElement(index)`, read when somebody looks at the episode. */
export interface PageEpisode {
  readonly episode: Episode;
  readonly contexts: readonly ContextChange[];
  readonly judged?: PooledEpisode;
  readonly signals?: PackedSignals;
}

/** The JSON of the element `MESSAGES_ELEMENT`: the stored prompts that the episodes refer to, each after the one it extends. */
export type PageMessages =
  | readonly (PromptPart & { readonly id: string; readonly from?: string })[]
  /** With them the page would have been too large. */
  | "left out";

/** Id of the element that holds the messages of all episodes; absent where no record keeps any. */
export const MESSAGES_ELEMENT = "hasp-messages";

/** Id of the element that holds the run. */
export const RUN_ELEMENT = "hasp-run";

/** Id of the element that holds the episode at this position. */
export function episodeElement(index: number): string {
  return `hasp-episode-${index}`;
}
