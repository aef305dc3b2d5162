import { readdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { caseDiagnostic } from "../../../src/analysis/run-cases.ts";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { createChecker } from "../../../src/skill/checker.ts";
import { libraryDiagnostics } from "../../../src/skill/library-rules.ts";
import { applyEdits, editsByFile, mendSkill } from "../../../src/skill/mend.ts";
import { parseCases } from "../../../src/skill/parse-cases.ts";
import { parseSkill } from "../../../src/skill/parse-skill.ts";
import { checkPf } from "../../../src/skill/pf-rules.ts";
import { promptEquivalence } from "../../../src/skill/prompt-equivalent.ts";
import { promptHint } from "../../../src/skill/prompt-hint.ts";
import { readSkillFolder, type SkillFiles } from "../../../src/skill/read-skill.ts";
import { RULES, rulePage } from "../../../src/skill/rule-table.ts";
import { transpile } from "../../../src/skill/transpile.ts";

const FOLDER = "skills/web-search/late-read";
const checker = createChecker();
afterAll(() => checker.dispose());

const compiler = {
  transpile: async (file: string, source: string) => transpile(source, file),
  promptEquivalence: async (file: string, source: string) => promptEquivalence(file, source),
};

type Texts = Readonly<Record<string, string>>;

/** Folders of files, held in memory. */
function filesOf(texts: Texts): SkillFiles {
  return {
    async readText(path) {
      const text = texts[path];
      return text === undefined ? { kind: "absent" } : { kind: "text", text };
    },
    list: async (folder) =>
      Object.keys(texts).flatMap((path) =>
        path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [],
      ),
  };
}

async function check(files: SkillFiles, folder: string): Promise<readonly Diagnostic[]> {
  const read = await readSkillFolder(files, compiler, folder);
  const pf = `${folder}/pf.ts`;
  const code = read.pfSource;
  return [...read.diagnostics, ...(code === undefined ? [] : checkPf(checker, pf, code))];
}

const skill = (hasp: string, body = "# Late read\n", top = ""): string =>
  `---\nname: late-read\ndescription: Use late.\n${top}metadata:\n  hasp:\n    title: Late read\n${hasp}---\n\n${body}`;

const caseFile = (item: string): string => `cases:\n${item}`;
const ok = `proposed: { type: FINAL, arg: x }`;

const HEAD = `import { injectContext, modifyAction, ProgramFunction, type ActionType, type Intervention, type StepContext, type Teacher } from "hasp";\n`;
const SHOULD = `  shouldActivate(ctx: StepContext): boolean {\n    return !ctx.hasRead;\n  }\n`;
const INTERVENE = `  intervene(): Intervention {\n    return injectContext("Read first.", "nothing was read");\n  }\n`;
const USE = `export const used = [modifyAction] as const;\nexport type Used = ActionType | Teacher | undefined;\n`;
const pf = (members: string, before = ""): string =>
  `${HEAD}${before}${USE}export default class LateRead extends ProgramFunction {\n${members}}\n`;

/** A text of one file that breaks a rule whose first fix mends it. */
const ROWS: readonly (readonly [code: string, file: string, text: string])[] = [
  ["HASP100", "SKILL.md", ""],
  ["HASP101", "SKILL.md", skill("").replace("late.", "la\0te.")],
  ["HASP103", "SKILL.md", "# Late read\n\nRead before you answer.\n"],
  ["HASP104", "SKILL.md", skill("").replace("---", "---yaml")],
  ["HASP104", "SKILL.md", skill("").replace("---", "---js")],
  ["HASP105", "SKILL.md", "---\nname: late-read\ndescription: Use late.\n\n# Late\n"],
  ["HASP106", "SKILL.md", skill("").replace("Use late.", "Use when: it is late.")],
  ["HASP107", "SKILL.md", "---\n---\n# Late\n"],
  ["HASP110", "SKILL.md", skill("").replace("name: late-read\n", "")],
  ["HASP110", "SKILL.md", skill("").replace("description: Use late.\n", "")],
  ["HASP110", "SKILL.md", skill("").replace("description: Use late.", 'description: ""')],
  ["HASP111", "SKILL.md", skill("    version: '2'\n")],
  ["HASP111", "SKILL.md", skill("    applicable_modes: math\n")],
  ["HASP111", "SKILL.md", skill("    system_summary: 3\n")],
  ["HASP111", "SKILL.md", skill("    system_summary:\n")],
  ["HASP111", "SKILL.md", skill("    phases: [pre_final]\n")],
  ["HASP112", "SKILL.md", skill("    priorty: 0.5\n")],
  ["HASP112", "SKILL.md", skill("    colour: blue\n")],
  ["HASP112", "SKILL.md", skill("", "", "descripton: x\n").replace("description: Use late.\n", "")],
  ["HASP113", "SKILL.md", skill("").replace("late-read", "Late Read")],
  ["HASP113", "SKILL.md", skill("    skill_id: Late-Read\n")],
  ["HASP113", "SKILL.md", skill("    supersedes: [old_read, Older-Read]\n")],
  ["HASP113", "SKILL.md", skill("    supersedes: [late_read]\n")],
  ["HASP114", "SKILL.md", skill("").replace("late-read", "early-read")],
  ["HASP115", "SKILL.md", skill("    priority: 4\n")],
  ["HASP115", "SKILL.md", skill("    version: 1.4\n")],
  ["HASP115", "SKILL.md", skill("").replace("Use late.", "Use late when it is. ".repeat(80))],
  ["HASP115", "SKILL.md", skill("    phases:\n      pre_final: { priority_boost: 7, action: answer_now }\n")],
  ["HASP116", "SKILL.md", skill("", "", "priority: 0.4\n")],
  [
    "HASP116",
    "SKILL.md",
    "---\nskill_id: late_read\nname: Late Read\ndescription: Use late.\npriority: 0.3\nphases:\n  pre_final:\n    action: answer_now\n---\n# Late\n",
  ],
  ["HASP116", "SKILL.md", skill("    priority: 0.4\n", "", "priority: 0.3\n")],
  ["HASP117", "SKILL.md", skill("    applicable_modes: [maths]\n")],
  ["HASP117", "SKILL.md", skill("    applicable_modes: [all, gardening]\n")],
  ["HASP117", "SKILL.md", skill("    handler: lllm\n", "## Handler\n\nIs it so?\n")],
  [
    "HASP117",
    "SKILL.md",
    skill("    phases:\n      pre_final: { conditions: [no_red_yet], action: answer_now }\n"),
  ],
  ["HASP118", "SKILL.md", skill("    phases:\n      pre_final: { conditions: [] }\n")],
  ["HASP119", "SKILL.md", skill("    skill_id: early_read\n")],
  [
    "HASP120",
    "SKILL.md",
    skill("    phases:\n      pre_final: { conditions: [] }\n", "## Phase: pre_finale\n\nRead.\n"),
  ],
  ["HASP120", "SKILL.md", skill("", "## Phase: pre_final\n\nRead.\n")],
  ["HASP121", "SKILL.md", skill("    handler: llm\n")],
  ["HASP200", "pf.ts", pf(SHOULD + INTERVENE).replace("export default class", "class")],
  ["HASP200", "pf.ts", pf(SHOULD + INTERVENE).replace(" extends ProgramFunction", "")],
  ["HASP200", "pf.ts", "export const x = 1;\n"],
  ["HASP201", "pf.ts", pf(SHOULD)],
  ["HASP201", "pf.ts", pf(INTERVENE)],
  ["HASP204", "pf.ts", pf(SHOULD.replace("    return", '    console.log("here");\n    return') + INTERVENE)],
  ["HASP207", "pf.ts", pf(SHOULD + INTERVENE).replace('"hasp"', '"@hasp/hasp"')],
  ["HASP207", "pf.ts", pf(SHOULD + INTERVENE, 'import { join } from "node:path";\n')],
  ["HASP208", "pf.ts", pf(SHOULD + INTERVENE, "let most = 3;\nexport const two = most;\n")],
  [
    "HASP208",
    "pf.ts",
    pf(SHOULD.replace("!ctx.hasRead", "W.test(ctx.question)") + INTERVENE, "const W = /who/gi;\n"),
  ],
  [
    "HASP210",
    "pf.ts",
    pf(
      SHOULD.replace("shouldActivate", "async shouldActivate").replace(": boolean", ": Promise<boolean>") +
        INTERVENE,
    ),
  ],
  [
    "HASP210",
    "pf.ts",
    pf(
      SHOULD.replace("(ctx: StepContext)", "(ctx: StepContext, _a: ActionType, _b: string, _t?: Teacher)") +
        INTERVENE,
    ),
  ],
  [
    "HASP211",
    "pf.ts",
    pf(
      `  override needsTeacher = true;\n${SHOULD}  async intervene(_c: StepContext, _t: ActionType, _a: string, teacher?: Teacher): Promise<Intervention> {\n    return injectContext(await teacher!.ask("So?", { maxTokens: 8, temperature: 0 }), "asked");\n  }\n`,
    ),
  ],
  [
    "HASP211",
    "pf.ts",
    pf(
      `${SHOULD}  async intervene(_c: StepContext, _t: ActionType, _a: string, teacher?: Teacher): Promise<Intervention> {\n    if (teacher === undefined) return injectContext("Read.", "no teacher");\n    return injectContext(await teacher.ask("So?", { maxTokens: 8, temperature: 0 }), "asked");\n  }\n`,
    ),
  ],
  [
    "HASP213",
    "pf.ts",
    pf(SHOULD + INTERVENE, 'enum Kind { A, B = "b" }\nexport const kind: Kind = Kind.A;\n'),
  ],
  ["HASP213", "pf.ts", pf(SHOULD + INTERVENE, "export const n = <number>3;\n")],
  [
    "HASP214",
    "pf.ts",
    pf(
      `${SHOULD}  intervene(): Intervention {\n    return modifyAction({ type: "REED" as "READ", arg: "d", reason: "r" });\n  }\n`,
    ),
  ],
  [
    "HASP214",
    "pf.ts",
    pf(`${SHOULD}  intervene(): Intervention {\n    return modifyAction({ reason: "r" });\n  }\n`),
  ],
  ["HASP215", "pf.ts", ""],
  ["HASP215", "pf.ts", pf(SHOULD + INTERVENE).replace("Read first", "Read\0 first")],
  [
    "HASP216",
    "pf.ts",
    pf(
      `  shouldActivate(_c: StepContext, type: ActionType): boolean {\n    return type === "FINAL";\n  }\n  intervene(): Intervention {\n    return modifyAction({ type: "SEARCH", arg: "d", reason: "r" });\n  }\n`,
    ),
  ],
  ["HASP219", "pf.ts", pf(SHOULD.replace("!ctx.hasRead", "false").replace("ctx:", "_ctx:") + INTERVENE)],
  ["HASP300", "cases.yaml", caseFile(`  - name: late: too late\n    ${ok}\n    expect: { fires: true }\n`)],
  ["HASP300", "cases.yaml", caseFile(`  - name: la\0te\n    ${ok}\n    expect: { fires: true }\n`)],
  ["HASP301", "cases.yaml", `- name: late\n  ${ok}\n  expect: { fires: true }\n`],
  ["HASP301", "cases.yaml", `name: late\n${ok}\nexpect: { fires: true }\n`],
  ["HASP301", "cases.yaml", "\n"],
  ["HASP301", "cases.yaml", caseFile(`  - ${ok}\n    expect: { fires: true }\n`)],
  ["HASP301", "cases.yaml", caseFile(`  - name: late\n    expect: { fires: true }\n`)],
  ["HASP301", "cases.yaml", caseFile(`  - name: late\n    ${ok}\n`)],
  ["HASP301", "cases.yaml", caseFile(`  - name: late\n    ${ok}\n    expect: { type: NOOP }\n`)],
  [
    "HASP301",
    "cases.yaml",
    caseFile(`  - name: late\n    proposed: { arg: x }\n    expect: { fires: true }\n`),
  ],
  [
    "HASP302",
    "cases.yaml",
    caseFile(`  - name: late\n    proposed: { type: FINAL, arg: 42 }\n    expect: { fires: true }\n`),
  ],
  [
    "HASP302",
    "cases.yaml",
    caseFile(`  - name: late\n    context: { searchCount: -2 }\n    ${ok}\n    expect: { fires: true }\n`),
  ],
  [
    "HASP302",
    "cases.yaml",
    caseFile(`  - name: late\n    memory: [1]\n    ${ok}\n    expect: { fires: true }\n`),
  ],
  [
    "HASP303",
    "cases.yaml",
    caseFile(`  - name: late\n    contxt: {}\n    ${ok}\n    expect: { fires: true }\n`),
  ],
  [
    "HASP304",
    "cases.yaml",
    caseFile(`  - name: late\n    proposed: { type: Final, arg: x }\n    expect: { fires: true }\n`),
  ],
  [
    "HASP304",
    "cases.yaml",
    caseFile(`  - name: late\n    ${ok}\n    expect: { fires: true, type: MODIFY }\n`),
  ],
  [
    "HASP305",
    "cases.yaml",
    caseFile(
      `  - { name: late, ${ok}, expect: { fires: true } }\n  - { name: late, ${ok}, expect: { fires: true } }\n`,
    ),
  ],
  [
    "HASP306",
    "cases.yaml",
    caseFile(`  - name: late\n    ${ok}\n    expect:\n      fires: false\n      type: NOOP\n`),
  ],
  ["HASP307", "cases.yaml", "cases: []\n"],
];

const countOf = (found: readonly Diagnostic[], code: string): number =>
  found.filter((d) => d.code === code).length;

describe("A quick fix", () => {
  it.each(ROWS)("mends %s in %s %#", async (code, name, text) => {
    const texts: Texts = { [`${FOLDER}/SKILL.md`]: skill(""), [`${FOLDER}/${name}`]: text };
    const found = await check(filesOf(texts), FOLDER);
    const diagnostic = found.find((d) => d.code === code && d.fixes !== undefined);
    if (diagnostic === undefined) throw new Error(`no ${code} but ${JSON.stringify(found)}`);
    const [fix] = diagnostic.fixes ?? [];
    if (fix === undefined) throw new Error(`${code} has no fix: ${diagnostic.message}`);
    const mended = Object.fromEntries(
      [...editsByFile(fix, diagnostic)].map(([file, edits]) => {
        const path = `${FOLDER}/${file}`;
        return [path, applyEdits(texts[path] ?? "", edits)];
      }),
    );
    const after = await check(filesOf({ ...texts, ...mended }), FOLDER);
    expect(countOf(after, code), JSON.stringify([mended, after], null, 1)).toBeLessThan(countOf(found, code));
    if (!["HASP104", "HASP112", "HASP200", "HASP302"].includes(code))
      expect(
        after.filter((d) => d.severity === "error").map((d) => `${d.code} ${d.message}`),
        JSON.stringify(mended),
      ).toEqual([]);
  });

  it("makes a case expect what the PF does now", () => {
    const text = caseFile(`  - name: late\n    ${ok}\n    expect:\n      fires: false\n`);
    const [made] = parseCases(text, "cases.yaml").value ?? [];
    if (made === undefined) throw new Error("no case");
    const now = { fires: true, type: "MODIFY_ACTION", newActionType: "READ", newActionArg: 'a "b"' } as const;
    const result = { case: made, passed: false, expected: "", actual: "", now };
    const [fix] = caseDiagnostic(result, "cases.yaml", text)?.fixes ?? [];
    const after = parseCases(applyEdits(text, fix?.edits ?? []), "cases.yaml");
    expect(after.diagnostics).toEqual([]);
    expect(after.value?.[0]?.expect).toEqual(now);
  });

  it("turns a PF that a prompt could replace into a phase instruction", async () => {
    const source = pf(
      SHOULD.replace("!ctx.hasRead", '!ctx.hasRead && "FINAL" !== "SEARCH".slice(1)') + INTERVENE,
    );
    const texts: Texts = { [`${FOLDER}/SKILL.md`]: skill(""), [`${FOLDER}/pf.ts`]: source };
    const read = await readSkillFolder(filesOf(texts), compiler, FOLDER);
    const said = promptEquivalence("pf.ts", source).instruction;
    const [hint] = promptHint(read, texts[`${FOLDER}/SKILL.md`], said);
    const [fix] = hint?.fixes ?? [];
    expect(fix?.deletes).toEqual([`${FOLDER}/pf.ts`]);
    const after = applyEdits(skill(""), fix?.edits ?? []);
    const { value, diagnostics } = parseSkill(after, { file: "SKILL.md", folder: "late-read" });
    expect(diagnostics).toEqual([]);
    expect(value?.phases.pre_final).toMatchObject({ text: "Read first.", conditions: ["no_read_yet"] });
  });

  it.each([
    ["HASP401", "skill_id: same\n", "skill_id: same\n"],
    ["HASP407", "supersedes:\n      - b\n      - c\n", "supersedes: [a]\n"],
    ["HASP408", "supersedes: [bb]\n", ""],
  ])("mends %s between two skills", async (code, first, second) => {
    const one = (name: string, hasp: string): string =>
      skill(hasp && `    ${hasp}`).replace("late-read", name);
    let texts: Texts = { "lib/a/SKILL.md": one("a", first), "lib/b/SKILL.md": one("b", second) };
    const look = async (): Promise<readonly Diagnostic[]> =>
      libraryDiagnostics(
        await Promise.all(
          ["lib/a", "lib/b"].map((folder) => readSkillFolder(filesOf(texts), compiler, folder)),
        ),
      );
    const found = (await look()).find((d) => d.code === code);
    const [fix] = found?.fixes ?? [];
    if (found?.file === undefined || fix === undefined) throw new Error(`no fix for ${code}`);
    texts = { ...texts, [found.file]: applyEdits(texts[found.file] ?? "", fix.edits) };
    expect(
      (await look()).filter((d) => d.code === code && d.file === found.file && d.message === found.message),
    ).toEqual([]);
  });
});

describe("Mending a whole skill", () => {
  const broken: Texts = {
    [`${FOLDER}/SKILL.md`]:
      "---\r\nskill_id: late_read\r\nname: Late Read\r\npriority: 7\r\napplicable_modes: maths\r\nsystem_summary: Read.\r\n---\r\n# Late\r\n",
    [`${FOLDER}/cases.yaml`]: caseFile(`  - name: late\n    ${ok}\n    expct: { fires: true }\n`),
  };

  it("leaves nothing that could be mended without a choice, keeps the line breaks, and does nothing the second time", async () => {
    const mended = await mendSkill(filesOf(broken), FOLDER, check);
    const after: Texts = Object.fromEntries(mended.map(({ file, after: text }) => [file, text]));
    expect(Object.keys(after)).toHaveLength(2);
    expect(after[`${FOLDER}/SKILL.md`]).not.toMatch(/[^\r]\n/);
    expect(await check(filesOf(after), FOLDER)).toEqual([]);
    expect(await mendSkill(filesOf(after), FOLDER, check)).toEqual([]);
  });
});

describe("The table of rules", () => {
  const root = new URL("../../../", import.meta.url);
  const sources = readdirSync(new URL("src", root), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith("rule-table.ts"))
    .map((file) => readFileSync(new URL(`src/${file}`, root), "utf8"));
  const used = new Set(sources.flatMap((text) => text.match(/HASP(?:[123]\d\d|4[03]\d)\b/g) ?? []));
  const codes = RULES.map(({ code }) => code);

  it("holds the codes that the source has, in order, and no other", () => {
    expect(codes).toEqual([...used].toSorted());
  });

  it("has a page for each rule, a row in the list, and no page besides", () => {
    const list = readFileSync(new URL("docs/rules.md", root), "utf8");
    expect(readdirSync(new URL("docs/rules", root)).toSorted()).toEqual(codes.map((code) => `${code}.md`));
    for (const { code, title, severity, hasFix } of RULES) {
      const page = readFileSync(new URL(rulePage(code), root), "utf8");
      expect(page).toContain(`# ${code}: ${title}\n`);
      expect(page.toLowerCase()).toContain(`\n${severity}.\n`);
      expect(page.includes("## Quick fix")).toBe(hasFix);
      expect(list).toContain(`[${code}](rules/${code}.md)`);
    }
  });

  it("promises a fix for exactly the rules that this file sees mended", () => {
    const seen = new Set([
      ...ROWS.map(([code]) => code),
      "HASP217",
      "HASP310",
      "HASP401",
      "HASP407",
      "HASP408",
    ]);
    expect([...seen].toSorted()).toEqual(RULES.filter(({ hasFix }) => hasFix).map(({ code }) => code));
  });
});
