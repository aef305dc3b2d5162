import { afterAll, describe, expect, it } from "vitest";
import { openLibrary } from "../../../src/analysis/library.ts";
import { readSkillFolder, unreadableFolder, type SkillFolder } from "../../../src/skill/read-skill.ts";
import { loadSkills, openCore } from "../../support/core.ts";
import { PAPER } from "../../support/shipped.ts";

const core = openCore();
afterAll(async () => {
  await Promise.all([core.compiler.close(), core.host.close()]);
});

const PF = `import { ProgramFunction, injectContext, type ActionType, type Intervention, type StepContext } from "hasp";
export default class Hint extends ProgramFunction {
  shouldActivate(_ctx: StepContext, actionType: ActionType): boolean { return actionType === "FINAL"; }
  intervene(ctx: StepContext): Intervention { return injectContext(TEXT, "why"); }
}
`;
const fixed = PF.replace("TEXT", '"Read first."');
const built = PF.replace("TEXT", "`Read about ${ctx.question}.`");

function skillMd(name: string, keys = ""): string {
  return `---\nname: ${name}\ndescription: Use it.\nmetadata:\n  hasp:\n    priority: 0.5\n${keys}---\n## Handler\nIs it right?\n`;
}

async function skill(name: string, pf?: string, md = skillMd(name)): Promise<SkillFolder> {
  const texts: Readonly<Record<string, string | undefined>> = { "SKILL.md": md, "pf.ts": pf };
  return readSkillFolder(
    {
      async readText(path) {
        const text = texts[path.slice(`lib/${name}/`.length)];
        return text === undefined ? { kind: "absent" } : { kind: "text", text };
      },
      list: async () => Object.keys(texts).filter((file) => texts[file] !== undefined),
    },
    core.compiler,
    `lib/${name}`,
  );
}

describe("A library", () => {
  it("leaves out what hasp.yaml switches off, says so, and lets what it superseded act", async () => {
    const old = await skill("old-hint", fixed);
    const off = await skill("new-hint", fixed, skillMd("new-hint", "    supersedes: [old_hint]\n"));
    const on = await openLibrary([old, off], core.host);
    expect(on.active.map((one) => one.skill.skillId)).toEqual(["new_hint"]);
    const library = await openLibrary([old, { ...off, isDisabled: true }], core.host);
    expect(library.active.map((one) => one.skill.skillId)).toEqual(["old_hint"]);
    expect(library.skills).toHaveLength(1);
    expect(library.diagnostics.map(({ code, severity }) => [code, severity])).toContainEqual([
      "HASP430",
      "information",
    ]);
  });

  it("offers every skill that acts, those of text alone too, in the order of Γ", async () => {
    const { skills, active, diagnostics } = await openLibrary(
      [
        await skill("c-built", built),
        await skill("b-fixed", fixed),
        await skill("a-text"),
        await skill("d-asks", undefined, skillMd("d-asks", "    handler: llm\n")),
        await skill("e-first", fixed, skillMd("e-first").replace("0.5", "0.9")),
      ],
      core.host,
    );
    expect(diagnostics).toEqual([]);
    expect(active.map(({ skill }) => skill.skillId)).toEqual(["e_first", "b_fixed", "c_built"]);
    expect(
      skills.map(({ skill, program, promptOnly }) => [skill.skillId, program !== undefined, promptOnly]),
    ).toEqual([
      ["e_first", true, true],
      ["a_text", false, true],
      ["b_fixed", true, true],
      ["c_built", true, false],
      ["d_asks", false, false],
    ]);
  });

  it("goes on without what is broken, and says why", async () => {
    const { skills, active, diagnostics } = await openLibrary(
      [
        await skill("good", fixed),
        await skill("syntax", "const a = ;"),
        await skill("throws", `${fixed}\nnull.length;`),
        await skill("no-front", fixed, "no frontmatter"),
        unreadableFolder("lib/locked", Object.assign(new Error("EACCES"), { code: "EACCES" })),
        await skill("good", fixed),
        await skill("old", fixed),
        await skill("new", fixed, skillMd("new", "    supersedes: [old]\n")),
      ],
      core.host,
    );
    expect(active.map(({ skill }) => skill.skillId)).toEqual(["good", "new"]);
    // The text of a skill whose code is broken is still good.
    expect(skills.map(({ skill }) => skill.skillId)).toEqual(["good", "new", "syntax", "throws"]);
    const told = diagnostics.map(({ code, file }) => `${code} ${file}`);
    expect(told).toEqual(
      expect.arrayContaining([
        "HASP103 lib/no-front/SKILL.md",
        "HASP404 lib/locked",
        "HASP401 lib/good/SKILL.md",
        "HASP406 lib/old/SKILL.md",
        "HASP400 lib/throws/pf.ts",
      ]),
    );
    expect(told.some((one) => one.endsWith("lib/syntax/pf.ts"))).toBe(true);
  });

  it("tells of a pf.ts that is no file, and of no other fault of a skill that acts", async () => {
    const folder = await skill("hint", undefined, `${skillMd("other")}## Phase: nonsense\n`);
    const pf = {
      code: "HASP404",
      severity: "error" as const,
      message: "",
      file: "lib/hint/pf.ts",
      range: folder.diagnostics[0]?.range ?? {
        start: { line: 0, character: 0 },
        end: { line: 0, character: 0 },
      },
    };
    const { diagnostics } = await openLibrary(
      [{ ...folder, diagnostics: [...folder.diagnostics, pf] }],
      core.host,
    );
    expect(folder.diagnostics).not.toEqual([]);
    expect(diagnostics).toEqual([pf]);
  });

  it("is the shipped one without a complaint", async () => {
    const { skills, diagnostics } = await loadSkills(core, ...PAPER);
    expect(diagnostics).toEqual([]);
    expect(skills.length).toBeGreaterThanOrEqual(4);
  });
});
