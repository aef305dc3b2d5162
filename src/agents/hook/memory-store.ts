import { foldLive } from "../../trace/live-fold.ts";
import type { SessionState, SessionStore } from "./session-store.ts";

/** One session in memory that begins with these lines: what would be recorded is read from it, and nothing is written. */
export function memoryStore(begin: readonly string[]): SessionStore & { recorded(): readonly string[] } {
  let lines = [...begin];
  let saved: SessionState | undefined;
  return {
    exclusively: (_id, _deadline, work) => work(true),
    // One that begins with lines is rebuilt from them.
    state: async () => saved,
    save: async (_id, state) => void (saved = state),
    lines: async () => lines,
    size: async () => lines.length,
    append: async (_episode, more) => void (lines = [...lines, ...more]),
    idle: async () => [],
    finish: async () => undefined,
    recorded: () => lines,
  };
}

export function recordedEpisode(lines: readonly string[]): ReturnType<typeof foldLive>["value"] {
  return foldLive(lines, "session").value;
}
