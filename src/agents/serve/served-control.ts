import type { Domain } from "../../domains/domain.ts";
import { codingAgent } from "../../domains/coding-agent/coding-agent.ts";
import type { ControlChoice } from "../../evaluation/choose-control.ts";
import { nameOfKnob } from "../../evaluation/control-layer.ts";
import type { Control } from "../../model/control.ts";
import type { LibrarySkill } from "../../harness/select/select.ts";

/**
 * What differs for a coding agent from an agent that answers a question: the skills are guards, so all of them judge every call, whatever
 * the task sounds like; its stop is no answer that could be voted on, formatted or tried once more; and its work may take a day.
 */
const CODING: Partial<Control> = {
  enableDifficultyGating: false,
  enableSkillHandlers: false,
  enableAnswerFormatting: false,
  enableRetry: false,
  maxModifyFires: 1000,
  maxSteps: 1000,
  timeoutSeconds: 86_400,
};

/** How served episodes of a domain are controlled. What a person has set by name stands. */
export function servedControl(
  { control, places }: Pick<ControlChoice, "control" | "places">,
  { name }: Pick<Domain, "name">,
  library: readonly Pick<LibrarySkill, "skill">[],
): Control {
  if (name !== codingAgent.name) return control;
  const wanted = { ...CODING, pinnedSkills: library.map(({ skill }) => skill.skillId) };
  const keys = Object.keys(wanted) as (keyof Control)[];
  const unset = keys.filter((key) => !places.has(nameOfKnob(key)));
  return { ...control, ...Object.fromEntries(unset.map((key) => [key, wanted[key]])) };
}
