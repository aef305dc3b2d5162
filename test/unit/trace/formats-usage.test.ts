import { expect, test } from "vitest";
import { ATIF, importValue } from "./formats-support.ts";

test.each([
  [
    "LangChain's message",
    [
      { type: "human", data: { content: "Hi" } },
      {
        type: "ai",
        data: {
          content: "Bye",
          usage_metadata: { input_tokens: 5, output_tokens: 1, input_token_details: { cache_read: 2 } },
        },
      },
    ],
    { inputTokens: 5, outputTokens: 1, cachedInputTokens: 2 },
  ],
  [
    "Cline's message",
    [
      { role: "user", content: "<task>\nHi\n</task>\n<environment_details>\n</environment_details>" },
      {
        role: "assistant",
        content: "<attempt_completion>\n<result>\nBye\n</result>\n</attempt_completion>",
        metrics: { tokens: { prompt: 10, completion: 2, cached: 3 }, cost: 0.1 },
      },
    ],
    { inputTokens: 10, outputTokens: 2, cost: 0.1 },
  ],
  [
    "ATIF's step",
    {
      ...ATIF,
      final_metrics: undefined,
      steps: [
        { step_id: 1, source: "user", message: "Hi" },
        {
          step_id: 2,
          source: "agent",
          message: "Bye",
          metrics: { prompt_tokens: 9, completion_tokens: 2, cached_tokens: 4, cost_usd: 0.5 },
        },
      ],
    },
    { inputTokens: 9, outputTokens: 2, cachedInputTokens: 4, cost: 0.5 },
  ],
])("the usage of %s is counted", async (_, value, cost) => {
  expect((await importValue(value)).cost).toEqual(cost);
});
