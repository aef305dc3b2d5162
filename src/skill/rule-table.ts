import type { Severity } from "../model/diagnostic.ts";

/** One rule on the files of a skill. */
export interface Rule {
  readonly code: `HASP${number}`;
  /** The worst that it reports. */
  readonly severity: Severity;
  /** A few words, without a full stop. */
  readonly title: string;
  /** There is a fix for at least one of its forms. */
  readonly hasFix: boolean;
}

/** Every rule on SKILL.md (1xx), `pf.ts` (2xx), `cases.yaml` (3xx), between skills (4xx), and on texts for the policy (8xx), by code. Each has a page in docs/rules. */
export const RULES: readonly Rule[] = [
  { code: "HASP100", severity: "error", title: "The file is empty", hasFix: true },
  { code: "HASP101", severity: "error", title: "Not a text file", hasFix: true },
  { code: "HASP102", severity: "error", title: "Too long", hasFix: false },
  { code: "HASP103", severity: "error", title: "No frontmatter", hasFix: true },
  { code: "HASP104", severity: "error", title: "Frontmatter in another language", hasFix: true },
  { code: "HASP105", severity: "error", title: "Frontmatter without an end", hasFix: true },
  { code: "HASP106", severity: "error", title: "Frontmatter that is not YAML", hasFix: true },
  { code: "HASP107", severity: "error", title: "Frontmatter without keys", hasFix: true },
  { code: "HASP110", severity: "error", title: "No name or description", hasFix: true },
  { code: "HASP111", severity: "error", title: "A value of the wrong type", hasFix: true },
  { code: "HASP112", severity: "warning", title: "An unknown key", hasFix: true },
  { code: "HASP113", severity: "error", title: "A name in the wrong case", hasFix: true },
  { code: "HASP114", severity: "error", title: "Name and folder differ", hasFix: true },
  { code: "HASP115", severity: "error", title: "A value out of range", hasFix: true },
  { code: "HASP116", severity: "warning", title: "Keys at top level", hasFix: true },
  { code: "HASP117", severity: "error", title: "An unknown word", hasFix: true },
  { code: "HASP118", severity: "warning", title: "A phase that says nothing", hasFix: true },
  { code: "HASP119", severity: "warning", title: "skill_id and name differ", hasFix: true },
  { code: "HASP120", severity: "warning", title: "A phase that is never rendered", hasFix: true },
  { code: "HASP121", severity: "error", title: "A handler without a question", hasFix: true },
  { code: "HASP122", severity: "error", title: "A handler without a vote", hasFix: true },
  { code: "HASP123", severity: "warning", title: "Phases that do not fit the trigger", hasFix: true },
  { code: "HASP124", severity: "warning", title: "A byte order mark", hasFix: true },
  { code: "HASP125", severity: "error", title: "Bytes that hosts do not read", hasFix: true },
  { code: "HASP126", severity: "warning", title: "Dashes that end the frontmatter", hasFix: true },
  { code: "HASP127", severity: "warning", title: "A text that a comment cuts off", hasFix: true },
  { code: "HASP128", severity: "error", title: "A dangerous command on load", hasFix: false },
  { code: "HASP200", severity: "error", title: "No Program Function", hasFix: true },
  { code: "HASP201", severity: "error", title: "A missing method", hasFix: true },
  { code: "HASP202", severity: "error", title: "The clock", hasFix: false },
  { code: "HASP203", severity: "error", title: "Randomness", hasFix: false },
  { code: "HASP204", severity: "error", title: "Outside the sandbox", hasFix: true },
  { code: "HASP205", severity: "error", title: "The global object", hasFix: false },
  { code: "HASP206", severity: "error", title: "Garbage collector and threads", hasFix: false },
  { code: "HASP207", severity: "error", title: "A refused import", hasFix: true },
  { code: "HASP208", severity: "error", title: "State in the module", hasFix: true },
  { code: "HASP209", severity: "error", title: "State in the instance", hasFix: false },
  { code: "HASP210", severity: "error", title: "A trigger that waits", hasFix: true },
  { code: "HASP211", severity: "error", title: "No path without a teacher", hasFix: true },
  { code: "HASP212", severity: "error", title: "A changed built-in", hasFix: false },
  { code: "HASP213", severity: "error", title: "TypeScript that cannot be erased", hasFix: true },
  { code: "HASP214", severity: "error", title: "A change that cannot be run", hasFix: true },
  { code: "HASP215", severity: "error", title: "No readable code", hasFix: true },
  { code: "HASP216", severity: "hint", title: "Changes without a limit", hasFix: true },
  { code: "HASP217", severity: "hint", title: "A prompt could say it", hasFix: true },
  { code: "HASP218", severity: "hint", title: "Always on", hasFix: false },
  { code: "HASP219", severity: "warning", title: "Never acts", hasFix: true },
  { code: "HASP220", severity: "error", title: "Too complex to check", hasFix: false },
  { code: "HASP221", severity: "error", title: "Nothing comes after it", hasFix: true },
  { code: "HASP222", severity: "error", title: "A change after the action", hasFix: true },
  { code: "HASP223", severity: "warning", title: "An expression that may not end", hasFix: false },
  { code: "HASP251", severity: "error", title: "The PF does not load", hasFix: false },
  { code: "HASP252", severity: "error", title: "The PF throws", hasFix: false },
  { code: "HASP253", severity: "error", title: "A wrong return value", hasFix: false },
  { code: "HASP254", severity: "error", title: "Decisions depend on the order of calls", hasFix: false },
  { code: "HASP300", severity: "error", title: "Cases that are not YAML", hasFix: true },
  { code: "HASP301", severity: "error", title: "Something is missing in a case", hasFix: true },
  { code: "HASP302", severity: "error", title: "A value of the wrong type", hasFix: true },
  { code: "HASP303", severity: "warning", title: "An unknown key", hasFix: true },
  { code: "HASP304", severity: "error", title: "An unknown action or intervention", hasFix: true },
  { code: "HASP305", severity: "warning", title: "Two cases of one name", hasFix: true },
  { code: "HASP306", severity: "error", title: "An expectation that nothing meets", hasFix: true },
  { code: "HASP307", severity: "warning", title: "No cases", hasFix: true },
  { code: "HASP310", severity: "error", title: "A case that does not hold", hasFix: true },
  { code: "HASP311", severity: "hint", title: "Fires in all cases", hasFix: false },
  { code: "HASP312", severity: "hint", title: "Fires in no case", hasFix: false },
  { code: "HASP313", severity: "hint", title: "Fires on no recorded episode", hasFix: false },
  { code: "HASP314", severity: "hint", title: "Fires on every recorded step", hasFix: false },
  { code: "HASP315", severity: "hint", title: "Worth no more than a random trigger", hasFix: false },
  { code: "HASP400", severity: "error", title: "A PF that cannot be used", hasFix: false },
  { code: "HASP401", severity: "error", title: "A skill_id that is taken", hasFix: true },
  { code: "HASP402", severity: "error", title: "A file that is too large", hasFix: false },
  { code: "HASP403", severity: "error", title: "No SKILL.md", hasFix: false },
  { code: "HASP404", severity: "error", title: "A file that cannot be read", hasFix: false },
  { code: "HASP405", severity: "information", title: "An older version", hasFix: false },
  { code: "HASP406", severity: "information", title: "A superseded skill", hasFix: false },
  { code: "HASP407", severity: "error", title: "Skills supersede each other", hasFix: true },
  { code: "HASP408", severity: "information", title: "An unknown superseded skill", hasFix: true },
  { code: "HASP409", severity: "information", title: "Two skills change the same actions", hasFix: false },
  { code: "HASP430", severity: "information", title: "A disabled skill", hasFix: false },
  { code: "HASP431", severity: "information", title: "Still the template's text", hasFix: true },
  { code: "HASP432", severity: "error", title: "A domain that is not registered", hasFix: false },
  { code: "HASP856", severity: "warning", title: "A question to the policy", hasFix: false },
];

const CODES: ReadonlySet<string> = new Set(RULES.map(({ code }) => code));

/** Whether a diagnostic's code is one of these rules. */
export function hasPage(code: string): boolean {
  return CODES.has(code);
}

/** The page of a rule, from the root of the repository and of the extension. */
export function rulePage(code: string): string {
  return `docs/rules/${code}.md`;
}
