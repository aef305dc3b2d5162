import { openLedger } from "../ledger.ts";
import { messageKey } from "./heard.ts";
import type { Message } from "./messages.ts";
import { openNotes } from "./notes.ts";
import { conversationOf, toolOf } from "./span-role.ts";
import type { Span } from "./span.ts";
import { repliesOf, talkOf } from "./span-talk.ts";
import type { Item } from "./span-tree.ts";

/** Clocks of JavaScript count milliseconds, so spans one after the other may seem to overlap by this many nanoseconds. */
const SLACK = 2e6;

/** Whether a span began when another had ended. */
export const isAfter = ({ start }: Span, end: number): boolean => start >= end - SLACK;

/** A chat as far as it tells which conversation it goes on. */
export interface ChatLink {
  readonly messages: readonly Message[];
  readonly said: Message | undefined;
}

export function linkOf(span: Span): ChatLink {
  // What is odd in it is noted when it is read for its episode.
  const talk = talkOf(span, openNotes(openLedger()));
  const messages = talk.input.filter(({ role }) => role !== "system");
  return { messages, said: repliesOf(span, talk.output).said };
}

/** Finds which conversation a request goes on: it repeats a reply, after the words that it was a reply to, or answers a call. */
export class Links<T> {
  readonly #replies = new Map<string, T>();
  readonly #calls = new Map<string, T | "several">();

  add(owner: T, { messages, said }: ChatLink): void {
    if (said === undefined) return;
    this.#replies.set(pairKey(messages.at(-1), said), owner);
    for (const { id } of said.calls) {
      if (id === undefined) continue;
      const known = this.#calls.get(id);
      this.#calls.set(id, known === undefined || known === owner ? owner : "several");
    }
  }

  find(messages: readonly Message[]): T | undefined {
    for (let at = messages.length - 1; at >= 0; at--) {
      const message = messages[at];
      if (message?.role === "assistant") {
        const owner = this.#replies.get(pairKey(messages[at - 1], message));
        if (owner !== undefined) return owner;
      }
      for (const { id } of message?.answers ?? []) {
        const owner = this.ofCall(id);
        if (owner !== undefined) return owner;
      }
    }
    return undefined;
  }

  ofCall(id: string | undefined): T | undefined {
    const owner = id === undefined ? undefined : this.#calls.get(id);
    return owner === "several" ? undefined : owner;
  }
}

const pairKey = (before: Message | undefined, said: Message): string =>
  `${before === undefined ? "" : messageKey(before)}\n\n${messageKey(said)}`;

interface Thread {
  items: Item[];
  readonly first: number;
  lastChat: number;
  end: number;
  /** The model waits for results, or nobody knows whether it does. */
  open: boolean;
  /** The thread that it may be the rest of, with its history rewritten. */
  readonly after: Thread | undefined;
}

/**
 * The steps below one agent, or below none, as conversations. Below an agent all are one, but for chats that run beside each other.
 * Below none, a chat belongs to the conversation that it goes on, or that it names; one that repeats nothing of what was said begins a
 * conversation, unless another one still waits for results and never goes on otherwise: then its history was rewritten.
 */
export function threadsOf(items: readonly Item[], loose: boolean): readonly (readonly Item[])[] {
  const chats = items.filter(({ role }) => role === "chat");
  if (chats.length < 2 || (!loose && !overlap(chats))) return [items];
  const state: State = {
    threads: [],
    waiting: [],
    links: new Links(),
    named: new Map(),
    ofChat: new Map(),
    held: [],
  };
  for (const item of items) {
    if (item.role === "chat") placeChat(state, item, loose);
    else placeTool(state, item);
  }
  const { threads, held } = state;
  for (const item of held) threads.at(-1)?.items.push(item);
  return merged(threads).map((thread) => thread.items.toSorted((a, b) => a.index - b.index));
}

function overlap(chats: readonly Item[]): boolean {
  let end = 0;
  return chats.some(({ span }) => {
    const isBeside = !isAfter(span, end);
    end = Math.max(end, span.end);
    return isBeside;
  });
}

interface State {
  readonly threads: Thread[];
  /** Those that wait for results, the latest last. */
  waiting: Thread[];
  readonly links: Links<Thread>;
  /** By the conversation that its chats name. */
  readonly named: Map<string, Thread>;
  /** By the place of a chat. */
  readonly ofChat: Map<number, Thread>;
  /** What was looked up for a chat that is still to come. */
  readonly held: Item[];
}

function placeChat(state: State, item: Item, loose: boolean): void {
  const { threads, links, named } = state;
  const { span, index } = item;
  const link = linkOf(span);
  const conversation = conversationOf(span);
  const isFree = (thread: Thread | undefined): boolean => thread !== undefined && isAfter(span, thread.end);
  const known =
    links.find(link.messages) ??
    (conversation === undefined || !loose ? undefined : named.get(conversation)) ??
    (link.messages.length === 0 || !loose ? [threads[0], threads.at(-1)].find(isFree) : undefined);
  const after = known === undefined ? state.waiting.findLast(isFree) : undefined;
  const thread = known ?? { items: [], first: index, lastChat: index, end: 0, open: true, after };
  if (known === undefined) threads.push(thread);
  for (const held of state.held.splice(0)) thread.items.push(held);
  thread.items.push(item);
  thread.lastChat = index;
  thread.end = Math.max(thread.end, span.end);
  setOpen(state, thread, link.said === undefined || link.said.calls.length > 0);
  links.add(thread, link);
  state.ofChat.set(index, thread);
  if (conversation !== undefined) named.set(conversation, thread);
}

/** Waiting threads that are looked at: of more than that nobody could tell which one goes on. */
const MOST_WAITING = 100;

function setOpen(state: State, thread: Thread, open: boolean): void {
  const { waiting } = state;
  const others = thread.open || open ? waiting.filter((each) => each !== thread) : waiting;
  state.waiting = open ? [...others, thread].slice(-MOST_WAITING) : others;
  thread.open = open;
}

function placeTool(state: State, item: Item): void {
  const { threads, links, ofChat } = state;
  const { span, role, chat } = item;
  const around = chat === undefined ? undefined : ofChat.get(chat);
  const caller = role === "tool" ? links.ofCall(toolOf(span, role).id) : undefined;
  const thread = caller ?? around ?? state.waiting.at(-1);
  if (thread !== undefined) thread.items.push(item);
  else if (role === "lookup" || threads.length === 0) state.held.push(item);
  else threads.at(-1)?.items.push(item);
}

/** The threads, each with those that go on from it with a rewritten history. */
function merged(threads: readonly Thread[]): readonly Thread[] {
  const into = new Map<Thread, Thread>();
  return threads.filter((thread) => {
    const { after } = thread;
    const before = after === undefined ? undefined : (into.get(after) ?? after);
    if (before === undefined || !before.open || before.lastChat > thread.first) return true;
    for (const item of thread.items) before.items.push(item);
    before.lastChat = thread.lastChat;
    before.open = thread.open;
    into.set(thread, before);
    return false;
  });
}
