import { expect, test } from "vitest";
import { REGISTERED } from "../../../src/domains/registered.ts";
import { parseSkill } from "../../../src/skill/parse-skill.ts";
import { checkPfRules } from "../../../src/skill/pf-rules.ts";

/** A PF that gives `context` to read. */
const pf = (context: string, top = "", members = ""): string =>
  `import { injectContext as say, noop, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";
${top}
export default class Sample extends ProgramFunction {
  ${members}
  shouldActivate(_ctx: StepContext, _type: ActionType, arg: string): boolean { return arg === "Who?"; }
  intervene(ctx: StepContext, _type: ActionType, arg: string): Intervention {
    if (ctx.hasRead) return noop("Has it been read?");
    return ${context};
  }
}
`;

/** Each marked sign with the five characters before it. */
function found(source: string): string[] {
  const lines = source.split("\n");
  return checkPfRules("pf.ts", source, REGISTERED)
    .filter(({ code }) => code === "HASP856")
    .map(({ severity, range: { start, end } }) => {
      const before = (lines[start.line] ?? "").slice(0, end.character);
      expect([severity, end.character - start.character]).toEqual(["warning", 1]);
      return before.slice(-6);
    });
}

test.each([
  ['say("Is it so?", "why?")', "", ["it so?"]],
  ["say(`Of ${arg}: is it so?`, arg)", "", ["it so?"]],
  ["say(`Is it ${arg}?`, arg)", "", ["{arg}?"]],
  ['say("Is it so? " + "Or not?", arg)', "", ["it so?", "r not?"]],
  ['say(arg === "" ? "Is it so?" : "Go on.", arg)', "", ["it so?"]],
  ['say(`Read.${arg && " Is it so?"}`, arg)', "", ["it so?"]],
  ["say(HINT, arg)", 'const HINT = "Search on. " +\n  "Is it so?";', ["it so?"]],
  ["say(`${HINT} Read.`, arg)", 'const HINT = "Is it so?";', ["it so?"]],
  [
    "say(HINTS[arg] ?? 'Read.', arg)",
    'const HINTS: Record<string, string> = { a: "Is it so?", b: "Go." };',
    ["it so?"],
  ],
  ["say(HINTS.b, arg)", 'const HINTS = { a: "Is it so?", b: "Go." };', []],
  ['say(LINES.join(" "), arg)', 'const LINES = ["Go.", "Is it so?"];', ["it so?"]],
  ["say(`${LINES.length} words`, arg)", 'const LINES = ["Go.", "Is it so?"];', []],
  ["say(hint(), arg)", 'function hint(): string { return "Is it so?"; }', ["it so?"]],
  ["say(hint(), arg)", 'const hint = (): string => "Is it so?";', ["it so?"]],
  ["say(this.hint, arg)", "", ["it so?"]],
  ['{ type: "INJECT_CONTEXT", contextText: "Is it so?", reason: "why?" }', "", ["it so?"]],
  ['{ type: "INJECT_CONTEXT", "contextText": "Is it so?", reason: "why?" }', "", ["it so?"]],
  ['{ type: "INJECT_CONTEXT", contextText, reason: "why?" }', 'const contextText = "Is it so?";', ["it so?"]],
] as const)("questions in %s", (context, top, expected) => {
  const members = context.includes("this.hint") ? 'readonly hint = "Is it so?";' : "";
  expect(found(pf(context, top, members))).toEqual(expected);
});

test.each([
  ['say("Search for the name.", "Is it so?")'],
  ['say(`The question "${ctx.question}?" asks for a name.`, arg)'],
  ['say("Open https://example.org/?q=1 and read.", arg)'],
  ["say(ctx.question, arg)"],
  ['noop("Is it so?")'],
])("no questions in %s", (context) => {
  expect(found(pf(context))).toEqual([]);
});

const skillMd = (phases: string, body: string): string =>
  `---\nname: sample\ndescription: Is it of use?\nmetadata:\n  hasp:\n    handler: llm\n    system_summary: Read.\n    phases:\n${phases}---\n\n# Sample\n\nWhy is that?\n\n${body}\n## Handler\n\nDoes a text state the answer?\n`;

/** `line:character` of each question, and what is marked. */
function inSkill(text: string): string[] {
  const { diagnostics } = parseSkill(text, { file: "SKILL.md", folder: "sample" }, REGISTERED);
  expect(diagnostics.filter(({ code }) => code !== "HASP856")).toEqual([]);
  const lines = text.split("\n");
  return diagnostics.map(({ range: { start, end } }) => {
    const line = lines[start.line] ?? "";
    const marked = line.slice(start.character, start.line === end.line ? end.character : undefined);
    return `${line.slice(0, start.character).slice(-5)}>${marked}`;
  });
}

const SECTION = "      pre_final: { conditions: [] }\n";

test.each([
  [
    "in a section",
    SECTION,
    "## Phase: pre_final\n\nGo on.\nIs it so? And\nis that?\n",
    ["it so>?", " that>?"],
  ],
  ["in a section with CRLF", SECTION, "## Phase: pre_final\r\n\r\nIs it so?\r\n", ["it so>?"]],
  ["in a plain text", "      pre_final:\n        text: Is it so?\n", "", ["it so>?"]],
  ["in a quoted text", '      pre_final:\n        text: "Say \\"why?\\": is it so?"\n', "", ["it so>?"]],
  [
    "in a folded text",
    "      pre_final:\n        text: >\n          Go on.\n          Is it so?\n",
    "",
    ["it so>?"],
  ],
  ["behind an escape", '      pre_final:\n        text: "Is\\x3f it so?"\n', "", ['ext: >"Is\\x3f it so?"']],
  ["in words of others", SECTION, '## Phase: pre_final\n\nAnswer "Who is it?" and `why?`.\n', []],
])("a phase text %s", (_where, phases, body, expected) => {
  expect(inSkill(skillMd(phases, body))).toEqual(expected);
});

test("a summary in SKILL.md asks nothing either", () => {
  const skill = (summary: string): string =>
    `---\nname: sample\ndescription: Use when a test asks for it.\nmetadata:\n  hasp:\n    skill_id: sample\n    system_summary: ${summary}\n---\n\n# Sample\n`;
  const asked = (summary: string) =>
    parseSkill(skill(summary), { file: "SKILL.md", folder: "sample" }, REGISTERED)
      .diagnostics.filter(({ code }) => code === "HASP856")
      .map(({ range: { start } }) => [start.line, start.character]);
  expect(asked("Read first. Is it read?")).toEqual([[6, 42]]);
  expect(asked("Read before you answer.")).toEqual([]);
});
