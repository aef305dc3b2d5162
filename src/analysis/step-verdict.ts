import type { CaseExpectation, SkillCase } from "../model/case.ts";
import type { Episode } from "../model/episode.ts";
import type { Json } from "../model/step-context.ts";
import { FRESH_STATE, type PfHost, type PfVerdict } from "../sandbox/pf-host.ts";
import { caseSessionOf } from "../trace/case-session.ts";
import { type ContextRules, advance, contextAt, withProposal } from "../trace/context-at.ts";
import { unaskedIn, type RecordedQuestion } from "../harness/recorded-proposals.ts";
import { recordedQuestions } from "./judge.ts";
import { isForLater } from "./run-cases.ts";

/** What a PF decides on a recorded step if it is asked alone, as a case asks it. */
export interface StepVerdict {
  /** What it remembers when the step comes, folded over the steps before. */
  readonly memory: Json;
  readonly verdict: PfVerdict;
  /** `post`: it was asked after the action of the step had run. */
  readonly pass?: "post";
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
  const ran = new Set(episode.steps.slice(0, t + 1).map(({ executed }) => executed.type));
  const questions = recordedQuestions(episode, ran);
  const question = questions.find((one) => one.t === t);
  if (question === undefined) throw new RangeError(`The episode has no step ${t + 1}.`);
  const post = questions.find((one) => one.t === t && one.pass === "post");
  const before = questions.filter((one) => one.t < t && !unasked.has(one.t));
  const folded = before.length === 0 ? NO_VERDICTS : await host.fold(skillIds, before);
  const memories = new Map(
    skillIds.map((id) => [id, folded.get(id)?.at(-1)?.state.memory ?? FRESH_STATE.memory]),
  );
  const first = await ask(skillIds, question);
  const later = first.filter(isForLater).map(({ skillId }) => skillId);
  const second = post === undefined || later.length === 0 ? [] : await ask(later, post);
  return new Map([
    ...first.map((verdict) => [verdict.skillId, found(verdict)] as const),
    ...second.map((verdict) => [verdict.skillId, { ...found(verdict), pass: "post" }] as const),
  ]);

  function ask(ids: readonly string[], { replies: _, ...asked }: RecordedQuestion) {
    const states = new Map(
      ids.map((id) => [id, { ...FRESH_STATE, memory: memories.get(id) ?? FRESH_STATE.memory }]),
    );
    return host.step(states, { ...asked, actionTypes });
  }

  function found(verdict: PfVerdict): StepVerdict {
    return { memory: memories.get(verdict.skillId) ?? FRESH_STATE.memory, verdict };
  }
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

/** A recorded step as a case; one of the pass `post` has the context that holds the observation. */
export function caseOf(
  name: string,
  { episode, t, rules }: Omit<StepPlace, "actionTypes">,
  { memory, pass }: Pick<StepVerdict, "memory" | "pass">,
  expect: CaseExpectation,
): Omit<SkillCase, "range"> {
  const step = episode.steps[t];
  const [first] = step?.proposals ?? [];
  if (step === undefined || first === undefined) throw new RangeError(`The episode has no step ${t + 1}.`);
  const proposed = pass === "post" ? step.executed : first.action;
  const before = contextAt(episode, t, rules);
  const context =
    pass === "post"
      ? withProposal(advance(before, step, episode.facts, rules), { ...first, action: proposed }, rules)
      : before;
  const session = caseSessionOf(episode, t, rules, pass);
  const kept = isEmpty(memory) ? undefined : memory;
  return { name, context, memory: kept, ...(session && { session }), proposed, expect };
}
