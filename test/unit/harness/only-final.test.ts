import { describe, expect, it } from "vitest";
import { revisedDrafts } from "../../../src/model/revised-drafts.ts";
import type { Environment, Policy } from "../../../src/harness/policy.ts";
import { final, hostOf, librarySkill, play } from "../../support/episodes.ts";

const answering: Environment = {
  actionTypes: ["FINAL"],
  searchReturnsText: false,
  execute: async () => ({ observation: "" }),
};
const control = { maxSteps: 1 };
const before = { conditions: [], priorityBoost: 0 };
const cases = {
  ...librarySkill("check_cases", {
    priority: 0.6,
    phases: { pre_final: { ...before, conditions: ["has_case_analysis"], text: "Look at each case again." } },
  }),
  program: undefined,
};

/** Thinks in cases and answers wrongly, and rightly when it is asked again. */
function doubting(): Policy & { readonly told: string[][] } {
  const told: string[][] = [];
  return {
    id: "doubting",
    told,
    async propose({ instructions = [], proposal }) {
      told.push([...instructions]);
      const thought = "Case 1 gives 2, case 2 gives 3.";
      return { thought, action: final(proposal === 0 ? "2" : "2 and 3") };
    },
  };
}

describe("an episode in which the policy can do nothing but answer", () => {
  it("has a draft held back by a phase text alone, whose condition holds on it", async () => {
    const policy = doubting();
    const library = [cases];
    const episode = await play({ environment: answering, control, library, policy, gold: ["2 and 3"] });
    expect(policy.told).toEqual([[], ["Look at each case again."]]);
    const [step] = episode.steps;
    expect(step?.proposals.map(({ verdicts }) => verdicts?.[0]?.passed)).toEqual([false, true]);
    expect(step?.injected).toEqual([]);
    expect(step?.instructions).toMatchObject([{ skillId: "check_cases", proposal: 1 }]);
    expect(episode).toMatchObject({ outcome: "correct", answer: "2 and 3", length: 1 });
    expect(revisedDrafts(episode)).toEqual([
      { t: 0, skillIds: ["check_cases"], draft: false, revision: true },
    ]);
  });

  it("leaves a draft alone where Program Functions are off", async () => {
    const policy = doubting();
    const off = { ...control, enableProgramFunctions: false };
    const episode = await play({ environment: answering, control: off, library: [cases], policy });
    expect(episode.steps[0]?.proposals).toHaveLength(1);
    // Nothing else would show the text.
    expect(policy.told).toEqual([["Look at each case again."]]);
  });

  it("leaves it alone where there is more to do than answer", async () => {
    const policy = doubting();
    const host = hostOf();
    const episode = await play({ control: { maxSteps: 3 }, library: [cases], policy, host });
    expect(episode.steps[0]?.proposals).toHaveLength(1);
  });
});
