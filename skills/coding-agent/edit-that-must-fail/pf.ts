import {
  noop,
  ProgramFunction,
  refuse,
  type ActionType,
  type CodingContext,
  type Intervention,
  type TextEdit,
} from "hasp";

const EDITS = new Set(["Edit", "MultiEdit", "Patch"]);
const WRITES = new Set(["Edit", "MultiEdit", "Patch", "Write", "Bash", "PowerShell"]);
/** Calls of one turn whose answers may still be to come. */
const RECENT = 6;
const NAMED_FILES = 4;

/** Why an edit cannot work. */
interface Fault {
  readonly path: string;
  readonly kind: "absent" | "nowhere" | "several" | "same";
  readonly times: number;
  readonly before: string;
}

export default class EditThatMustFail extends ProgramFunction {
  shouldActivate(ctx: CodingContext, actionType: ActionType): boolean {
    return EDITS.has(actionType) && faultsOf(ctx).length > 0;
  }

  intervene(ctx: CodingContext): Intervention {
    const [fault] = faultsOf(ctx);
    if (fault === undefined) return noop("nothing speaks against this edit");
    const others = faultsOf(ctx).length - 1;
    const more = others === 0 ? "" : ` So it is with ${others} more of these edits; none of them was made.`;
    return refuse(`Not run: ${described(fault, ctx)}${more}`, REASONS[fault.kind]);
  }
}

const REASONS: Readonly<Record<Fault["kind"], string>> = {
  absent: "the file does not exist",
  nowhere: "the text to be replaced is not in the file",
  several: "the text to be replaced stands in the file more than once",
  same: "the edit changes nothing",
};

function faultsOf(ctx: CodingContext): Fault[] {
  const absent = absentFiles(ctx);
  if (absent.length > 0) return absent.map((path) => ({ path, kind: "absent", times: 0, before: "" }));
  return editsOf(ctx).flatMap((edit, i, all) => faultOf(edit, all.slice(0, i), ctx));
}

/** Files that would be changed and are not there. */
function absentFiles(ctx: CodingContext): string[] {
  const made = new Set<string>();
  const absent = new Set<string>();
  for (const { path, kind } of ctx.changes) {
    if (kind === "create") made.add(path);
    const isThere = ctx.world.files?.find((file) => file.path === path)?.exists ?? true;
    // What a patch moves or makes itself is there by then.
    const isMoved = ctx.call.tool === "Patch" && ctx.changes.some((other) => other.kind === "delete");
    if (kind === "replace" && !isThere && !made.has(path) && !isMoved && !mayBeUnderWay(path, ctx))
      absent.add(path);
  }
  return [...absent];
}

/** A call that names the file ran just before, and its effect is not yet known. */
function mayBeUnderWay(path: string, ctx: CodingContext): boolean {
  const name = nameOf(path);
  const known = ctx.files.find((file) => file.path === path)?.editedAt;
  const first = Math.max(0, ctx.actionHistory.length - RECENT);
  return ctx.actionHistory
    .slice(first)
    .some(({ type, arg }, i) => WRITES.has(type) && arg.includes(name) && known !== first + i);
}

/** The edits of the call that replace a text, with how often the host found it. */
function editsOf(ctx: CodingContext): (TextEdit & { readonly times: number | undefined })[] {
  const { call } = ctx;
  if (call.tool !== "Edit" && call.tool !== "MultiEdit") return [];
  const given = call.tool === "Edit" ? [call.input] : listOf(call.input.edits);
  // What an agent sends need not have the form that the types promise; such an edit is the host's to reject.
  const edits = given.filter((edit) => typeof edit === "object" && edit !== null);
  const seen = new Map<string, number>();
  // Where a MultiEdit names its file once, `changes` knows the path of each.
  return edits.flatMap((edit, i) => {
    const path = ctx.changes[i]?.path ?? edit.path;
    if (typeof edit.oldText !== "string" || edit.oldText === "") return [];
    const nth = seen.get(path) ?? 0;
    seen.set(path, nth + 1);
    const times = ctx.world.files?.find((file) => file.path === path)?.occurrences?.[nth];
    return [{ ...edit, path, times }];
  });
}

function listOf(edits: readonly TextEdit[] | undefined): readonly TextEdit[] {
  return Array.isArray(edits) ? edits : [];
}

function faultOf(
  { path, oldText, newText, all, times }: TextEdit & { readonly times: number | undefined },
  earlier: readonly TextEdit[],
  ctx: CodingContext,
): Fault[] {
  const fault = (kind: Fault["kind"]): Fault[] => [{ path, kind, times: times ?? 0, before: oldText }];
  if (oldText === newText) return fault("same");
  if (times === undefined || mayBeUnderWay(path, ctx)) return [];
  const before = earlier.filter((edit) => edit.path === path);
  if (times === 0) return before.some((edit) => brings(edit, oldText)) ? [] : fault("nowhere");
  return times > 1 && all !== true && before.length === 0 ? fault("several") : [];
}

/** An earlier edit writes a line of the text. */
function brings({ newText }: TextEdit, text: string): boolean {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.some((line) => line !== "" && newText.includes(line));
}

function described({ path, kind, times, before }: Fault, ctx: CodingContext): string {
  switch (kind) {
    case "absent":
      return `there is no file ${path}.${namesakes(path, ctx)}`;
    case "same":
      return `oldText and newText are the same, so ${path} would stay as it is.`;
    case "several":
      return `the text to be replaced stands ${times} times in ${path}. With a line or two more around it, it would name one place; with \`all\` each of them is replaced.`;
    case "nowhere":
      return `the text to be replaced stands nowhere in ${path}, compared character by character.${whyNowhere(path, before, ctx)}`;
  }
}

function namesakes(path: string, ctx: CodingContext): string {
  const name = nameOf(path);
  const found = ctx.files.flatMap((file) =>
    nameOf(file.path) === name && file.path !== path ? [file.path] : [],
  );
  if (found.length === 0) return " A search for its name would tell whether it stands elsewhere.";
  return ` This session knows ${found.slice(0, NAMED_FILES).join(", ")}.`;
}

function whyNowhere(path: string, before: string, ctx: CodingContext): string {
  const lines = before.split("\n").filter((line) => line.trim() !== "");
  if (lines.length > 0 && lines.every((line) => /^\s*\d+\s*(?:\t|→|[|:] )/.test(line)))
    return " Each of its lines begins with a line number, which belongs to the display and not to the file.";
  if (/^\s*(?:\/\/|#|--|<!--|\/\*)?\s*(?:\.{3}|…)/m.test(before) && lines.length > 1)
    return " It holds an ellipsis, and only the file's own text can be found.";
  const { readAt, editedAt } = ctx.files.find((file) => file.path === path) ?? {};
  if (readAt === undefined) return " This session has not read the file.";
  if (editedAt !== undefined && editedAt > readAt)
    return " The file was changed after it was last read in this session; its present text may differ from what was shown then.";
  return " The file's present text is what a fresh Read shows; spaces and tabs count.";
}

function nameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}
