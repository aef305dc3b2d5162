import type { ChatMessage } from "../llm/chat-model.ts";
import { guessTokens } from "../llm/tokens.ts";
import type { Messages, StoredPrompt } from "./message-reader.ts";

/** Prompts that are kept: those of an episode extend each other, and episodes of a run are read one after the other. */
const KEPT = 128;

/** A prompt of a run. Those that extend each other share their messages. */
export interface CachedPrompt {
  /** Tokens of all its messages, guessed. */
  readonly tokens: number;
  /** Its messages. Takes time that grows with their number. */
  messages(): readonly ChatMessage[];
}

interface Link extends CachedPrompt {
  readonly base: Link | undefined;
  /** In place of the last message of `base`. */
  readonly cut: ChatMessage | undefined;
  readonly add: readonly ChatMessage[];
  readonly last: ChatMessage | undefined;
}

const tokensOf = (message: ChatMessage | undefined): number =>
  message === undefined ? 0 : guessTokens(message.content);

/** What `base` is the beginning of. */
function linkOf({ keep, more = "", add: pairs }: StoredPrompt, base: Link | undefined): Link {
  const before = base?.last;
  const isCut = before !== undefined && (keep !== undefined || more !== "");
  const cut = isCut ? { ...before, content: before.content.slice(0, keep) + more } : undefined;
  const add = pairs.map(([role, content]) => ({ role, content }));
  const kept = (base?.tokens ?? 0) - (isCut ? tokensOf(before) : 0) + tokensOf(cut);
  const link: Link = {
    base,
    cut,
    add,
    last: add.at(-1) ?? cut ?? before,
    tokens: add.reduce((sum, message) => sum + tokensOf(message), kept),
    messages: () => messagesOf(link),
  };
  return link;
}

function messagesOf(end: Link): readonly ChatMessage[] {
  const links: Link[] = [];
  for (let link: Link | undefined = end; link !== undefined; link = link.base) links.push(link);
  const messages: ChatMessage[] = [];
  for (const { cut, add } of links.toReversed()) {
    if (cut !== undefined) messages[messages.length - 1] = cut;
    for (const message of add) messages.push(message);
  }
  return messages;
}

/** The prompts of a run by id, each line read once for the prompts that extend it. Undefined where a part is missing. */
export function cachedPrompts({
  line,
}: Pick<Messages, "line">): (id: string) => Promise<CachedPrompt | undefined> {
  const kept = new Map<string, Link>();

  function keep(id: string, link: Link): Link {
    kept.set(id, link);
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    return link;
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
    const lines = await linesBackFrom(id);
    if (lines === undefined) return undefined;
    let link: Link | undefined;
    for (const stored of lines.toReversed())
      link = keep(
        stored.id,
        linkOf(stored, link ?? (stored.from === undefined ? undefined : kept.get(stored.from))),
      );
    return link;
  };
}
