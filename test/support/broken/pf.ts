import { type FixableRow, INTERVENE, pf, SHOULD } from "./parts.ts";

export const BROKEN_PF: readonly FixableRow[] = [
  [
    "HASP200",
    pf(SHOULD + INTERVENE).replace("export default class", "class"),
    "0:0",
    "Export LateRead as default",
  ],
  [
    "HASP200",
    pf(SHOULD + INTERVENE).replace(" extends ProgramFunction", ""),
    "3:21 LateRead",
    "Extend ProgramFunction",
  ],
  ["HASP200", "export const x = 1;\n", "0:0", "Add a class"],
  ["HASP201", pf(SHOULD), "3:21 LateRead", "Add intervene"],
  ["HASP201", pf(INTERVENE), "3:21 LateRead", "Add shouldActivate"],
  [
    "HASP204",
    pf(SHOULD.replace("    return", '    console.log("here");\n    return') + INTERVENE),
    "5:4 console",
    "Delete the statement",
  ],
  [
    "HASP207",
    pf(SHOULD + INTERVENE).replace('"hasp"', '"@hasp/hasp"'),
    '0:129 "@hasp/hasp"',
    'Import from "hasp"',
  ],
  [
    "HASP207",
    pf(SHOULD + INTERVENE, 'import { join } from "node:path";\n'),
    '1:21 "node:path"',
    "Delete the import",
  ],
  ["HASP208", pf(SHOULD + INTERVENE, "let most = 3;\nexport const two = most;\n"), "1:0 let", "Write const"],
  [
    "HASP208",
    pf(SHOULD.replace("!ctx.hasRead", "W.test(ctx.question)") + INTERVENE, "const W = /who/gi;\n"),
    "6:11 W.test(ctx.question)",
    "Drop the flag",
  ],
  [
    "HASP210",
    pf(
      SHOULD.replace("shouldActivate", "async shouldActivate").replace(": boolean", ": Promise<boolean>") +
        INTERVENE,
    ),
    "4:2 async",
    "Take async away",
  ],
  [
    "HASP210",
    pf(
      SHOULD.replace("(ctx: StepContext)", "(ctx: StepContext, _a: ActionType, _b: string, _t?: Teacher)") +
        INTERVENE,
    ),
    "4:63 _t?: Teacher",
    "Delete the parameter",
  ],
  [
    "HASP211",
    pf(
      `  override needsTeacher = true;\n${SHOULD}  async intervene(_c: StepContext, _t: ActionType, _a: string, teacher?: Teacher): Promise<Intervention> {\n    return injectContext(await teacher!.ask("So?", { maxTokens: 8, temperature: 0 }), "asked");\n  }\n`,
    ),
    "9:31 teacher",
    "Add if (teacher === undefined) return …",
  ],
  [
    "HASP211",
    pf(
      `${SHOULD}  async intervene(_c: StepContext, _t: ActionType, _a: string, teacher?: Teacher): Promise<Intervention> {\n    if (teacher === undefined) return injectContext("Read.", "no teacher");\n    return injectContext(await teacher.ask("So?", { maxTokens: 8, temperature: 0 }), "asked");\n  }\n`,
    ),
    "9:31 teacher",
    "Write override needsTeacher = true;",
  ],
  [
    "HASP213",
    pf(SHOULD + INTERVENE, 'enum Kind { A, B = "b" }\nexport const kind: Kind = Kind.A;\n'),
    "1:5 Kind",
    "Make it an object and a union",
  ],
  ["HASP213", pf(SHOULD + INTERVENE, "export const n = <number>3;\n"), "1:18 number", "Write it with as"],
  [
    "HASP214",
    pf(
      `${SHOULD}  intervene(): Intervention {\n    return modifyAction({ type: "REED" as "READ", arg: "d", reason: "r" });\n  }\n`,
    ),
    '8:32 "REED"',
    'Write "READ"',
  ],
  [
    "HASP214",
    pf(`${SHOULD}  intervene(): Intervention {\n    return modifyAction({ reason: "r" });\n  }\n`),
    '8:24 { reason: "r" }',
    "Return noop(…)",
  ],
  ["HASP215", "", "0:0", "Write an empty Program Function"],
  [
    "HASP215",
    pf(SHOULD + INTERVENE).replace("Read first", "Read\0 first"),
    "8:30 \u0000",
    "Delete the NUL characters",
  ],
  [
    "HASP216",
    pf(
      `  shouldActivate(_c: StepContext, type: ActionType): boolean {\n    return type === "FINAL";\n  }\n  intervene(): Intervention {\n    return modifyAction({ type: "SEARCH", arg: "d", reason: "r" });\n  }\n`,
    ),
    "3:21 LateRead",
    "Write override maxFires = 3;",
  ],
  [
    "HASP219",
    pf(SHOULD.replace("!ctx.hasRead", "false").replace("ctx:", "_ctx:") + INTERVENE),
    "4:2 shouldActivate",
    "Return true",
  ],
  [
    "HASP221",
    pf(`  override after = ["READ", "FINAL"];\n${SHOULD}${INTERVENE}`),
    '4:28 "FINAL"',
    'Take "FINAL" out of after',
  ],
  [
    "HASP221",
    pf(`  override after = ["REED"];\n${SHOULD}${INTERVENE}`),
    '4:20 "REED"',
    'Take "REED" out of after',
  ],
  [
    "HASP222",
    pf(
      `  override after = ["READ"];\n  override maxFires = 1;\n  shouldActivate(_c: StepContext, type: ActionType): boolean {\n    return type === "READ";\n  }\n  intervene(): Intervention {\n    return modifyAction({ type: "SEARCH", arg: "d", reason: "r" });\n  }\n`,
    ),
    "10:11 modifyAction({ type:",
    "Delete after",
  ],
  [
    "HASP431",
    pf(SHOULD.replace("!ctx", "/* TODO(template) */ !ctx") + INTERVENE),
    "5:11 /* TODO(template) */",
    "Keep this text",
  ],
  [
    "HASP431",
    pf(SHOULD + INTERVENE.replace('"Read', '"TODO(template): Read')),
    "8:26 TODO(template): Read",
    "Keep this text",
  ],
];
