import type { Decision, Instruction } from "../../model/decision.ts";
import type { PhaseName, Skill } from "../../model/skill.ts";
import { ACTIONS } from "../../skill/vocabulary.ts";
import type { Control } from "../../model/control.ts";
import { DRAFT_CONDITIONS, holds, type ConditionFacts } from "./conditions.ts";

export interface InstructionInput extends ConditionFacts {
  /** 0-based step that is about to be proposed. */
  readonly t: number;
  /** Skills whose text takes part. */
  readonly skills: readonly Skill[];
  readonly control: Pick<
    Control,
    "maxPhaseInstructions" | "preFinalStepThreshold" | "highPriorityThreshold" | "promptOnlyMode"
  >;
  /** What the last executed action was; undefined before the first. */
  readonly last: string | undefined;
  readonly searchReturnsText: boolean;
  /** A context may hold back a final action, so that texts on its draft can be shown with it; in a setting without PFs none does. */
  readonly holdsBack: boolean;
  /** The final action is all that the policy can do: pre_final is then chosen on its draft alone (SPEC §10.14). */
  readonly onlyFinal: boolean;
  /** Ids of the skills that are text alone: where `onlyFinal`, their texts on a draft hold it back by themselves. */
  readonly textAlone: ReadonlySet<string>;
  /** Contexts of PFs in the message that the policy reads next: each takes the room of an instruction. */
  readonly told: number;
  /** Keys (`keyOf`) that were shown before and have held ever since: not shown again. */
  readonly standing: ReadonlySet<string>;
}

export interface InstructionChoice {
  readonly instructions: readonly Instruction[];
  readonly decisions: readonly Decision[];
  /** What holds now, for the next step's `standing`. */
  readonly standing: ReadonlySet<string>;
}

/** A choice on the draft of a final action. */
export interface DraftChoice extends InstructionChoice {
  /** One of the texts holds the action back by itself, without a context of a PF. */
  readonly holdsBack: boolean;
}

interface Candidate extends Instruction {
  /** Priority of the skill plus the boost of the phase. */
  readonly weight: number;
  /** One of its conditions is on the draft of an answer. */
  readonly looksAtDraft: boolean;
}

const FEW_STEPS = 2;

const keyOf = ({ skillId, phase }: Instruction): string => `${skillId} ${phase}`;

/** The phases that the last action opened (SPEC §2): what a search returned as text has been read. */
function observedPhases({ last, searchReturnsText }: InstructionInput): readonly PhaseName[] {
  if (last === "READ") return ["post_read"];
  if (last !== "SEARCH") return [];
  return searchReturnsText ? ["post_search", "post_read"] : ["post_search"];
}

/** The policy is likely to answer: it has had some steps, or has few left. */
function isNearFinal({ context, control }: InstructionInput): boolean {
  return (
    context.stepCount >= control.preFinalStepThreshold || context.maxSteps - context.stepCount <= FEW_STEPS
  );
}

/** The conditions that count: those on a draft hold where no final action is ever held back, since nothing else would show their text. */
function testable(conditions: readonly string[], { holdsBack }: InstructionInput): readonly string[] {
  return holdsBack ? conditions : conditions.filter((name) => !DRAFT_CONDITIONS.has(name));
}

function candidatesOf(input: InstructionInput, phases: readonly PhaseName[]): Candidate[] {
  return input.skills
    .flatMap((skill) =>
      phases.flatMap((name) => {
        const phase = skill.phases[name];
        const text = phase?.text ?? ACTIONS[phase?.action ?? ""];
        if (phase === undefined || text === undefined || !holds(testable(phase.conditions, input), input))
          return [];
        const looksAtDraft = phase.conditions.some((condition) => DRAFT_CONDITIONS.has(condition));
        const weight = skill.priority + phase.priorityBoost;
        return [{ skillId: skill.skillId, phase: name, text, weight, looksAtDraft }];
      }),
    )
    .toSorted((a, b) => b.weight - a.weight || (a.skillId < b.skillId ? -1 : 1));
}

/** The heaviest within the room; those above the high-priority threshold whatever the room. */
function trim(candidates: readonly Candidate[], room: number, high: number): Candidate[] {
  let left = room;
  return candidates.filter(({ weight }) => {
    if (left > 0) left -= 1;
    else if (weight < high) return false;
    return true;
  });
}

function decisionOf(
  part: "observation_selector" | "step_selector",
  input: InstructionInput,
  candidates: readonly Candidate[],
  kept: readonly Candidate[],
): Decision[] {
  if (candidates.length === 0) return [];
  const cutOff = candidates.filter((one) => !kept.includes(one));
  const over = kept.filter(({ weight }) => weight >= input.control.highPriorityThreshold).length;
  return [
    {
      part,
      t: input.t,
      by: "code",
      reason:
        `${kept.length} of ${candidates.length} phase instructions whose conditions hold` +
        (over > 0 ? `, ${over} of high priority` : ""),
      chosen: kept.map(({ skillId }) => skillId),
      leftOut: cutOff.map(({ skillId, phase }) => ({ skillId, reason: `${phase}: no room` })),
    },
  ];
}

function roomOf({ control }: InstructionInput): number {
  return control.promptOnlyMode ? Infinity : control.maxPhaseInstructions;
}

const instructionOf = ({ skillId, phase, text }: Candidate): Instruction => ({ skillId, phase, text });

/**
 * The pre_final instructions that go with a held-back final action: their conditions hold on its draft, and the policy has not read them
 * yet (SPEC §2). The contexts that hold it back (`told`) take the room of those that do not look at the draft: beside "Run SEARCH[…] next"
 * a text about FINAL asks for something else. Pure.
 */
export function selectOnDraft(input: InstructionInput): DraftChoice {
  const candidates = candidatesOf(input, ["pre_final"]).filter((one) => !input.standing.has(keyOf(one)));
  const { highPriorityThreshold: high } = input.control;
  const onDraft = trim(
    candidates.filter(({ looksAtDraft }) => looksAtDraft),
    roomOf(input),
    high,
  );
  const room = Math.max(0, roomOf(input) - input.told - onDraft.length);
  const others = candidates.filter(({ looksAtDraft }) => !looksAtDraft);
  const shown = [...onDraft, ...trim(others, room, high)];
  return {
    instructions: shown.map((one) => ({ ...instructionOf(one), proposal: 1 })),
    decisions: decisionOf("step_selector", input, candidates, shown),
    standing: new Set([...input.standing, ...shown.map(keyOf)]),
    holdsBack: input.onlyFinal && onDraft.some(({ skillId }) => input.textAlone.has(skillId)),
  };
}

/**
 * The phase instructions that the policy reads before it proposes: the per-observation selector takes those of the phase that the last
 * action opened, the per-step selector those of pre_final, both within one number (SPEC §4), less the contexts that came with the observation:
 * a small model follows one reminder, and forgets to act after three. One that was shown is not shown again
 * while its conditions go on to hold. Where the policy can do nothing but answer, texts of pre_final wait for its draft. Pure.
 */
export function selectInstructions(input: InstructionInput): InstructionChoice {
  const { highPriorityThreshold: high } = input.control;
  const most = Math.max(0, roomOf(input) - input.told);
  const afterObservation = candidatesOf(input, observedPhases(input));
  const isLate = input.onlyFinal && input.holdsBack ? false : isNearFinal(input);
  const beforeFinal = isLate ? candidatesOf(input, ["pre_final"]) : [];
  const isNew = (one: Candidate): boolean => !input.standing.has(keyOf(one));
  const fresh = { observation: afterObservation.filter(isNew), step: beforeFinal.filter(isNew) };
  const first = trim(fresh.observation, most, high);
  const second = trim(fresh.step, Math.max(0, most - first.length), high);
  const shown = [...first, ...second];
  const before = [...afterObservation, ...beforeFinal].filter((one) => !isNew(one));
  return {
    instructions: shown.map(instructionOf),
    decisions: [
      ...decisionOf("observation_selector", input, fresh.observation, first),
      ...decisionOf("step_selector", input, fresh.step, second),
    ],
    standing: new Set([...shown, ...before].map(keyOf)),
  };
}
