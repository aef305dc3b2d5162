import { shareCalls } from "../../../llm/shared-call.ts";
import { openLanes } from "../../../model/lanes.ts";
import { createMemory } from "./memory.ts";
import { RetrieverError, type Found, type Retriever } from "./retriever.ts";

export interface RemoteOptions {
  /** Calls under way at once, of all episodes together. */
  readonly concurrency: number;
  /** Characters of answers that are kept. */
  readonly memoryChars?: number;
}

/** Some 100 MB at two bytes a character. */
const MEMORY_CHARS = 48 * 1024 * 1024;
/** What an entry counts besides its texts. */
const ENTRY_CHARS = 200;

const weightOf = (list: readonly Found[]): number =>
  list.reduce((sum, { title, text }) => sum + title.length + text.length, ENTRY_CHARS);

/** Blanks make no other query. */
const words = (text: string): string => text.trim().replaceAll(/\s+/g, " ");

/**
 * A remote retriever as the episodes of one run share it. What was answered is answered from memory; equal calls in flight become one;
 * at most `concurrency` calls go out at once. Failures are not kept. Whoever is unreachable before the first good answer counts as
 * refused (RetrieverError), for then the address is wrong or nothing runs there.
 */
export function remoteRetriever(inner: Retriever, options: RemoteOptions): Retriever {
  const memory = createMemory<readonly Found[]>(options.memoryChars ?? MEMORY_CHARS);
  const share = shareCalls<readonly Found[]>();
  const inLane = openLanes(options.concurrency);
  let answered = false;

  function asked(error: unknown): unknown {
    if (answered || !(error instanceof RetrieverError) || error.kind !== "unreachable") return error;
    return new RetrieverError("refused", error.brief, error.message);
  }

  async function call(
    key: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<readonly Found[]>,
  ): Promise<readonly Found[]> {
    const known = memory.get(key);
    if (known !== undefined) return known.value;
    const { value } = await share(key, { signal }, async (shared) => {
      try {
        const found = await inLane(shared.signal, () => work(shared.signal));
        memory.set(key, found, weightOf(found));
        answered = true;
        return found;
      } catch (error) {
        throw asked(error);
      }
    });
    return value;
  }

  const whole = inner.whole?.bind(inner);
  const check = inner.check?.bind(inner);
  const listOf = (found: Found | undefined): readonly Found[] => (found === undefined ? [] : [found]);
  const NEVER = new AbortController().signal;
  return {
    search: (query, most, signal = NEVER) =>
      call(`search ${most} ${words(query)}`, signal, (s) => inner.search(words(query), most, s)),
    byTitle: async (title, signal = NEVER) =>
      (await call(`title ${words(title)}`, signal, async (s) => listOf(await inner.byTitle(title, s))))[0],
    ...(whole !== undefined && {
      whole: async (found: Found, signal: AbortSignal = NEVER) => {
        const key = `whole ${found.url ?? ""} ${found.title}`;
        return (await call(key, signal, async (s) => listOf(await whole(found, s))))[0];
      },
    }),
    ...(check !== undefined && {
      async check(signal: AbortSignal) {
        await check(signal);
        answered = true;
      },
    }),
  };
}
