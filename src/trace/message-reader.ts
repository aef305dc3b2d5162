import type { ChatMessage } from "../llm/chat-model.ts";
import { parseJson } from "../model/read-json.ts";
import { z } from "../model/zod.ts";
import { lineScanner } from "./line-scan.ts";
import type { TraceFiles } from "./ports.ts";
import { runPaths } from "./run-paths.ts";
import { decodeUtf8, MAX_LINE_BYTES } from "./text-lines.ts";

const storedSchema = z.object({
  id: z.string(),
  after: z.string().optional(),
  role: z.enum(["system", "user", "assistant"]),
  like: z.string().optional(),
  keep: z.number().int().nonnegative().optional(),
  content: z.string(),
});

/** One line of `messages.jsonl`. */
export interface StoredMessage {
  readonly id: string;
  /** Id of the message before it; absent for the first of a conversation. */
  readonly after?: string;
  readonly role: ChatMessage["role"];
  /** The message that this one begins like, and how many UTF-16 code units of it come before `content`. */
  readonly like?: string;
  readonly keep?: number;
  readonly content: string;
}

/** As every line begins that a store writes. */
const ID = /^\{"id":"([0-9a-f]{32})"/;
const ID_BYTES = 7 + 32 + 1;

/** The messages of a run folder. */
export interface Messages {
  has(id: string): boolean;
  ids(): Iterable<string>;
  /** The file ends with a newline, or is not there. */
  readonly endsWhole: boolean;
  /** A line as it stands. Undefined where the folder has no readable message of this id. */
  line(id: string): Promise<StoredMessage | undefined>;
  /**
   * What a policy had read when `id` was the last message. Undefined where one of the messages is missing. Rejects on I/O errors.
   */
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

/** The messages of a run folder; none where it has no such file. Holds where each stands. Rejects on I/O errors. */
export async function openMessages(files: TraceFiles, folder: string): Promise<Messages> {
  const path = runPaths(folder).messages;
  const isThere = (await files.stat(path)) !== undefined;
  const { places, endsWhole } = isThere
    ? await placesIn(files, path)
    : { places: new Map<string, Place>(), endsWhole: true };

  async function line(id: string): Promise<StoredMessage | undefined> {
    const place = places.get(id);
    if (place === undefined || place.bytes > MAX_LINE_BYTES) return undefined;
    const text = decodeUtf8([await files.read(path, place.offset, place.bytes)]);
    const { data } = storedSchema.safeParse(parseJson(text));
    if (data === undefined) return undefined;
    const { after, role, like, keep, content } = data;
    // In the order of the line, so that a copy is the line again.
    return {
      id: data.id,
      ...(after !== undefined && { after }),
      role,
      ...(like !== undefined && { like }),
      ...(keep !== undefined && { keep }),
      content,
    };
  }

  async function contentOf(stored: StoredMessage): Promise<string | undefined> {
    const parts: string[] = [];
    // A circle of references, which somebody has written by hand, ends here.
    const passed = new Set<string>();
    let length = Number.POSITIVE_INFINITY;
    let one: StoredMessage | undefined = stored;
    // Each reference takes a beginning of the one before it.
    while (one !== undefined && !passed.has(one.id)) {
      const { id, keep = 0, like, content }: StoredMessage = one;
      passed.add(id);
      const from = Math.min(keep, length);
      parts.unshift(content.slice(0, Math.max(0, length - from)));
      length = from;
      if (like === undefined || length === 0) return parts.join("");
      one = await line(like);
    }
    return undefined;
  }

  return {
    has: (id) => places.has(id),
    ids: () => places.keys(),
    endsWhole,
    line,
    async upTo(id) {
      const read = new Map<string, ChatMessage>();
      for (let next: string | undefined = id; next !== undefined;) {
        const stored: StoredMessage | undefined = read.has(next) ? undefined : await line(next);
        const content = stored === undefined ? undefined : await contentOf(stored);
        if (stored === undefined || content === undefined) return undefined;
        read.set(next, { role: stored.role, content });
        next = stored.after;
      }
      return [...read.values()].toReversed();
    },
  };
}
