import { expect, test } from "vitest";
import { addUsage } from "../../../src/harness/usage.ts";

const call = (cost?: number) => ({
  inputTokens: 10,
  outputTokens: 2,
  latencyMs: 5,
  ...(cost !== undefined && { cost }),
});

test("costs add up where each is known", () => {
  expect(addUsage(call(0.5), call(0))).toEqual({
    inputTokens: 20,
    outputTokens: 4,
    latencyMs: 10,
    cost: 0.5,
  });
});

test("a cost beside one that nobody knows is unknown, and not the part that is known", () => {
  expect(addUsage(call(0), call())).toEqual({ inputTokens: 20, outputTokens: 4, latencyMs: 10 });
});

test("tokens from a server's cache add up as far as they are known", () => {
  expect(addUsage({ ...call(), cachedInputTokens: 8 }, call())).toMatchObject({ cachedInputTokens: 8 });
  expect(addUsage(call(), call())).not.toHaveProperty("cachedInputTokens");
});
