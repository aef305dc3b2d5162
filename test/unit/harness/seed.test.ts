import { describe, expect, it } from "vitest";
import { modelPolicy } from "../../../src/harness/model-policy.ts";
import { samplingOf, seedFor } from "../../../src/harness/seed.ts";
import { scriptedModel } from "../../../src/llm/scripted-model.ts";
import type { RunSampling } from "../../../src/model/sampling.ts";

const prompt = {
  parseReply: (text: string) => ({ thought: "", action: { type: "FINAL", arg: text } }),
  stop: [],
};
const { signal } = new AbortController();

const input = (run: RunSampling, questionId: string, sample = 1) => ({
  questionId,
  sample,
  sampling: samplingOf(run, questionId, sample),
  question: "?",
  messages: [{ role: "user" as const, content: "the same for all" }],
  seen: [],
  t: 0,
  proposal: 0,
  maxSteps: 3,
});

describe("the seed of a sample", () => {
  it("depends on the run's seed, the question and the sample, and on nothing else", () => {
    const seeds = [seedFor(1, "a", 1), seedFor(2, "a", 1), seedFor(1, "b", 1), seedFor(1, "a", 2)];
    expect(new Set(seeds).size).toBe(4);
    expect(seedFor(1, "a", 1)).toBe(seeds[0]);
    for (const seed of seeds) expect(Number.isSafeInteger(seed) && seed >= 0 && seed < 2 ** 31).toBe(true);
  });

  it("is what the endpoint is sent, in whatever order the questions come", async () => {
    const sent = async (ids: readonly string[]) => {
      const model = scriptedModel(() => "yes");
      const policy = modelPolicy(model, prompt);
      const run = { temperature: 1, maxTokens: 10, seed: 7 };
      for (const id of ids) await policy.propose(input(run, id), signal);
      return new Map(model.requests.map(({ seed }, i) => [ids[i], seed]));
    };
    const forth = await sent(["a", "b", "c"]);
    expect(forth.get("b")).toBe(seedFor(7, "b", 1));
    expect([...(await sent(["c", "b", "a"]))].toReversed()).toEqual([...forth]);
  });

  it("is not sent where the run has none", async () => {
    const model = scriptedModel(() => "yes");
    await modelPolicy(model, prompt).propose(input({ temperature: 0, maxTokens: 10 }, "a"), signal);
    expect(model.requests[0]).not.toHaveProperty("seed");
  });
});

it("each sample has the temperature of its turn, and top-p as the run has it", async () => {
  const model = scriptedModel(() => "yes");
  const run = { temperature: [0, 0.7], maxTokens: 10, topP: 0.9 };
  for (const sample of [1, 2, 3]) await modelPolicy(model, prompt).propose(input(run, "a", sample), signal);
  expect(model.requests.map(({ temperature, topP }) => [temperature, topP])).toEqual([
    [0, 0.9],
    [0.7, 0.9],
    [0, 0.9],
  ]);
});
