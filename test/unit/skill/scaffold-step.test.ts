import { REGISTERED } from "../../../src/domains/registered.ts";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { asIfActing, openLibrary } from "../../../src/analysis/library.ts";
import { webSearch } from "../../../src/domains/web-search/web-search.ts";
import { runCases } from "../../../src/analysis/run-cases.ts";
import { isClean } from "../../../src/model/diagnostic.ts";
import type { StepContext } from "../../../src/model/step-context.ts";
import { appendCase, freeCaseName, withEdit } from "../../../src/skill/append-case.ts";
import { parseCases } from "../../../src/skill/parse-cases.ts";
import { parseSkill } from "../../../src/skill/parse-skill.ts";
import { readSkillFolder } from "../../../src/skill/read-skill.ts";
import { renderCase } from "../../../src/skill/render-case.ts";
import { scaffoldSkill, type NewSkill } from "../../../src/skill/scaffold.ts";
import { templatePlaces } from "../../../src/skill/template-text.ts";
import { suggestDescription, suggestName, type FailingStep } from "../../../src/skill/step-trigger.ts";
import { openCore } from "../../support/core.ts";
import { question } from "../../support/pf-fixtures.ts";

const core = openCore();
afterAll(async () => {
  await core.host.close();
  await core.compiler.close();
});

function skillFrom(step: FailingStep, kind: NewSkill["kind"]): ReadonlyMap<string, string> {
  const origin = { ...step, caseName: "the recorded step" };
  return scaffoldSkill({
    name: suggestName(step, webSearch),
    description: suggestDescription(step, webSearch),
    domain: webSearch,
    kind,
    origin,
  });
}

/** What the editor would show of the new skill: problems, and what its cases come to. */
async function checked(name: string, files: ReadonlyMap<string, string>) {
  const folder = await readSkillFolder(
    {
      readText: async (path) => {
        const text = files.get(path.split("/").at(-1) ?? "");
        return text === undefined ? { kind: "absent" } : { kind: "text", text };
      },
      list: async () => [...files.keys()],
    },
    core.compiler,
    name,
  );
  const typed = await core.compiler.check(`${name}/pf.ts`, files.get("pf.ts") ?? "");
  const library = await openLibrary([asIfActing(folder)], core.host);
  const [active] = library.active;
  const results =
    active === undefined ? [] : await runCases(active.skill.skillId, folder.cases, webSearch, core.host);
  return { problems: [...folder.diagnostics, ...typed, ...library.diagnostics], results };
}

const step = (type: string, arg: string, context: Partial<StepContext> = {}): FailingStep => ({
  context: question(type, arg, context).context,
  proposed: { type, arg },
});

const STEPS: Readonly<Record<string, FailingStep>> = {
  "repeated-search": step("SEARCH", "Alice Walton", {
    actionHistory: [{ type: "SEARCH", arg: "Alice Walton" }],
    searchCount: 1,
    stepCount: 1,
  }),
  "unread-final": step("FINAL", "Bruce", { searchCount: 2, stepCount: 2 }),
  "after-empty-search-read": step("READ", "doc_0", { emptyResults: true, searchCount: 1, stepCount: 1 }),
  "after-searches-search": step("SEARCH", "more", { searchCount: 4, stepCount: 4 }),
  "check-search": step("SEARCH", "first"),
  "later-other": {
    ...step("other", "x", { stepCount: 1 }),
    proposed: { type: "other", arg: "x", raw: "Compare[a, b]" },
  },
  "check-calculate": step("CALCULATE", "1 + 1"),
};

describe.each(Object.entries(STEPS))("a skill made from the step of %s", (name, from) => {
  it.each(["rewrite", "inject"] as const)("of kind %s has no problem, and its cases hold", async (kind) => {
    expect(suggestName(from, webSearch)).toBe(name);
    const files = skillFrom(from, kind);
    const { problems, results } = await checked(name, files);
    expect(problems.filter(({ code }) => code !== "HASP431")).toEqual([]);
    expect(templatePlaces(files.get("pf.ts") ?? "").map((place) => place.text)).toEqual([
      kind === "inject" ? "Choose another action than this one." : expect.stringContaining("ctx.question"),
    ]);
    for (const file of ["SKILL.md", "cases.yaml"]) expect(files.get(file)).not.toContain("TODO");
    expect(results.map(({ case: { name: of }, passed, actual }) => [of, passed, actual])).toEqual([
      ["the recorded step", true, expect.stringMatching(/^fires/)],
      [expect.stringMatching(/^near miss/), true, "does not fire"],
    ]);
    expect(
      parseSkill(files.get("SKILL.md") ?? "", { file: "SKILL.md", folder: name }, REGISTERED).diagnostics,
    ).toEqual([]);
  });
});

it.each([
  ["unread-final", "[answer]"],
  ["repeated-search", "[search]"],
  ["after-empty-search-read", "[search]"],
  ["later-other", "[think]"],
  ["check-calculate", "[think]"],
])("a skill made from the step of %s is asked in the phases %s", (name, phases) => {
  const from = STEPS[name];
  if (from === undefined) throw new Error(`no step ${name}`);
  expect(skillFrom(from, "inject").get("SKILL.md")).toContain(`applicable_phases: ${phases}\n`);
});

const text = fc.oneof(
  fc.string({ maxLength: 60, unit: "grapheme" }),
  fc.constantFrom(
    "a: b",
    "- x",
    "#",
    "'",
    '"',
    "yes",
    "12",
    "{}",
    "line\nline\n",
    "\u202e\u0007",
    "*/ `${x}`",
  ),
);
const anyStep: fc.Arbitrary<FailingStep> = fc.record({
  proposed: fc.record({ type: fc.constantFrom("SEARCH", "READ", "FINAL", "other", "invalid"), arg: text }),
  context: fc
    .record({
      question: text,
      stepCount: fc.nat(9),
      hasRead: fc.boolean(),
      searchCount: fc.nat(5),
      readCount: fc.nat(3),
      emptyResults: fc.boolean(),
      contradictorySources: fc.boolean(),
      lastSearchResultsText: text,
      allReadContents: fc.array(text, { maxLength: 2 }),
      actionHistory: fc.array(fc.record({ type: fc.constantFrom("SEARCH", "READ"), arg: text }), {
        maxLength: 3,
      }),
      thought: text,
    })
    .map((context) => question("SEARCH", "x", context).context),
});

test("from any step comes a skill without an error, whose trigger fires on it", async () => {
  await fc.assert(
    fc.asyncProperty(anyStep, fc.constantFrom("rewrite", "inject"), async (from, kind) => {
      const { problems, results } = await checked(suggestName(from, webSearch), skillFrom(from, kind));
      expect(problems.filter((problem) => !isClean([problem]))).toEqual([]);
      expect(results.map(({ actual }) => actual.startsWith("fires"))).toEqual([true, false]);
    }),
    { numRuns: 25 },
  );
}, 60_000);

describe("a case that is added to cases.yaml", () => {
  let added: string;
  beforeAll(() => {
    const { context, proposed } = question("SEARCH", "new", { thought: "one\n\ntwo: three" });
    added = renderCase({
      name: "the new one",
      context,
      memory: { n: 1 },
      proposed,
      expect: { fires: false },
    });
  });

  const FILES: Readonly<Record<string, string>> = {
    "that is empty": "",
    "of comments": "# my cases\n",
    "with an empty list": "cases: []\n",
    "with nothing in the list": "cases:\n",
    "with a case":
      "# top\ncases:\n  - name: one\n    proposed: { type: SEARCH, arg: x }\n    expect: { fires: true }\n",
    "without indentation":
      "cases:\n- name: one\n  proposed: { type: SEARCH, arg: x }\n  expect: { fires: true }\n# end\n",
    "of Windows":
      "cases:\r\n    - name: one\r\n      proposed: { type: SEARCH, arg: x }\r\n      expect: { fires: true }\r\n",
    "without a last newline":
      "cases:\n  - name: one\n    proposed: { type: SEARCH, arg: x }\n    expect: { fires: true }",
  };

  it.each(Object.entries(FILES))("%s stands last, and the rest stays", (_, before) => {
    const result = appendCase(before, added);
    if (result.kind !== "edit") throw new Error(result.message);
    const after = withEdit(before, result.edit);
    const { value, diagnostics } = parseCases(after, "cases.yaml", REGISTERED);
    expect(diagnostics).toEqual([]);
    const old = parseCases(before, "cases.yaml", REGISTERED).value ?? [];
    expect(value?.map(({ name }) => name)).toEqual([...old.map(({ name }) => name), "the new one"]);
    expect(value?.at(-1)).toMatchObject({ memory: { n: 1 }, context: { thought: "one\n\ntwo: three" } });
    expect(/[^\r]\n/.test(after)).toBe(!before.includes("\r\n"));
    for (const comment of before.match(/#.*/g) ?? []) expect(after).toContain(comment);
  });

  it.each([
    ["cases: [", /not valid YAML/],
    ["other: 1\n", /no list/],
    ["cases: 3\n", /no list/],
    ["cases: [{ name: a, proposed: { type: SEARCH, arg: x }, expect: { fires: true } }]\n", /brackets/],
  ])("is refused where the file is %j", (before, why) => {
    expect(appendCase(before, added)).toMatchObject({ kind: "refused", message: expect.stringMatching(why) });
  });

  it("gets a name that no other has", () => {
    const file = FILES["with a case"] ?? "";
    expect(freeCaseName(file, "one")).toBe("one (2)");
    expect(freeCaseName(file, "two")).toBe("two");
  });
});
