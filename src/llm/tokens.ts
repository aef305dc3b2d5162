import type { ChatRequest } from "./chat-model.ts";

/** Characters of English in a token, near enough. Other scripts have fewer, so there the guess is low. */
const CHARACTERS_PER_TOKEN = 4;
/** What the protocol adds to each message: role and separators. */
const TOKENS_PER_MESSAGE = 4;

/** A guess at the tokens of a text, for endpoints that do not count, and for what a call will cost at most. */
export function guessTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** `guessTokens` of all that is sent. */
export function guessInputTokens(request: ChatRequest): number {
  return request.messages.reduce((sum, { content }) => sum + guessTokens(content) + TOKENS_PER_MESSAGE, 0);
}
