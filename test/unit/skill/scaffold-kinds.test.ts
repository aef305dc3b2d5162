import { REGISTERED } from "../../../src/domains/registered.ts";
import { afterAll, expect, test } from "vitest";
import { checkExecutable } from "../../../src/analysis/executable-checks.ts";
import { asIfActing, domainOfFolder, openLibrary } from "../../../src/analysis/library.ts";
import { runCases } from "../../../src/analysis/run-cases.ts";
import { readSkillFolder } from "../../../src/skill/read-skill.ts";
import { kindsIn } from "../../../src/skill/scaffold-starters.ts";
import { scaffoldSkill } from "../../../src/skill/scaffold.ts";
import { authored } from "../../support/authored.ts";
import { openCore } from "../../support/core.ts";

const core = openCore();
afterAll(async () => {
  await Promise.all([core.compiler.close(), core.host.close()]);
});

const EVERY = REGISTERED.flatMap((domain) => kindsIn(domain.starters).map((kind) => ({ domain, kind })));

test.each(EVERY)(
  "a new $kind skill of $domain.name has no problem, and its cases hold",
  async ({ domain, kind }) => {
    const name = `new-${kind}`;
    const folder = `skills/${domain.name}/${name}`;
    const texts = scaffoldSkill({ name, description: "Use when: it is new.", domain, kind });
    const files = {
      list: async () => [...texts.keys()],
      readText: async (path: string) => {
        const text = texts.get(path.slice(folder.length + 1));
        return text === undefined ? ({ kind: "absent" } as const) : ({ kind: "text", text } as const);
      },
    };
    const keptText = async (path: string) => {
      const text = texts.get(path.slice(folder.length + 1));
      if (text === undefined) return { kind: "absent" } as const;
      return { kind: "text", text: authored(text) } as const;
    };
    const read = await readSkillFolder(files, core.compiler, folder);
    const typed =
      read.pfSource === undefined ? [] : await core.compiler.check(`${folder}/pf.ts`, read.pfSource);
    const found = [...read.diagnostics, ...typed];
    expect(found.filter(({ code }) => code !== "HASP431")).toEqual([]);
    // Not one sentence that the person did not write is unmarked: the description alone is theirs.
    expect(new Set(found.map(({ severity }) => severity))).toEqual(new Set(["information"]));
    expect((await openLibrary([read], core.host)).skills).toEqual([]);
    const kept = await readSkillFolder({ ...files, readText: keptText }, core.compiler, folder);
    expect(kept.diagnostics).toEqual([]);
    expect((await openLibrary([kept], core.host)).skills).toHaveLength(1);
    const hasCode = kind !== "final-llm" && kind !== "prompt";
    expect([...texts.keys()]).toEqual(hasCode ? ["SKILL.md", "pf.ts", "cases.yaml"] : ["SKILL.md"]);
    expect(read.skill?.handler?.kind).toBe({ "final-code": "code", "final-llm": "llm" }[kind as string]);
    if (kind === "prompt") expect(read.skill?.phases.pre_final?.text).toMatch(/\w/);
    if (!hasCode) return;
    const { checks } = await checkExecutable([], read.program, core.host);
    expect(checks.flatMap((check) => check.diagnostics)).toEqual([]);
    const library = await openLibrary([asIfActing(read)], core.host);
    const skillId = library.active[0]?.skill.skillId ?? "";
    const results = await runCases(skillId, read.cases, domainOfFolder(folder), core.host);
    // What a prompt could say as well is no example of a Program Function.
    expect(read.promptEquivalent).toBe(false);
    expect(results.map(({ expected, actual, passed }) => (passed ? "holds" : { expected, actual }))).toEqual(
      results.map(() => "holds"),
    );
    expect(new Set(read.cases.map((one) => one.expect.fires))).toEqual(new Set([true, false]));
  },
);

test.each(REGISTERED.map((domain) => [domain.name, domain] as const))(
  "%s has a new skill that changes an action exactly where its skills may change one",
  (_, { starters, neverModifies }) => {
    expect(starters.rewrite === undefined).toBe(neverModifies === true);
  },
);
