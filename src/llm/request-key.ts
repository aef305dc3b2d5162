import type { ChatRequest } from "./chat-model.ts";

/**
 * SHA-256, in hexadecimal, of the model's id and of all that distinguishes one request from another. Fields stand in a fixed
 * order, so that equal requests have equal keys however they were put together.
 */
export async function requestKey(modelId: string, request: ChatRequest): Promise<string> {
  const { messages, temperature, maxTokens, topP, seed, stop, schema, sample } = request;
  const fields = [
    "hasp.request/1",
    modelId,
    messages.map(({ role, content }) => [role, content]),
    temperature,
    maxTokens,
    topP ?? null,
    seed ?? null,
    sample ?? 0,
    // Requests without them keep the keys that earlier versions gave them.
    ...(stop === undefined && schema === undefined ? [] : [stop ?? [], schema ?? null]),
  ];
  const bytes = new TextEncoder().encode(JSON.stringify(fields));
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
