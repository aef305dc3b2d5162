import { counted } from "../../model/counted.ts";
import { READ, SEARCH } from "../../model/action-types.ts";
import type { SignalSlot, SlotValue } from "../../model/signals.ts";
import type { StepEvidence } from "./evidence.ts";

/** A FINAL before this step count is risky (SPEC §6). */
const EARLY_STEPS = 3;
/** The steps that cost nothing, and the steps over them that cost everything (SPEC §6). */
const [FREE_STEPS, COSTLY_STEPS] = [15, 10];

const zero = (reason: string): SlotValue => ({ value: 0, reason });
const one = (reason: string): SlotValue => ({ value: 1, reason });

/**
 * Why a step is risky, by the action that the policy proposed; undefined where it is not (SPEC §6): a final action with nothing read, a
 * final action at a step count under 3, or a search after an empty one.
 */
export function riskOf({ proposed, finalAction, context }: StepEvidence): string | undefined {
  if (proposed.type === finalAction && !context.hasRead) return `${finalAction} with nothing read`;
  if (proposed.type === finalAction && context.stepCount < EARLY_STEPS)
    return `${finalAction} at step count ${context.stepCount}, under ${EARLY_STEPS}`;
  if (proposed.type === SEARCH && context.emptyResults) return "SEARCH after an empty result";
  return undefined;
}

/** `FINAL → READ`, of the first proposal and the executed action. */
const transition = ({ proposed, executed }: StepEvidence): string => `${proposed.type} → ${executed.type}`;

const isModified = ({ correction }: StepEvidence): boolean => correction === "modified";

/** Worth of a change by the types of both actions; `other` is that of all other modifications. */
interface Table {
  readonly toRead: number;
  readonly toSearch?: number;
  readonly rewrite?: number;
  readonly other: number;
}
const LOCAL: Table = { toRead: 0.8, toSearch: 0.7, rewrite: 0.5, other: 0.3 };
const SEMANTIC: Table = { toRead: 0.7, other: 0.5 };
/** Of `s3.semantic`, where the action ran as proposed. */
const SEMANTIC_UNCHANGED = 0.3;

function changeWorth(evidence: StepEvidence, table: Table): number {
  const { proposed, executed, finalAction } = evidence;
  const { toRead, other, toSearch = other, rewrite = other } = table;
  if (proposed.type === finalAction && executed.type === READ) return toRead;
  if (proposed.type === finalAction && executed.type === SEARCH) return toSearch;
  return proposed.type === SEARCH && executed.type === SEARCH ? rewrite : other;
}

function syntactic({ executed, actionTypes }: StepEvidence): SlotValue {
  if (!actionTypes.includes(executed.type)) return zero(`${executed.type} is no action of the environment`);
  return executed.arg.trim() === ""
    ? zero(`${executed.type} has an empty argument`)
    : one(`${executed.type} is valid and has an argument`);
}

function semantic(evidence: StepEvidence): SlotValue {
  const { semantic: judged } = evidence;
  if (judged !== undefined) return { value: judged.score, reason: `judged by ${judged.by}` };
  if (!isModified(evidence))
    return { value: SEMANTIC_UNCHANGED, reason: "without a teacher: the action was not modified" };
  return {
    value: changeWorth(evidence, SEMANTIC),
    reason: `without a teacher: ${transition(evidence)}`,
  };
}

function domain({ domainScores }: StepEvidence): SlotValue {
  const scores = Object.entries(domainScores);
  if (scores.length === 0) return zero("the domain registers no measure");
  const value = scores.reduce((sum, [, score]) => sum + score, 0) / scores.length;
  return { value, reason: scores.map(([name, score]) => `${name} ${score}`).join(", ") };
}

function phase({ activated, context }: StepEvidence): SlotValue {
  if (activated.length === 0) return zero("no Program Function activated");
  const { stepCount, maxSteps } = context;
  const value = Math.max(0, 1 - stepCount / maxSteps);
  return { value, reason: `1 − ${stepCount} / ${maxSteps}` };
}

const who = (ids: readonly string[]): string => ids.join(", ");

/** `risky` and `activated` as one slot of S1 wants them. */
function timing(evidence: StepEvidence, wantsRisk: boolean, wantsActivation: boolean): SlotValue {
  const risk = riskOf(evidence);
  const isActivated = evidence.activated.length > 0;
  const reason = `${risk ?? "not risky"}; ${isActivated ? `activated: ${who(evidence.activated)}` : "none activated"}`;
  return (risk !== undefined) === wantsRisk && isActivated === wantsActivation ? one(reason) : zero(reason);
}

const UNKNOWN_OUTCOME = "not measured: the outcome is unknown";

/** The fifteen rules of SPEC §6, one for each slot. Each value is in [0, 1]; penalties get their sign from the weight. */
export const RULES: Readonly<Record<SignalSlot, (evidence: StepEvidence) => SlotValue>> = {
  "s1.tp": (evidence) => timing(evidence, true, true),
  "s1.fp": (evidence) => timing(evidence, false, true),
  "s1.fn": (evidence) => timing(evidence, true, false),
  "s1.phase": phase,
  "s2.pre_action": ({ changedBy }) =>
    changedBy.length === 0 ? zero("no change was applied") : one(`changed by ${who(changedBy)}`),
  "s2.post_obs": ({ contextBy }) =>
    contextBy.length === 0 ? zero("no context was added") : one(`context of ${who(contextBy)}`),
  "s2.pre_reasoning": () => zero("reserved"),
  "s2.post_action": () => zero("reserved"),
  "s3.syntactic": syntactic,
  "s3.semantic": semantic,
  "s3.domain": domain,
  "s4.local": (evidence) =>
    isModified(evidence)
      ? { value: changeWorth(evidence, LOCAL), reason: `modified: ${transition(evidence)}` }
      : zero("the action was not modified"),
  "s4.downstream": ({ passed }) => {
    if (passed === undefined) return zero(UNKNOWN_OUTCOME);
    return passed ? one("the answer is right") : zero("no right answer");
  },
  "s4.cost": ({ length }) => ({
    value: Math.min(1, Math.max(0, (length - FREE_STEPS) / COSTLY_STEPS)),
    reason: `${counted(length, "step")}, ${FREE_STEPS} are free`,
  }),
  "s4.side_effect": (evidence) => {
    if (!isModified(evidence)) return zero("the action was not modified");
    if (evidence.passed === undefined) return zero(UNKNOWN_OUTCOME);
    return evidence.passed ? zero("modified, and the answer is right") : one("modified, and no right answer");
  },
};
