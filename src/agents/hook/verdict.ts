import type { Degradation } from "../../model/hook-degradations.ts";

/** What a host is told about one event. */
export interface HookVerdict {
  /** `change`: the call runs with `input`. `refuse`: nothing runs. `hold`: the agent goes on. `allow`: as if we were not there. */
  readonly kind: "allow" | "change" | "refuse" | "hold";
  /** The host's input, with `change`. */
  readonly input?: unknown;
  /** What the agent reads, with `refuse` and `hold`. */
  readonly text?: string;
  /** What the person may read of a change. */
  readonly reason: string;
  /** What the agent reads besides. */
  readonly injects: readonly string[];
  /** What the person reads. */
  readonly tell?: string;
  readonly degraded: readonly Degradation[];
}

export const ALLOW: HookVerdict = { kind: "allow", reason: "", injects: [], degraded: [] };
