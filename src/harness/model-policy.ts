import type { AgentPrompt } from "../domains/domain.ts";
import type { ChatModel } from "../llm/chat-model.ts";
import { DEFAULT_SAMPLING, type Sampling } from "../model/sampling.ts";
import type { Policy } from "./policy.ts";
import { seedFor } from "./seed.ts";

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
