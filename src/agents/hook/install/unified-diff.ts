import { createTwoFilesPatch } from "diff";

/** Lines around a change that are shown with it. */
const AROUND = 3;

/** A change of a file as people read it; undefined on one side: there is no such file then. */
export function unifiedDiff(file: string, before: string | undefined, after: string | undefined): string {
  const from = before === undefined ? "/dev/null" : file;
  const to = after === undefined ? "/dev/null" : file;
  const patch = createTwoFilesPatch(from, to, before ?? "", after ?? "", undefined, undefined, {
    context: AROUND,
  });
  // The first line is a rule of `=`, and says nothing.
  return patch.slice(patch.indexOf("\n") + 1);
}
