import { describe, expect, it } from "vitest";
import type { SkillFigures } from "../../../src/model/signals-report.ts";
import { binsOf, decimal, nextSorting, share, sortedSkills } from "../../../webview/training/model.ts";

const place = { run: "r", index: 0, episode: "e", t: 0 };

function skill(skillId: string, steps: number, reward: number): SkillFigures {
  const families = { timing: 0, modality: 0, correctness: 0, outcome: reward };
  return {
    skillId,
    steps,
    overFloor: 0,
    reward,
    families,
    slots: {} as SkillFigures["slots"],
    modified: 0,
    best: place,
    worst: place,
  };
}

const SKILLS = [skill("b", 4, 1), skill("a", 4, 2), skill("c", 1, -0.5), skill("d", 0, 0)];
const order = (column: "skill" | "steps" | "mean", descending: boolean): string =>
  sortedSkills(SKILLS, { column, descending })
    .map(({ skill: { skillId }, position }) => `${skillId}${position}`)
    .join(" ");

describe("The table by skill", () => {
  it("is sorted by a column; equal rows keep the order of their names, and each its position", () => {
    expect(order("steps", true)).toBe("a1 b0 c2 d3");
    expect(order("steps", false)).toBe("d3 c2 a1 b0");
    expect(order("skill", false)).toBe("a1 b0 c2 d3");
    expect(order("skill", true)).toBe("d3 c2 b0 a1");
    expect(order("mean", true)).toBe("a1 b0 d3 c2");
  });

  it("begins with the largest number or the first name, and turns around at the next press", () => {
    const first = nextSorting({ column: "steps", descending: true }, "mean");
    expect(first).toEqual({ column: "mean", descending: true });
    expect(nextSorting(first, "mean")).toEqual({ column: "mean", descending: false });
    expect(nextSorting(first, "skill")).toEqual({ column: "skill", descending: false });
  });
});

describe("A histogram", () => {
  it("leaves out the empty tenths at both ends alone", () => {
    const counts = Array.from({ length: 20 }, (_, i) => (i === 9 ? 2 : i === 11 ? 1 : 0));
    expect(binsOf(counts, -1)).toEqual([
      { label: "−0.1 to 0.0", count: 2 },
      { label: "0.0 to 0.1", count: 0 },
      { label: "0.1 to 0.2", count: 1 },
    ]);
    expect(binsOf([0, 0], 0)).toEqual([]);
  });
});

describe("A number", () => {
  it("has a true minus, and no minus for a zero", () => {
    expect(decimal(-0.25)).toBe("−0.250");
    expect(decimal(-0.0001)).toBe("0.000");
    expect(share(1, 3)).toBe("33%");
    expect(share(0, 0)).toBe("–");
  });
});
