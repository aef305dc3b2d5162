import type { ChatMessage } from "../llm/chat-model.ts";
import { joinPrompts } from "../protocol/read-prompt.ts";
import type { Messages } from "./message-reader.ts";

/** Prompts that are kept: those of an episode extend each other, and episodes of a run are read one after the other. */
const KEPT = 128;

/** The prompts of a run by id, each line read once for the prompts that extend it. Undefined where a part is missing. */
export function cachedPrompts({
  line,
}: Pick<Messages, "line">): (id: string) => Promise<readonly ChatMessage[] | undefined> {
  const kept = new Map<string, readonly ChatMessage[]>();

  async function prompt(id: string, above: ReadonlySet<string>): Promise<readonly ChatMessage[] | undefined> {
    const known = kept.get(id);
    if (known !== undefined) return known;
    // A circle, which only a file written by hand has.
    const stored = above.has(id) ? undefined : await line(id);
    if (stored === undefined) return undefined;
    const base = stored.from === undefined ? [] : await prompt(stored.from, new Set([...above, id]));
    if (base === undefined) return undefined;
    const first = { add: base.map(({ role, content }) => [role, content] as const) };
    const messages = joinPrompts(stored.from === undefined ? [stored] : [first, stored]);
    kept.set(id, messages);
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    return messages;
  }

  return (id) => prompt(id, new Set());
}
