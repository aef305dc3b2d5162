import type { ChatMessage } from "../llm/chat-model.ts";
import { parseJson } from "../model/read-json.ts";
import { z } from "../model/zod.ts";
import { joinPrompts } from "../protocol/read-prompt.ts";
import { lineScanner } from "./line-scan.ts";
import type { TraceFiles } from "./ports.ts";
import { runPaths } from "./run-paths.ts";
import { decodeUtf8, MAX_LINE_BYTES } from "./text-lines.ts";

/** One line of `messages.jsonl`: a prompt, by what it has in common with an earlier one. */
export interface StoredPrompt {
  readonly id: string;
  /** The prompt whose messages come first. */
  readonly from?: string;
  /** Its last message counts up to here, in UTF-16 code units; absent: all of it. */
  readonly keep?: number;
  /** Goes on from there within that message. */
  readonly more?: string;
  /** The messages that come after. */
  readonly add: readonly (readonly [role: ChatMessage["role"], content: string])[];
}

/** A stored prompt, in a line or in an exported document. */
export const storedPromptSchema = z.object({
  id: z.string(),
  from: z.string().optional(),
  keep: z.number().int().nonnegative().optional(),
  more: z.string().optional(),
  add: z.array(z.tuple([z.enum(["system", "user", "assistant"]), z.string()])),
});

/** A stored prompt, from a line or from an exported document. Undefined for any other value. */
export function parsePrompt(value: unknown): StoredPrompt | undefined {
  const { data } = storedPromptSchema.safeParse(value);
  if (data === undefined) return undefined;
  const { from, keep, more, add } = data;
  // In the order of the line, so that a copy is the line again.
  return {
    id: data.id,
    ...(from !== undefined && { from }),
    ...(keep !== undefined && { keep }),
    ...(more !== undefined && { more }),
    add,
  };
}

/** As every line begins that a store writes. */
const ID = /^\{"id":"([0-9a-f]{32})"/;
const ID_BYTES = 7 + 32 + 1;

/** The prompts of a run folder. */
export interface Messages {
  has(id: string): boolean;
  ids(): Iterable<string>;
  /** The file ends with a newline, or is not there. */
  readonly endsWhole: boolean;
  /** One stored prompt. Undefined if the folder has no readable prompt of this id. */
  line(id: string): Promise<StoredPrompt | undefined>;
  /** The prompt of this id, whole. Undefined where a part of it is missing. Rejects on I/O errors. */
  upTo(id: string): Promise<readonly ChatMessage[] | undefined>;
}

interface Place {
  readonly offset: number;
  readonly bytes: number;
}

async function placesIn(
  files: TraceFiles,
  path: string,
): Promise<{ readonly places: ReadonlyMap<string, Place>; readonly endsWhole: boolean }> {
  const places = new Map<string, Place>();
  const size = (await files.stat(path))?.size ?? 0;
  const decoder = new TextDecoder();
  const scanner = lineScanner({ offset: 0, line: 0 }, ({ head, offset, bytes }) => {
    const id = ID.exec(decoder.decode(head.subarray(0, ID_BYTES)))?.[1];
    if (id !== undefined && !places.has(id)) places.set(id, { offset, bytes });
  });
  for await (const chunk of files.chunks(path, 0, size)) scanner.push(chunk);
  // A last line without its newline was never written as a whole.
  return { places, endsWhole: scanner.position().offset === size };
}

/** Opens the prompts of a run folder; none without a messages file. Keeps their places in memory, not their texts. Rejects on I/O errors. */
export async function openMessages(files: TraceFiles, folder: string): Promise<Messages> {
  const path = runPaths(folder).messages;
  const isThere = (await files.stat(path)) !== undefined;
  const { places, endsWhole } = isThere
    ? await placesIn(files, path)
    : { places: new Map<string, Place>(), endsWhole: true };

  async function line(id: string): Promise<StoredPrompt | undefined> {
    const place = places.get(id);
    if (place === undefined || place.bytes > MAX_LINE_BYTES) return undefined;
    const text = decodeUtf8([await files.read(path, place.offset, place.bytes)]);
    return parsePrompt(parseJson(text));
  }

  /** The lines that make up a prompt, the first one first. Undefined for a circle, which only a file written by hand has. */
  async function linesOf(id: string): Promise<readonly StoredPrompt[] | undefined> {
    const found = new Map<string, StoredPrompt>();
    for (let next: string | undefined = id; next !== undefined;) {
      const stored: StoredPrompt | undefined = found.has(next) ? undefined : await line(next);
      if (stored === undefined) return undefined;
      found.set(next, stored);
      next = stored.from;
    }
    return [...found.values()].toReversed();
  }

  return {
    has: (id) => places.has(id),
    ids: () => places.keys(),
    endsWhole,
    line,
    async upTo(id) {
      const messages = joinPrompts((await linesOf(id)) ?? []);
      return messages.length === 0 ? undefined : messages;
    },
  };
}
