import { afterAll, describe, expect, it } from "vitest";
import { asIfActing, openLibrary } from "../../../../src/analysis/library.ts";
import { runCases } from "../../../../src/analysis/run-cases.ts";
import { caseOf } from "../../../../src/analysis/step-verdict.ts";
import { math } from "../../../../src/domains/math/math.ts";
import { readSkillFolder } from "../../../../src/skill/read-skill.ts";
import { renderCase } from "../../../../src/skill/render-case.ts";
import { SKILL_KINDS } from "../../../../src/skill/scaffold-kinds.ts";
import { scaffoldSkill } from "../../../../src/skill/scaffold.ts";
import { suggestDescription, suggestName } from "../../../../src/skill/step-trigger.ts";
import { contextAt } from "../../../../src/trace/context-at.ts";
import { authored } from "../../../support/authored.ts";
import { openCore } from "../../../support/core.ts";
import { episode, step } from "../../trace/support.ts";

const core = openCore();
afterAll(() => Promise.all([core.compiler.close(), core.host.close()]));

/** Words of agents that search and read. A vote is a `SearchVote` in the interface of "hasp". */
const OF_SEARCHING = /search(?!vote)|document|\bread\b|hasRead|readCount/i;

describe("a new skill of math", () => {
  it.each(SKILL_KINDS)("of kind $kind speaks of no search, and guards no last step", ({ kind }) => {
    const texts = scaffoldSkill({ name: "new-one", description: "Use when: it is new.", domain: math, kind });
    for (const text of texts.values()) {
      expect(text.replaceAll("SearchVote", "")).not.toMatch(OF_SEARCHING);
      expect(text).not.toContain("maxSteps");
    }
  });
});

const facts = { domain: "math", actionTypes: ["FINAL"], searchReturnsText: false, maxSteps: 1 };
const recorded = episode("e", {
  question: "A crate holds 14 jars. How many jars are in 6 crates?",
  outcome: "wrong",
  answer: "86",
  facts,
  steps: [step(0, "FINAL", "86", "", "Each crate has 14 jars,\n  so 6 crates have 6 * 14 = 86.")],
});

describe("a recorded answer", () => {
  const context = contextAt(recorded, 0, math.contextRules);
  const origin = { context, proposed: { type: "FINAL", arg: "86" }, caseName: "the recorded answer" };

  it.each(["inject", "rewrite"] as const)("becomes a new skill of kind %s whose cases hold", async (kind) => {
    const name = suggestName(origin, math);
    const description = suggestDescription(origin, math);
    expect([name, description]).toEqual(["check-final", "Use when the policy proposes FINAL."]);
    const texts = scaffoldSkill({ name, description, domain: math, kind, origin });
    expect(texts.get("pf.ts")).not.toMatch(/hasRead|maxSteps|another action/);
    const folder = `skills/math/${name}`;
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
    const id = library.active[0]?.skill.skillId ?? "";
    const results = await runCases(id, read.cases, math, core.host);
    expect(results.map(({ passed }) => passed)).toEqual([true, true]);
  });

  it("becomes a case with its question and its working, from which the draft follows", () => {
    const place = { episode: recorded, t: 0, rules: math.contextRules };
    const made = caseOf("recorded", place, { memory: {} }, { fires: true });
    expect(made.session).toBeUndefined();
    const text = renderCase(made);
    expect(text).toMatch(/question: .A crate holds 14 jars\./);
    expect(text).toContain("so 6 crates have 6 * 14 = 86.");
    expect(text).not.toMatch(/prompts|steps:|draft/);
  });
});
