import type { AgentPrompt } from "../domains/domain.ts";
import type { ChatModel, ChatRequest } from "../llm/chat-model.ts";
import type { Policy } from "./policy.ts";

/** How the policy's model is sampled. */
export type Sampling = Pick<ChatRequest, "temperature" | "maxTokens" | "topP" | "seed" | "sample">;

/** Greedy, with room for a thought of a paragraph and an action. */
export const DEFAULT_SAMPLING: Sampling = { temperature: 0, maxTokens: 512 };

/** A chat model that acts with a domain's prompt. */
export function modelPolicy(
  model: ChatModel,
  prompt: AgentPrompt,
  sampling: Sampling = DEFAULT_SAMPLING,
): Policy {
  return {
    id: model.id,
    async propose(input, signal) {
      const reply = await model.chat({ messages: prompt.messages(input), ...sampling }, { signal });
      return { ...prompt.parseReply(reply.text), usage: reply.usage };
    },
  };
}
