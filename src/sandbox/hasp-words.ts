/** The values that a PF may import from "hasp"; guest/hasp-module.ts holds them. */
export const HASP_WORDS = [
  "ProgramFunction",
  "modifyAction",
  "injectContext",
  "noop",
  "freshQuery",
  "tellingWords",
  "changeCommand",
  "changeInput",
  "refuse",
  "askedFor",
  "gitCall",
] as const;
