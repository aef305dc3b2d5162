import { describe, expect, it } from "vitest";
import { addReplies, countReplies, repliesText } from "../../../src/model/replies.ts";
import type { Proposal } from "../../../src/model/episode.ts";

const said = (type: string, more: Partial<Proposal> = {}): Proposal => ({
  thought: "",
  action: { type, arg: "x" },
  completion: { text: "x", finish: "stop" },
  ...more,
});
const rendered = { completion: { text: "x", finish: "stop" as const, rendered: true } };

describe("the replies of a policy's model", () => {
  it("are all that it said, the second ones of a step as well", () => {
    const steps = [
      { proposals: [said("invalid")] },
      { proposals: [said("FINAL", { lenient: true }), said("FINAL")] },
    ];
    const counts = countReplies(steps);
    expect(counts).toEqual({ replies: 3, invalid: 1, lenient: 1 });
    expect(addReplies(counts, counts)).toEqual({ replies: 6, invalid: 2, lenient: 2 });
  });

  it("are none where nothing was kept word for word, or a recording was rendered", () => {
    const steps = [{ proposals: [{ thought: "", action: { type: "invalid", arg: "" } }] }];
    expect(countReplies(steps).replies).toBe(0);
    expect(countReplies([{ proposals: [said("invalid", rendered)] }]).replies).toBe(0);
  });

  it.each([
    [{ replies: 0, invalid: 0, lenient: 0 }, undefined],
    [{ replies: 1, invalid: 1, lenient: 0 }, "invalid 1 of 1 reply"],
    [{ replies: 99, invalid: 3, lenient: 1 }, "invalid 3 of 99 replies, 1 read leniently"],
    [{ replies: 212, invalid: 6, lenient: 11 }, "invalid 3% of 212 replies, 5% read leniently"],
    [{ replies: 1_000, invalid: 0, lenient: 0 }, "invalid 0% of 1,000 replies"],
    [{ replies: 1_000, invalid: 4, lenient: 0 }, "invalid <1% of 1,000 replies"],
    [{ replies: 1_000, invalid: 999, lenient: 1 }, "invalid >99% of 1,000 replies, <1% read leniently"],
  ])("of %j are told without more precision than they have", (counts, words) => {
    expect(repliesText(counts)).toBe(words);
  });
});
