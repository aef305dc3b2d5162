import { describe, expect, it } from "vitest";
import { withoutPfDoubles, withoutSkillDoubles } from "../../../src/extension/diagnostics/doubles.ts";
import type { Diagnostic, Range } from "../../../src/model/diagnostic.ts";

const range = (line: number, from: number, to: number): Range => ({
  start: { line, character: from },
  end: { line, character: to },
});
const ours = (code: string, place: Range): Diagnostic => ({
  code,
  severity: "error",
  message: code,
  range: place,
});

describe("Our diagnostics of a PF beside VS Code's own", () => {
  it("leave a type error to VS Code where it shows the same one", () => {
    const error = ours("TS2322", range(3, 4, 10));
    expect(withoutPfDoubles([error], [{ code: "2322", range: range(3, 4, 10) }])).toEqual([]);
  });

  it("show a type error that VS Code does not have", () => {
    const error = ours("TS2322", range(3, 4, 10));
    expect(withoutPfDoubles([error], [])).toEqual([error]);
    expect(withoutPfDoubles([error], [{ code: "2304", range: range(3, 4, 10) }])).toEqual([error]);
    expect(withoutPfDoubles([error], [{ code: "2322", range: range(9, 4, 10) }])).toEqual([error]);
  });

  it("hold a rule back where an error of VS Code covers its place", () => {
    const rule = ours("HASP210", range(5, 16, 20));
    expect(withoutPfDoubles([rule], [{ code: "2304", range: range(5, 16, 20) }])).toEqual([]);
    expect(withoutPfDoubles([rule], [{ code: "2304", range: range(5, 12, 30) }])).toEqual([]);
  });

  it("keep a rule about a whole class that has an error inside", () => {
    const rule = ours("HASP203", { start: { line: 2, character: 0 }, end: { line: 20, character: 1 } });
    expect(withoutPfDoubles([rule], [{ code: "2304", range: range(5, 16, 20) }])).toEqual([rule]);
  });
});

describe("Our diagnostics of a SKILL.md beside VS Code's own", () => {
  const fence = { code: "", range: range(0, 0, 3) };

  it("leave broken YAML, a missing key and the name to VS Code where it complains of them", () => {
    const yaml = { ...ours("HASP106", range(6, 4, 5)), message: "The frontmatter is not valid YAML: what?" };
    expect(withoutSkillDoubles([yaml], [{ code: "", range: range(6, 12, 13) }])).toEqual([]);
    const slip = ours("HASP106", range(6, 4, 5));
    expect(withoutSkillDoubles([slip], [{ code: "", range: range(6, 0, 8) }])).toEqual([]);
    expect(withoutSkillDoubles([ours("HASP110", range(1, 0, 0))], [fence])).toEqual([]);
    expect(
      withoutSkillDoubles([ours("HASP114", range(1, 6, 14))], [{ code: "", range: range(1, 6, 14) }]),
    ).toEqual([]);
  });

  it("stay where only HASP can know, whatever VS Code says elsewhere", () => {
    const priority = ours("HASP115", range(6, 14, 15));
    expect(withoutSkillDoubles([priority], [fence, { code: "", range: range(1, 6, 14) }])).toEqual([
      priority,
    ]);
    expect(withoutSkillDoubles([ours("HASP106", range(6, 4, 5))], [])).toHaveLength(1);
    const slip = ours("HASP106", range(6, 7, 8));
    expect(withoutSkillDoubles([slip], [{ code: "", range: range(6, 0, 2) }])).toEqual([slip]);
  });
});
