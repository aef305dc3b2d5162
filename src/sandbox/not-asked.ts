import type { Action } from "../model/action.ts";
import { FINAL, READ, SEARCH } from "../model/action-types.ts";
import type { PfProgram, PfTraits } from "../model/skill.ts";
import type { NotAsked, PfCall } from "./pf-host.ts";

/** The parts of a PF that decide about which actions it is asked. */
export interface AskedAbout extends Pick<PfTraits, "after">, Pick<PfProgram, "phases"> {}

/** Text that is no action, and actions without a name, belong to no part of an episode but the thinking about all of it. */
const NAMELESS: ReadonlySet<string> = new Set(["invalid", "other"]);

type Asking = Pick<PfCall, "proposed" | "actionTypes" | "finalAction">;

function isSearching(type: string, actionTypes: readonly string[]): boolean {
  if (NAMELESS.has(type)) return false;
  const searches = actionTypes.includes(SEARCH) || actionTypes.includes(READ);
  return !searches || type === SEARCH || type === READ;
}

function isOfPhase(
  phases: readonly string[],
  { proposed, actionTypes, finalAction = FINAL }: Asking,
): boolean {
  if (phases.length === 0 || phases.includes("think")) return true;
  if (proposed.type === finalAction) return phases.includes("answer");
  return phases.includes("search") && isSearching(proposed.type, actionTypes);
}

/** Why a PF is not asked about an action (SPEC §2, `applicable_phases`; §3, observations); undefined where it is. */
export function whyNotAsked({ after, phases = [] }: AskedAbout, call: PfCall): NotAsked | undefined {
  if (!isOfPhase(phases, call)) return "phase";
  return after.includes(call.proposed.type) === (call.pass === "post") ? undefined : "pass";
}

export function notAskedWords(why: NotAsked, { type }: Pick<Action, "type">): string {
  return why === "pass"
    ? `it is asked after the ${type} has run, not before`
    : "the skill does not apply to this phase (applicable_phases)";
}
