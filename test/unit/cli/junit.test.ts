import { describe, expect, it } from "vitest";
import { junitReport } from "../../../src/cli/junit.ts";

const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

describe("the JUnit report", () => {
  it("escapes what XML would trip over, and counts what kept a skill from loading as a failure", () => {
    const xml = junitReport([
      {
        skillId: "mine",
        folder: "skills/<mine>",
        cases: [],
        diagnostics: [
          { code: "HASP100", severity: "error", message: 'a "b" & \u0001<c>', file: "SKILL.md", range },
        ],
      },
    ]);
    expect(xml).toContain('tests="1" failures="1"');
    expect(xml).toContain("a &quot;b&quot; &amp; &lt;c&gt;");
    expect(xml).toContain("skills/&lt;mine&gt;/cases.yaml");
    expect(xml.includes("\u0001")).toBe(false);
  });
});
