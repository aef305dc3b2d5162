import type { Fact } from "./facts.ts";

/**
 * The orders that this user has made or allowed: the files that say what a job, an experiment or an evolution does. A folder of a clone, or one
 * that somebody sent, holds orders of strangers: each acts only after a yes to exactly this content.
 */
export interface OwnRecords {
  /** Whether the file, with exactly this text, was made or allowed by this user. */
  has(file: string, text: string): boolean;
  /** Keeps that it was. */
  keep(file: string, text: string): void;
}

/** Nobody's orders: for those who only look. */
export const NO_RECORDS: OwnRecords = { has: () => false, keep: () => undefined };

/** An order that lies in a workspace, as a person is asked about it. */
export interface WorkspaceOrder {
  /** `job run-1126`. */
  readonly name: string;
  /** Its file. */
  readonly file: string;
  readonly text: string;
  readonly facts: readonly Fact[];
  /** Why nobody may allow it. */
  readonly refused?: string | undefined;
}
