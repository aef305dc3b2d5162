import type { ChatMessage } from "../../../llm/chat-model.ts";
import type { Message } from "./messages.ts";

/** The latest of the requests that go on from each other. */
interface Line {
  /** Of its messages and of the reply to it. */
  keys: readonly string[];
  /** How many of the keys are the request's. */
  asked: number;
  /** Its messages as a prompt; those that went before share the array. */
  talk: ChatMessage[];
}

/** What was said so far between an agent and a model: each request repeats it. */
export interface Heard {
  /** By the first message. */
  readonly lines: Map<string, Line[]>;
  /** How often each message was heard. */
  readonly times: Map<string, number>;
}

export const openHeard = (): Heard => ({ lines: new Map(), times: new Map() });

/** Lines that begin with the same message and are looked at. */
const LINES = 3;

/** Equal for two messages that say the same. */
export function messageKey({ role, text, calls, answers }: Message): string {
  if (answers.length > 0)
    return `tool\n${answers.map((answer) => `${answer.id ?? ""}\n${answer.text}`).join("\n")}`;
  const names = calls.map(({ id, name }) => id ?? name).join(" ");
  return `${role}\n${names}\n${text}`;
}

export interface Request {
  readonly messages: readonly Message[];
  readonly said: Message | undefined;
  /** The reply before was a last word, so words that were said before are said again. */
  readonly ended: boolean;
  /** It breaks off, so its last message may be the beginning of one that was heard. */
  readonly cut: boolean;
}

/** The messages of a request that were not heard before, and the line that it is part of now. */
export function hearRequest(
  heard: Heard,
  { messages, said, ended, cut }: Request,
): { fresh: readonly Message[]; line: Line } {
  const keys = messages.map(messageKey);
  const known = heard.lines.get(keys[0] ?? "") ?? [];
  const { line, shared } = longest(known.slice(-LINES), keys);
  const whole = line?.keys[shared];
  // Nothing new stands in it.
  if (cut && shared === keys.length - 1 && whole?.startsWith(keys[shared] ?? "") === true)
    keys[shared] = whole;
  const isSame = line !== undefined && shared === keys.length && line.asked === keys.length;
  const fresh = isSame
    ? ended && line.keys.length > line.asked
      ? lastWords(messages)
      : []
    : unheard(messages, keys, rest(heard, line, shared), shared);
  for (const message of fresh) count(heard, messageKey(message));
  const next = line ?? { keys: [], asked: 0, talk: [] };
  next.asked = keys.length;
  if (said !== undefined) {
    const key = messageKey(said);
    count(heard, key);
    keys.push(key);
  }
  next.keys = keys;
  if (line === undefined) heard.lines.set(keys[0] ?? "", [...known.slice(1 - LINES), next]);
  return { fresh, line: next };
}

function count({ times }: Heard, key: string): void {
  times.set(key, (times.get(key) ?? 0) + 1);
}

/** The line that shares the most messages with a request, the later of two. */
function longest(
  lines: readonly Line[],
  keys: readonly string[],
): { line: Line | undefined; shared: number } {
  let best: { line: Line | undefined; shared: number } = { line: undefined, shared: 0 };
  for (const line of lines) {
    let shared = 0;
    while (shared < keys.length && keys[shared] === line.keys[shared]) shared++;
    if (shared >= best.shared) best = { line, shared };
  }
  return best;
}

/** How often each message may be repeated without being said again: as often as the request before had it, else as it was heard. */
function rest(heard: Heard, line: Line | undefined, shared: number): (key: string) => number {
  if (line === undefined) return (key) => heard.times.get(key) ?? 0;
  const left = new Map<string, number>();
  for (const key of line.keys.slice(shared)) left.set(key, (left.get(key) ?? 0) + 1);
  return (key) => left.get(key) ?? 0;
}

function unheard(
  messages: readonly Message[],
  keys: readonly string[],
  known: (key: string) => number,
  shared: number,
): readonly Message[] {
  const used = new Map<string, number>();
  return messages.filter((_, index) => {
    const key = keys[index];
    if (key === undefined || index < shared) return false;
    const times = (used.get(key) ?? 0) + 1;
    used.set(key, times);
    return times > known(key);
  });
}

/** What was said after the last word of the agent. */
function lastWords(messages: readonly Message[]): readonly Message[] {
  return messages.slice(messages.findLastIndex(({ role }) => role === "assistant") + 1);
}
