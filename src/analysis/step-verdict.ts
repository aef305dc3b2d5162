import type { CaseExpectation, SkillCase } from "../model/case.ts";
import type { Episode } from "../model/episode.ts";
import type { Json } from "../model/step-context.ts";
import { FRESH_STATE, type PfHost, type PfVerdict } from "../sandbox/pf-host.ts";
import { caseSessionOf } from "../trace/case-session.ts";
import { type ContextRules, contextAt } from "../trace/context-at.ts";
import { unaskedIn } from "../harness/recorded-proposals.ts";
import { recordedQuestions } from "./judge.ts";

/** What a PF decides on a recorded step if it is asked alone, as a case asks it. */
export interface StepVerdict {
  /** What it remembers when the step comes, folded over the steps before. */
  readonly memory: Json;
  readonly verdict: PfVerdict;
}

const NO_VERDICTS: ReadonlyMap<string, readonly PfVerdict[]> = new Map();

export interface StepPlace {
  readonly episode: Episode;
  /** 0-based. */
  readonly t: number;
  readonly rules: ContextRules;
  /** What a case of this domain can do. */
  readonly actionTypes: readonly string[];
}

/**
 * The PFs of these ids, loaded in the host, on the first proposal of a step: each with its own memory and with none of its fires
 * spent. No teacher. RangeError where the episode has no such step.
 */
export async function verdictsOn(
  skillIds: readonly string[],
  { episode, t, actionTypes }: StepPlace,
  host: PfHost,
): Promise<ReadonlyMap<string, StepVerdict>> {
  const unasked = unaskedIn(episode);
  const questions = recordedQuestions(episode);
  const question = questions.find((one) => one.t === t);
  if (question === undefined) throw new RangeError(`The episode has no step ${t + 1}.`);
  const before = questions.filter((one) => one.t < t && !unasked.has(one.t));
  const folded = before.length === 0 ? NO_VERDICTS : await host.fold(skillIds, before);
  const memories = new Map(
    skillIds.map((id) => [id, folded.get(id)?.at(-1)?.state.memory ?? FRESH_STATE.memory]),
  );
  const states = new Map([...memories].map(([id, memory]) => [id, { ...FRESH_STATE, memory }]));
  const { context, proposed, maxModifyFires } = question;
  const verdicts = await host.step(states, { context, proposed, actionTypes, maxModifyFires });
  return new Map(
    verdicts.map((verdict) => [
      verdict.skillId,
      { memory: memories.get(verdict.skillId) ?? FRESH_STATE.memory, verdict },
    ]),
  );
}

/** Characters of a context that a case looks for: enough to know it by, and few enough to reword the rest. */
const KNOWN_BY = 80;

/** What a case expects where the PF is to decide as it does now; `fires` alone where it does not fire yet. */
export function expectationOf({ verdict }: StepVerdict): CaseExpectation {
  if (verdict.kind !== "fired") return { fires: true };
  const { intervention } = verdict;
  if (intervention.type === "NOOP") return { fires: true, type: "NOOP" };
  if (intervention.type === "INJECT_CONTEXT") {
    const [line = ""] = intervention.contextText.trimStart().split(/\r?\n/);
    return {
      fires: true,
      type: "INJECT_CONTEXT",
      contextContains: line.slice(0, KNOWN_BY).toWellFormed().trim(),
    };
  }
  const { newActionType, newActionArg } = intervention;
  return {
    fires: true,
    type: "MODIFY_ACTION",
    ...(newActionType !== undefined && { newActionType }),
    ...(newActionArg !== undefined && { newActionArg }),
  };
}

function isEmpty(memory: Json): boolean {
  return typeof memory === "object" && memory !== null && Object.keys(memory).length === 0;
}

/** A recorded step as a case. */
export function caseOf(
  name: string,
  { episode, t, rules }: Omit<StepPlace, "actionTypes">,
  { memory }: Pick<StepVerdict, "memory">,
  expect: CaseExpectation,
): Omit<SkillCase, "range"> {
  const proposed = episode.steps[t]?.proposals[0]?.action;
  if (proposed === undefined) throw new RangeError(`The episode has no step ${t + 1}.`);
  const context = contextAt(episode, t, rules);
  const session = caseSessionOf(episode, t, rules);
  const kept = isEmpty(memory) ? undefined : memory;
  return { name, context, memory: kept, ...(session && { session }), proposed, expect };
}
