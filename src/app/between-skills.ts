import type { Diagnostic } from "../model/diagnostic.ts";
import { libraryDiagnostics, type LibraryMember } from "../skill/library-rules.ts";
import type { SkillFiles } from "../skill/skill-files.ts";
import { isTemplate } from "../skill/template-text.ts";

/** A skill by its SKILL.md. */
export interface ListedSkill extends Pick<LibraryMember, "folder" | "skill" | "places" | "isDisabled"> {
  /** It came with HASP Studio, so that no text of a template is in it. */
  readonly isBuiltIn: boolean;
}

/** No pf.ts that is read is longer. In bytes. */
const MAX_BYTES = 10_000_000;

async function memberOf(listed: ListedSkill, files: SkillFiles): Promise<LibraryMember> {
  const { folder, skill, places, isDisabled, isBuiltIn } = listed;
  const member = { folder, skill, places, isDisabled: isDisabled === true, isForeign: false };
  if (isBuiltIn) return member;
  const pf = await files.readText(`${folder}/pf.ts`, MAX_BYTES).catch(() => undefined);
  return { ...member, isTemplate: isTemplate(skill, pf?.kind === "text" ? pf.text : undefined) };
}

/**
 * The findings between skills that a person is writing: a skill that is switched off or still the template does not act, so that it
 * neither replaces nor supersedes another. The texts of a template themselves (HASP431) are left to the check of their skill.
 */
export async function betweenSkills(
  skills: readonly ListedSkill[],
  files: SkillFiles,
): Promise<readonly Diagnostic[]> {
  const members = await Promise.all(skills.map((listed) => memberOf(listed, files)));
  return libraryDiagnostics(members).filter(({ code }) => code !== "HASP431");
}
