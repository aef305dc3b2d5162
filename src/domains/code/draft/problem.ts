import type { CodePiece } from "../code-types.d.ts";
import type { CodeTree, Pieces } from "./tree.ts";

/** Places at which the grammar stumbles over what Python takes. */
const TAKEN_BY_PYTHON = /^(?:async\s+)?with\b|\byield\s*(?:$|[)\]}#])/;

/** The first line that Python does not take. */
export function problemOf(tree: CodeTree, pieces: Pieces): CodePiece | undefined {
  const lines = tree.errors.slice(0, 100).map((at) => pieces.lineOf(at));
  const [first] = lines;
  return first === undefined || lines.some(({ text }) => TAKEN_BY_PYTHON.test(text)) ? undefined : first;
}
