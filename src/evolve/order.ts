import type { RunOrder } from "../app/run/questions.ts";
import type { RunServices } from "../app/run/parts.ts";
import type { ModelOrder } from "../app/run/models.ts";
import type { TrainDataServices } from "../app/train-data/order.ts";
import type { BacktestRun } from "../app/backtest.ts";
import type { ControlChoice } from "../app/run/settings.ts";
import type { Progress } from "../app/progress.ts";
import type { Domain } from "../domains/domain.ts";
import type { EvolvedCandidate, EvolveMode, Gate, Phase } from "../model/evolution.ts";
import type { OwnRecords } from "../model/own-records.ts";
import type { LibraryFiles } from "./library-files.ts";

/** Live rollouts of a policy on the seed and the validation split of a file of questions. */
export interface LiveRollouts {
  readonly kind: "live";
  /** As a run of the questions; its folder, split and budget are those of the evolution. */
  readonly run: Omit<RunOrder, "folder" | "split" | "resume" | "maxDollars">;
  /**
   * Control of a first, cheap rollout without skills, after which only the questions that fail are rolled out with skills (SPEC §7 A);
   * undefined: every question is rolled out with skills.
   */
  readonly prefilter: ControlChoice | undefined;
}

/** Recorded runs, which are the same in every epoch. Their questions are dealt out to author, gate and final reading. */
export interface RecordedRollouts {
  readonly kind: "recorded";
  readonly runs: readonly BacktestRun[];
}

/** Sizes of an epoch; see `EVOLVE_LIMITS`. */
export interface EvolveCaps {
  /** Candidates of an epoch. */
  readonly candidates: number;
  readonly minClusterSize: number;
  /** Acting skills of the domain. */
  readonly librarySize: number;
}

/** An evolution as a person asks for it. */
export interface EvolveOrder {
  /** Gets the artifacts of all epochs; one that holds the same order is resumed. */
  readonly folder: string;
  readonly domain: Domain;
  /** The folder of generated skills, `skills/<domain>/generated`. */
  readonly generated: string;
  readonly epochs: number;
  readonly mode: EvolveMode;
  readonly gate: Gate;
  /** Whether held-out worth decides, too. */
  readonly worth: boolean;
  readonly caps: EvolveCaps;
  readonly rollouts: LiveRollouts | RecordedRollouts;
  /** The student as the author of skills. */
  readonly author: ModelOrder;
  /** Summarises failures and reviews candidates. */
  readonly teacher: ModelOrder | undefined;
  /** Ids of generated skills that never make room for others. */
  readonly pinned: readonly string[];
  /** Deals out questions, and samples the author. */
  readonly seed: number;
  /** US dollars of all models together, of all sittings. */
  readonly maxDollars: number | undefined;
}

/** A phase begins, ends, or was done in an earlier sitting. */
export interface PhaseEvent {
  readonly kind: "phase";
  readonly epoch: number;
  readonly phase: Phase;
  readonly status: "begun" | "done" | "done before";
  /** Its result in a sentence, once it is done. */
  readonly words?: string;
}

export type EvolveEvent =
  | PhaseEvent
  | Progress
  | { readonly kind: "candidate"; readonly candidate: EvolvedCandidate }
  | { readonly kind: "trouble"; readonly message: string };

/** Services of an evolution. `readSkills` gives the acting library of the domain, generated skills included, as it is at that moment. */
export interface EvolveServices extends RunServices {
  readonly library: LibraryFiles;
  /** Knows `evolution.json` of this user's evolutions, by its name as the files take it. */
  readonly own: OwnRecords;
  readonly training: Pick<TrainDataServices, "redact" | "readNamed">;
  /** Ends the evolution at once; calls in flight are repeated when it is resumed. */
  readonly signal: AbortSignal;
  /** Ends the evolution once the running phase is done. */
  readonly stop: AbortSignal;
  readonly on: (event: EvolveEvent) => void;
}
