import { readdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { createChecker } from "../../src/skill/checker.ts";
import { PF_COMPILER_OPTIONS } from "../../src/skill/compiler-options.ts";
import { parseSkill } from "../../src/skill/parse-skill.ts";
import { checkPf } from "../../src/skill/pf-rules.ts";

const libraries = ["skills/web-search", "samples/skills/web-search"];
const root = new URL("../../", import.meta.url);
const folders = libraries.flatMap((library) =>
  readdirSync(new URL(`${library}/`, root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => ({ name: entry.name, path: `${library}/${entry.name}` })),
);
const text = (path: string): string => readFileSync(new URL(path, root), "utf8");

const checker = createChecker();
afterAll(() => checker.dispose());

describe.each(folders)("$path", ({ name, path }) => {
  it("has a SKILL.md without a complaint, whose ids follow from its folder", () => {
    const { value, diagnostics } = parseSkill(text(`${path}/SKILL.md`), {
      file: `${path}/SKILL.md`,
      folder: name,
    });
    expect(diagnostics).toEqual([]);
    expect(value).toMatchObject({ name, skillId: name.replaceAll("-", "_") });
    expect(value?.systemSummary).not.toBe("");
  });

  it("has a pf.ts without a complaint of the compiler or of a rule", () => {
    expect(checkPf(checker, `${path}/pf.ts`, text(`${path}/pf.ts`))).toEqual([]);
  });
});

describe("the web-search skills that come with HASP Studio", () => {
  it("are asked in the order of SPEC §1 and §3: those that repair an action first", () => {
    const byPriority = folders
      .filter((folder) => folder.path.startsWith("skills/"))
      .map(({ name, path }) => parseSkill(text(`${path}/SKILL.md`), { file: path, folder: name }).value)
      .toSorted((a, b) => (b?.priority ?? 0) - (a?.priority ?? 0));
    expect(byPriority.map((skill) => `${skill?.skillId} ${skill?.priority}`)).toEqual([
      "format_extraction_error 0.85",
      "retrieval_failure 0.8",
      "insufficient_exploration 0.75",
      "decompose_complex_question 0.7",
      "answer_completeness 0.65",
      "relevant_content_extractor 0.6",
    ]);
  });

  it("are compiled in this repository as in any workspace", () => {
    const [, json = ""] = text("skills/tsconfig.json").split(/^\/\/.*\n/m);
    const { compilerOptions } = JSON.parse(json) as { compilerOptions: Record<string, unknown> };
    expect(compilerOptions).toEqual({
      ...PF_COMPILER_OPTIONS,
      paths: { hasp: ["../src/skill/lib/hasp.d.ts"] },
    });
  });
});
