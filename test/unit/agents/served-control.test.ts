import { describe, expect, it } from "vitest";
import { servedControl } from "../../../src/agents/serve/served-control.ts";
import { codingAgent } from "../../../src/domains/coding-agent/coding-agent.ts";
import { webSearch } from "../../../src/domains/web-search/web-search.ts";
import { chooseControl } from "../../../src/evaluation/choose-control.ts";
import { parseSets } from "../../../src/evaluation/control-set.ts";
import { librarySkill } from "../../support/episodes.ts";

const library = [librarySkill("one"), librarySkill("two")];
const chosenBy = (...sets: string[]) =>
  chooseControl({ config: undefined, sets: parseSets(sets).value }).value;

describe("the control of served episodes", () => {
  it("lets every skill judge a coding agent, whatever its task sounds like, for as long as it works", () => {
    expect(servedControl(chosenBy(), codingAgent, library)).toMatchObject({
      enableDifficultyGating: false,
      enableSkillHandlers: false,
      enableRetry: false,
      maxSteps: 1000,
      pinnedSkills: ["one", "two"],
    });
  });

  it("keeps what a person has set by name", () => {
    const choice = chosenBy("max_steps=7", "enable_difficulty_gating=true");
    expect(servedControl(choice, codingAgent, library)).toMatchObject({
      maxSteps: 7,
      enableDifficultyGating: true,
      enableRetry: false,
    });
  });

  it("is that of hasp run for other agents", () => {
    const choice = chosenBy();
    expect(servedControl(choice, webSearch, library)).toBe(choice.control);
  });
});
