import { describe, expect, it } from "vitest";
import { modelPolicy } from "../../../src/harness/model-policy.ts";
import { seedFor } from "../../../src/harness/seed.ts";
import { scriptedModel } from "../../../src/llm/scripted-model.ts";

const prompt = {
  version: "test/1",
  messages: () => [{ role: "user" as const, content: "the same for all" }],
  parseReply: (text: string) => ({ thought: "", action: { type: "FINAL", arg: text } }),
};

const input = (questionId: string) => ({
  questionId,
  question: "?",
  seen: [],
  t: 0,
  proposal: 0,
  maxSteps: 3,
});

describe("the seed of a question", () => {
  it("depends on the run's seed, the question and the try, and on nothing else", () => {
    const seeds = [seedFor(1, "a"), seedFor(2, "a"), seedFor(1, "b"), seedFor(1, "a", 1)];
    expect(new Set(seeds).size).toBe(4);
    expect(seedFor(1, "a")).toBe(seeds[0]);
    for (const seed of seeds) expect(Number.isSafeInteger(seed) && seed >= 0 && seed < 2 ** 31).toBe(true);
  });

  it("is what the endpoint is sent, in whatever order the questions come", async () => {
    const sent = async (ids: readonly string[]) => {
      const model = scriptedModel(() => "yes");
      const policy = modelPolicy(model, prompt, { temperature: 1, maxTokens: 10, seed: 7 });
      for (const id of ids) await policy.propose(input(id), new AbortController().signal);
      return new Map(model.requests.map(({ seed }, i) => [ids[i], seed]));
    };
    const forth = await sent(["a", "b", "c"]);
    expect(forth.get("b")).toBe(seedFor(7, "b"));
    expect([...(await sent(["c", "b", "a"]))].toReversed()).toEqual([...forth]);
  });

  it("is not sent where the run has none", async () => {
    const model = scriptedModel(() => "yes");
    await modelPolicy(model, prompt, { temperature: 0, maxTokens: 10 }).propose(
      input("a"),
      new AbortController().signal,
    );
    expect(model.requests[0]).not.toHaveProperty("seed");
  });
});
