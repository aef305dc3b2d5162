import type { Action } from "./action.ts";
import type { PfEvent } from "./intervention.ts";

/** What became of one PF on a step, before an edit of the library and after it; undefined where it was or is not there. */
export interface PfChange {
  readonly skillId: string;
  readonly before: PfEvent | undefined;
  readonly after: PfEvent | undefined;
}

/** A recorded step on which an edit of the library changed what would happen. */
export interface StepChange {
  /** 0-based. */
  readonly t: number;
  readonly pfs: readonly PfChange[];
  /** What would have run. */
  readonly executedBefore: Action;
  readonly executedAfter: Action;
}

/** How an edit of the library changes its decisions on one recorded episode. */
export interface WhatIf {
  readonly changes: readonly StepChange[];
  /** Steps (0-based) that another path would have led past, before the edit and after it. */
  readonly divergedBefore: readonly number[];
  readonly divergedAfter: readonly number[];
}
