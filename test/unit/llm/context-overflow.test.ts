import { expect, test } from "vitest";
import type { Behaviour } from "../../support/loopback-model.ts";
import { ask, bench, failure } from "./support.ts";

const json = (error: unknown, status = 400): Behaviour => ({
  kind: "raw",
  status,
  type: "application/json",
  body: JSON.stringify({ error }),
});

const inStream = (message: string): Behaviour => ({
  kind: "raw",
  type: "text/event-stream",
  body: `event: error\ndata: ${JSON.stringify({ error: { message } })}\n\n`,
});

const PROMPT = /the prompt has 9,000 tokens; the model reads 8,192\.$/;
const BOTH = /the prompt and the longest reply have 9,000 tokens; the model reads 8,192\.$/;

test.each<[string, Behaviour, RegExp]>([
  [
    "OpenAI",
    json({
      code: "context_length_exceeded",
      message: "Your messages resulted in 9000 tokens; this model's maximum context length is 8192 tokens.",
    }),
    PROMPT,
  ],
  [
    "llama.cpp",
    json({
      code: 400,
      type: "exceed_context_size_error",
      message: "too long",
      n_prompt_tokens: 9000,
      n_ctx: 8192,
    }),
    PROMPT,
  ],
  [
    "an older llama.cpp",
    json({ code: 500, message: "the request exceeds the available context size (8192 tokens)" }, 500),
    /cannot read so long a prompt: the model reads 8,192 tokens\.$/,
  ],
  [
    "vLLM, by the reply",
    json({
      message:
        "The maximum context length is 8192 tokens. However, you requested 9000 tokens (8000 in the messages, 1000 in the completion).",
    }),
    BOTH,
  ],
  [
    "vLLM, without a sum",
    json({
      message:
        "You passed 8,001 input tokens and asked for 1000 output tokens. The model's context length is only 8,192.",
    }),
    /reads 8,192 tokens\.$/,
  ],
  [
    "LM Studio",
    inStream(
      "Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 8192 tokens.",
    ),
    PROMPT,
  ],
  [
    "Mistral",
    json({ message: "Prompt has 9000 tokens, too large for model with 8192 maximum context length" }),
    PROMPT,
  ],
  ["Anthropic", json({ message: "prompt is too long: 9000 tokens > 8192 maximum" }), PROMPT],
  [
    "Gemini",
    json({ message: "The input token count (9000) exceeds the maximum number of tokens allowed (8192)." }),
    PROMPT,
  ],
  [
    "a server without numbers",
    json({ code: "context_length_exceeded", message: "Too long." }),
    /so long a prompt\.$/,
  ],
])(
  "a prompt longer than the model reads is said with both numbers and not tried again: %s",
  async (_who, behaviour, says) => {
    const { model, server } = await bench([behaviour]);
    const error = await failure(model.chat(ask()));
    expect([error.kind, server.calls.length]).toEqual(["context_overflow", 1]);
    expect(error.message).toMatch(says);
    expect(error.next).toContain("longer context");
  },
);

test.each([
  [
    "a reply that may be too long",
    json({ message: "max_tokens is too large: 9000. At most 4096 completion tokens." }),
  ],
  ["a quota", json({ message: "Requests exceed the context window quota of today" }, 429)],
])("%s is no context overflow", async (_what, behaviour) => {
  const { model } = await bench([behaviour], { limits: { retries: 0 } });
  expect((await failure(model.chat(ask()))).kind).not.toBe("context_overflow");
});

test("a prompt's length that the server does not tell is guessed", async () => {
  const message = "the request exceeds the available context size (40 tokens)";
  const { model } = await bench([json({ message })]);
  const error = await failure(model.chat(ask()));
  expect(error.message).toContain("the longest reply have about 109 tokens; the model reads 40.");
});
