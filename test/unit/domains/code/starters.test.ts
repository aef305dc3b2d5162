import { afterAll, describe, expect, it } from "vitest";
import { asIfActing, openLibrary } from "../../../../src/analysis/library.ts";
import { runCases } from "../../../../src/analysis/run-cases.ts";
import { caseOf } from "../../../../src/analysis/step-verdict.ts";
import { code } from "../../../../src/domains/code/code.ts";
import { parseCases } from "../../../../src/skill/parse-cases.ts";
import { readSkillFolder } from "../../../../src/skill/read-skill.ts";
import { renderCase } from "../../../../src/skill/render-case.ts";
import { kindsIn } from "../../../../src/skill/scaffold-starters.ts";
import { scaffoldSkill } from "../../../../src/skill/scaffold.ts";
import { contextAt } from "../../../../src/trace/context-at.ts";
import { authored } from "../../../support/authored.ts";
import { openCore } from "../../../support/core.ts";
import { episode, step } from "../../trace/support.ts";

const core = openCore();
afterAll(() => Promise.all([core.compiler.close(), core.host.close()]));

const OF_SEARCHING = /search(?!vote)|document|\bread\b|hasRead|readCount/i;

describe("a new skill of code", () => {
  it("is of no kind that changes a program", () => {
    expect(kindsIn(code.starters)).toEqual(["inject", "final-code", "final-llm", "prompt"]);
  });

  it.each(kindsIn(code.starters))("of kind %s speaks of no search, and guards no last step", (kind) => {
    const texts = scaffoldSkill({ name: "new-one", description: "Use when: it is new.", domain: code, kind });
    for (const text of texts.values()) {
      expect(text.replaceAll("SearchVote", "")).not.toMatch(OF_SEARCHING);
      expect(text).not.toMatch(/maxSteps|modifyAction/);
    }
  });
});

const PROGRAM = "def middle(items):\n\tif items:\n\t\treturn items[len(items) // 2]\n";
const recorded = episode("e", {
  question: 'def middle(items: list):\n    """Return the item in the middle."""',
  outcome: "wrong",
  answer: PROGRAM,
  facts: { domain: "code", actionTypes: ["FINAL"], searchReturnsText: false, maxSteps: 1 },
  steps: [step(0, "FINAL", PROGRAM, "", "It is at half the length.")],
});

describe("a recorded program", () => {
  it("becomes a new skill whose cases hold", async () => {
    const context = contextAt(recorded, 0, code.contextRules);
    const origin = { context, proposed: { type: "FINAL", arg: PROGRAM }, caseName: "the recorded program" };
    const about = { name: "check-final", description: "Use when the policy proposes FINAL.", domain: code };
    const texts = scaffoldSkill({ ...about, kind: "inject", origin });
    const folder = "skills/code/check-final";
    const files = {
      list: async () => [...texts.keys()],
      readText: async (path: string) => {
        const text = texts.get(path.slice(folder.length + 1));
        return text === undefined
          ? ({ kind: "absent" } as const)
          : ({ kind: "text", text: authored(text) } as const);
      },
    };
    const read = await readSkillFolder(files, core.compiler, folder);
    const typed = await core.compiler.check(`${folder}/pf.ts`, read.pfSource ?? "");
    expect([...read.diagnostics, ...typed]).toEqual([]);
    const library = await openLibrary([asIfActing(read)], core.host);
    const results = await runCases(library.active[0]?.skill.skillId ?? "", read.cases, code, core.host);
    expect(results.map(({ passed }) => passed)).toEqual([true, true]);
  });

  it("becomes a case with the program as it was, tabs and line breaks included", () => {
    const place = { episode: recorded, t: 0, rules: code.contextRules };
    const made = caseOf("recorded", place, { memory: {} }, { fires: true });
    const text = `cases:\n${renderCase(made)}`;
    expect(text).not.toMatch(/undefinedNames|functions:/);
    const { value: cases } = parseCases(text, "skills/code/check-final/cases.yaml", [code]);
    expect(cases?.[0]?.proposed.arg).toBe(PROGRAM);
    expect(cases?.[0]?.context?.thought).toBe("It is at half the length.");
  });
});
