import type { Domain } from "../../domains/domain.ts";
import type { ControlChoice } from "../../evaluation/choose-control.ts";
import { nameOfKnob } from "../../evaluation/control-layer.ts";
import type { Control } from "../../model/control.ts";
import type { LibrarySkill } from "../../harness/select/select.ts";

/** How served episodes of a domain are controlled; where it has knobs for them, all skills are pinned. What a person has set by name stands. */
export function servedControl(
  { control, places }: Pick<ControlChoice, "control" | "places">,
  { served }: Pick<Domain, "served">,
  library: readonly Pick<LibrarySkill, "skill">[],
): Control {
  if (served === undefined) return control;
  const wanted = { ...served, pinnedSkills: library.map(({ skill }) => skill.skillId) };
  const keys = Object.keys(wanted) as (keyof Control)[];
  const unset = keys.filter((key) => !places.has(nameOfKnob(key)));
  return { ...control, ...Object.fromEntries(unset.map((key) => [key, wanted[key]])) };
}
