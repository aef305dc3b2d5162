import { afterAll, describe, expect, it } from "vitest";
import { backtest, type PlacedEpisode } from "../../../src/analysis/backtest.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { episodesIn, loadSkills, openCore, SAMPLE_RUN, SAMPLE_SKILLS, SHIPPED } from "../../support/core.ts";

const core = openCore();
afterAll(() => Promise.all([core.host.close(), core.compiler.close()]));

async function* placed(episodes: readonly Episode[]): AsyncGenerator<PlacedEpisode> {
  for (const [index, episode] of episodes.entries()) yield { run: SAMPLE_RUN, index, episode };
}

describe("a backtest", () => {
  it("counts each skill by what became of the episode, and says where it fired", async () => {
    const library = await loadSkills(core, SHIPPED, SAMPLE_SKILLS);
    const report = await backtest(library, placed(await episodesIn(SAMPLE_RUN)), core.host);
    expect(report.episodes).toEqual({ correct: 6, wrong: 5, halted: 1, unjudged: 0 });
    const table = report.skills.map(({ skillId, counts, divergedSteps, errors }) => ({
      skillId,
      wrong: counts.wrong.fired,
      halted: counts.halted.fired,
      correct: counts.correct.fired,
      divergedSteps,
      errors,
    }));
    expect(table).toMatchSnapshot();
    const read = report.skills.find(({ skillId }) => skillId === "insufficient_exploration");
    expect(read?.hits).toContainEqual(
      expect.objectContaining({
        episodeId: "walton-plain",
        t: 3,
        status: "applied",
        outcome: "wrong",
        diverged: false,
      }),
    );
  });

  it("leaves out steps that came after a modified one, and counts them apart", async () => {
    const library = await loadSkills(core, SHIPPED);
    const report = await backtest(library, placed(await episodesIn(SAMPLE_RUN)), core.host);
    for (const skill of report.skills) {
      const fired = skill.hits.filter((hit) => ["applied", "overridden", "noop"].includes(hit.status));
      const steps = Object.values(skill.counts).reduce((n, counts) => n + counts.steps, 0);
      expect(steps + skill.divergedSteps).toBe(fired.length);
    }
  });

  it("goes on past an episode of a domain that nobody knows", async () => {
    const [first, ...rest] = await episodesIn(SAMPLE_RUN);
    if (first === undefined) throw new Error("no samples");
    const stranger: Episode = { ...first, facts: { ...first.facts, domain: "cookery" } };
    const library = await loadSkills(core, SHIPPED);
    const report = await backtest(library, placed([stranger, ...rest]), core.host);
    expect(report.foreign).toBe(1);
    expect(Object.values(report.episodes).reduce((a, b) => a + b)).toBe(rest.length);
  });

  it("that is cancelled gives what it has done so far", async () => {
    const library = await loadSkills(core, SHIPPED);
    const controller = new AbortController();
    const report = await backtest(library, placed(await episodesIn(SAMPLE_RUN)), core.host, {
      signal: controller.signal,
      onProgress: (done) => done === 3 && controller.abort(),
    });
    expect(Object.values(report.episodes).reduce((a, b) => a + b)).toBe(3);
  });
});
