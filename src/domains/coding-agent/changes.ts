import type { Action } from "../../model/action.ts";
import type { FileChange } from "../../model/coding-context.ts";
import { inputOf, isRecord, textOf, type CallInput } from "../call-input.ts";
import { patchChanges } from "./patch.ts";
import { normalPath } from "./paths.ts";

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
  const before = textOf(input, "oldText");
  const after = textOf(input, "newText") ?? "";
  if (before === undefined) return [{ path, kind: "replace", after }];
  return [before === "" ? { path, kind: "create", after } : { path, kind: "replace", before, after }];
}

/** The edits may leave out the path where the call has one. */
function ofMultiEdit(input: CallInput): FileChange[] {
  const { edits } = input;
  if (!Array.isArray(edits)) return [];
  const { path } = input;
  return edits.slice(0, MAX_EDITS).flatMap((edit) => (isRecord(edit) ? ofEdit({ path, ...edit }) : []));
}

/** Facts about the files that a call names. */
export interface Surroundings {
  /** Whether a file exists, as far as anybody knows: a Write makes or replaces it. The path is a normal one. */
  readonly isThere?: (path: string) => boolean;
  /** The folder that relative paths start from. */
  readonly cwd?: string | undefined;
}

/**
 * The changes that a call of Write, Edit, MultiEdit or Patch would make, in its order; nothing for other tools and for inputs that name no file. Paths
 * are normal ones: some hosts write absolute paths into a patch, and the file is the same one that was read by its relative path.
 */
export function changesOf(
  action: Pick<Action, "type" | "arg">,
  { isThere = () => false, cwd }: Surroundings = {},
): FileChange[] {
  const normal = (path: string): string => normalPath(path, cwd);
  const changes = writtenBy(action, (path) => isThere(normal(path)));
  return changes.map((change) => ({ ...change, path: normal(change.path) }));
}

function writtenBy(action: Pick<Action, "type" | "arg">, isThere: (path: string) => boolean): FileChange[] {
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
