import type { EvolvedCandidate, Gate } from "../model/evolution.ts";
import { ruleBy, type GateRuling } from "./gate.ts";

/** A candidate under another gate. */
export interface ReplayedCandidate extends GateRuling {
  readonly id: string;
  readonly skillId: string;
  readonly version: number;
  /** As the evolution decided. */
  readonly recorded: EvolvedCandidate["decision"];
  /** The gate's ruling is known, and not the recorded one. */
  readonly differs: boolean;
}

export interface ReplayedEpoch {
  readonly epoch: number;
  readonly candidates: readonly ReplayedCandidate[];
  /** An earlier epoch would have left another library: these candidates would not have been proposed as they are. */
  readonly otherLibrary: boolean;
}

export interface ReplayedGate {
  readonly gate: Gate;
  readonly worthOn: boolean;
  readonly epochs: readonly ReplayedEpoch[];
  /** The first epoch that would have admitted other candidates; undefined where all agree. */
  readonly firstDifferent: number | undefined;
  /** Candidates whose ruling is unknown, because a result was not stored. */
  readonly unknown: number;
}

const NO_ROOM = "The gate admits it, but the library was full of skills that stay.";

function rule(
  candidate: EvolvedCandidate,
  { gate, worthOn, otherLibrary }: { gate: Gate; worthOn: boolean; otherLibrary: boolean },
): GateRuling {
  const ruled = ruleBy(gate, worthOn, candidate);
  if (ruled.ruling !== "admitted" || candidate.decision.noRoom !== true) return ruled;
  return otherLibrary
    ? { ruling: "unknown", reason: `${NO_ROOM} With another library it may have had room.` }
    : { ruling: "refused", reason: NO_ROOM };
}

/**
 * The decisions of another gate from stored results, without a rollout or a model. From the first epoch on that admits other candidates,
 * later ones were proposed with another library than this gate would have left, and are marked so.
 */
export function replayGate(
  epochs: readonly (readonly EvolvedCandidate[])[],
  gate: Gate,
  worthOn: boolean,
): ReplayedGate {
  let firstDifferent: number | undefined;
  const replayed = epochs.map((candidates, i): ReplayedEpoch => {
    const epoch = candidates[0]?.epoch ?? i + 1;
    const otherLibrary = firstDifferent !== undefined;
    const ruled = candidates.map((candidate): ReplayedCandidate => {
      const ruling = rule(candidate, { gate, worthOn, otherLibrary });
      const { id, skillId, version, decision: recorded } = candidate;
      const differs = ruling.ruling !== "unknown" && (ruling.ruling === "admitted") !== recorded.admitted;
      return { id, skillId, version, recorded, differs, ...ruling };
    });
    if (ruled.some(({ differs }) => differs)) firstDifferent ??= epoch;
    return { epoch, candidates: ruled, otherLibrary };
  });
  const unknown = replayed
    .flatMap(({ candidates }) => candidates)
    .filter(({ ruling }) => ruling === "unknown").length;
  return { gate, worthOn, epochs: replayed, firstDifferent, unknown };
}
