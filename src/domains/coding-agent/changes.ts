import type { Action } from "../../model/action.ts";
import type { FileChange } from "../../model/coding-context.ts";
import { inputOf, isRecord, textOf, type CallInput } from "./call-input.ts";
import { patchChanges } from "./patch.ts";

/** Edits of one MultiEdit that are looked at. */
const MAX_EDITS = 500;

function ofWrite(input: CallInput, isThere: (path: string) => boolean): FileChange[] {
  const path = textOf(input, "path");
  if (path === undefined) return [];
  return [{ path, kind: isThere(path) ? "replace" : "create", after: textOf(input, "content") ?? "" }];
}

function ofEdit(input: CallInput): FileChange[] {
  const path = textOf(input, "path");
  if (path === undefined) return [];
  const before = textOf(input, "oldText") ?? "";
  const after = textOf(input, "newText") ?? "";
  return [before === "" ? { path, kind: "create", after } : { path, kind: "replace", before, after }];
}

/** The edits may leave out the path where the call has one. */
function ofMultiEdit(input: CallInput): FileChange[] {
  const { edits } = input;
  if (!Array.isArray(edits)) return [];
  const { path } = input;
  return edits.slice(0, MAX_EDITS).flatMap((edit) => (isRecord(edit) ? ofEdit({ path, ...edit }) : []));
}

/**
 * What a call of Write, Edit, MultiEdit or Patch would write, in its order; nothing for other tools and for inputs that name no file.
 * `isThere` says whether a file exists, as far as anybody knows: a Write makes or replaces it.
 */
export function changesOf(
  action: Pick<Action, "type" | "arg">,
  isThere: (path: string) => boolean = () => false,
): FileChange[] {
  switch (action.type) {
    case "Write":
      return ofWrite(inputOf(action), isThere);
    case "Edit":
      return ofEdit(inputOf(action));
    case "MultiEdit":
      return ofMultiEdit(inputOf(action));
    case "Patch":
      return [...patchChanges(textOf(inputOf(action), "patch") ?? "")];
    default:
      return [];
  }
}
