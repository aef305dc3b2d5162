import { parseJson } from "../model/read-json.ts";
import type { FoundSource } from "./find-sources.ts";
import { type CodexThreads, type ThreadFile, threadFileOf, threadsOf } from "./formats/codex/threads.ts";
import { isIoError } from "./import-findings.ts";
import type { TraceFiles } from "./ports.ts";
import { decodeUtf8, textLines } from "./text-lines.ts";
import { isZstd, unpackedChunks } from "./zstd.ts";

/** Files of Codex's sessions are named so. */
const ROLLOUT = /(?:^|[/\\])rollout-[^/\\]*\.jsonl(?:\.zst)?$/;
/** Bytes in which the first line of such a file ends, with its instructions and tools. */
const HEAD_BYTES = 128 * 1024;
const NEWLINE = 10;

/** How the sessions of Codex among the sources go on from each other: their first lines say so. */
export async function codexThreads(
  files: TraceFiles,
  sources: readonly FoundSource[],
  signal: AbortSignal | undefined,
): Promise<CodexThreads> {
  const found: ThreadFile[] = [];
  for (const source of sources) {
    if (!ROLLOUT.test(source.file)) continue;
    signal?.throwIfAborted();
    const first = await firstLine(files, source).catch((error: unknown) => {
      // The import itself tells of it.
      if (!isIoError(error)) throw error;
      return undefined;
    });
    const thread = first === undefined ? undefined : threadFileOf(source.file, parseJson(first));
    if (thread !== undefined) found.push(thread);
  }
  return threadsOf(found);
}

/** The first line of a file that may be packed. Rejects on I/O errors. */
export async function firstLine(files: TraceFiles, { file, size }: FoundSource): Promise<string | undefined> {
  const head = await files.read(file, 0, Math.min(size, HEAD_BYTES));
  const end = head.indexOf(NEWLINE);
  if (end !== -1 && !isZstd(head)) return decodeUtf8([head.subarray(0, end)]);
  const chunks = files.chunks(file, 0, size);
  const { zstd } = files;
  if (isZstd(head) && zstd === undefined) return undefined;
  for await (const { text } of textLines(
    isZstd(head) && zstd !== undefined ? unpackedChunks(chunks, zstd, () => undefined) : chunks,
  ))
    return text;
  return undefined;
}
