import {
  ModelError,
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  type ModelFailure,
} from "./chat-model.ts";
import { guessInputTokens, guessTokens } from "./tokens.ts";

/** What a scripted model says: a text, or the failure that it plays. */
export type ScriptedReply =
  | string
  | { readonly text: string; readonly finish?: ChatReply["finish"] }
  | { readonly error: ModelFailure };

/** `index`: 0 for the first request. Undefined: the script has nothing to say. */
export type Script = (request: ChatRequest, index: number) => ScriptedReply | undefined;

export interface ScriptedModel extends ChatModel {
  /** All that it was asked, in order. */
  readonly requests: readonly ChatRequest[];
}

/**
 * A model that answers from a list, in order, or from a function: for tests, samples and `scripted:<file>`. It waits for
 * nothing and costs nothing. Where the script is at its end it rejects with ModelError `refused_request`.
 */
export function scriptedModel(replies: readonly ScriptedReply[] | Script, id = "scripted"): ScriptedModel {
  const script: Script = typeof replies === "function" ? replies : (_request, index) => replies[index];
  const requests: ChatRequest[] = [];
  return {
    id,
    requests,
    async chat(request, options) {
      options?.signal?.throwIfAborted();
      const reply = script(request, requests.length);
      requests.push(request);
      const { text, finish } = played(reply, id, requests.length);
      options?.onText?.(text);
      const usage = {
        inputTokens: guessInputTokens(request),
        outputTokens: guessTokens(text),
        cost: 0,
        latencyMs: 0,
        estimated: true,
      };
      return { text, usage, model: id, finish, cached: false };
    },
  };
}

function played(
  reply: ScriptedReply | undefined,
  id: string,
  number: number,
): { readonly text: string; readonly finish: ChatReply["finish"] } {
  if (reply === undefined) {
    throw new ModelError(
      "refused_request",
      `${id} has no reply to request ${number}.`,
      "Add a reply to the script, or a `when` that fits this request.",
    );
  }
  if (typeof reply === "string") return { text: reply, finish: "stop" };
  if ("error" in reply) throw new ModelError(reply.error, `${id} plays the failure ${reply.error}.`);
  return { text: reply.text, finish: reply.finish ?? "stop" };
}
