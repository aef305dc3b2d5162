import { clip } from "./clip.ts";

/** Lines that say little of a program or its task: comments, imports, decorators, marks of docstrings, fences, shebangs. */
const PREAMBLE = /^(?:#|import\s|from\s+\S+\s+import\b|@|"""$|'''$|`{3}|~{3})/;
/** Lines that are looked through for one that tells more. */
const MOST_LINES = 200;
/** Characters that are looked at. */
const MOST_CHARACTERS = 20_000;

/** One line for people of a program, or of a task with one in it: the first that is no preamble, in at most `most` characters. */
export function tellingLine(text: string, most: number): string {
  const lines = text.slice(0, MOST_CHARACTERS).split("\n", MOST_LINES);
  const telling = lines.map((line) => line.trim()).filter((line) => line !== "");
  return clip(telling.find((line) => !PREAMBLE.test(line)) ?? telling[0] ?? "", most);
}
