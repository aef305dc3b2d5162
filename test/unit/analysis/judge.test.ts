import { afterAll, describe, expect, it } from "vitest";
import { judgeRecorded, recordedQuestions } from "../../../src/analysis/judge.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { episodesIn, loadSkills, openCore, SAMPLE_RUN } from "../../support/core.ts";
import { PAPER } from "../../support/shipped.ts";

const core = openCore();
afterAll(() => Promise.all([core.host.close(), core.compiler.close()]));

async function sample(id: string): Promise<Episode> {
  const found = (await episodesIn(SAMPLE_RUN)).find((episode) => episode.id === id);
  if (found === undefined) throw new Error(`no sample ${id}`);
  return found;
}

describe("today's library on a recorded episode", () => {
  const divergence = async (episode: Episode): Promise<boolean[]> => {
    const library = await loadSkills(core, ...PAPER);
    const judged = await judgeRecorded(episode, library, core.host);
    return judged.map(({ diverged }) => diverged);
  };

  it("does not call a change diverged that the record made too", async () => {
    expect(await divergence(await sample("walton-skills"))).toEqual([false, false, false, false]);
  });

  it("marks what comes after the first step that would now run another action", async () => {
    const episode = await sample("walton-skills");
    const steps = episode.steps.map((step) => ({
      ...step,
      executed: step.proposals[0]?.action ?? step.executed,
    }));
    expect(await divergence({ ...episode, steps })).toEqual([false, false, false, true]);
  });

  it("judges both proposals of a step whose FINAL was held back", async () => {
    const episode = await sample("walton-skills");
    const asked = recordedQuestions(episode).map(({ t, proposal, proposed }) => [t, proposal, proposed.arg]);
    expect(asked.slice(-2)).toEqual([
      [3, 0, "Sam"],
      [3, 1, "Sam Walton"],
    ]);
    const library = await loadSkills(core, ...PAPER);
    const last = (await judgeRecorded(episode, library, core.host)).at(-1);
    const proposalsOf = (id: string) => last?.events.filter((e) => e.skillId === id).map((e) => e.proposal);
    for (const { skill } of library.active) expect(proposalsOf(skill.skillId)).toEqual([0, 1]);
  });

  it("answers a READ that the environment lacks with skipped, and does not charge the PF", async () => {
    const recorded = await sample("walton-plain");
    const withoutRead: Episode = {
      ...recorded,
      facts: { ...recorded.facts, actionTypes: ["SEARCH", "FINAL"] },
    };
    const library = await loadSkills(core, ...PAPER);
    const judged = await judgeRecorded(withoutRead, library, core.host);
    const event = judged.at(-1)?.events.find(({ skillId }) => skillId === "insufficient_exploration");
    expect(event).toMatchObject({ status: "skipped", reason: "no READ here" });
  });
});
