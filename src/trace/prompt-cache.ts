import type { ChatMessage } from "../llm/chat-model.ts";
import { joinPrompts } from "../protocol/read-prompt.ts";
import type { Messages, StoredPrompt } from "./message-reader.ts";

/** Prompts that are kept: those of an episode extend each other, and episodes of a run are read one after the other. */
const KEPT = 128;

/**
 * The prompts of a run by id, each line read once for the prompts that extend it; these share the objects of their messages. Undefined where
 * a part is missing.
 */
export function cachedPrompts({
  line,
}: Pick<Messages, "line">): (id: string) => Promise<readonly ChatMessage[] | undefined> {
  const kept = new Map<string, readonly ChatMessage[]>();

  function keep(id: string, messages: readonly ChatMessage[]): readonly ChatMessage[] {
    kept.set(id, messages);
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    return messages;
  }

  /** The lines from this prompt back to one that is kept, or to the first one. Undefined for a circle, which only a file written by hand has. */
  async function linesBackFrom(id: string): Promise<readonly StoredPrompt[] | undefined> {
    const lines = new Map<string, StoredPrompt>();
    for (let next: string | undefined = id; next !== undefined && !kept.has(next);) {
      const stored: StoredPrompt | undefined = lines.has(next) ? undefined : await line(next);
      if (stored === undefined) return undefined;
      lines.set(next, stored);
      next = stored.from;
    }
    return [...lines.values()];
  }

  return async (id) => {
    const known = kept.get(id);
    if (known !== undefined) return known;
    const lines = (await linesBackFrom(id))?.toReversed();
    const [first] = lines ?? [];
    if (lines === undefined || first === undefined) return undefined;
    const base = first.from === undefined ? undefined : kept.get(first.from);
    // Many episodes go on from the first prompt, their system message.
    if (base !== undefined) return keep(id, joinPrompts(lines, base));
    const root = keep(first.id, joinPrompts([first]));
    return lines.length === 1 ? root : keep(id, joinPrompts(lines.slice(1), root));
  };
}
