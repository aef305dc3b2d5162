import { caseFile, INTERVENE, pf, skill, SHOULD } from "./parts.ts";

/** A text of one file of the skill "Late read" that breaks a rule without a fix, and the text that a person would make of it. */
export type ByHandRow = readonly [
  code: `HASP${number}`,
  file: "SKILL.md" | "pf.ts" | "cases.yaml",
  text: string,
  at: string,
  fixed: string,
];

/** A PF whose texts follow from the proposed action, so that no prompt could stand for it. */
const SAYS_ARG = `  intervene(_c: StepContext, _t: ActionType, arg: string): Intervention {\n    return injectContext("Read before you say " + arg, "nothing was read");\n  }\n`;
const when = (condition: string, before = ""): string =>
  pf(SHOULD.replace("!ctx.hasRead", condition) + SAYS_ARG, before);

export const GOOD_PF = when("!ctx.hasRead");

const phase = (text: string): string =>
  skill("    phases:\n      pre_final: { conditions: [] }\n", `## Phase: pre_final\n\n${text}\n`);

const COUNTED = "const count = (() => {\n  let n = 0;\n  return (): number => (n += 1);\n})();\n";
const FIELD = "  private seen = 0;\n";

export const BROKEN_BY_HAND: readonly ByHandRow[] = [
  ["HASP102", "SKILL.md", skill("", `# ${"Long. ".repeat(170_000)}\n`), "0:0 ---", skill("")],
  ["HASP102", "SKILL.md", skill(`    # ${"x".repeat(17_000)}\n`), "0:0 ---", skill("")],
  ["HASP202", "pf.ts", when("ctx.stepCount > 1 && Date.now() > 3"), "5:32 Date", GOOD_PF],
  ["HASP203", "pf.ts", when("Math.random() > 0.5 && ctx.hasRead"), "5:11 Math.random", GOOD_PF],
  ["HASP205", "pf.ts", when("ctx.hasRead && globalThis !== undefined"), "5:26 globalThis", GOOD_PF],
  ["HASP206", "pf.ts", when("ctx.hasRead && new WeakRef(ctx) !== undefined"), "5:30 WeakRef", GOOD_PF],
  [
    "HASP209",
    "pf.ts",
    pf(FIELD + SHOULD.replace("!ctx.hasRead", "!ctx.hasRead && this.seen++ > 1") + INTERVENE),
    "6:27 this.seen++",
    GOOD_PF,
  ],
  [
    "HASP212",
    "pf.ts",
    when("ctx.hasRead && Object.assign(Array.prototype, { last: 1 }).length > 1"),
    "5:40 Array.prototype",
    GOOD_PF,
  ],
  ["HASP218", "pf.ts", when("true").replace("ctx:", "_ctx:"), "4:2 shouldActivate", GOOD_PF],
  [
    "HASP220",
    "pf.ts",
    when(`${"(".repeat(20_000)}!ctx.hasRead${")".repeat(20_000)}`),
    "0:0 import { injectConte",
    GOOD_PF,
  ],
  ["HASP223", "pf.ts", when("/(a+)+b/.test(ctx.thought) && !ctx.hasRead"), "5:11 /(a+)+b/", GOOD_PF],
  [
    "HASP856",
    "pf.ts",
    pf(SHOULD + SAYS_ARG.replace("Read before", "Is that read? Read before")),
    "8:38 ?",
    GOOD_PF,
  ],
  ["HASP856", "SKILL.md", phase("Is it late? Read."), "12:10 ?", phase("Read one more document.")],
];

const ON_LOAD = "# Late read\n\n!`rm -rf ~/`\n";

/** What only a run shows: of the PF, nine mock calls and its cases; of guards, on a command of the text. */
export const BROKEN_WHEN_RUN: readonly ByHandRow[] = [
  ["HASP128", "SKILL.md", skill("", ON_LOAD), "10:0 !`rm -rf ~/`", skill("")],
  [
    "HASP128",
    "SKILL.md",
    skill("", ON_LOAD, "allowed-tools: Bash(rm *)\n"),
    "11:0 !`rm -rf ~/`",
    skill("", ON_LOAD.replace("!", ""), "allowed-tools: Bash(rm *)\n"),
  ],
  [
    "HASP251",
    "pf.ts",
    when("!ctx.hasRead", 'export const table: unknown = JSON.parse("{");\n'),
    "1:0",
    GOOD_PF,
  ],
  ["HASP252", "pf.ts", when("ctx.allReadContents[0]!.length > 3"), "5:0", GOOD_PF],
  ["HASP253", "pf.ts", when("ctx.question as unknown as boolean"), "0:0", GOOD_PF],
  ["HASP254", "pf.ts", when("!ctx.hasRead && count() > 2", COUNTED), "0:0", GOOD_PF],
];

const caseOf = (name: string, read: boolean, fires = !read): string =>
  `  - name: ${name}\n    context: { hasRead: ${read} }\n    proposed: { type: FINAL, arg: x }\n    expect: { fires: ${fires} }\n`;

/** Of the PF above. */
const ONE_OF_EACH = caseFile(caseOf("late", false) + caseOf("in time", true));

/** What the cases of `GOOD_PF` show of it. */
export const BROKEN_FOR_CASES: readonly ByHandRow[] = [
  ["HASP311", "cases.yaml", caseFile(caseOf("late", false) + caseOf("too late", false)), "0:0", ONE_OF_EACH],
  ["HASP312", "cases.yaml", caseFile(caseOf("early", true) + caseOf("in time", true)), "0:0", ONE_OF_EACH],
];

export const CASE_THAT_FAILS = caseFile(caseOf("late", false, false) + caseOf("in time", true));
