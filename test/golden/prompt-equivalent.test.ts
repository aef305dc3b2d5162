import { afterAll, describe, expect, it } from "vitest";
import { classifySkills } from "../../src/skill/skill-class.ts";
import { openCore, readFolders } from "../support/core.ts";
import { PAPER } from "../support/shipped.ts";

const core = openCore();
afterAll(async () => {
  await core.host.close();
  await core.compiler.close();
});

/** SPEC §3, the rows of the table that say A+B. */
const PROMPT_EQUIVALENT = [
  "adversarial_distraction",
  "answer_completeness",
  "claim_triangulation",
  "decompose_complex_question",
  "iterative_refinement",
  "language_barrier",
  "misinformation_detector",
  "negation_oversight",
  "reading_comprehension_error",
  "wrong_entity_confusion",
];

describe("the web-search skills that a prompt could stand in for", () => {
  it("are the ten that SPEC §3 names, computed from their code", async () => {
    const classified = await classifySkills(await readFolders(core.compiler, ...PAPER), core.compiler);
    const computed = classified.filter(({ skillClass }) => skillClass === "prompt-equivalent");
    expect(computed.map(({ skillId }) => skillId).toSorted()).toEqual(PROMPT_EQUIVALENT);
  });
});

describe("the code skills that a prompt could stand in for", () => {
  it("are the two that SPEC §3 names, computed from their code", async () => {
    const all = await readFolders(core.compiler, "skills/code", "skills/paper/code");
    const classified = await classifySkills(all, core.compiler);
    const computed = classified.filter(({ skillClass }) => skillClass === "prompt-equivalent");
    expect(classified).toHaveLength(12);
    expect(computed.map(({ skillId }) => skillId).toSorted()).toEqual([
      "code_negative_handling",
      "code_test_walkthrough",
    ]);
  });
});
