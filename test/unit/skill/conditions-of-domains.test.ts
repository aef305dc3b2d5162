import { describe, expect, it } from "vitest";
import { REGISTERED } from "../../../src/domains/registered.ts";
import { scopeOf } from "../../../src/model/domain-spec.ts";
import { completeCases } from "../../../src/skill/language/complete-cases.ts";
import { completeSkill } from "../../../src/skill/language/complete-skill.ts";
import { parseSkill } from "../../../src/skill/parse-skill.ts";
import { CONDITIONS, conditionsIn } from "../../../src/skill/vocabulary.ts";
import { estimate } from "../../support/estimate-domain/estimate.ts";

const DOMAINS = [...REGISTERED, estimate];
const EVERYWHERE = ["multi_hop_question", "negated_question", "has_case_analysis", "enumerates"];

const skillWith = (condition: string, mode: string): string =>
  `---
name: span-check
description: Use when spans were counted.
metadata:
  hasp:
    skill_id: span_check
    applicable_modes: [${mode}]
    phases:
      pre_final: { conditions: [${condition}], text: Count the spans again. }
---

# Span check
`;

const found = (file: string, condition: string, mode: string) =>
  parseSkill(skillWith(condition, mode), { file, folder: "span-check" }, DOMAINS).diagnostics.filter(
    ({ code }) => code === "HASP117",
  );

describe("the conditions of a domain", () => {
  it.each(DOMAINS)("$name: each is in the registry", ({ conditions = [] }) => {
    for (const name of conditions) expect(Object.keys(CONDITIONS)).toContain(name);
  });

  it("are all of them where an agent searches, and those on question and draft where it does not", () => {
    const namesIn = (name: string) =>
      Object.keys(conditionsIn(scopeOf(`skills/${name}/span-check/SKILL.md`, DOMAINS)));
    expect(namesIn("web-search")).toEqual(Object.keys(CONDITIONS));
    expect(namesIn("agent")).toEqual(Object.keys(CONDITIONS));
    expect(namesIn("estimate")).toEqual(EVERYWHERE);
    expect(namesIn("no-domain")).toEqual(Object.keys(CONDITIONS));
  });

  it("are what its SKILL.md may name; the finding lists them", () => {
    const inEstimate = "skills/estimate/span-check/SKILL.md";
    expect(found(inEstimate, "enumerates", "estimate")).toEqual([]);
    expect(found(inEstimate, "no_search_yet", "estimate")).toMatchObject([
      { message: '"no_search_yet" is no known condition.', next: `Use one of: ${EVERYWHERE.join(", ")}.` },
    ]);
    expect(found("skills/web-search/span-check/SKILL.md", "no_search_yet", "web-search")).toEqual([]);
  });

  it("follow the declared modes where the folder names no domain", () => {
    expect(found("mine/span-check/SKILL.md", "no_search_yet", "estimate")).toHaveLength(1);
    expect(found("mine/span-check/SKILL.md", "no_search_yet", "all")).toEqual([]);
  });

  it("come with the phases and their actions that the domain has; others are refused", () => {
    const phased = (phase: string, action: string) =>
      skillWith("", "estimate").replace(/pre_final: \{.*\}/, `${phase}: { action: ${action} }`);
    const codes = (file: string, phase: string, action: string) =>
      parseSkill(phased(phase, action), { file, folder: "span-check" }, DOMAINS).diagnostics.flatMap(
        ({ code, next }) => (["HASP117", "HASP120"].includes(code) ? [`${code} ${next}`] : []),
      );
    const own = "skills/estimate/span-check/SKILL.md";
    expect(codes(own, "pre_final", "verify_solution")).toEqual([]);
    expect(codes(own, "post_search", "verify_solution")).toEqual(["HASP120 Use one of: pre_final."]);
    expect(codes(own, "pre_final", "reformulate_search")).toEqual([
      "HASP117 Use one of: verify_solution, shorten_answer, answer_now.",
    ]);
    const searching = "skills/web-search/span-check/SKILL.md";
    expect(codes(searching, "post_search", "reformulate_search")).toEqual([]);
    const facts = (file: string) => ({ folder: "span-check", scope: scopeOf(file, DOMAINS), others: [] });
    const text = skillWith("", "estimate").replace(/ {4}phases:\n.*\n/, "    \n");
    const line = text.split("\n").indexOf("    ");
    const snippetIn = (file: string) =>
      completeSkill(text, { line, character: 4 }, facts(file)).find(({ label }) => label === "phases")
        ?.insert;
    expect(snippetIn(own)).toMatch(/\$\{1:pre_final\}:[^]*action: \$\{3:verify_solution\}/);
    expect(snippetIn(searching)).toMatch(/\$\{1:post_search\}:[^]*action: \$\{3:reformulate_search\}/);
    const below = text.replace("    \n", "    phases:\n      \n");
    const offered = completeSkill(below, { line: line + 1, character: 6 }, facts(own));
    expect(offered.map(({ label }) => label)).toEqual(["pre_final"]);
  });

  it("leave out of cases what only searches tell", () => {
    const text = "cases:\n  - name: a\n    context:\n      \n    proposed: { type: FINAL, arg: x }\n";
    const keysIn = (file: string) => {
      const facts = { folder: "span-check", scope: scopeOf(file, DOMAINS), others: [] };
      return completeCases(text, { line: 3, character: 6 }, facts).map(({ label }) => label);
    };
    const searching = keysIn("skills/web-search/span-check/cases.yaml");
    expect(searching).toEqual(expect.arrayContaining(["question", "thought", "hasRead", "searchCount"]));
    const answering = keysIn("skills/estimate/span-check/cases.yaml");
    expect(answering).toEqual(expect.arrayContaining(["question", "thought", "stepCount"]));
    expect(answering.filter((key) => /read|search|empty|contradictory/i.test(key))).toEqual([]);
  });

  it("are what completion offers there", () => {
    const text = skillWith("", "estimate").replace(
      "{ conditions: [], text: Count the spans again. }",
      "\n        ",
    );
    const lines = text.split("\n");
    const line = lines.findIndex((one) => one === "        ");
    const facts = {
      folder: "span-check",
      scope: scopeOf("skills/estimate/span-check/SKILL.md", DOMAINS),
      others: [],
    };
    const offered = completeSkill(text, { line, character: 8 }, facts);
    expect(offered.find(({ label }) => label === "conditions")?.insert).toBe(
      `conditions: [\${1|${EVERYWHERE.join(",")}|}]`,
    );
  });
});
