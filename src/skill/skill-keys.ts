/** The keys of a SKILL.md, in one place: the parser, its complaints and the completion list agree by reading this. */

/** HASP's own keys, nested under `metadata.hasp` (DESIGN.md "A skill"). */
export const HASP_KEYS = [
  "skill_id",
  "title",
  "version",
  "priority",
  "error_category",
  "applicable_modes",
  "applicable_phases",
  "system_summary",
  "phases",
  "handler",
  "supersedes",
] as const;

/** Keys of ours in a SKILL.md: nested as we write them, as texts in the portable form, or at top level as the paper does. */
const OUR_KEYS = /^(?:\s+hasp(?:_\w+)?:|skill_id:)/m;

/** Whether a SKILL.md speaks to HASP; else, without a `pf.ts` or a `cases.yaml`, it is another product's Agent Skill. */
export function hasOurKeys(skillMd: string): boolean {
  return OUR_KEYS.test(skillMd);
}

/** Keys of one phase under `metadata.hasp.phases`. */
export const PHASE_KEYS = ["conditions", "priority_boost", "action", "text"] as const;

/** Keys of Agent Skills, which VS Code itself checks and completes; we leave them alone. */
export const STANDARD_KEYS = [
  "name",
  "description",
  "license",
  "compatibility",
  "metadata",
  "allowed-tools",
  "argument-hint",
  "user-invocable",
  "disable-model-invocation",
  "context",
  "agent",
  "model",
  "hooks",
] as const;
