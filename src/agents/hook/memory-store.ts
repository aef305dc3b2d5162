import { foldLive } from "../../trace/live-fold.ts";
import type { HeldSession, SessionState, SessionStore } from "./session-store.ts";

/** One session in memory that begins with these lines: what would be recorded is read from it, and nothing is written. */
export function memoryStore(begin: readonly string[]): SessionStore & { recorded(): readonly string[] } {
  let lines = [...begin];
  let saved: SessionState | undefined;
  const held: HeldSession = {
    save: async (state) => void (saved = state),
    append: async (_episode, more) => void (lines = [...lines, ...more]),
    finish: async () => undefined,
    left: async () => [],
    release: () => undefined,
  };
  return {
    take: async () => held,
    // One that begins with lines is rebuilt from them.
    state: async () => saved,
    leave: async () => undefined,
    hasLeft: async () => false,
    lines: async () => lines,
    size: async () => lines.length,
    idle: async () => [],
    recorded: () => lines,
  };
}

export function recordedEpisode(lines: readonly string[]): ReturnType<typeof foldLive>["value"] {
  return foldLive(lines, "session").value;
}
