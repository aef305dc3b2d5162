import type { ChatModel } from "../llm/chat-model.ts";
import type { Usage } from "../model/episode.ts";
import type { AskTeacher } from "../sandbox/pf-host.ts";
import { unlessAborted } from "./deadline.ts";

/**
 * What PFs with `needsTeacher` get as their teacher within one episode. `spend` hears of each call's usage. A call that fails
 * rejects: the PF sees the error, it is recorded with the call, and the PF goes on by its own code.
 */
export function teacherOf(model: ChatModel, signal: AbortSignal, spend: (usage: Usage) => void): AskTeacher {
  return async ({ prompt, maxTokens, temperature }) => {
    const request = { messages: [{ role: "user" as const, content: prompt }], maxTokens, temperature };
    const reply = await unlessAborted(signal, () => model.chat(request, { signal }));
    spend(reply.usage);
    return reply.text;
  };
}
