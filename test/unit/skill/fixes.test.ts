import { REGISTERED } from "../../../src/domains/registered.ts";
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { caseDiagnostics } from "../../../src/analysis/run-cases.ts";
import type { Diagnostic, Range } from "../../../src/model/diagnostic.ts";
import { createChecker } from "../../../src/skill/checker.ts";
import { libraryDiagnostics } from "../../../src/skill/library-rules.ts";
import { applyEdits, editsByFile, applyFixes } from "../../../src/skill/fix-skill.ts";
import { parseCases } from "../../../src/skill/parse-cases.ts";
import { parseSkill } from "../../../src/skill/parse-skill.ts";
import { checkPf } from "../../../src/skill/pf-rules.ts";
import { promptEquivalence } from "../../../src/skill/prompt-equivalent.ts";
import { partRules } from "../../../src/skill/part-rules.ts";
import { promptHint } from "../../../src/skill/prompt-hint.ts";
import { readSkillFolder } from "../../../src/skill/read-skill.ts";
import type { SkillFiles } from "../../../src/skill/skill-files.ts";
import { RULES, rulePage } from "../../../src/skill/rule-table.ts";
import { readBytes } from "../../../src/skill/text-bytes.ts";
import { transpile } from "../../../src/skill/transpile.ts";
import { caseFile, INTERVENE, ok, pf, SHOULD, skill } from "../../support/broken/parts.ts";
import { BY_HAND, type BrokenScene, FIXABLE, type Files } from "../../support/broken/scenes.ts";

const FOLDER = "skills/web-search/late-read";
const checker = createChecker(REGISTERED);
afterAll(() => checker.dispose());

const compiler = {
  domains: async () => REGISTERED,
  transpile: async (file: string, source: string) => transpile(source, file),
  promptEquivalence: async (file: string, source: string) => promptEquivalence(file, source),
};

const TRIGGER = (condition: string): string =>
  `  shouldActivate(c: StepContext, type: ActionType): boolean {\n    return ${condition};\n  }\n`;

type Texts = Files;
const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Folders of files, held in memory. */
function filesOf(texts: Texts): SkillFiles {
  return {
    async readText(path) {
      const text = texts[path];
      if (text === undefined) return { kind: "absent" };
      return { kind: "text", text: text.replace(/^\uFEFF/, ""), bytes: encoded(text) };
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
  return [...read.diagnostics, ...(code === undefined ? [] : checkPf(checker, pf, code, REGISTERED))];
}

const countOf = (found: readonly Diagnostic[], code: string): number =>
  found.filter((d) => d.code === code).length;

const LIBRARY = "skills/web-search";
const inLibrary = (files: Files): Texts =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${LIBRARY}/${path}`, text]));

/** `line:character words` of what is marked. */
function placeOf({ start, end }: Range, text: string): string {
  const line = text.split("\n")[start.line] ?? "";
  const marked = line.slice(start.character, end.line === start.line ? end.character : undefined);
  return `${start.line}:${start.character} ${marked.slice(0, 20)}`.trim();
}

async function broken({ code, files, file, at }: BrokenScene): Promise<[Diagnostic, readonly Diagnostic[]]> {
  const found = await check(filesOf(inLibrary(files)), FOLDER);
  const text = (files[file] ?? "").replace(/^\uFEFF/, "");
  const diagnostic = found.find((d) => d.code === code && placeOf(d.range, text) === at);
  if (diagnostic === undefined) throw new Error(`no ${code} at ${at} but ${JSON.stringify(found)}`);
  return [diagnostic, found];
}

const named = (scenes: readonly BrokenScene[]) =>
  scenes.map((scene): [string, string, BrokenScene] => [scene.code, scene.file, scene]);

describe("A rule", () => {
  it.each(named(BY_HAND))("%s is broken in %s and fixed by hand %#", async (code, _file, scene) => {
    await broken(scene);
    const fixed = "fixed" in scene.way ? scene.way.fixed : {};
    const after = await check(filesOf(inLibrary({ ...scene.files, ...fixed })), FOLDER);
    expect(countOf(after, code), JSON.stringify(after)).toBe(0);
  });
});

describe("A quick fix", () => {
  it.each(named(FIXABLE))("fixes %s in %s %#", async (code, _file, scene) => {
    const texts = inLibrary(scene.files);
    const [diagnostic, found] = await broken(scene);
    const [fix] = diagnostic.fixes ?? [];
    if (fix === undefined) throw new Error(`${code} has no fix: ${diagnostic.message}`);
    expect({ fix: fix.title.replaceAll("`", "") }).toEqual(scene.way);
    const fixed = Object.fromEntries(
      [...editsByFile(fix, diagnostic)].map(([file, edits]) => {
        const path = `${FOLDER}/${file}`;
        const text = texts[path] ?? "";
        return [
          path,
          fix.rewrites === true
            ? readBytes(encoded(text)).text.replaceAll("\r", "\n")
            : applyEdits(text, edits),
        ];
      }),
    );
    const after = await check(filesOf({ ...texts, ...fixed }), FOLDER);
    expect(countOf(after, code), JSON.stringify([fixed, after], null, 1)).toBeLessThan(countOf(found, code));
    if (!["HASP104", "HASP112", "HASP200", "HASP302"].includes(code))
      expect(
        after.filter((d) => d.severity === "error").map((d) => `${d.code} ${d.message}`),
        JSON.stringify(fixed),
      ).toEqual([]);
  });

  it("makes a case expect what the PF does now", () => {
    const text = caseFile(`  - name: late\n    ${ok}\n    expect:\n      fires: false\n`);
    const [made] = parseCases(text, "cases.yaml", REGISTERED).value ?? [];
    if (made === undefined) throw new Error("no case");
    const now = { fires: true, type: "MODIFY_ACTION", newActionType: "READ", newActionArg: 'a "b"' } as const;
    const differences = [{ key: "fires", expected: "false", actual: "true" }] as const;
    const result = { case: made, passed: false, differences, expected: "", actual: "", now };
    const [fix] = caseDiagnostics(result, "cases.yaml", text)[0]?.fixes ?? [];
    const after = parseCases(applyEdits(text, fix?.edits ?? []), "cases.yaml", REGISTERED);
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
    const { value, diagnostics } = parseSkill(after, { file: "SKILL.md", folder: "late-read" }, REGISTERED);
    expect(diagnostics).toEqual([]);
    expect(value?.phases.pre_final).toMatchObject({ text: "Read first.", conditions: ["no_read_yet"] });
  });

  it.each([
    ["HASP122 error", "    handler: code\n", SHOULD],
    ["HASP122 warning", "", `  override vote() {\n    return undefined;\n  }\n${SHOULD}`],
    ["HASP122 warning", "    handler: llm\n", `  override vote() {\n    return undefined;\n  }\n${SHOULD}`],
    ["HASP123 warning", "    applicable_phases: [search]\n", TRIGGER('type === "FINAL"')],
    ["HASP123 warning", "    applicable_phases: [think, answer]\n", TRIGGER('type === "FINAL" && c.hasRead')],
    [
      "HASP123 warning",
      "    applicable_phases: [answer]\n",
      TRIGGER('type !== "FINAL" ? type === "READ" : true'),
    ],
  ])("makes SKILL.md fit the part that the PF takes: %s %#", async (found, hasp, members) => {
    const texts: Texts = {
      [`${FOLDER}/SKILL.md`]: skill(hasp),
      [`${FOLDER}/pf.ts`]: pf(members + INTERVENE),
    };
    const told = async (text: string): Promise<readonly Diagnostic[]> => {
      const files = filesOf({ ...texts, [`${FOLDER}/SKILL.md`]: text });
      const read = await readSkillFolder(files, compiler, FOLDER);
      const { part } = promptEquivalence("pf.ts", read.pfSource ?? "");
      return part === undefined ? [] : partRules(read, text, part, REGISTERED);
    };
    const [diagnostic, ...others] = await told(skill(hasp));
    expect([`${diagnostic?.code} ${diagnostic?.severity}`, others]).toEqual([found, []]);
    const fixed = applyEdits(skill(hasp), diagnostic?.fixes?.[0]?.edits ?? []);
    expect(await told(fixed), fixed).toEqual([]);
  });

  it.each([
    ["    applicable_phases: [answer]\n", TRIGGER('type === "FINAL"')],
    ["    applicable_phases: [think, answer]\n", TRIGGER('(c.memory["n"] = 1) > 0 && type === "FINAL"')],
    ["    applicable_phases: [search]\n", TRIGGER("c.question.includes(type)")],
    ["    handler: inline\n", SHOULD],
    ["    handler: inline\n", `  override vote() {\n    return undefined;\n  }\n${SHOULD}`],
    ["    handler: code\n", `  override vote() {\n    return undefined;\n  }\n${SHOULD}`],
  ])("leaves alone what fits, or what nobody can be sure of %#", async (hasp, members) => {
    const texts: Texts = {
      [`${FOLDER}/SKILL.md`]: skill(hasp),
      [`${FOLDER}/pf.ts`]: pf(members + INTERVENE),
    };
    const read = await readSkillFolder(filesOf(texts), compiler, FOLDER);
    const { part } = promptEquivalence("pf.ts", read.pfSource ?? "");
    if (part === undefined) throw new Error("the code cannot be read");
    expect(partRules(read, skill(hasp), part, REGISTERED)).toEqual([]);
  });

  it.each([
    ["HASP401", "skill_id: same\n", "skill_id: same\n"],
    ["HASP407", "supersedes:\n      - b\n      - c\n", "supersedes: [a]\n"],
    ["HASP408", "supersedes: [bb]\n", ""],
  ])("fixes %s between two skills", async (code, first, second) => {
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

describe("Fixing a whole skill", () => {
  const broken: Texts = {
    [`${FOLDER}/SKILL.md`]:
      "---\r\nskill_id: late_read\r\nname: Late Read\r\npriority: 7\r\napplicable_modes: agents\r\nsystem_summary: Read.\r\n---\r\n# Late\r\n",
    [`${FOLDER}/cases.yaml`]: caseFile(`  - name: late\n    ${ok}\n    expct: { fires: true }\n`),
  };

  it("leaves nothing that could be fixed without a choice, keeps the line breaks, and does nothing the second time", async () => {
    const fixed = await applyFixes(filesOf(broken), FOLDER, check);
    const after: Texts = Object.fromEntries(fixed.map(({ file, after: text }) => [file, text]));
    expect(Object.keys(after)).toHaveLength(2);
    expect(after[`${FOLDER}/SKILL.md`]).not.toMatch(/[^\r]\n/);
    expect(await check(filesOf(after), FOLDER)).toEqual([]);
    expect(await applyFixes(filesOf(after), FOLDER, check)).toEqual([]);
  });
});

describe("The table of rules", () => {
  const root = new URL("../../../", import.meta.url);
  const sources = readdirSync(new URL("src", root), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith("rule-table.ts"))
    .map((file) => readFileSync(new URL(`src/${file}`, root), "utf8"));
  const used = new Set(sources.flatMap((text) => text.match(/HASP(?:[123]\d\d|4[03]\d|856)\b/g) ?? []));
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

  it("promises a fix for exactly the rules that this file sees fixed", () => {
    const seen = new Set([
      ...FIXABLE.map(({ code }) => code),
      "HASP122",
      "HASP123",
      "HASP217",
      "HASP310",
      "HASP401",
      "HASP407",
      "HASP408",
    ]);
    expect([...seen].toSorted()).toEqual(RULES.filter(({ hasFix }) => hasFix).map(({ code }) => code));
  });
});
