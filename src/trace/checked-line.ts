import type { Episode } from "../model/episode.ts";
import { jsonSize, MAX_DEPTH, MAX_JSON_VALUES, tooMany } from "../model/read-json.ts";
import { EPISODE_KEYS, misformed } from "./episode-file.ts";
import { MAX_LINE_BYTES } from "./text-lines.ts";

/** Levels that an export puts around what an episode holds, so that what it wrote can be imported again. */
const LEVELS_OF_EXPORT = 16;
/** Levels of an episode above a step: its own and the list. */
const LEVELS_OF_STEPS = 2;
/** Characters of a piece, unless one step has more: a line of 60 MB as one text takes as much memory again, and twice that in its bytes. */
const PIECE = 256 * 1024;

const encoder = new TextEncoder();
const TOO_LONG = `it is over ${MAX_LINE_BYTES / 1024 / 1024} MiB`;

/** The bytes of an episode's line in pieces, or why our own reader could not read it, as a clause for a message. */
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
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  let values = 0;
  for (const { text, levels } of textsOf(episode)) {
    const piece = encoder.encode(text);
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > MAX_LINE_BYTES) return undefined;
    const size = jsonSize(text, MAX_DEPTH - LEVELS_OF_EXPORT - levels);
    if (size.excess !== undefined)
      return size.excess.why.replace(/\d+ levels/, `${MAX_DEPTH - LEVELS_OF_EXPORT} levels`);
    values += size.values;
    if (values > MAX_JSON_VALUES) return tooMany(0).why;
  }
  // The schema is asked about the episode itself: a parse of the line would tell no more, since what JSON changes (`NaN`, `Infinity`) no field
  // of it takes.
  return misformed(episode) ?? pieces;
}

/** The line as texts one after the other, each with the levels that it stands in. */
function* textsOf(episode: Episode): Generator<{ readonly text: string; readonly levels: number }> {
  let opening = "{";
  for (const key of EPISODE_KEYS) {
    const value = episode[key];
    if (value === undefined) continue;
    if (key !== "steps") yield { text: `${opening}"${key}":${JSON.stringify(value)}`, levels: 1 };
    else {
      yield { text: `${opening}"steps":[`, levels: 0 };
      yield* stepTexts(episode);
    }
    opening = ",";
  }
  yield { text: "}\n", levels: 0 };
}

function* stepTexts({ steps }: Episode): Generator<{ readonly text: string; readonly levels: number }> {
  let text = "";
  for (const [i, step] of steps.entries()) {
    text += `${i === 0 ? "" : ","}${JSON.stringify(step)}`;
    if (text.length < PIECE) continue;
    yield { text, levels: LEVELS_OF_STEPS };
    text = "";
  }
  yield { text: `${text}]`, levels: LEVELS_OF_STEPS };
}
