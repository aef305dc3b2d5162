import { describe, expect, it } from "vitest";
import { joinPrompts, PROMPT_NOT_KEPT, readPrompt } from "../../../src/protocol/read-prompt.ts";
import { episode, step } from "../trace/support.ts";

const says = (content: string) => ({ role: "user" as const, content });
const PROMPTS = new Map([
  ["a", [says("question")]],
  ["b", [says("question"), says("found")]],
  ["c", [says("question"), says("found, and look again")]],
]);
const upTo = async (id: string) => PROMPTS.get(id);

function reading(...ids: (string | undefined)[][]) {
  return episode("e", {
    steps: ids.map((read, t) => {
      const one = step(t, "SEARCH", "x", "found");
      const [proposal] = one.proposals;
      if (proposal === undefined) throw new Error("A step has a proposal.");
      const proposals = read.map((messages) =>
        messages === undefined ? proposal : { ...proposal, messages },
      );
      return { ...one, proposals };
    }),
  });
}

describe("the prompt of a proposal", () => {
  it("says how many of its messages the policy had read before", async () => {
    const record = reading(["a"], ["b", "c"]);
    expect(await readPrompt(record, { t: 0, proposal: 0 }, upTo)).toMatchObject({ known: 0 });
    expect(await readPrompt(record, { t: 1, proposal: 0 }, upTo)).toMatchObject({ known: 1 });
    // The held-back FINAL's second prompt changed the last message of its first.
    expect(await readPrompt(record, { t: 1, proposal: 1 }, upTo)).toEqual({
      messages: PROMPTS.get("c"),
      known: 1,
    });
  });

  it("says why there is none: a record that keeps none, or a file that lacks it", async () => {
    const record = reading([undefined], ["lost"]);
    expect(await readPrompt(record, { t: 0, proposal: 0 }, upTo)).toEqual({ missing: PROMPT_NOT_KEPT });
    expect(await readPrompt(record, { t: 9, proposal: 0 }, upTo)).toEqual({ missing: PROMPT_NOT_KEPT });
    expect(await readPrompt(record, { t: 1, proposal: 0 }, upTo)).toMatchObject({
      missing: expect.stringContaining("messages.jsonl"),
    });
  });

  it("is joined from stored parts, each going on from the one before", () => {
    expect(
      joinPrompts([
        { add: [["user", "question 1 of 8"]] },
        { keep: 9, more: "2 of 8", add: [["assistant", "done"]] },
      ]),
    ).toEqual([says("question 2 of 8"), { role: "assistant", content: "done" }]);
  });
});
