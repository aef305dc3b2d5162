import type { ChatMessage } from "../llm/chat-model.ts";
import { lineQueue } from "./line-queue.ts";
import { openMessages, type StoredPrompt } from "./message-reader.ts";
import type { Sha256, TraceFiles } from "./ports.ts";
import { runPaths } from "./run-paths.ts";

/** 128 bits: two prompts with one id are infeasible to make. */
const ID_CHARS = 32;

/** Names a message by its own content, given as JSON, and by all that came before it; the last one's name is that of the prompt. */
function messageId(sha256: Sha256, role: ChatMessage["role"], json: string, before: string): string {
  return sha256(`["${before}","${role}",${json}]`).slice(0, ID_CHARS);
}

/** The prompts of one episode's policy, proposal by proposal. */
export interface Conversation {
  /**
   * Stores a prompt, unless it is there. Answers with its id. With `upTo` it is the first messages of a list that has only grown at its end
   * since it was given last: what it had then is not compared again.
   */
  read(messages: readonly ChatMessage[], upTo?: number): string;
}

/** The messages of a run folder, while episodes are added to it. */
export interface MessageStore {
  conversation(): Conversation;
  /** Resolves when all prompts so far are in the file; rejects with the first failure to write one. */
  settled(): Promise<void>;
}

/** The same where it is a file that is written. */
export interface MessageFile extends MessageStore {
  /** So much waits to be written that `settled` is due: the prompts of a long session together are as large as its file. */
  readonly isFull: boolean;
}

interface Known {
  /** Of the prompt that ends with this message. */
  readonly id: string;
  readonly given: ChatMessage;
  /** After redaction. */
  readonly content: string;
  /** The same as JSON, until it is stored: a large text is made into JSON once. */
  json: string | undefined;
}

function commonPrefix(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let n = 0;
  while (n < most && a.charCodeAt(n) === b.charCodeAt(n)) n++;
  // Half of a surrogate pair is no character, and UTF-8 could not keep it.
  return n > 0 && (a.charCodeAt(n - 1) & 0xfc00) === 0xd800 ? n - 1 : n;
}

/** A stored prompt without its id, its messages as they are known. */
interface NewPrompt extends Pick<StoredPrompt, "from" | "keep" | "more"> {
  readonly add: readonly Known[];
}

/** The line of a prompt: the JSON of a `StoredPrompt`. */
function lineOf(id: string, { from, keep, more, add }: NewPrompt): string {
  const head = [
    `"id":"${id}"`,
    ...(from === undefined ? [] : [`"from":"${from}"`]),
    ...(keep === undefined ? [] : [`"keep":${keep}`]),
    ...(more === undefined ? [] : [`"more":${JSON.stringify(more)}`]),
  ];
  const pairs = add.map(({ given, content, json }) => `["${given.role}",${json ?? JSON.stringify(content)}]`);
  return `{${head.join(",")},"add":[${pairs.join(",")}]}`;
}

/** Characters that wait at most: each write opens the file anew, and takes as long as to make a hundred prompts. */
const MOST_WAITING = 2 * 1024 * 1024;

/** The end of a prompt that was stored. */
interface StoredEnd {
  readonly length: number;
  readonly last: Known;
  /** Id of the message before the last one. */
  readonly before: string | undefined;
}

const endOf = (prompt: readonly Known[]): StoredEnd | undefined => {
  const last = prompt.at(-1);
  return last && { length: prompt.length, last, before: prompt.at(-2)?.id };
};

/** The line of a prompt that extends a stored one; undefined if it does not extend it. */
function goingOn(prompt: readonly Known[], from: StoredEnd | undefined): NewPrompt | undefined {
  const same = from && prompt[from.length - 1];
  if (from === undefined || same === undefined || from.last.given.role !== same.given.role) return undefined;
  const { last, length } = from;
  if (length > 1 && from.before !== prompt[length - 2]?.id) return undefined;
  const add = prompt.slice(length);
  if (last.id === same.id) return { from: last.id, add };
  const keep = commonPrefix(last.content, same.content);
  const more = same.content.slice(keep);
  return { from: last.id, keep, ...(more !== "" && { more }), add };
}

/** How many of the first messages are those of the latest prompt. */
function sharedLength(latest: readonly Known[], messages: readonly ChatMessage[]): number {
  const differs = messages.findIndex((given, i) => {
    const before = latest[i]?.given;
    return before?.role !== given.role || before.content !== given.content;
  });
  return differs === -1 ? messages.length : differs;
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
): Promise<MessageFile> {
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

  function store(id: string, prompt: NewPrompt): void {
    if (known.has(id)) return;
    known.add(id);
    lines.addText(lineOf(id, prompt));
  }

  function named(prompt: readonly Known[], given: ChatMessage): Known {
    const content = redact(given.content);
    const json = JSON.stringify(content);
    const id = messageId(sha256, given.role, json, prompt.at(-1)?.id ?? "");
    return { id, given, content, json };
  }

  function forget(message: Known | undefined): void {
    if (message !== undefined) message.json = undefined;
  }

  /** A system message is that of many episodes: it is a prompt of its own, from which theirs go on. */
  function first(prompt: readonly Known[]): StoredEnd | undefined {
    const root = prompt.slice(0, 1);
    const [system] = root;
    if (system === undefined || prompt.length < 2) return undefined;
    store(system.id, { add: [system] });
    return endOf(root);
  }

  return {
    conversation() {
      /** The latest prompt, and the list that it is the beginning of. */
      const latest: Known[] = [];
      let list: readonly ChatMessage[] | undefined;
      /** Messages of it whose JSON is gone. */
      let stored = 0;
      return {
        read(messages, upTo) {
          const end = endOf(latest);
          const isGrown = upTo !== undefined && messages === list && upTo >= latest.length;
          if (!isGrown) latest.length = sharedLength(latest, messages.slice(0, upTo));
          stored = Math.min(stored, latest.length);
          list = messages;
          for (let at = latest.length; at < (upTo ?? messages.length); at++) {
            const given = messages[at];
            if (given !== undefined) latest.push(named(latest, given));
          }
          const { id } = latest.at(-1) ?? { id: "" };
          if (!known.has(id))
            store(id, goingOn(latest, end) ?? goingOn(latest, first(latest)) ?? { add: latest });
          for (let at = stored; at < latest.length; at++) forget(latest[at]);
          stored = latest.length;
          return id;
        },
      };
    },
    get isFull() {
      return lines.waiting > MOST_WAITING;
    },
    settled: () => lines.settled(),
  };
}
