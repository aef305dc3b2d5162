import { REGISTERED } from "../../src/domains/registered.ts";
import { type ShippedList } from "../../src/model/shipped-lists.ts";
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { webSearch } from "../../src/domains/web-search/web-search.ts";
import { createChecker } from "../../src/skill/checker.ts";
import { PF_COMPILER_OPTIONS } from "../../src/skill/compiler-options.ts";
import { parseSkill } from "../../src/skill/parse-skill.ts";
import { checkPf } from "../../src/skill/pf-rules.ts";
import { ALL_FORMS, paperSkill, shippedSkills } from "../support/shipped.ts";

const libraries = ["skills/coding-agent", "skills/math", "samples/skills/web-search"];
const root = new URL("../../", import.meta.url);
const inLibraries = libraries.flatMap((library) =>
  readdirSync(new URL(`${library}/`, root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => ({ name: entry.name, path: `${library}/${entry.name}` })),
);
const placed = (path: string) => ({ name: path.split("/").at(-1) ?? "", path });
const folders = [...ALL_FORMS.map(placed), ...inLibraries];
const text = (path: string): string => readFileSync(new URL(path, root), "utf8");

/** SPEC §3's table. */
const NAMED = [
  "retrieval_failure format_extraction_error relevant_content_extractor reasoning_error answer_confidence_guard",
  "insufficient_exploration multi_hop_reasoning_failure temporal_confusion citation_mismatch",
  "decompose_complex_question adversarial_distraction negation_oversight wrong_entity_confusion",
  "reading_comprehension_error answer_completeness language_barrier iterative_refinement claim_triangulation",
  "misinformation_detector",
].flatMap((line) => line.split(" "));

const checker = createChecker(REGISTERED);
afterAll(() => checker.dispose());

describe.each(folders)("$path", ({ name, path }) => {
  it("has a SKILL.md without a complaint, whose ids follow from its folder", () => {
    const { value, diagnostics } = parseSkill(
      text(`${path}/SKILL.md`),
      {
        file: `${path}/SKILL.md`,
        folder: name,
      },
      REGISTERED,
    );
    expect(diagnostics).toEqual([]);
    expect(value).toMatchObject({ name, skillId: name.replaceAll("-", "_") });
    expect(value?.systemSummary).not.toBe("");
  });

  it("has a pf.ts without a complaint of the compiler or of a rule", () => {
    expect(checkPf(checker, `${path}/pf.ts`, text(`${path}/pf.ts`), REGISTERED)).toEqual([]);
  });
});

const skillsOf = (list: ShippedList) =>
  shippedSkills(list)
    .map(placed)
    .map(
      ({ name, path }) =>
        parseSkill(text(`${path}/SKILL.md`), { file: path, folder: name }, REGISTERED).value,
    );

describe("the web-search skills of the list paper", () => {
  const shipped = skillsOf("paper");
  const priorityOf = (id: string) => shipped.find((skill) => skill?.skillId === id)?.priority ?? Number.NaN;
  const changes = (id: string) =>
    text(`${paperSkill(id.replaceAll("_", "-"))}/pf.ts`).includes("modifyAction(");
  const withHandler = (kind: string) =>
    shipped.flatMap((skill) => (skill?.handler?.kind === kind ? skill.skillId : [])).toSorted();

  it("are the 26 of SPEC §3: nineteen that it names, and seven of our own", () => {
    const ids = shipped.map((skill) => skill?.skillId);
    expect(ids).toHaveLength(26);
    expect(ids).toEqual(expect.arrayContaining([...NAMED]));
  });

  it("have the handlers of SPEC §3: eight ask the teacher, five are code, three are inline, ten have none", () => {
    expect(withHandler("llm")).toHaveLength(8);
    expect(withHandler("code")).toHaveLength(5);
    expect(withHandler("inline")).toEqual(webSearch.pfLists.mandatory.toSorted());
    expect(shipped.filter((skill) => skill?.handler === undefined)).toHaveLength(10);
  });

  it("are asked in turn: what makes an action readable first, then what shortens it, then what judges answers", () => {
    const turn = [
      "format_extraction_error",
      "retrieval_failure",
      "insufficient_exploration",
      "answer_completeness",
    ];
    expect(turn.toSorted((a, b) => priorityOf(b) - priorityOf(a))).toEqual(turn);
    expect(Math.max(...shipped.map((skill) => skill?.priority ?? 0))).toBe(
      priorityOf("format_extraction_error"),
    );
  });

  it("let the paper's nineteen change an action before our own seven do", () => {
    const named = NAMED.filter((id) => changes(id)).map(priorityOf);
    const own = shipped.flatMap((skill) =>
      skill === undefined || NAMED.includes(skill.skillId) ? [] : skill.priority,
    );
    expect(own).toHaveLength(7);
    expect(Math.max(...own)).toBeLessThan(Math.min(...named));
  });

  it.each(NAMED)("%s caps its fires only with the reason beside the cap", (id) => {
    const code = text(`${paperSkill(id.replaceAll("_", "-"))}/pf.ts`);
    if (code.includes("maxFires")) expect(code).toMatch(/\/\*\* .+ \*\/\n {2}override maxFires = \d/);
  });

  it("know every skill that the domain's selector names", () => {
    const named = Object.values(webSearch.pfLists).flat();
    expect(shipped.map((skill) => skill?.skillId)).toEqual(expect.arrayContaining(named));
  });

  it("are compiled in this repository as in any workspace", () => {
    const [, json = ""] = text("skills/tsconfig.json").split(/^\/\/.*\n/m);
    const { compilerOptions } = JSON.parse(json) as { compilerOptions: Record<string, unknown> };
    expect(compilerOptions).toEqual({
      ...PF_COMPILER_OPTIONS,
      paths: { hasp: ["./hasp.d.ts"] },
    });
  });
});

describe("the web-search skills of the list worth", () => {
  const ids = skillsOf("worth").map((skill) => skill?.skillId ?? "");

  it("are the default: most are also the paper's, and none is there twice", () => {
    expect(new Set(ids).size).toBe(ids.length);
    const ofPaper = new Set(skillsOf("paper").map((skill) => skill?.skillId));
    expect(ids.filter((id) => ofPaper.has(id)).length).toBeGreaterThan(ids.length / 2);
  });

  it("take no skill of the list paper by its form there", () => {
    expect(shippedSkills("worth").filter((folder) => folder.startsWith("skills/paper/"))).toEqual([]);
  });

  it("lie with those of all lists where the paper has the same form", () => {
    const forms = (name: string) =>
      ALL_FORMS.filter((folder) => folder.endsWith(`/${name}`)).map((folder) =>
        ["SKILL.md", "pf.ts"].map((file) => text(`${folder}/${file}`)).join(""),
      );
    for (const { name } of ALL_FORMS.map(placed))
      expect([name, new Set(forms(name)).size]).toEqual([name, forms(name).length]);
  });
});

describe("the skills for coding agents that come with HASP Studio", () => {
  const shipped = folders
    .filter((folder) => folder.path.startsWith("skills/coding-agent/"))
    .map(
      ({ name, path }) =>
        parseSkill(text(`${path}/SKILL.md`), { file: path, folder: name }, REGISTERED).value,
    );

  it("are for coding agents alone and cast no vote", () => {
    expect(shipped.length).toBeGreaterThan(0);
    for (const skill of shipped) expect(skill?.applicableModes).toEqual(["coding-agent"]);
    expect(shipped.filter((skill) => skill?.handler !== undefined)).toEqual([]);
  });

  it("answer the fifteen wishes", () => {
    const wished = [
      "destructive_delete force_push discarding_work secret_files committing_secrets tests_before_done",
      "edit_unread_file edit_that_must_fail format_after_edit check_types_after_edit debug_code_left",
      "destructive_sql running_downloads edit_loop protected_files",
    ].flatMap((line) => line.split(" "));
    expect(new Set(shipped.map((skill) => skill?.skillId))).toEqual(new Set(wished));
  });

  it("let what guards speak before what reminds", () => {
    const priority = (id: string) => shipped.find((skill) => skill?.skillId === id)?.priority ?? Number.NaN;
    const turn = [
      "protected_files",
      "edit_that_must_fail",
      "edit_unread_file",
      "tests_before_done",
      "edit_loop",
    ];
    expect(turn.toSorted((a, b) => priority(b) - priority(a))).toEqual(turn);
  });
});
