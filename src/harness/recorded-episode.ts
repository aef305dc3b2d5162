import { redactTexts } from "../llm/redact.ts";
import type { Episode } from "../model/episode.ts";
import { orLeave, startLive, type StepLiveEvent } from "../trace/live.ts";
import type { Started } from "../trace/live-events.ts";
import type { MessageStore } from "../trace/message-store.ts";
import type { TraceFiles } from "../trace/ports.ts";
import type { EpisodeEnd } from "./ending.ts";
import { runEpisode, type EpisodeTask } from "./loop.ts";

/** A run folder that episodes are recorded into. */
export interface EpisodeFolder {
  readonly files: TraceFiles;
  /** Holds `run.json` already. */
  readonly folder: string;
  /** Keeps what the policies read, in the folder. */
  readonly messages: MessageStore;
}

/** One episode: what is known before its first step, all that it runs with, and its end. */
export interface RecordedTask {
  readonly started: Omit<Started, "schema" | "event">;
  readonly task: Omit<EpisodeTask, "conversation">;
  /** The end as it is recorded; undefined: the episode leaves no trace. */
  readonly endAs: (end: EpisodeEnd) => EpisodeEnd | undefined;
  readonly signal: AbortSignal;
}

/**
 * Runs an episode and records it, without secrets. Undefined where `endAs` keeps none. Rejects as `runEpisode` does; the live file then
 * tells how far it came.
 */
export async function recordEpisode(
  { files, folder, messages }: EpisodeFolder,
  { started, task, endAs, signal }: RecordedTask,
): Promise<Episode | undefined> {
  const { redact } = task;
  const live = startLive(files, folder, redactTexts(started, redact));
  const recorder = { record: (event: StepLiveEvent) => live.record(redactTexts(event, redact)) };
  return orLeave(live, async () => {
    const end = endAs(await runEpisode({ ...task, conversation: messages.conversation() }, recorder, signal));
    if (end === undefined) {
      await live.discard();
      return undefined;
    }
    // An episode is not in the file before what its policy read.
    await messages.settled();
    return live.finish(redactTexts(end, redact));
  });
}
