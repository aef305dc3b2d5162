import { START_OF_FILE, type Diagnostic, type Fix } from "../model/diagnostic.ts";
import { readFrontmatter } from "./frontmatter.ts";
import type { PromptInstruction } from "./prompt-instruction.ts";
import type { SkillFolder } from "./read-skill.ts";
import { reportOn } from "./report.ts";
import { withSection } from "./skill-fixes.ts";
import { sourceText } from "./source-text.ts";
import { addBelow } from "./yaml-edits.ts";

function asInstruction(folder: SkillFolder, skillMd: string, said: PromptInstruction): readonly Fix[] {
  const { phase, conditions, text } = said;
  const source = sourceText(skillMd);
  const front = readFrontmatter(source, reportOn("SKILL.md", source));
  if (front === undefined || folder.skill?.phases[phase] !== undefined) return [];
  const isTaken = new RegExp(String.raw`^##\s+Phase:\s*${phase}\b`, "im").test(front.body);
  const added = addBelow(
    front.root,
    ["metadata", "hasp", "phases"],
    `${phase}:\n  conditions: [${conditions.join(", ")}]`,
  );
  if (isTaken || added === undefined) return [];
  const file = `${folder.folder}/SKILL.md`;
  const section = withSection(`Phase: ${phase}`, text, front, source);
  const cases = folder.cases.length > 0 ? [`${folder.folder}/cases.yaml`] : [];
  return [
    {
      title: `Say it as the phase instruction \`${phase}\`, and delete the PF${cases.length > 0 ? " and its cases" : ""}`,
      edits: [added, ...section.edits].map((edit) => ({ ...edit, file })),
      deletes: [`${folder.folder}/pf.ts`, ...cases],
      byHand: true,
    },
  ];
}

/** By design or by chance: a PF that does no more than a prompt could (HASP217, SPEC §3 A+B). Nothing for any other. */
export function promptHint(
  folder: SkillFolder,
  skillMd: string | undefined,
  said: PromptInstruction | undefined,
): readonly Diagnostic[] {
  if (!folder.promptEquivalent || folder.pfSource === undefined) return [];
  const fixes = said === undefined || skillMd === undefined ? [] : asInstruction(folder, skillMd, said);
  return [
    {
      code: "HASP217",
      severity: "hint",
      message: "A prompt could say all that this PF says: it changes no action, and its texts are constants.",
      next: "Leave it where it is meant to speak at that step alone; else a phase instruction says the same without code.",
      file: `${folder.folder}/pf.ts`,
      range: START_OF_FILE,
      ...(fixes.length > 0 && { fixes }),
    },
  ];
}
