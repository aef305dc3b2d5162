import type { AgentPrompt } from "../domains/domain.ts";
import type { ChatModel } from "../llm/chat-model.ts";
import type { Policy } from "./policy.ts";

/** A chat model that acts with a domain's prompt. */
export function modelPolicy(model: ChatModel, prompt: Pick<AgentPrompt, "parseReply" | "stop">): Policy {
  return {
    id: model.id,
    async propose({ messages, sampling, sample }, signal) {
      // A cache counts the samples of one request from 0.
      const { temperature, maxTokens, topP, seed } = sampling;
      const drawn = { ...(topP !== undefined && { topP }), ...(seed !== undefined && { seed }) };
      const { stop } = prompt;
      const request = { messages, temperature, maxTokens, ...drawn, stop, sample: sample - 1 };
      const { text, reasoning, finish, usage } = await model.chat(request, { signal });
      const completion = { text, finish, ...(reasoning !== undefined && { reasoning }) };
      return { ...prompt.parseReply(text), completion, usage };
    },
  };
}
