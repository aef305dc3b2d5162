import { hashText } from "../../trace/hash.ts";
import { withoutColours } from "./check-output.ts";

/** Characters at either end of an output that its key is made of. */
const LOOKED_AT = 10_000;

/** What differs between two runs of the same thing: colours, times, dates, addresses, process ids, names of temporary files. */
const CHANGING: readonly RegExp[] = [
  /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d[\d.,]*Z?)?/g,
  /\b\d{1,2}:\d\d(?::\d\d[\d.,]*)?/g,
  /\b\d+(?:\.\d+)?\s?(?:ns|µs|us|ms|s|sec|secs|seconds?|minutes?|m)\b/g,
  /\b0x[\da-fA-F]{4,16}\b/g,
  /\b(?:pid|PID|process|port)[ =:]{1,2}\d+/g,
  /\/tmp\/[\w.+-]+/g,
];

/** A hash of an output, the same for two outputs that say the same. */
export function outputKey(output: string): string {
  const ends =
    output.length <= 2 * LOOKED_AT ? output : output.slice(0, LOOKED_AT) + output.slice(-LOOKED_AT);
  return hashText(
    CHANGING.reduce((text, pattern) => text.replaceAll(pattern, "#"), withoutColours(ends)).trim(),
  );
}
