import type { AgentPrompt } from "../domains/domain.ts";
import type { ChatModel } from "../llm/chat-model.ts";
import type { Policy } from "./policy.ts";

/** A chat model that acts with a domain's prompt. */
export function modelPolicy(
  model: ChatModel,
  prompt: Pick<AgentPrompt, "parseReply" | "stop" | "structured">,
): Policy {
  return {
    id: model.id,
    async propose({ messages, sampling, sample, actionTypes = [] }, signal) {
      // A cache counts the samples of one request from 0.
      const { temperature, maxTokens, topP, seed } = sampling;
      const drawn = { ...(topP !== undefined && { topP }), ...(seed !== undefined && { seed }) };
      const json = sampling.replies === "json" ? prompt.structured : undefined;
      const { stop } = prompt;
      const schema = json && { schema: json.schema(actionTypes) };
      const request = { messages, temperature, maxTokens, ...drawn, stop, ...schema, sample: sample - 1 };
      const { text, reasoning, finish, usage } = await model.chat(request, { signal });
      const completion = { text, finish, ...(reasoning !== undefined && { reasoning }) };
      return { ...(json ?? prompt).parseReply(text), completion, usage };
    },
  };
}
