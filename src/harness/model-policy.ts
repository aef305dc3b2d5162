import type { AgentPrompt } from "../domains/domain.ts";
import type { ChatModel, ChatRequest } from "../llm/chat-model.ts";
import type { Policy } from "./policy.ts";
import { seedFor } from "./seed.ts";

/** How the policy's model is sampled. `seed` is the run's: each question is sampled with one of its own, made from it. */
export type Sampling = Pick<ChatRequest, "temperature" | "maxTokens" | "topP" | "seed" | "sample">;

/** Greedy, with room for a thought of a paragraph and an action. */
export const DEFAULT_SAMPLING: Sampling = { temperature: 0, maxTokens: 512 };

function samplingFor(sampling: Sampling, questionId: string): Sampling {
  const { seed, sample } = sampling;
  return seed === undefined ? sampling : { ...sampling, seed: seedFor(seed, questionId, sample) };
}

/** A chat model that acts with a domain's prompt. */
export function modelPolicy(
  model: ChatModel,
  prompt: AgentPrompt,
  sampling: Sampling = DEFAULT_SAMPLING,
): Policy {
  return {
    id: model.id,
    async propose(input, signal) {
      const request = { messages: prompt.messages(input), ...samplingFor(sampling, input.questionId) };
      const reply = await model.chat(request, { signal });
      return { ...prompt.parseReply(reply.text), usage: reply.usage };
    },
  };
}
