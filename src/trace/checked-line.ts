import type { Episode } from "../model/episode.ts";
import { excessOfValue, MAX_DEPTH } from "../model/read-json.ts";
import { EPISODE_KEYS, misformed } from "./episode-file.ts";
import { MAX_LINE_BYTES } from "./text-lines.ts";
import { utf8Chunks } from "./utf8-chunks.ts";

/** Levels that an export puts around what an episode holds, so that what it wrote can be imported again. */
const LEVELS_OF_EXPORT = 16;
const TOO_LONG = `it is over ${MAX_LINE_BYTES / 1024 / 1024} MiB`;

/** The bytes of an episode's line in chunks, or why our own reader could not read it, as a clause for a message. */
export function checkedLine(episode: Episode): readonly Uint8Array[] | string {
  try {
    return encoded(episode) ?? TOO_LONG;
  } catch (error) {
    // A text of more than half a gigabyte cannot be made at all.
    if (error instanceof RangeError) return TOO_LONG;
    throw error;
  }
}

function encoded(episode: Episode): readonly Uint8Array[] | string | undefined {
  const excess = excessOfValue(episode, MAX_DEPTH - LEVELS_OF_EXPORT);
  if (excess !== undefined) return excess.why;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (const chunk of utf8Chunks(textsOf(episode))) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_LINE_BYTES) return undefined;
  }
  // The schema is asked about the episode itself: a parse of the line would tell no more, since what JSON changes (`NaN`, `Infinity`) no field
  // of it takes.
  return misformed(episode) ?? chunks;
}

/** The line as texts one after the other. */
function* textsOf(episode: Episode): Generator<string> {
  let opening = "{";
  for (const key of EPISODE_KEYS) {
    const value = episode[key];
    if (value === undefined) continue;
    yield `${opening}"${key}":`;
    if (key === "steps") yield* stepTexts(episode);
    else yield JSON.stringify(value);
    opening = ",";
  }
  yield "}\n";
}

function* stepTexts({ steps }: Episode): Generator<string> {
  yield "[";
  for (const [i, step] of steps.entries()) yield `${i === 0 ? "" : ","}${JSON.stringify(step)}`;
  yield "]";
}
