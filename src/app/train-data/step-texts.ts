import { promptOrigin, targetOf, type TrainableStep } from "../../dataset/step-rows.ts";
import type { ScoredStep } from "../../dataset/scored-steps.ts";
import type { Domain } from "../../domains/domain.ts";
import type { ChatMessage } from "../../llm/chat-model.ts";
import { redactTexts } from "../../llm/redact.ts";
import { guessTokens } from "../../llm/tokens.ts";
import type { Episode } from "../../model/episode.ts";
import type { DropReason } from "../../model/train-data.ts";
import type { CachedPrompt } from "../../trace/prompt-cache.ts";
import type { PlacedEpisode } from "../../trace/placed-episodes.ts";
import type { RowRules } from "./order.ts";

type Messages = readonly ChatMessage[];

/** What the texts of rows are made with. */
export interface TextSource {
  readonly order: RowRules;
  readonly domain: Domain | undefined;
  readonly redact: (text: string) => string;
  /** The prompts of a run by the id of the last message. */
  readonly prompt: (run: string, id: string) => Promise<CachedPrompt | undefined>;
  /** Hides the secrets of messages. */
  readonly hidden: (messages: Messages) => Messages;
}

/** Hides the secrets of each message once: the prompts of an episode share their messages. */
export function redactedOnce(redact: (text: string) => string): (messages: Messages) => Messages {
  const clean = new WeakMap<ChatMessage, ChatMessage>();
  return (messages) =>
    messages.map((message) => {
      const known = clean.get(message);
      if (known !== undefined) return known;
      const hidden = redactTexts(message, redact);
      clean.set(message, hidden);
      return hidden;
    });
}

/** Why the prompt of a step may not be in a row, as far as the step itself tells. */
export function promptDrop(
  { step }: Pick<ScoredStep, "step">,
  { exactPrompts }: RowRules,
): DropReason | undefined {
  const origin = promptOrigin(step);
  if (origin === "none") return "no_prompt";
  return origin === "transcript" && exactPrompts ? "transcript_prompt" : undefined;
}

/** Why a row of so many tokens is left out. */
export const lengthDrop = (tokens: number, { maxTokens = Infinity }: RowRules): DropReason | undefined =>
  tokens > maxTokens ? "too_long" : undefined;

/** Why a step whose reward suffices gives no row all the same, as far as its episode tells. */
export function textDrop(
  one: ScoredStep,
  { order, domain }: Pick<TextSource, "order" | "domain">,
): DropReason | undefined {
  const texts = targetOf(one, domain?.prompt);
  return "dropped" in texts ? texts.dropped : promptDrop(one, order);
}

/** A step with its texts, or the reason why it has none. */
export async function trainable(
  { order, domain, redact, hidden, prompt: read }: TextSource,
  { run, episode }: Pick<PlacedEpisode, "run"> & { readonly episode: Episode },
  passed: boolean | undefined,
  one: ScoredStep,
): Promise<TrainableStep | DropReason> {
  const texts = targetOf(one, domain?.prompt);
  if ("dropped" in texts) return texts.dropped;
  const dropped = promptDrop(one, order);
  if (dropped !== undefined) return dropped;
  const { step, signals, answers } = one;
  const found = await read(run, step.proposals[0]?.messages ?? "");
  if (found === undefined) return "no_prompt";
  const answer = Math.max(guessTokens(texts.target), guessTokens(texts.proposed));
  const long = lengthDrop(found.tokens + answer, order);
  if (long !== undefined) return long;
  const prompt = hidden(found.messages());
  if (prompt.length === 0) return "no_prompt";
  return { run, episode, passed, step, signals, answers, prompt, ...redactTexts(texts, redact) };
}
