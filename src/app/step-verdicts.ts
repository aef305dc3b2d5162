import { asIfActing } from "../analysis/library.ts";
import { describeVerdict } from "../analysis/run-cases.ts";
import { caseOf, expectationOf, verdictsOn, type StepVerdict } from "../analysis/step-verdict.ts";
import { domainOfRecord } from "../domains/registry.ts";
import type { CaseExpectation, SkillCase } from "../model/case.ts";
import type { Episode } from "../model/episode.ts";
import type { Json } from "../model/step-context.ts";
import type { SkillFolder } from "../skill/read-skill.ts";
import { inLibrary } from "./library.ts";
import type { Judging } from "./ports.ts";

/** A step of a recorded episode. */
export interface StepOrder {
  readonly episode: Episode;
  /** 0-based. */
  readonly t: number;
}

/** What a skill, asked alone as a case asks it, decides on a recorded step. */
export interface SkillVerdict {
  readonly fires: boolean;
  /** The decision in words: `fires → READ "doc_0"`. */
  readonly words: string;
  /** What the skill remembers when the step comes. */
  readonly memory: Json;
  /** What a case expects for the skill to decide as it does now; `fires` alone where it does not fire. */
  readonly expect: CaseExpectation;
  /** `post`: it is asked after the action of the step has run, and so is a case of it. */
  readonly pass?: "post";
}

function verdictOf(found: StepVerdict): SkillVerdict {
  const { verdict, memory, pass } = found;
  return {
    fires: verdict.kind === "fired",
    words: describeVerdict(verdict),
    memory,
    expect: expectationOf(found),
    ...(pass !== undefined && { pass }),
  };
}

/** The verdicts of skills, by id, also of those that hasp.yaml switches off; one whose PF does not load has none. */
export async function verdictsOnStep(
  { episode, t }: StepOrder,
  skills: readonly SkillFolder[],
  judging: Pick<Judging, "startHost">,
): Promise<ReadonlyMap<string, SkillVerdict>> {
  const { contextRules: rules, actionTypes } = domainOfRecord(episode.facts);
  return inLibrary(skills.map(asIfActing), judging, async ({ active }, host) => {
    const ids = active.map(({ skill }) => skill.skillId);
    const found = await verdictsOn(ids, { episode, t, rules, actionTypes }, host);
    return new Map([...found].map(([id, verdict]) => [id, verdictOf(verdict)]));
  });
}

/** A recorded step as a case. RangeError where the episode has no such step. */
export function caseOfStep(
  name: string,
  { episode, t }: StepOrder,
  { memory, pass }: Partial<Pick<SkillVerdict, "memory" | "pass">>,
  expect: CaseExpectation,
): Omit<SkillCase, "range"> {
  const rules = domainOfRecord(episode.facts).contextRules;
  const asked = { memory: memory ?? {}, ...(pass !== undefined && { pass }) };
  return caseOf(name, { episode, t, rules }, asked, expect);
}
