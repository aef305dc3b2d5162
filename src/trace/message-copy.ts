import type { Episode } from "../model/episode.ts";
import type { Messages, StoredMessage } from "./message-reader.ts";

/** The ids of the messages that an episode refers to, in their order; each with all before it is what a policy read. */
export function messageIds({ steps, extra }: Pick<Episode, "steps" | "extra">): readonly string[] {
  const read = steps.flatMap(({ proposals }) => proposals.map(({ messages }) => messages));
  const ids = [...read, extra?.unansweredMessages].filter((id) => typeof id === "string");
  return [...new Set(ids)];
}

const encoder = new TextEncoder();

/** A line of `messages.jsonl`, as a message store writes it. */
export function encodeMessage(message: StoredMessage): Uint8Array {
  return encoder.encode(`${JSON.stringify(message)}\n`);
}

/**
 * The messages that these ones need, themselves included and without those in `already`: each after all that it refers to, in order of
 * first reference. Adds the ids to `already`; one that is not in it afterwards is missing, or a message that it needs is. Rejects on I/O
 * errors.
 */
export async function* copyMessages(
  from: Pick<Messages, "line">,
  ids: Iterable<string>,
  already: Set<string>,
): AsyncGenerator<StoredMessage> {
  for (const id of ids)
    for (const message of (await neededFor(from, id, already)) ?? []) {
      already.add(message.id);
      yield message;
    }
}

/** Undefined where one of them is missing, or needs itself: nobody could read the message. */
async function neededFor(
  from: Pick<Messages, "line">,
  id: string,
  already: ReadonlySet<string>,
): Promise<readonly StoredMessage[] | undefined> {
  const begun = new Map<string, StoredMessage>();
  const done = new Map<string, StoredMessage>();
  const isDone = (one: string): boolean => already.has(one) || done.has(one);
  // No recursion: a conversation may have more messages than a stack has frames.
  const path = [id];
  for (let next = path.at(-1); next !== undefined; next = path.at(-1)) {
    const known = begun.get(next);
    if (isDone(next)) path.pop();
    else if (known !== undefined) done.set(next, known);
    else {
      const message = await from.line(next);
      if (message === undefined) return undefined;
      begun.set(next, message);
      // The last is taken first: the messages of a conversation keep their order.
      const needs = [message.like, message.after].filter((one) => one !== undefined && !isDone(one));
      if (needs.some((one) => one !== undefined && begun.has(one))) return undefined;
      path.push(...needs.filter((one) => one !== undefined));
    }
  }
  return [...done.values()];
}
