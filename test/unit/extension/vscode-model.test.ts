import { beforeEach, expect, test, vi } from "vitest";
import type { ChatRequest } from "../../../src/llm/chat-model.ts";
import { editorModel } from "../../../src/extension/models/vscode-model.ts";

/** A provider of VS Code that says these pieces, whatever it is asked, and keeps the token that it is told to end by. */
const provider = vi.hoisted(() => ({
  pieces: [] as readonly string[],
  said: 0,
  token: undefined as { isCancellationRequested: boolean } | undefined,
}));

vi.mock("vscode", () => {
  class CancellationTokenSource {
    private readonly heard: (() => void)[] = [];
    readonly token = {
      isCancellationRequested: false,
      onCancellationRequested: (listener: () => void) => void this.heard.push(listener),
    };
    cancel(): void {
      this.token.isCancellationRequested = true;
      for (const listener of this.heard) listener();
    }
    dispose(): void {
      this.heard.length = 0;
    }
  }
  async function* text(): AsyncGenerator<string> {
    for (const piece of provider.pieces) {
      provider.said++;
      yield piece;
    }
  }
  const chat = {
    name: "Suite",
    sendRequest: async (_messages: unknown, _options: unknown, token: typeof provider.token) => {
      provider.token = token;
      return { text: text() };
    },
  };
  return {
    CancellationTokenSource,
    CancellationError: class extends Error {},
    LanguageModelError: class extends Error {},
    LanguageModelChatMessage: { User: (content: string) => content, Assistant: (content: string) => content },
    lm: { selectChatModels: async () => [chat] },
  };
});

const request: ChatRequest = {
  messages: [{ role: "user", content: "Who?" }],
  temperature: 0,
  maxTokens: 100,
  stop: ["\nObservation:"],
};

beforeEach(() => {
  Object.assign(provider, { pieces: [], said: 0, token: undefined });
});

test("a model of the editor ends at a stop text, of which nothing is shown, and its provider is told to end", async () => {
  provider.pieces = [
    "Thought: a\nAction: SEA",
    "RCH[a]\nObser",
    "vation: invented",
    " and more",
    " and more",
  ];
  const shown: string[] = [];
  const reply = await editorModel("suite", "model").chat(request, { onText: (piece) => shown.push(piece) });
  expect(reply).toMatchObject({ text: "Thought: a\nAction: SEARCH[a]", finish: "stop" });
  expect(shown.join("")).toBe("Thought: a\nAction: SEARCH[a]");
  expect(provider.said).toBe(3);
  expect(provider.token?.isCancellationRequested).toBe(true);
});

test("thoughts are told from the reply, and thoughts alone are none", async () => {
  provider.pieces = ["<think>who?\nObservation: mine</think>", "FINAL[Ada]"];
  await expect(editorModel("suite", "model").chat(request)).resolves.toMatchObject({
    text: "FINAL[Ada]",
    reasoning: "who?\nObservation: mine",
  });
  provider.pieces = ["<think>who?"];
  await expect(editorModel("suite", "model").chat(request)).rejects.toMatchObject({
    kind: "empty_reply",
    message: expect.stringContaining("only thought"),
    reasoning: "who?",
  });
});

test("a reply far beyond its longest is cut off", async () => {
  provider.pieces = Array.from({ length: 1_000 }, () => "words ".repeat(100));
  const { finish, text } = await editorModel("suite", "model").chat(request);
  expect(finish).toBe("length");
  expect(text.length).toBeLessThan(10_000);
});
