/** Time and chance, as this room needs them; `src/platform/timing.ts` implements it, tests bring their own. */
export interface Timing {
  /** Milliseconds since 1970. */
  now(): number;
  /** At least 0, below 1. */
  random(): number;
  /** Runs `action` once, `ms` milliseconds from now. The answer calls it off. */
  after(ms: number, action: () => void): () => void;
  /** Resolves `ms` milliseconds from now; rejects with the signal's reason as soon as that aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}
