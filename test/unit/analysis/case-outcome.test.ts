import { domainOf } from "../../../src/domains/registry.ts";
import { webSearch } from "../../../src/domains/web-search/web-search.ts";
import { afterAll, expect, it } from "vitest";
import { caseOutcome } from "../../../src/analysis/case-outcome.ts";
import type { CaseOutcome } from "../../../src/model/case-result.ts";
import { domainOfFolder, openLibrary } from "../../../src/analysis/library.ts";
import { readSkillFolder } from "../../../src/skill/read-skill.ts";
import { scaffoldSkill } from "../../../src/skill/scaffold.ts";
import { authored } from "../../support/authored.ts";
import { openCore } from "../../support/core.ts";

const core = openCore();
afterAll(async () => {
  await Promise.all([core.compiler.close(), core.host.close()]);
});

/** Runs these cases on the starter of a domain. */
async function outcomes(name: string, cases: string): Promise<readonly CaseOutcome[]> {
  const folder = `skills/${name}/shorten`;
  const domain = domainOf(name) ?? webSearch;
  const texts = new Map(scaffoldSkill({ name: "shorten", description: "d", domain, kind: "rewrite" }));
  texts.set("cases.yaml", cases);
  const files = {
    list: async () => [...texts.keys()],
    readText: async (path: string) =>
      ({ kind: "text", text: authored(texts.get(path.slice(folder.length + 1)) ?? "") }) as const,
  };
  const read = await readSkillFolder(files, core.compiler, folder);
  const [active] = (await openLibrary([read], core.host)).active;
  if (active === undefined) throw new Error(JSON.stringify(read.diagnostics));
  const bench = { active, domain: domainOfFolder(folder), ...core };
  const found: CaseOutcome[] = [];
  for (const test of read.cases) found.push(await caseOutcome(test, bench));
  return found;
}

it("lays the expected decision beside the actual one, with the reason and the operand that decided", async () => {
  const long = Array.from({ length: 16 }, (_, i) => `w${i}`).join(" ");
  const [missed, fired, other, held] = await outcomes(
    "web-search",
    `cases:
  - name: it should have fired
    proposed: { type: SEARCH, arg: a b }
    expect: { fires: true, type: MODIFY_ACTION, newActionArg: a }
  - name: it should not have fired
    proposed: { type: SEARCH, arg: ${long} }
    expect: { fires: false }
  - name: another action
    proposed: { type: SEARCH, arg: ${long} }
    expect: { fires: true, newActionType: READ }
  - name: holds
    proposed: { type: FINAL, arg: x }
    expect: { fires: false }
`,
  );
  expect(missed?.result.passed).toBe(false);
  expect(missed?.sides).toEqual({
    expected: 'fires: true\ntype: MODIFY_ACTION\nnewActionArg: "a"',
    actual: "fires: false",
  });
  expect(missed?.why?.sentence).toBe("wordsOf(arg).length is 2, not more than LONGEST_QUERY (15)");
  expect(missed?.why?.deciding?.line).toBe(14);
  expect(fired?.reason).toBe("query of 16 words cut to 12");
  expect(fired?.sides.actual).toContain("type: MODIFY_ACTION\nnewActionArg:");
  expect(fired?.why?.sentence).toContain("wordsOf(arg).length is 16, more than");
  expect(other?.sides.actual).toContain("newActionType: SEARCH");
  expect(held?.result.passed).toBe(true);
  expect(held?.why).toBeUndefined();
});

it("names no operand of a PF that its phases leave out", async () => {
  const [left] = await outcomes(
    "web-search",
    `cases:
  - name: on an answer
    proposed: { type: FINAL, arg: x }
    expect: { fires: true }
`,
  );
  expect(left?.why).toEqual({ sentence: "the skill does not apply to this phase (applicable_phases)" });
});

it("shows of a call's inputs those that the case names", async () => {
  const [one] = await outcomes(
    "coding-agent",
    `cases:
  - name: wrong wish
    proposed: { type: Bash, input: { command: npm install, description: Install } }
    expect: { fires: true, newInput: { command: npm ci --quiet } }
`,
  );
  expect(one?.sides.actual).toBe('fires: true\ntype: MODIFY_ACTION\nnewInput: {\n  "command": "npm ci"\n}');
});
