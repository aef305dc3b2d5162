import { afterAll, describe, expect, it } from "vitest";
import { backtest, modifiersOf } from "../../../src/analysis/backtest.ts";
import type { WorthSources } from "../../../src/analysis/worth/worth-tally.ts";
import { foreignDomain } from "../../../src/domains/registry.ts";
import type { Episode } from "../../../src/model/episode.ts";
import type { PlacedEpisode } from "../../../src/trace/placed-episodes.ts";
import { episodesIn, loadSkills, openCore, SAMPLE_RUN, SAMPLE_SKILLS } from "../../support/core.ts";
import { PAPER, paperSkill } from "../../support/shipped.ts";

/** A library that does not grow with the shipped one. */
const SMALL = ["format-extraction-error", "insufficient-exploration", "retrieval-failure"].map((name) =>
  paperSkill(name),
);

const core = openCore();
afterAll(() => Promise.all([core.host.close(), core.compiler.close()]));

async function* placed(episodes: readonly Episode[]): AsyncGenerator<PlacedEpisode> {
  for (const [index, episode] of episodes.entries()) yield { run: SAMPLE_RUN, index, episode };
}

describe("a backtest", () => {
  it("counts each skill by what became of the episode, and says where it fired", async () => {
    const library = await loadSkills(core, ...SMALL, SAMPLE_SKILLS);
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
    const library = await loadSkills(core, ...PAPER);
    const report = await backtest(library, placed(await episodesIn(SAMPLE_RUN)), core.host);
    for (const skill of report.skills) {
      const fired = skill.hits.filter((hit) => ["applied", "overridden", "noop"].includes(hit.status));
      const steps = Object.values(skill.counts).reduce((n, counts) => n + counts.steps, 0);
      expect(steps + skill.divergedSteps).toBe(fired.length);
    }
  });

  it("says in how many episodes any PF acted, and any of those that can change an action", async () => {
    const library = await loadSkills(core, ...PAPER, SAMPLE_SKILLS);
    const modifiers = await modifiersOf(library, core.compiler);
    const report = await backtest(library, placed(await episodesIn(SAMPLE_RUN)), core.host, { modifiers });
    expect(report.modifiers.skillIds).toContain("retrieval_failure");
    expect(report.modifiers.skillIds).not.toContain("answer_completeness");
    for (const outcome of ["correct", "wrong", "halted"] as const) {
      const most = Math.max(...report.skills.map(({ counts }) => counts[outcome].applied));
      expect(report.library.applied[outcome]).toBeGreaterThanOrEqual(most);
      expect(report.library.applied[outcome]).toBeGreaterThanOrEqual(report.modifiers.applied[outcome]);
      expect(report.library.fired[outcome]).toBeGreaterThanOrEqual(report.library.applied[outcome]);
    }
    expect(report.modifiers.applied.wrong).toBeGreaterThan(0);
  });

  it("measures worth where it is asked to alone", async () => {
    const library = await loadSkills(core, ...SMALL);
    const read = async (worth?: WorthSources) => {
      const options = worth === undefined ? {} : { worth };
      return backtest(library, placed(await episodesIn(SAMPLE_RUN)), core.host, options);
    };
    const [plain, measured] = [await read(), await read(core)];
    expect(measured.worth).toBeDefined();
    expect(measured.skills.every(({ worth }) => worth !== undefined)).toBe(true);
    const without = measured.skills.map(({ worth: _, hits, ...skill }) => ({
      ...skill,
      hits: hits.map(({ worth: __, ...hit }) => hit),
    }));
    expect({ ...measured, worth: undefined, skills: without }).toEqual({ ...plain, worth: undefined });
  });

  it("of a split takes each episode in one part only, and counts those it leaves out", async () => {
    const library = await loadSkills(core, ...PAPER);
    const all = await episodesIn(SAMPLE_RUN);
    const part = (parts: readonly number[]) =>
      backtest(library, placed(all), core.host, { split: { parts, of: 3, seed: 42 } });
    const [tuned, held] = [await part([1, 2]), await part([3])];
    const inside = (report: typeof held) => Object.values(report.episodes).reduce((a, b) => a + b);
    expect(inside(tuned) + inside(held)).toBe(all.length);
    expect(tuned.leftOut).toBe(inside(held));
    expect(held.leftOut).toBe(inside(tuned));
  });

  it("reads an episode of an unregistered domain as one of agent, and counts it", async () => {
    const [first, ...rest] = await episodesIn(SAMPLE_RUN);
    if (first === undefined) throw new Error("no samples");
    const stranger: Episode = { ...first, facts: { ...first.facts, domain: "cookery" } };
    const library = await loadSkills(core, ...PAPER);
    const report = await backtest(library, placed([stranger, ...rest]), core.host);
    expect(report.foreign).toEqual([{ notice: foreignDomain("cookery"), episodes: 1 }]);
    expect(Object.values(report.episodes).reduce((a, b) => a + b)).toBe(rest.length + 1);
    expect(
      report.skills.flatMap(({ hits }) => hits).filter(({ episodeId }) => episodeId === stranger.id),
    ).toEqual([]);
  });

  it("asks a skill about episodes of its own domain alone", async () => {
    const library = await loadSkills(core, "skills/coding-agent/force-push", ...SMALL);
    const all = await episodesIn(SAMPLE_RUN);
    const report = await backtest(library, placed(all), core.host);
    const asked = new Map(report.skills.map(({ skillId, stepsAsked }) => [skillId, stepsAsked]));
    expect(asked.get("force_push")).toBe(0);
    expect(asked.get("retrieval_failure")).toBe(all.reduce((sum, { steps }) => sum + steps.length, 0));
    const guard = report.skills.find(({ skillId }) => skillId === "force_push");
    expect(guard?.counts.wrong.retrieved).toBe(0);
  });

  it("that is cancelled gives what it has done so far", async () => {
    const library = await loadSkills(core, ...PAPER);
    const controller = new AbortController();
    const report = await backtest(library, placed(await episodesIn(SAMPLE_RUN)), core.host, {
      signal: controller.signal,
      onProgress: (done) => done === 3 && controller.abort(),
    });
    expect(Object.values(report.episodes).reduce((a, b) => a + b)).toBe(3);
  });
});
