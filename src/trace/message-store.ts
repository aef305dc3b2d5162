import type { ChatMessage } from "../llm/chat-model.ts";
import { lineQueue } from "./line-queue.ts";
import { openMessages, type StoredPrompt } from "./message-reader.ts";
import type { Sha256, TraceFiles } from "./ports.ts";
import { runPaths } from "./run-paths.ts";

/** 128 bits: two prompts with one id are infeasible to make. */
const ID_CHARS = 32;

/** Names a message by its own content and by all that came before it; the last one's name is that of the prompt. */
function messageId(sha256: Sha256, { role, content }: ChatMessage, before: string): string {
  return sha256(JSON.stringify([before, role, content])).slice(0, ID_CHARS);
}

/** The prompts of one episode's policy, proposal by proposal. */
export interface Conversation {
  /**
   * Stores a prompt, the first `upTo` of these messages (by default all), unless it is there. Answers with its id. Prompts that go on in one
   * and the same list, which never changes before its end, cost what they add.
   */
  read(messages: readonly ChatMessage[], upTo?: number): string;
}

/** The messages of a run folder, while episodes are added to it. */
export interface MessageStore {
  conversation(): Conversation;
  /** Resolves when all prompts so far are in the file; rejects with the first failure to write one. */
  settled(): Promise<void>;
}

interface Known {
  /** Of the prompt that ends with this message. */
  readonly id: string;
  readonly given: ChatMessage;
  /** After redaction. */
  readonly content: string;
}

function commonPrefix(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let n = 0;
  while (n < most && a.charCodeAt(n) === b.charCodeAt(n)) n++;
  // Half of a surrogate pair is no character, and UTF-8 could not keep it.
  return n > 0 && (a.charCodeAt(n - 1) & 0xfc00) === 0xd800 ? n - 1 : n;
}

const asPair = ({ given, content }: Known): readonly [ChatMessage["role"], string] => [given.role, content];

/** The line of a prompt that extends a stored one; undefined if it does not extend it. */
function goingOn(prompt: readonly Known[], from: readonly Known[]): Omit<StoredPrompt, "id"> | undefined {
  const [last, same] = [from.at(-1), prompt[from.length - 1]];
  if (last === undefined || same === undefined || last.given.role !== same.given.role) return undefined;
  if (from.length > 1 && from.at(-2)?.id !== prompt[from.length - 2]?.id) return undefined;
  const add = prompt.slice(from.length).map(asPair);
  if (last.id === same.id) return { from: last.id, add };
  const keep = commonPrefix(last.content, same.content);
  const more = same.content.slice(keep);
  return { from: last.id, keep, ...(more !== "" && { more }), add };
}

/** The prompts of a run folder while conversations add to them. */
interface Book {
  readonly has: (id: string) => boolean;
  readonly nameOf: (given: ChatMessage, before: Known | undefined) => Known;
  /** Adds the line of a prompt, unless it is there. */
  readonly store: (id: string, line: Omit<StoredPrompt, "id">) => void;
}

/** The messages with their names. A prefix that equals the previous prompt's is not hashed again. */
function named({ nameOf }: Book, messages: readonly ChatMessage[], latest: readonly Known[]): Known[] {
  let isSame = true;
  const all: Known[] = [];
  for (const [i, given] of messages.entries()) {
    const before = latest[i];
    isSame &&= before?.given.role === given.role && before.given.content === given.content;
    all.push(isSame && before !== undefined ? before : nameOf(given, all.at(-1)));
  }
  return all;
}

/** A system message is that of many episodes: it is a prompt of its own, from which theirs go on. */
function first({ store }: Book, prompt: readonly Known[]): readonly Known[] {
  const root = prompt.slice(0, 1);
  const [system] = root;
  if (system === undefined || prompt.length < 2) return [];
  store(system.id, { add: [asPair(system)] });
  return root;
}

/** Prompts of one episode. */
function openConversation(book: Book): Conversation {
  const { has, nameOf, store } = book;
  let latest: Known[] = [];
  /** The list that `latest` is the beginning of. */
  let shared: readonly ChatMessage[] | undefined;

  function readAnew(messages: readonly ChatMessage[]): string {
    const prompt = named(book, messages, latest);
    const { id } = prompt.at(-1) ?? { id: "" };
    if (!has(id))
      store(
        id,
        goingOn(prompt, latest) ?? goingOn(prompt, first(book, prompt)) ?? { add: prompt.map(asPair) },
      );
    latest = prompt;
    return id;
  }

  function readOn(before: Known, more: readonly ChatMessage[]): string {
    const from = latest.length;
    for (const given of more) latest.push(nameOf(given, latest.at(-1)));
    const { id } = latest.at(-1) ?? before;
    store(id, { from: before.id, add: latest.slice(from).map(asPair) });
    return id;
  }

  return {
    read(messages, upTo = messages.length) {
      const before = latest.at(-1);
      if (shared === messages && before !== undefined && upTo >= latest.length)
        return readOn(before, messages.slice(latest.length, upTo));
      shared = messages;
      return readAnew(upTo === messages.length ? messages : messages.slice(0, upTo));
    },
  };
}

/**
 * Writes what policies read into a run folder, each message once: a prompt is stored as what it adds to the one before it, which loses
 * at most the end of its last message (a reminder, the number of the step). `redact` hides secrets before anything is hashed or
 * written. Reads the ids that are there already. Rejects on I/O errors.
 */
export async function openMessageStore(
  files: TraceFiles,
  folder: string,
  { sha256, redact }: { readonly sha256: Sha256; readonly redact: (text: string) => string },
): Promise<MessageStore> {
  const path = runPaths(folder).messages;
  const found = await openMessages(files, folder);
  const known = new Set(found.ids());
  // A line that a killed writer left unfinished is closed first.
  let begun = found.endsWhole;
  const lines = lineQueue(async (data) => {
    if (!begun) await files.append(path, Uint8Array.of(10));
    begun = true;
    await files.append(path, data);
  });

  const book: Book = {
    has: (id) => known.has(id),
    nameOf(given, before) {
      const content = redact(given.content);
      return { id: messageId(sha256, { role: given.role, content }, before?.id ?? ""), given, content };
    },
    store(id, line) {
      if (known.has(id)) return;
      known.add(id);
      lines.add({ id, ...line });
    },
  };
  return { conversation: () => openConversation(book), settled: () => lines.settled() };
}
