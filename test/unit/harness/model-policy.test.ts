import { expect, it } from "vitest";
import { webSearchPrompt } from "../../../src/domains/web-search/prompt.ts";
import { modelPolicy } from "../../../src/harness/model-policy.ts";
import type { ChatModel } from "../../../src/llm/chat-model.ts";

it("reads the text of a reply alone, and keeps a model's thoughts in the completion", async () => {
  const text = "Thought: it is known.\nAction: FINAL[Sam]";
  const reasoning = "Action: SEARCH[somebody else]";
  const usage = { inputTokens: 1, outputTokens: 1 };
  const model: ChatModel = {
    id: "thinker",
    chat: async () => ({ text, reasoning, usage, model: "thinker", finish: "stop", cached: false }),
  };
  const proposal = await modelPolicy(model, webSearchPrompt).propose(
    {
      questionId: "q",
      sample: 1,
      sampling: { temperature: 0, maxTokens: 10 },
      messages: [{ role: "user", content: "Who?" }],
      proposal: 0,
      question: "Who?",
      t: 0,
      maxSteps: 2,
      seen: [],
    },
    new AbortController().signal,
  );
  expect(proposal).toMatchObject({
    action: { type: "FINAL", arg: "Sam" },
    completion: { text, reasoning, finish: "stop" },
  });
});
