import type { PfProgram } from "../model/skill.ts";

/** The order in which Γ hears PFs: higher priority first, then by id (DESIGN.md, Γ). */
export function byTurn(
  a: Pick<PfProgram, "skillId" | "priority">,
  b: Pick<PfProgram, "skillId" | "priority">,
): number {
  if (a.priority !== b.priority) return b.priority - a.priority;
  return a.skillId < b.skillId ? -1 : a.skillId > b.skillId ? 1 : 0;
}
