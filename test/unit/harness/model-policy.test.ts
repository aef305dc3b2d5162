import { expect, it } from "vitest";
import { webSearchPrompt } from "../../../src/domains/web-search/prompt.ts";
import { modelPolicy } from "../../../src/harness/model-policy.ts";
import type { ChatModel, ChatRequest } from "../../../src/llm/chat-model.ts";

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

it("holds a model to the schema of a reply where the sampling asks for JSON, and to stop sequences in any case", async () => {
  const requests: ChatRequest[] = [];
  const usage = { inputTokens: 1, outputTokens: 1 };
  const text = '{"thought":"known","action":"FINAL","arg":"Sam"}';
  const model: ChatModel = {
    id: "held",
    chat: async (request) => (
      requests.push(request),
      { text, usage, model: "held", finish: "stop", cached: false }
    ),
  };
  const policy = modelPolicy(model, webSearchPrompt);
  const input = {
    questionId: "q",
    sample: 1,
    messages: [],
    proposal: 0,
    question: "Who?",
    actionTypes: ["SEARCH", "FINAL"],
    t: 0,
    maxSteps: 2,
    seen: [],
  };
  const { signal } = new AbortController();
  const sampling = { temperature: 0, maxTokens: 10 };
  expect(
    await policy.propose({ ...input, sampling: { ...sampling, replies: "json" } }, signal),
  ).toMatchObject({
    thought: "known",
    action: { type: "FINAL", arg: "Sam" },
  });
  await policy.propose({ ...input, sampling }, signal);
  expect(requests.map(({ stop, schema }) => [stop?.length, schema !== undefined])).toEqual([
    [2, true],
    [2, false],
  ]);
});
