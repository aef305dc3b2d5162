import type { CodePiece } from "../code-types.d.ts";
import type { Pieces } from "./tree.ts";

/**
 * Lines at which the grammar stops and Python does not: heads of `with`, patterns of `case`, a bare `yield`, starred targets of a
 * comprehension, starred indexes, `/` among the parameters of a lambda, and `\{` in a formatted text.
 */
const TAKEN_BY_PYTHON =
  /^(?:async\s+)?with\b|^case\b|\byield\s*(?:$|[)\]}#])|\bfor\b.*,\s*\*\w|\[\s*\*\w|\blambda\b[^:]*\/|\\\{/;
/** Characters in front of a place in which the head of its `with` is looked for. */
const BEFORE = 1_000;

/** The line of the first place that the grammar does not take, unless Python may take it. */
export function problemAt(source: string, errorAt: number, pieces: Pieces): CodePiece | undefined {
  const line = pieces.lineOf(errorAt);
  return TAKEN_BY_PYTHON.test(line.text) || isInHeadOfWith(source, errorAt) ? undefined : line;
}

/** Whether the head of a `with` that begins on an earlier line has not ended. */
function isInHeadOfWith(source: string, errorAt: number): boolean {
  const lines = source.slice(Math.max(0, errorAt - BEFORE), errorAt).split("\n");
  const head = lines.findLastIndex((line) => /^\s*(?:async\s+)?with\b/.test(line));
  return head >= 0 && lines.slice(head, -1).every((line) => !line.trimEnd().endsWith(":"));
}
