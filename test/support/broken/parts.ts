// What the broken skills are made of: one good skill, "Late read", in pieces.

export const skill = (hasp: string, body = "# Late read\n", top = ""): string =>
  `---\nname: late-read\ndescription: Use late.\n${top}metadata:\n  hasp:\n    title: Late read\n${hasp}---\n\n${body}`;

export const caseFile = (item: string): string => `cases:\n${item}`;
export const ok = `proposed: { type: FINAL, arg: x }`;

const HEAD = `import { injectContext, modifyAction, ProgramFunction, type ActionType, type Intervention, type StepContext, type Teacher } from "hasp";\n`;
export const SHOULD = `  shouldActivate(ctx: StepContext): boolean {\n    return !ctx.hasRead;\n  }\n`;
export const INTERVENE = `  intervene(): Intervention {\n    return injectContext("Read first.", "nothing was read");\n  }\n`;
const USE = `export const used = [modifyAction] as const;\nexport type Used = ActionType | Teacher | undefined;\n`;
export const pf = (members: string, before = ""): string =>
  `${HEAD}${before}${USE}export default class LateRead extends ProgramFunction {\n${members}}\n`;

/** A text of one file of the skill "Late read" that breaks a rule, and the fix that is offered first for it, which fixes it. */
export type FixableRow = readonly [
  code: `HASP${number}`,
  text: string,
  /** Where it is marked, `line:character` from 0, and the first 20 characters of what is marked there. */
  at: string,
  fix: string,
];
