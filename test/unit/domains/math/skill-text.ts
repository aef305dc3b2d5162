import { readDraft } from "../../../../src/domains/math/read-draft.ts";
import { skillInNode, type SkillInNode } from "./skill-in-node.ts";

const skills = new Map<string, SkillInNode>();

/** The text that a shipped skill of math injects for a draft; undefined for a draft that it lets pass. */
export function skillText(name: string, question: string, thought: string, answer = "1"): string | undefined {
  const skill = skills.get(name) ?? skillInNode(name);
  skills.set(name, skill);
  return skill({ question, draft: readDraft({ question, thought, answer }) });
}
