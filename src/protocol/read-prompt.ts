import type { Episode } from "../model/episode.ts";

/** One message that a policy read. */
export interface PromptMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** A stored prompt, as a difference to the prompt that it extends (trace/message-reader.ts). */
export interface PromptPart {
  readonly keep?: number;
  readonly more?: string;
  readonly add: readonly (readonly [role: PromptMessage["role"], content: string])[];
}

/** The messages of stored prompts, each of which extends the one before it. */
export function joinPrompts(parts: readonly PromptPart[]): readonly PromptMessage[] {
  const messages: PromptMessage[] = [];
  for (const { keep, more = "", add } of parts) {
    const last = messages.at(-1);
    const isCut = keep !== undefined || more !== "";
    if (last !== undefined && isCut)
      messages[messages.length - 1] = { ...last, content: last.content.slice(0, keep) + more };
    for (const [role, content] of add) messages.push({ role, content });
  }
  return messages;
}

/** The prompt that a policy read before a proposal, or the reason why it is unknown. */
export type ReadPrompt =
  | {
      readonly messages: readonly PromptMessage[];
      /** The first ones, which it had read before its proposal before this one, too. */
      readonly known: number;
    }
  | { readonly missing: string };

export const PROMPT_NOT_KEPT = "This record does not keep what the policy read.";

function knownOf(messages: readonly PromptMessage[], before: readonly PromptMessage[]): number {
  const changed = messages.findIndex(
    ({ role, content }, i) => before[i]?.role !== role || before[i]?.content !== content,
  );
  return changed < 0 ? messages.length : changed;
}

/** The prompt of a proposal of step `t`, both 0-based. `upTo` gives the prompt of an id; undefined where a part of it is missing. */
export async function readPrompt(
  { steps }: Pick<Episode, "steps">,
  { t, proposal }: { readonly t: number; readonly proposal: number },
  upTo: (id: string) => Promise<readonly PromptMessage[] | undefined>,
): Promise<ReadPrompt> {
  const proposals = steps[t]?.proposals ?? [];
  const id = proposals[proposal]?.messages;
  if (id === undefined) return { missing: PROMPT_NOT_KEPT };
  const messages = await upTo(id);
  if (messages === undefined)
    return {
      missing: "The messages of this proposal are not beside the record: its messages.jsonl lacks them.",
    };
  const earlier = proposals[proposal - 1] ?? steps[t - 1]?.proposals.at(-1);
  const before = earlier?.messages === undefined ? undefined : await upTo(earlier.messages);
  return { messages, known: knownOf(messages, before ?? []) };
}
