import type { FamilyNumbers, SignalPart, SlotNumbers } from "./signals.ts";
import type { Objective, RowFilter, RowPlace, TrainFile } from "./train-data.ts";

export const CARD_SCHEMA = "hasp.data-card/1";

/** Rows of one group, such as those in which a skill acted. */
export interface GroupRows {
  readonly name: string;
  readonly rows: number;
  /** Mean weight. */
  readonly weight: number;
}

/** A count with its reason. */
export interface Dropped {
  /** In words. */
  readonly reason: string;
  readonly steps: number;
}

/** A row as a card shows it. */
export interface SampleRow extends RowPlace {
  /** 1-based line of the file. */
  readonly line: number;
  readonly weight: number;
  readonly skills: string;
  readonly correction: string;
  /** The end of the prompt, and the target; both cut. */
  readonly prompt: string;
  readonly target: string;
  /** Of a DPO row. */
  readonly rejected?: string;
}

/** The data card of one file of training data. */
export interface DataCard {
  readonly schema: typeof CARD_SCHEMA;
  readonly file: string;
  readonly kind: TrainFile;
  readonly objective: Objective;
  readonly domain: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly rows: number;
  /** Runs that were read, with their episodes and steps. */
  readonly sources: readonly {
    readonly run: string;
    readonly episodes: number;
    readonly steps: number;
    readonly rows: number;
  }[];
  readonly order: {
    readonly filter: RowFilter;
    readonly floor: number;
    readonly dpoRevised: boolean;
    readonly weights: {
      readonly families: FamilyNumbers;
      readonly slots: SlotNumbers;
      readonly dropped: readonly SignalPart[];
    };
  };
  /** Steps that were measured, and those of them with a reward of at least the floor. */
  readonly scored: { readonly steps: number; readonly overFloor: number; readonly reward: number };
  readonly bySkill: readonly GroupRows[];
  readonly byCorrection: readonly GroupRows[];
  /** Rows in which a family is over 0; absent in objective B, which has no signals. */
  readonly byFamily?: readonly GroupRows[];
  /** Mean value of each family over the rows. */
  readonly families: FamilyNumbers;
  /** Rows by weight in tenths: `[0]` 0 to under 0.1; the last 0.9 and more. */
  readonly histogram: readonly number[];
  /** Guessed from characters, four a token. */
  readonly tokens: { readonly prompt: number; readonly target: number; readonly longestRow: number };
  readonly dropped: readonly Dropped[];
  /** Rows whose policy was a record or a script: no model wrote their completion. */
  readonly rendered: number;
  /** Rows whose prompt is that of a transcript: what the host sends besides is not in it. */
  readonly transcripts: number;
  readonly heldOutQuestions: number;
  readonly notices: readonly string[];
  /** The first rows. */
  readonly sample: readonly SampleRow[];
}
