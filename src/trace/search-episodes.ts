import { findInEpisode, type EpisodeHit } from "../model/episode-hit.ts";
import type { TextQuery } from "../model/text-query.ts";
import { parseEpisode } from "./episode-file.ts";
import { lineSieve } from "./line-sieve.ts";
import type { TraceFiles } from "./ports.ts";
import { decodeUtf8, MAX_LINE_BYTES } from "./text-lines.ts";

/** The line of an episode in its file. */
export interface EpisodeLine {
  /** Position of the episode among the readable ones. */
  readonly index: number;
  /** Byte offset of its first byte. */
  readonly offset: number;
  /** Length in bytes, without the newline. */
  readonly bytes: number;
}

/** Access to a file's bytes; `src/platform/search-files.ts` implements it. */
export interface SearchFiles extends Pick<TraceFiles, "read"> {
  /** A text of as many characters: each is the code of its byte. */
  asByteText(bytes: Uint8Array): string;
}

/** A part of the lines, searched. */
export interface SearchedBlock {
  readonly hits: readonly EpisodeHit[];
  /** Lines searched so far, of all that were given. */
  readonly searched: number;
}

export interface SearchOptions {
  readonly signal?: AbortSignal;
  /** Places kept of each field of a hit. */
  readonly mostPlaces: number;
}

/** Bytes that are read and searched at once; the first block is small, so that the first hits come soon. */
const BLOCK_BYTES = 4 * 1024 * 1024;
const FIRST_BLOCK_BYTES = 512 * 1024;
/** Bytes between two lines that are rather read than skipped. */
const GAP_BYTES = 64 * 1024;

interface Block {
  readonly lines: readonly EpisodeLine[];
  readonly offset: number;
  readonly bytes: number;
}

const endOf = (line: EpisodeLine): number => line.offset + line.bytes;

/** The lines in blocks that are read in one go; a line over `MAX_LINE_BYTES` is in none. */
function blocksOf(lines: readonly EpisodeLine[]): Block[] {
  const blocks: { lines: EpisodeLine[]; offset: number; bytes: number }[] = [];
  for (const line of lines) {
    if (line.bytes > MAX_LINE_BYTES) continue;
    const last = blocks.at(-1);
    const most = blocks.length === 1 ? FIRST_BLOCK_BYTES : BLOCK_BYTES;
    const gap = last === undefined ? 0 : line.offset - last.offset - last.bytes;
    const joins = last !== undefined && gap >= 0 && gap <= GAP_BYTES && endOf(line) - last.offset <= most;
    if (joins) {
      last.lines.push(line);
      last.bytes = endOf(line) - last.offset;
    } else blocks.push({ lines: [line], offset: line.offset, bytes: line.bytes });
  }
  return blocks;
}

/** The lines of a block in which the sieve matches; all of them without a sieve. */
function* candidates(
  { lines, offset }: Block,
  bytes: Uint8Array,
  sieve: RegExp | undefined,
  files: SearchFiles,
): Generator<EpisodeLine> {
  if (sieve === undefined) return yield* lines;
  const text = files.asByteText(bytes);
  sieve.lastIndex = 0;
  let match = sieve.exec(text);
  for (const line of lines) {
    if (match !== null && match.index < line.offset - offset) {
      sieve.lastIndex = line.offset - offset;
      match = sieve.exec(text);
    }
    if (match === null) return;
    if (match.index < endOf(line) - offset) yield line;
  }
}

/**
 * Searches lines of an episode file for a text, block after block, in the given order. A line is parsed only where its bytes
 * may hold the text; one that is no episode is skipped. Memory is that of two blocks and one episode. Rejects on I/O errors
 * and on abort, which is looked at between two blocks.
 */
export async function* searchEpisodes(
  files: SearchFiles,
  path: string,
  lines: readonly EpisodeLine[],
  query: TextQuery,
  { signal, mostPlaces }: SearchOptions,
): AsyncGenerator<SearchedBlock> {
  const sieve = lineSieve(query);
  const blocks = blocksOf(lines);
  const readAhead = (block: Block | undefined): Promise<Uint8Array> | undefined => {
    const reading = block && files.read(path, block.offset, block.bytes);
    // The caller may stop here, and then nobody else would hear of a failed read.
    reading?.catch(() => undefined);
    return reading;
  };
  let searched = 0;
  let reading = readAhead(blocks[0]);
  for (const [i, block] of blocks.entries()) {
    signal?.throwIfAborted();
    const bytes = (await reading) ?? new Uint8Array(0);
    reading = readAhead(blocks[i + 1]);
    const hits: EpisodeHit[] = [];
    for (const line of candidates(block, bytes, sieve, files)) {
      const start = line.offset - block.offset;
      const { value } = parseEpisode(decodeUtf8([bytes.subarray(start, start + line.bytes)]), path, 0);
      const hit = value && findInEpisode(value, line.index, query, mostPlaces);
      if (hit !== undefined) hits.push(hit);
    }
    searched += block.lines.length;
    yield { hits, searched };
  }
}
