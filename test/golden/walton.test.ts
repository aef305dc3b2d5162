import { afterAll, describe, expect, it } from "vitest";
import { judgeRecorded } from "../../src/analysis/judge.ts";
import { formatAction } from "../../src/model/action.ts";
import type { Episode } from "../../src/model/episode.ts";
import type { PfEvent } from "../../src/model/intervention.ts";
import { episodesIn, loadSkills, openCore, SAMPLE_RUN, SAMPLE_SKILLS } from "../support/core.ts";
import { PAPER } from "../support/shipped.ts";

const core = openCore();
afterAll(() => Promise.all([core.host.close(), core.compiler.close()]));
const episodes = await episodesIn(SAMPLE_RUN);
const library = await loadSkills(core, ...PAPER, SAMPLE_SKILLS);

/** `2 insufficient_exploration applied READ("doc_0")`; what was skipped is left out. */
function inWords(t: number, { skillId, status, intervention }: PfEvent): string[] {
  if (status === "skipped") return [];
  const change = intervention?.type === "MODIFY_ACTION" ? intervention : undefined;
  const what =
    change === undefined
      ? (intervention?.type ?? "")
      : formatAction({ type: change.newActionType ?? "", arg: change.newActionArg ?? "" });
  return [`${t} ${skillId} ${status} ${what}`.trimEnd()];
}

async function decisions(id: string): Promise<string[]> {
  const episode = episodes.find((known) => known.id === id);
  if (episode === undefined) throw new Error(`samples/ has no episode ${id}`);
  const judged = await judgeRecorded(episode, library, core.host);
  return judged.flatMap(({ t, events }) => events.flatMap((event) => inWords(t, event)));
}

/** What two skills would search in place of a search that has run. */
const COVERED = 'SEARCH("husband prominent Walton family member died John 2005")';

describe("Γ on the recorded proposals of the Walton episodes (SPEC §10, golden)", () => {
  it("hints at the chain at step 0, once, turns the unread FINAL at step 2 into a READ, and holds back the first name at step 3", async () => {
    expect(await decisions("walton-skills")).toEqual([
      "0 decompose_complex_question applied INJECT_CONTEXT",
      "0 wrong_entity_confusion limited INJECT_CONTEXT",
      "1 decompose_complex_question limited",
      "1 wrong_entity_confusion applied INJECT_CONTEXT",
      '2 insufficient_exploration applied READ("doc_0")',
      "3 answer_completeness applied INJECT_CONTEXT",
      "3 claim_triangulation limited INJECT_CONTEXT",
      "3 claim_triangulation limited",
    ]);
  });

  it("would have stepped in at every step where none of them watched", async () => {
    expect(await decisions("walton-plain")).toEqual([
      "0 decompose_complex_question applied INJECT_CONTEXT",
      "0 wrong_entity_confusion limited INJECT_CONTEXT",
      "1 decompose_complex_question limited",
      "1 wrong_entity_confusion applied INJECT_CONTEXT",
      "2 decompose_complex_question limited",
      `2 repeated_action applied ${COVERED}`,
      "2 repeated_query applied INJECT_CONTEXT",
      "2 iterative_refinement limited INJECT_CONTEXT",
      '3 insufficient_exploration applied READ("doc_0")',
      `3 repeated_action overridden ${COVERED}`,
    ]);
  });
});

describe("the sample run as a whole", () => {
  const known = new Set(library.active.map(({ skill }) => skill.skillId));
  const recorded = (episode: Episode): string[] =>
    episode.steps.flatMap(({ t, events }) =>
      events.filter((event) => known.has(event.skillId)).flatMap((event) => inWords(t, event)),
    );

  it.each(episodes.map((episode) => [episode.id, episode] as const))(
    "%s records what its skills decide today",
    async (id, episode) => {
      const active = new Set(episode.library.map((skill) => skill.skillId));
      const today = (await decisions(id)).filter((line) => active.has(line.split(" ")[1] ?? ""));
      expect(today.toSorted()).toEqual(recorded(episode).toSorted());
    },
  );
});
