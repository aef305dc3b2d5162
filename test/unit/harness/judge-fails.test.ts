import { expect, it } from "vitest";
import { judgeFailedWords } from "../../../src/model/outcomes.ts";
import { exactMatchJudge, type Judge } from "../../../src/scoring/judge.ts";
import { final, play } from "../../support/episodes.ts";

/** Cannot judge an answer of more than one word. */
const failing: Judge = {
  name: "one word",
  async judge(task, signal) {
    if (task.answer.includes(" ")) throw new TypeError("two words");
    return exactMatchJudge.judge(task, signal);
  },
};

it("an episode whose judge fails keeps its answer, has no verdict, and says why", async () => {
  const episode = await play({ judge: failing, gold: ["Tisza"], script: [final("the Tisza")] });
  expect(episode).toMatchObject({
    outcome: "unjudged",
    stopReason: "final",
    answer: "the Tisza",
    extra: { judging: "two words" },
  });
  expect(episode.verdicts).toBeUndefined();
  expect(episode.steps[0]?.proposals[0]?.verdicts).toBeUndefined();
});

it("an episode whose judge comes to no verdict says why", async () => {
  const unable: Judge = { name: "unable", judge: async () => ({ why: "needs a machine" }) };
  const episode = await play({ judge: unable, gold: ["Tisza"], script: [final("Tisza")] });
  expect(episode).toMatchObject({ outcome: "unjudged", answer: "Tisza", noVerdict: "needs a machine" });
  expect(episode.verdicts).toBeUndefined();
});

it("one that it can judge beside another is judged", async () => {
  const episode = await play({ judge: failing, gold: ["Tisza"], script: [final("Tisza")] });
  expect(episode).toMatchObject({ outcome: "correct", verdicts: [{ passed: true }] });
  expect(episode.extra).toBeUndefined();
});

it("a text is judged once, however often it is proposed", async () => {
  const asked: string[] = [];
  const counting: Judge = {
    ...exactMatchJudge,
    async judge(task, signal) {
      asked.push(task.answer);
      return exactMatchJudge.judge(task, signal);
    },
  };
  await play({ judge: counting, gold: ["Tisza"], script: [final("Tisza")] });
  expect(asked).toEqual(["Tisza"]);
});

it("a person reads on how many episodes it failed, and why", () => {
  expect(judgeFailedWords({ episodes: 2, message: "two words" })).toBe(
    "the judge failed on 2 episodes: two words",
  );
});
