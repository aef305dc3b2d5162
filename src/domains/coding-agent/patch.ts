import type { FileChange } from "../../model/coding-context.ts";

/** Changes of one patch that are looked at. */
const MAX_CHANGES = 500;

/** The changes of a patch, in the `*** Begin Patch` form or as a unified diff; none where it is neither. One for each hunk. */
export function patchChanges(patch: string): readonly FileChange[] {
  const lines = patch.split(/\r?\n/);
  const isEnvelope = lines.some((line) => /^\*{3} (?:Begin Patch|(?:Add|Update|Delete) File: )/.test(line));
  return (isEnvelope ? envelopeChanges(lines) : unifiedChanges(lines)).slice(0, MAX_CHANGES);
}

/** Old and new lines of the hunk that is being read. */
interface Hunk {
  readonly before: string[];
  readonly after: string[];
}

const freshHunk = (): Hunk => ({ before: [], after: [] });
const isEmpty = ({ before, after }: Hunk): boolean => before.length + after.length === 0;

function addLine(hunk: Hunk, line: string): void {
  const text = line.slice(1);
  if (line.startsWith("+")) hunk.after.push(text);
  else if (line.startsWith("-")) hunk.before.push(text);
  else if (line.startsWith(" ") || line === "") {
    hunk.before.push(text);
    hunk.after.push(text);
  }
}

type Kind = FileChange["kind"];

function changeOf(path: string, kind: Kind, hunk: Hunk): FileChange {
  const after = hunk.after.join("\n");
  return kind === "replace" ? { path, kind, before: hunk.before.join("\n"), after } : { path, kind, after };
}

function envelopeChanges(lines: readonly string[]): FileChange[] {
  const changes: FileChange[] = [];
  let file: { path: string; kind: Kind } | undefined;
  let hunk = freshHunk();
  const flush = (): void => {
    if (file !== undefined && (file.kind === "create" || !isEmpty(hunk)))
      changes.push(changeOf(file.path, file.kind, hunk));
    hunk = freshHunk();
  };
  for (const line of lines) {
    const [, verb, path = ""] = /^\*{3} (Add|Update|Delete) File: (.+?)\s*$/.exec(line) ?? [];
    const moved = /^\*{3} Move to: (.+?)\s*$/.exec(line)?.[1];
    if (verb !== undefined) {
      flush();
      file = verb === "Delete" ? undefined : { path, kind: verb === "Add" ? "create" : "replace" };
      if (verb === "Delete") changes.push({ path, kind: "delete", after: "" });
    } else if (moved !== undefined && file !== undefined) {
      changes.push({ path: file.path, kind: "delete", after: "" });
      file = { path: moved, kind: "replace" };
    } else if (line.startsWith("@@")) flush();
    else if (line.startsWith("*** End of File")) continue;
    else if (line.startsWith("*** ")) {
      flush();
      file = undefined;
    } else if (file !== undefined && line !== "") addLine(hunk, line);
  }
  flush();
  return changes;
}

const NOWHERE = "/dev/null";

/** `a/src/x.ts` of Git, and what other tools write after a tab. */
function diffPath(written: string): string {
  const path = (written.split("\t", 1)[0] ?? "").trim();
  return path === NOWHERE ? path : path.replace(/^[ab]\//, "");
}

function unifiedChanges(lines: readonly string[]): FileChange[] {
  const changes: FileChange[] = [];
  let from = "";
  let file: { path: string; kind: Kind } | undefined;
  let hunk = freshHunk();
  /** Lines that the header of the hunk says are to come. */
  let left = { before: 0, after: 0 };
  const flush = (): void => {
    if (file !== undefined && !isEmpty(hunk)) changes.push(changeOf(file.path, file.kind, hunk));
    hunk = freshHunk();
  };
  for (const line of lines) {
    const sizes = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (left.before > 0 || left.after > 0) {
      addLine(hunk, line);
      if (!line.startsWith("+") && !line.startsWith("\\")) left.before--;
      if (!line.startsWith("-") && !line.startsWith("\\")) left.after--;
    } else if (line.startsWith("--- ")) {
      flush();
      from = diffPath(line.slice(4));
    } else if (line.startsWith("+++ ")) {
      const to = diffPath(line.slice(4));
      if (to === NOWHERE) changes.push({ path: from, kind: "delete", after: "" });
      file = to === NOWHERE ? undefined : { path: to, kind: from === NOWHERE ? "create" : "replace" };
    } else if (sizes !== null) {
      flush();
      left = { before: Number(sizes[1] ?? 1), after: Number(sizes[2] ?? 1) };
    }
  }
  flush();
  return changes;
}
