import type { ChatMessage } from "../llm/chat-model.ts";
import type { PromptInput, PromptSeen } from "./domain.ts";

/** The texts of a domain around the proposals of an episode. */
export interface Speech {
  readonly system: string;
  /** The question as the first message of the user states it. */
  readonly question: string;
  /** The reply that made the proposal. */
  replyOf(seen: PromptSeen): string;
  /** The answer of the environment or of the harness. `at`: its place in `input.seen`. */
  cameOf(seen: PromptSeen, at: number): string;
  /** The end of a message before a proposal. It depends on that step alone. */
  endOf(step: Pick<PromptInput, "t" | "instructions">, before: PromptSeen | undefined): string;
}

/**
 * The messages before the next proposal. Each is sent again as it was: a server that caches reads only what is new. No two of one role follow
 * each other: some endpoints refuse that.
 */
export function conversation(input: PromptInput, speech: Speech): ChatMessage[] {
  const turns: ChatMessage[] = [{ role: "system", content: speech.system }];
  let came = speech.question;
  let before: PromptSeen | undefined;
  for (const [at, seen] of input.seen.entries()) {
    turns.push(
      { role: "user", content: came + speech.endOf(seen, before) },
      { role: "assistant", content: speech.replyOf(seen) },
    );
    came = speech.cameOf(seen, at);
    before = seen;
  }
  return [...turns, { role: "user", content: came + speech.endOf(input, before) }];
}
