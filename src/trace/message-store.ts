import type { ChatMessage } from "../llm/chat-model.ts";
import { lineQueue } from "./line-queue.ts";
import { openMessages, type StoredMessage } from "./message-reader.ts";
import type { Sha256, TraceFiles } from "./ports.ts";
import { runPaths } from "./run-paths.ts";

/** 128 bits: nobody finds two messages of one id. */
const ID_CHARS = 32;
/** A beginning of fewer characters is not worth a reference. */
const LEAST_KEPT = 48;

/** Names a message by its own content and by all that came before it. */
export function messageId(sha256: Sha256, { role, content }: ChatMessage, after: string | undefined): string {
  return sha256(JSON.stringify([after ?? "", role, content])).slice(0, ID_CHARS);
}

/** What the policy of one episode reads, proposal by proposal. */
export interface Conversation {
  /** Stores what is new among the messages. Answers with the id of the last one. */
  read(messages: readonly ChatMessage[]): string;
}

/** The messages of a run folder, while episodes are added to it. */
export interface MessageStore {
  conversation(): Conversation;
  /** Resolves when all messages so far are in the file; rejects with the first failure to write one. */
  settled(): Promise<void>;
}

interface Known {
  readonly id: string;
  /** Before redaction. */
  readonly given: ChatMessage;
  readonly content: string;
}

function commonPrefix(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let n = 0;
  while (n < most && a.charCodeAt(n) === b.charCodeAt(n)) n++;
  // Half of a surrogate pair is no character, and UTF-8 could not keep it.
  return n > 0 && (a.charCodeAt(n - 1) & 0xfc00) === 0xd800 ? n - 1 : n;
}

/**
 * Writes messages into a run folder, each once: a conversation grows by a few messages a step, and a message that differs from its
 * forerunner at its end alone (a reminder, the number of the step) is stored as that end. `redact` hides secrets before anything is
 * hashed or written. Reads the ids that are there already. Rejects on I/O errors.
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

  function store(message: StoredMessage): void {
    if (known.has(message.id)) return;
    known.add(message.id);
    lines.add(message);
  }

  function add(given: ChatMessage, after: string | undefined, before: Known | undefined): Known {
    const { role } = given;
    const content = redact(given.content);
    const id = messageId(sha256, { role, content }, after);
    const keep = before === undefined ? 0 : commonPrefix(before.content, content);
    const own = { id, ...(after !== undefined && { after }), role };
    store(
      before === undefined || keep < LEAST_KEPT
        ? { ...own, content }
        : { ...own, like: before.id, keep, content: content.slice(keep) },
    );
    return { id, given, content };
  }

  return {
    conversation() {
      let latest: readonly Known[] = [];
      return {
        read(messages) {
          let same = true;
          const read: Known[] = [];
          for (const [i, message] of messages.entries()) {
            const before = latest[i];
            same &&= before?.given.role === message.role && before.given.content === message.content;
            read.push(same && before !== undefined ? before : add(message, read[i - 1]?.id, before));
          }
          latest = read;
          return read.at(-1)?.id ?? "";
        },
      };
    },
    settled: () => lines.settled(),
  };
}
