import { describe, expect, it } from "vitest";
import { collectRecordings, recordedPolicy, type Recordings } from "../../../src/harness/recorded-policy.ts";
import type { Episode } from "../../../src/model/episode.ts";
import { modifiesTo, hostOf, injects, play } from "../../support/episodes.ts";
import { episode, step } from "../trace/support.ts";

async function* all(...episodes: Episode[]): AsyncGenerator<Episode> {
  yield* episodes;
}
const policyOf = (recordings: Recordings) => recordedPolicy("recorded:x", recordings);

describe("which episode re-drives a question", () => {
  const sample = (id: string, n: number, question = "Who was it?") =>
    episode(id, { questionId: "q1", question, sample: n });

  it("is the one of the lowest sample, among equals the first", async () => {
    const recordings = await collectRecordings(
      all(sample("s7", 7), sample("s2", 2), sample("s2b", 2), sample("s4", 4)),
    );
    expect(recordings.find("q1", "", 1)?.episodeId).toBe("s2");
    expect(recordings.count).toBe(4);
  });

  it("is the next higher one for each further sample, and none where there are no more", async () => {
    const recordings = await collectRecordings(all(sample("s7", 7), sample("s2", 2)));
    expect([1, 2, 3].map((nth) => recordings.find("q1", "", nth)?.episodeId)).toEqual([
      "s2",
      "s7",
      undefined,
    ]);
  });

  it("is the one of the sample that was asked for", async () => {
    const recordings = await collectRecordings(all(sample("s1", 1), sample("s2", 2)), 2);
    expect(recordings.find("q1", "", 1)?.episodeId).toBe("s2");
  });

  it("is found by its text where the ids differ, blanks and case aside", async () => {
    const recordings = await collectRecordings(all(sample("e", 1, " Who was  it? ")));
    expect(recordings.find("5a76", "who was it", 1)?.episodeId).toBe("e");
    expect(recordings.find("5a76", "Who is it?", 1)).toBeUndefined();
  });

  it.each([
    ["What is arccos 1?", "What is arccos(-1)?"],
    ["What is 1.5 + 2?", "What is 15 + 2?"],
    ["Solve x+1 = 0.", "Solve x−1 = 0."],
    ["How long is [0,1)?", "How long is (0,1)?"],
  ])("is not that of a question that differs by its signs: %s", async (asked, other) => {
    const recordings = await collectRecordings(all(sample("e", 1, asked)));
    expect(recordings.find("5a76", asked.toUpperCase(), 1)?.episodeId).toBe("e");
    expect(recordings.find("5a76", other, 1)).toBeUndefined();
  });
});

describe("a re-driven episode", () => {
  const policy = async (...steps: Parameters<typeof step>[]) =>
    policyOf(
      await collectRecordings(
        all(episode("e", { questionId: "q1", steps: steps.map((args) => step(...args)) })),
      ),
    );

  it("says what was said, and gets today's observations", async () => {
    const played = await play({
      policy: await policy([0, "SEARCH", "x", "old"], [1, "FINAL", "y"]),
      gold: ["y"],
    });
    expect(played).toMatchObject({ outcome: "correct", stopReason: "final" });
    expect(played.steps[0]).toMatchObject({
      observation: "SEARCH brought x",
      proposals: [{ thought: "thought 0" }],
    });
  });

  it("insists on an answer that is held back, or replaced", async () => {
    let judged = 0;
    const host = hostOf(() => {
      judged++;
      return judged === 1
        ? [modifiesTo("reader", "READ", "doc_0")]
        : judged === 2
          ? [injects("warner", "Look again.")]
          : [];
    });
    const played = await play({ policy: await policy([0, "FINAL", "y"]), host, gold: ["y"] });
    expect(played).toMatchObject({ outcome: "correct", length: 2 });
    expect(played.steps.map(({ executed, proposals }) => `${executed.type} ${proposals.length}`)).toEqual([
      "READ 1",
      "FINAL 2",
    ]);
  });

  it("ends with policy_ended where the record ends, or where there is none", async () => {
    expect(await play({ policy: await policy([0, "SEARCH", "x"]) })).toMatchObject({
      stopReason: "policy_ended",
      length: 1,
    });
    expect(await play({ policy: policyOf(await collectRecordings(all())) })).toMatchObject({
      stopReason: "policy_ended",
      length: 0,
    });
  });
});
