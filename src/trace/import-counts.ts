import type { ImportFormat } from "./formats/formats.ts";
import type { ImportLedger } from "./formats/ledger.ts";

/** What the episodes of one file are. */
export interface FileCounts {
  episodes: number;
  steps: number;
  /** Abandoned branches, and their steps. */
  abandoned: number;
  abandonedSteps: number;
  /** Episodes of sub-agents. */
  subAgents: number;
  /** Episodes without a step, and those that no question could be found for. */
  withoutStep: number;
  withoutQuestion: number;
}

export const noCounts = (): FileCounts => ({
  episodes: 0,
  steps: 0,
  abandoned: 0,
  abandonedSteps: 0,
  subAgents: 0,
  withoutStep: 0,
  withoutQuestion: 0,
});

/** What became of one file. */
export interface ImportedFile extends ImportLedger, FileCounts {
  readonly file: string;
  readonly format: ImportFormat;
}
