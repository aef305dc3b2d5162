import type { Checked } from "../../model/diagnostic.ts";
import type { ExperimentName } from "../../model/experiment.ts";
import type { Run } from "../../model/episode.ts";
import type { SignalWeights } from "../../model/signals.ts";
import type { Objective, RowFilter } from "../../model/train-data.ts";
import type { Clock, TraceFiles } from "../../trace/ports.ts";
import type { NamedText, TextFiles } from "../named-text.ts";
import type { Progress } from "../progress.ts";
import type { SignalsRun } from "../signals.ts";

/** A run of which rows are made, under the name that its rows carry. */
export interface TrainRun extends SignalsRun {
  /** Its `run.json`, where it can be read. */
  readonly about: Run | undefined;
}

/** The rules by which rows are made. */
export interface RowRules {
  readonly weights: SignalWeights;
  /** The least reward of a step, and so of its row. */
  readonly floor: number;
  readonly filter: RowFilter;
  /** Also pairs of a policy's own second proposal and its first one. */
  readonly dpoRevised: boolean;
  /** No rows whose prompt is that of a transcript. */
  readonly exactPrompts: boolean;
  /** The most tokens of a row, guessed; undefined: any number. */
  readonly maxTokens: number | undefined;
}

export interface TrainDataOrder extends RowRules {
  readonly objectives: readonly Objective[];
  readonly runs: readonly TrainRun[];
  /** Files of questions that no row may be about, beside the test and validation splits that the runs tell. */
  readonly heldOut: readonly NamedText[];
  /** Files of candidates for objective B. */
  readonly candidates: readonly NamedText[];
  readonly experiment: ExperimentName | undefined;
  /** No row at all is no error: the files are then written empty. */
  readonly allowEmpty: boolean;
  /** The folder of the files; undefined: nothing is written, for a preview. */
  readonly output: string | undefined;
  readonly signal: AbortSignal;
}

export interface TrainDataServices {
  readonly files: TraceFiles & TextFiles;
  readonly clock: Clock;
  /** Hides secrets. A record has none; an import from elsewhere may. */
  readonly redact: (text: string) => string;
  /** Reads a file that a run names, as its faces find it. */
  readonly readNamed: (file: string) => Promise<Checked<NamedText>>;
  readonly on: (event: Progress) => void;
}
