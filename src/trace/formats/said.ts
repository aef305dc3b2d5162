import type { ChatMessage } from "../../llm/chat-model.ts";
import type { ReadPrompt } from "./turn.ts";

/** A message and all that was said before it. What is said next, or taken back, leaves it as it is. */
export interface Said {
  readonly message: ChatMessage;
  readonly before: Said | undefined;
  /** Messages up to and with this one. */
  readonly length: number;
}

export function sayAfter(before: Said | undefined, role: ChatMessage["role"], content: string): Said {
  return { message: { role, content }, before, length: (before?.length ?? 0) + 1 };
}

/** The same; messages in the user's place with no reply between them are one, as most chat templates ask for. */
export function saidTogether(before: Said | undefined, role: ChatMessage["role"], content: string): Said {
  const isMore = role === "user" && before?.message.role === "user";
  if (!isMore) return sayAfter(before, role, content);
  return sayAfter(before.before, role, `${before.message.content}\n\n${content}`);
}

/** What a reply is an answer to. */
export interface SaidRead {
  readonly said: Said | undefined;
  /** The host sent more than the file tells. */
  readonly isPartial: boolean;
}

/** The prompts of one episode, in the order of its replies. Those that go on from each other share their messages. */
export function promptsOf(reads: readonly SaidRead[]): readonly ReadPrompt[] {
  let path: readonly Said[] = [];
  let talk: readonly ChatMessage[] = [];
  const prompts: ReadPrompt[] = [];
  for (const { said, isPartial } of reads.toReversed()) {
    const upTo = said?.length ?? 0;
    if (said !== undefined && path[upTo - 1] !== said) {
      path = pathTo(said);
      talk = path.map(({ message }) => message);
    }
    prompts.push({ talk, upTo, ...(isPartial && { fromTranscript: true as const }) });
  }
  return prompts.reverse();
}

function pathTo(last: Said): readonly Said[] {
  const path: Said[] = [];
  for (let at: Said | undefined = last; at !== undefined; at = at.before) path.push(at);
  return path.reverse();
}
