import type { Episode } from "../model/episode.ts";
import { openMessages, type Messages, type StoredPrompt } from "./message-reader.ts";
import type { TraceFiles } from "./ports.ts";
import { runPaths } from "./run-paths.ts";

/** The ids of the prompts that an episode refers to, in their order. */
export function messageIds({ steps, extra }: Pick<Episode, "steps" | "extra">): readonly string[] {
  const read = steps.flatMap(({ proposals }) => proposals.map(({ messages }) => messages));
  const ids = [...read, extra?.unansweredMessages].filter((id) => typeof id === "string");
  return [...new Set(ids)];
}

const encoder = new TextEncoder();

/** A line of `messages.jsonl`, as a message store writes it. */
export function encodeMessage(prompt: StoredPrompt): Uint8Array {
  return encoder.encode(`${JSON.stringify(prompt)}\n`);
}

/**
 * The prompts that these ones need, themselves included and without those in `already`: each after the one that it extends, in
 * order of first reference. Adds the ids to `already`; one that is not in it afterwards is missing, or a prompt that it needs is. Rejects
 * on I/O errors.
 */
export async function* copyMessages(
  from: Pick<Messages, "line">,
  ids: Iterable<string>,
  already: Set<string>,
): AsyncGenerator<StoredPrompt> {
  for (const id of ids)
    for (const prompt of (await neededFor(from, id, already)) ?? []) {
      already.add(prompt.id);
      yield prompt;
    }
}

/** Undefined if one of them is missing or needs itself: the prompt is unreadable. */
async function neededFor(
  { line }: Pick<Messages, "line">,
  id: string,
  already: ReadonlySet<string>,
): Promise<readonly StoredPrompt[] | undefined> {
  const needed = new Map<string, StoredPrompt>();
  for (let next: string | undefined = id; next !== undefined && !already.has(next);) {
    const prompt: StoredPrompt | undefined = needed.has(next) ? undefined : await line(next);
    if (prompt === undefined) return undefined;
    needed.set(next, prompt);
    next = prompt.from;
  }
  return [...needed.values()].toReversed();
}

/**
 * Copies the prompts that an episode refers to from the folder of its run to another, whose message store is not open. Answers with the
 * episode, in which no proposal refers to a prompt that was missing. Rejects on I/O errors.
 */
export async function carryMessages(
  files: TraceFiles,
  [from, to]: readonly [from: string, to: string],
  episode: Episode,
): Promise<Episode> {
  const carried = new Set<string>();
  const source = await openMessages(files, from);
  for await (const prompt of copyMessages(source, messageIds(episode), carried))
    await files.append(runPaths(to).messages, encodeMessage(prompt));
  const steps = episode.steps.map((step) => ({
    ...step,
    proposals: step.proposals.map(({ messages, ...proposal }) =>
      messages === undefined || !carried.has(messages) ? proposal : { ...proposal, messages },
    ),
  }));
  return { ...episode, steps };
}
