import { afterAll, describe, expect, it } from "vitest";
import { judgeStepOf, judgeWholeEpisode, rememberInstrumented } from "../../../src/analysis/judge-episode.ts";
import { explain, judgeRecorded, recordedQuestions } from "../../../src/analysis/judge.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { episodesIn, loadSkills, openCore, SAMPLE_RUN, SHIPPED } from "../../support/core.ts";

const core = openCore();
afterAll(() => Promise.all([core.host.close(), core.compiler.close()]));

async function sample(id: string): Promise<Episode> {
  const found = (await episodesIn(SAMPLE_RUN)).find((episode) => episode.id === id);
  if (found === undefined) throw new Error(`no sample ${id}`);
  return found;
}

describe("a whole episode, judged for a page", () => {
  it("has on every step what the replay asks for step by step", async () => {
    const episode = await sample("walton-skills");
    const library = await loadSkills(core, SHIPPED);
    const bench = { library, host: core.host, compiler: rememberInstrumented(core.compiler) };
    const whole = await judgeWholeEpisode(episode, bench);
    const judged = await judgeRecorded(episode, library, core.host);
    expect(whole.marks.map(({ t }) => t)).toEqual(episode.steps.map(({ t }) => t));
    for (const [t, step] of whole.steps.entries())
      expect(step).toEqual(await judgeStepOf(episode, judged, t, bench));
    const skipped = whole.steps[0]?.pfs.find(({ event }) => event.status === "skipped");
    expect(skipped?.explanation?.sentence).not.toBe("");
    await expect(judgeStepOf(episode, judged, 99, bench)).rejects.toThrow("no step 100");
  });
});

describe("today's library on a recorded episode", () => {
  const divergence = async (episode: Episode): Promise<boolean[]> => {
    const library = await loadSkills(core, SHIPPED);
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
    const library = await loadSkills(core, SHIPPED);
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
    const library = await loadSkills(core, SHIPPED);
    const judged = await judgeRecorded(withoutRead, library, core.host);
    const event = judged.at(-1)?.events.find(({ skillId }) => skillId === "insufficient_exploration");
    expect(event).toMatchObject({ status: "skipped", reason: "no READ here" });
  });
});

describe("explain", () => {
  async function sentence(
    id: string,
    t: number,
    skillId: string,
  ): Promise<[boolean, string, number | undefined]> {
    const library = await loadSkills(core, SHIPPED);
    const episode = await sample(id);
    const active = library.active.find(({ skill }) => skill.skillId === skillId);
    const question = recordedQuestions(episode).find((asked) => asked.t === t);
    const judged = (await judgeRecorded(episode, library, core.host))[t];
    const state = judged?.statesBefore.get(skillId);
    if (active === undefined || question === undefined || state === undefined)
      throw new Error("no such step");
    const found = await explain(active, state, question, core.compiler, core.host);
    if (found === undefined) throw new Error("not explained");
    return [found.activated, found.sentence, found.deciding?.line];
  }

  it("names what held, with its values and its line, for a PF that fired", async () => {
    const [activated, text, line] = await sentence("walton-skills", 2, "insufficient_exploration");
    expect(activated).toBe(true);
    expect(text).toContain('actionType is "FINAL"');
    expect(text).toContain("ctx.searchCount is 2");
    expect(text).toContain("ctx.readCount is 0");
    expect(line).toBeGreaterThan(20);
  });

  it("names the one operand that stopped a PF that did not fire", async () => {
    const [activated, text, line] = await sentence("walton-skills", 2, "retrieval_failure");
    expect(activated).toBe(false);
    expect(text).toBe('actionType is "FINAL", not "SEARCH"');
    expect(line).toBeGreaterThan(20);
  });
});
