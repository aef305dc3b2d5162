import { describe, expect, it } from "vitest";
import { rankSkills, selectForPrompt } from "../../../../src/harness/select/skill-selector.ts";
import { librarySkill } from "../../../support/episodes.ts";

const QUESTION = "Which planet was discovered with a telescope by a musician?";
const skills = [
  librarySkill("math_only", { applicableModes: ["math"], description: "telescope planet musician" }).skill,
  librarySkill("plain", { priority: 0.9 }).skill,
  librarySkill("planets", { description: "Use when the question names planets.", priority: 0.1 }).skill,
  librarySkill("triggered", {
    body: "## Detection triggers\n\n- a musician and a telescope\n\n## Phase: x\nplanet\n",
  }).skill,
];

describe("the SkillSelector", () => {
  it("scores half for the mode and half for trigger words", () => {
    const scores = Object.fromEntries(
      rankSkills(skills, "web-search", QUESTION).map(({ skill, score }) => [skill.skillId, score]),
    );
    expect(scores.plain).toBe(0.5);
    expect(scores.math_only).toBe(0.5);
    expect(scores.planets).toBeCloseTo(0.5 + 0.5 / 3);
    expect(scores.triggered).toBeCloseTo(0.5 + 1 / 3);
  });

  it("puts equals in order of priority, then id, and is the same for any order of the library", () => {
    const ids = (list: typeof skills) =>
      rankSkills(list, "web-search", QUESTION).map(({ skill }) => skill.skillId);
    expect(ids(skills)).toEqual(["triggered", "planets", "plain", "math_only"]);
    expect(ids(skills.toReversed())).toEqual(ids(skills));
  });

  it("fills the prompt from the best, and says what did not fit", () => {
    const { skills: kept, decision } = selectForPrompt(rankSkills(skills, "web-search", QUESTION), 2);
    expect(kept.map(({ skillId }) => skillId)).toEqual(["triggered", "planets"]);
    expect(decision.leftOut).toMatchObject([
      { skillId: "plain", reason: expect.stringContaining("full") },
      { skillId: "math_only", reason: "made for other modes" },
    ]);
  });
});
