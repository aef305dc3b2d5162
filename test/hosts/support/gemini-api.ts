import type { Api, Raw, Turn } from "./model-server.ts";

function partsOf(turn: Turn, number: number): Raw[] {
  if ("say" in turn) return [{ text: turn.say }];
  return turn.calls.map(({ name, input }, at) => ({
    functionCall: { id: `call_${number}_${at}`, name, args: input },
  }));
}

/** Gemini's API, as Gemini CLI speaks it: an answer is one event. */
export const geminiApi: Api = {
  isTurn: (url, body) => url.includes(":streamGenerateContent") && Array.isArray(body["tools"]),
  otherwise: () => ({ type: "application/json", text: JSON.stringify({ totalTokens: 10, candidates: [] }) }),
  events: (turn, number) => [
    {
      candidates: [
        { index: 0, content: { role: "model", parts: partsOf(turn, number) }, finishReason: "STOP" },
      ],
      usageMetadata: {
        promptTokenCount: 100 + number,
        candidatesTokenCount: 7,
        cachedContentTokenCount: 50,
        totalTokenCount: 107 + number,
      },
    },
  ],
};
