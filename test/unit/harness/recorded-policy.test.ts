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
  const trial = (id: string, n: number | undefined, question = "Who was it?") =>
    episode(id, { questionId: "q1", question, ...(n !== undefined && { settings: { trial: n } }) });

  it("is the one of the lowest trial, among equals the first", async () => {
    const recordings = await collectRecordings(
      all(trial("t3", 3), trial("t1", 1), trial("t1b", 1), trial("t2", 2)),
    );
    expect(recordings.find("q1", "")?.episodeId).toBe("t1");
    expect(recordings.count).toBe(1);
  });

  it("is the one of the trial that was asked for", async () => {
    const recordings = await collectRecordings(all(trial("t1", 1), trial("t2", 2)), 2);
    expect(recordings.find("q1", "")?.episodeId).toBe("t2");
  });

  it("is found by its text where the ids differ, blanks and case aside", async () => {
    const recordings = await collectRecordings(all(trial("e", undefined, " Who was  it? ")));
    expect(recordings.find("5a76", "who was it")?.episodeId).toBe("e");
    expect(recordings.find("5a76", "Who is it?")).toBeUndefined();
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
