import type { TeacherCall } from "../model/intervention.ts";
import type { PfTraits } from "../model/skill.ts";
import type { Probe } from "../model/explanation.ts";
import type { StepContext } from "../model/step-context.ts";
import type { PfCall, PfState, PfVerdict, PfVote } from "./pf-host.ts";

/** What went wrong with a PF, in words for its author; `line` is 1-based in `pf.ts`. */
export interface Fault {
  /** As in the `error` verdict. */
  readonly cause: Extract<PfVerdict, { kind: "error" }>["cause"];
  readonly message: string;
  readonly line?: number;
}

/** One PF of a crossing: the state it starts from, and what the teacher answered to its earlier asks in this step. */
export interface JudgedPf {
  readonly skillId: string;
  readonly state: PfState;
  readonly answers: readonly TeacherCall[];
}

/** A verdict; in mock calls with what shouldActivate said. */
export type GuestVerdict = PfVerdict & { readonly activated?: boolean };

/** A PF as it enters the sandbox: its id alone where its state is fresh and nothing was answered. */
export type SentPf = JudgedPf | string;

/**
 * A question as it enters the sandbox, which reads slowly: what it has in common with the one before it stays out. Each context of an
 * episode holds all texts read so far, so that whole ones would grow with the square of the steps.
 */
export interface SentStep extends Pick<PfCall, "proposed" | "pass"> {
  /** Fields of the context that are not as before; all of them where `whole`. */
  readonly changed: Partial<StepContext>;
  /** Lists of the context that are as before, but longer: what came to their ends. */
  readonly grown?: Readonly<Record<string, readonly unknown[]>>;
  /** Builds on nothing before it. */
  readonly whole?: true;
  /** Absent where they are the same as before. */
  readonly actionTypes?: readonly string[];
  /** Absent where no budget is used up. */
  readonly spent?: readonly string[];
  /** The teacher's recorded replies; absent where no teacher was there, or where a live one is asked. */
  readonly replies?: SentReplies;
  /** Positions in `pfs` of those that are asked; absent where all are. The others stay unmoved. */
  readonly asked?: readonly number[];
}

export type SentReplies = readonly (readonly [skillId: string, calls: readonly TeacherCall[]])[];

/** Every PF judges every step, each threading its own state. Goes into the sandbox as JSON. */
export interface JudgeRequest {
  readonly pfs: readonly SentPf[];
  readonly steps: readonly SentStep[];
  /** MODIFY_ACTION fires per episode of a PF without a cap of its own. */
  readonly modifyCap: number;
  /** PFs that need a teacher get a live one. Only for a single step, which has no recorded replies. */
  readonly canAsk: boolean;
  /** `mock`: every step starts from the given state, and `intervene` runs whatever `shouldActivate` said. */
  readonly mode: "episode" | "mock";
}

/** What one PF came to: a verdict per step, or questions that have to be answered before it can go on. */
export type Judged =
  | { readonly skillId: string; readonly verdicts: readonly GuestVerdict[] }
  | { readonly skillId: string; readonly asks: readonly TeacherCall[] };

/**
 * In place of a `skipped` verdict that left the PF's state as it was: what most PFs say to most steps, and for 26 of them the
 * same words 26 times over.
 */
export const UNMOVED = 0;
export type Unmoved = typeof UNMOVED;

/** What leaves the sandbox: of a PF that every step left unmoved, the id alone. */
export type SentVerdict = GuestVerdict | Unmoved;
export type SentJudged =
  | string
  | { readonly skillId: string; readonly verdicts: readonly SentVerdict[] }
  | Extract<Judged, { readonly asks: unknown }>;

/** A PF that votes; only its memory counts. */
export interface VotingPf extends Pick<PfState, "memory"> {
  readonly skillId: string;
}

/** PFs vote on an answer that would be given. Goes into the sandbox as JSON, in the place of a JudgeRequest. */
export interface VoteRequest {
  readonly mode: "vote";
  readonly pfs: readonly VotingPf[];
  readonly question: Pick<PfCall, "context" | "proposed">;
}

export type SentVote = PfVote;

export interface ProbeRequest {
  readonly state: PfState;
  readonly question: PfCall;
}

export interface ProbeReply {
  readonly activated?: boolean;
  readonly probes: readonly Probe[];
  readonly error?: string;
}

/** What leaves the sandbox after a crossing. `broken`: the sandbox must be thrown away, nothing was decided. */
export type Reply<T> = { readonly value: T } | { readonly broken: Fault };

export type LoadReply = Reply<{ readonly traits: PfTraits } | { readonly fault: Fault }>;

/** The limits a sandbox promises to keep. */
export const LIMITS = {
  memoryBytes: 64 * 1024 * 1024,
  stackBytes: 256 * 1024,
  /** Milliseconds for one PF on one step, and the floor of every crossing. */
  stepMs: 250,
  /** Milliseconds more for every further PF and step of a crossing; an ordinary PF takes a tenth of it. */
  furtherMs: 5,
  /** Milliseconds that no crossing exceeds. */
  crossingMs: 5_000,
  /** Characters of JSON that may enter in one crossing; more would not fit into the memory. */
  requestChars: 8_000_000,
  /** Characters of one program. */
  programChars: 1_000_000,
  /** Questions of one PF to the teacher in one step. */
  asks: 10,
  /** How often a PF may break the sandbox before it is no longer run. */
  strikes: 3,
} as const;

/** Milliseconds that a crossing of so many evaluations, each of one PF on one step, may take. `stepMs`: for one. */
export function crossingDeadline(evaluations: number, stepMs: number): number {
  return Math.min(stepMs + LIMITS.furtherMs * Math.max(0, evaluations - 1), LIMITS.crossingMs);
}

/** The face of the guest script to its host. All arguments and results are strings, except the namespace of a PF. */
export interface Guest {
  /** The exports of the module `hasp`. */
  readonly module: Readonly<Record<string, unknown>>;
  /** Takes away what PFs must not reach and freezes the rest. Called once, before any PF is loaded. */
  harden(probing: boolean): void;
  /** Takes in an evaluated PF module. Answers `{ traits }` or `{ fault }` as JSON. */
  register(skillId: string, namespace: unknown): string;
  /** What an error thrown by a PF module says: Fault as JSON. */
  describe(skillId: string, thrown: unknown): string;
  /** Starts a JudgeRequest or a VoteRequest. */
  begin(request: string): void;
  /** Once all jobs have run: `Reply<SentJudged[]>`, or `Reply<SentVote[]>`, as JSON, or "" when the jobs have to run again. */
  poll(): string;
  /** Runs shouldActivate once: ProbeReply as JSON. */
  probe(skillId: string, request: string): string;
}
