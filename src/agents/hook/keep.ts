import { afterEnd, endEpisode } from "./moments.ts";
import type { HookEvent } from "./event.ts";
import type { HeldSession } from "./session-store.ts";
import type { Turn } from "./turn.ts";
import type { Visit } from "./visit.ts";

function stopReasonOf({ reason }: HookEvent): string {
  return reason === undefined ? "session_end" : `session_end: ${reason.slice(0, 60)}`;
}

/** Writes what an event changed: first the record, then the state, which is rebuilt from the record where it is lost between the two. */
export async function keep({ event, place }: Visit, held: HeldSession, turn: Turn): Promise<void> {
  const { store, library } = place;
  const { record } = library.settings;
  const ends = event.kind === "session-end" && endEpisode(turn, stopReasonOf(event));
  const { episode } = turn.state;
  if (record && turn.lines.length > 0)
    await held.append(
      episode,
      turn.lines.map((line) => JSON.stringify(line)),
    );
  if (ends && record) await held.finish(episode);
  const state = ends ? afterEnd(turn) : turn.state;
  const offset = record ? await store.size(state.episode) : 0;
  await held.save({ ...state, offset });
}
