import { describe, expect, it } from "vitest";
import { countRevisions } from "../../../../src/analysis/worth/count-revisions.ts";
import { revisedDrafts } from "../../../../src/model/revised-drafts.ts";
import { revisionWords } from "../../../../src/model/revisions.ts";
import type { Episode, Step } from "../../../../src/model/episode.ts";
import { final, hostOf, injects, librarySkill, play, search, skips } from "../../../support/episodes.ts";

/** A library whose one skill holds every first answer back. */
const doubts = {
  host: hostOf(({ proposed }) => [
    proposed.type === "FINAL" ? injects("doubts", "Are you sure?") : skips("doubts"),
  ]),
  library: [librarySkill("doubts")],
  control: { maxSteps: 3 },
};

const held = (draft: string, revision: string): Promise<Episode> =>
  play({ ...doubts, gold: ["Tisza"], script: [[final(draft), final(revision)]] });

describe("a run of twelve whose answers were held back", () => {
  it("gives fixed, broken and same by hand, and McNemar's p with them", async () => {
    const right = "Tisza";
    const pairs = [
      ...Array.from({ length: 5 }, () => ["Maros", right] as const),
      ["The Tisza", "Maros"] as const,
      ...Array.from({ length: 2 }, () => [right, "the Tisza"] as const),
      ...Array.from({ length: 4 }, () => ["Maros", "Bega"] as const),
    ];
    const episodes = await Promise.all(pairs.map(([draft, revision]) => held(draft, revision)));
    const drafts = episodes.flatMap(revisedDrafts);
    expect(drafts).toHaveLength(12);
    expect(drafts.every(({ skillIds }) => skillIds.join() === "doubts")).toBe(true);
    const counts = countRevisions(drafts);
    // Six that differ, five one way: p = 2 · (1 + 6) / 2^6.
    const p = (2 * 7) / 64;
    expect(counts).toEqual({
      fixed: 5,
      broken: 1,
      sameRight: 2,
      sameWrong: 4,
      notMeasured: 0,
      p: expect.closeTo(p),
    });
    expect(revisionWords(counts)).toBe("fixed 5, broken 1, same 6 (2 right, 4 wrong), McNemar p 0.219");
  });
});

describe("the revision of a draft", () => {
  const verdictsOf = ({ steps }: Episode) =>
    steps.map(({ proposals }) => proposals.map(({ verdicts }) => verdicts?.map(({ passed }) => passed)));

  it("is the next answer that the policy proposes, also in a later step", async () => {
    const episode = await play({
      ...doubts,
      gold: ["Tisza"],
      script: [
        [final("Maros"), search("river")],
        [final("Bega"), final("Tisza")],
      ],
    });
    expect(verdictsOf(episode)).toEqual([
      [[false], undefined],
      [[false], [true]],
    ]);
    // The second draft has a revision of its own.
    expect(revisedDrafts(episode)).toMatchObject([
      { t: 0, draft: false, revision: false },
      { t: 1, draft: false, revision: true },
    ]);
  });

  it("is the answer that the episode ended with, where no other comes", async () => {
    const script = [[final("Tisza"), search("a")], search("b"), search("c")];
    const episode = await play({ ...doubts, gold: ["Tisza"], script });
    expect(episode).toMatchObject({ stopReason: "max_steps", answer: "Tisza", outcome: "correct" });
    expect(revisedDrafts(episode)).toMatchObject([{ t: 0, draft: true, revision: true }]);
  });

  it("is not measured where nobody knows the right answer, nor in a record without verdicts on drafts", async () => {
    const unknown = await play({ ...doubts, script: [[final("Maros"), final("Tisza")]] });
    expect(countRevisions(revisedDrafts(unknown))).toMatchObject({
      fixed: 0,
      notMeasured: 1,
    });
    const judged = await held("Maros", "Tisza");
    const steps = judged.steps.map((step): Step => ({
      ...step,
      proposals: step.proposals.map(({ verdicts: _, ...proposal }) => proposal),
    }));
    expect(countRevisions(revisedDrafts({ ...judged, steps }))).toMatchObject({ fixed: 0, notMeasured: 1 });
    expect(revisionWords(countRevisions([]))).toBe("");
  });
});
