import type { StepContext } from "../model/step-context.ts";
import type { PfState } from "../sandbox/pf-host.ts";
import type { Proposal } from "../model/episode.ts";
import type { Injected } from "./weigh.ts";

/** A session between two processes: `hasp hook` is one process for each event of an agent. */
export interface SavedSession {
  readonly context: StepContext;
  readonly states: readonly (readonly [skillId: string, state: PfState])[];
  readonly heldBack: readonly Injected[] | undefined;
  readonly standing: readonly string[];
  /** Absent in a session of an earlier version. */
  readonly told?: number;
  readonly observation: string;
  readonly last: string | undefined;
  readonly overridden: number;
  readonly round: number;
}

/** The state before the first step. */
export function freshState(context: StepContext): State {
  return {
    context,
    states: new Map(),
    heldBack: undefined,
    standing: new Set(),
    told: 0,
    observation: "",
    last: undefined,
    overridden: 0,
    round: 1,
    underWay: undefined,
    untaken: undefined,
  };
}

export const restored = (saved: SavedSession): State => ({
  ...saved,
  states: new Map(saved.states),
  standing: new Set(saved.standing),
  told: saved.told ?? 0,
  underWay: undefined,
  untaken: undefined,
});

export const savedFrom = ({ underWay: _underWay, untaken: _untaken, ...state }: State): SavedSession => ({
  ...state,
  states: [...state.states],
  standing: [...state.standing],
});

/** Mutable state of one session. */
export interface State {
  context: StepContext;
  states: ReadonlyMap<string, PfState>;
  /** The contexts that held back the FINAL of this step. */
  heldBack: readonly Injected[] | undefined;
  standing: ReadonlySet<string>;
  /** Contexts that the policy reads with the latest observation. */
  told: number;
  observation: string;
  last: string | undefined;
  /** FINALs that handlers have overridden. */
  overridden: number;
  round: number;
  /** The latest proposal, until its action has run. */
  underWay: Asked | undefined;
  /** The latest answer that was not taken: replaced, held back, or sent to another round. */
  untaken: string | undefined;
}

/** The subject of a question to PFs: a proposal, or an action that has run, in its step. */
export interface Asked {
  readonly t: number;
  readonly proposal: Proposal;
  /** Which proposal of the step it is, or came from. */
  readonly nth: number;
  /** Contexts that the step has injected so far. */
  readonly injected: readonly Injected[];
}
