import type { Skill } from "../model/skill.ts";
import { hashText } from "./hash.ts";

/** Tells versions of a skill apart: an edit of SKILL.md or pf.ts gives another hash. */
export function skillHash(skill: Skill, pfSource: string): string {
  return hashText(`${JSON.stringify(skill)}\n${pfSource}`);
}
