import type { CodePiece } from "../code-types.d.ts";
import type { Pieces } from "./tree.ts";

/** Lines at which the grammar stops and Python does not. */
const TAKEN_BY_PYTHON = /^(?:async\s+)?with\b|\byield\s*(?:$|[)\]}#])/;

/** The line of the first place that the grammar does not take, unless Python may take it. */
export function problemAt(errorAt: number, pieces: Pieces): CodePiece | undefined {
  const line = pieces.lineOf(errorAt);
  return TAKEN_BY_PYTHON.test(line.text) ? undefined : line;
}
