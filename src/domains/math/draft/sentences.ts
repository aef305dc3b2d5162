import { READ_CHARS } from "./limits.ts";

const SENTENCE_END = /(?<=[.!?;])\s+|\n+/;

/** The sentences of a thought; a line, and a part in front of a semicolon, is one too. */
export function sentencesOf(thought: string): readonly string[] {
  return thought.slice(0, READ_CHARS).split(SENTENCE_END);
}
