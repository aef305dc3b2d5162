import type { Fault } from "./wire.ts";
import { LIMITS } from "./wire.ts";

/** Counts how often each PF broke the sandbox, and says why one is no longer run. */
export interface Strikes {
  add(skillId: string, fault: Fault): void;
  /** Set once a PF has used up its strikes. */
  barred(skillId: string): Fault | undefined;
  clear(): void;
}

/** A PF that breaks the sandbox at every step would cost a backtest one deadline a step. */
export function countStrikes(): Strikes {
  const counts = new Map<string, { count: number; last: Fault }>();
  return {
    add(skillId, fault) {
      counts.set(skillId, { count: (counts.get(skillId)?.count ?? 0) + 1, last: fault });
    },
    barred(skillId) {
      const entry = counts.get(skillId);
      if (entry === undefined || entry.count < LIMITS.strikes) return undefined;
      return {
        ...entry.last,
        message: `is no longer run, after it broke the sandbox ${LIMITS.strikes} times: it ${entry.last.message}`,
      };
    },
    clear: () => counts.clear(),
  };
}
