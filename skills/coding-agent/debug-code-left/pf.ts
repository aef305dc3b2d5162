import {
  injectContext,
  ProgramFunction,
  type ActionType,
  type CodingContext,
  type FileChange,
  type Intervention,
  type Json,
} from "hasp";

const NAMED_LINES = 8;
const KEPT_LINES = 60;
const LINE_CHARS = 160;
/** Characters of one change, and of one line, that are looked at. */
const LOOKED_AT = 60_000;
/** What every line of interest has in it; the others need no closer look. */
const HINT =
  /console\.|debugger|breakpoint|pdb|pudb|print|binding\.|byebug|dbg!|Dump|dump|dd\(|puts|^\s*pp?\b|NSLog|\.only|\bfit|fdescribe/;

const SCRIPT = /\.(?:[cm]?[jt]sx?|vue|svelte)$/i;
const PYTHON = /\.py$/i;
const IS_TEST =
  /(?:^|\/)(?:tests?|specs?|__tests__|e2e)\/|[._-](?:test|spec)\.[^/]+$|(?:^|\/)test_[^/]+\.py$/i;
/** Files whose output is what they are for. */
const PRINTS =
  /(?:^|\/)(?:bin|cli|cmd|commands?|scripts?|tools?|examples?|samples?|demos?|bench(?:marks?)?|log|logs|logging|logger|seeds?|migrations?)(?:\/|\.[^/]*$)|(?:^|[/_.-])(?:cli|script|logger|logging|log|report(?:er)?|print(?:er)?|console|debug|demo|example|bench|main|index\.bin)\.[^/]+$/i;
/** What a cry for help looks like. */
const CRY = String.raw`[^\w\n]*(?:here\b|debug\b|dbg\b|got here|i am here|reached\b|xxx+|yyy+|zzz+|aaa+|bbb+|asdf|wtf|foo\s*['"\x60])`;
const cries = (call: string): RegExp => new RegExp(String.raw`^\s*${call}\s*\(?\s*[fbr]?['"\x60]${CRY}`, "i");

/** Lines that nobody means to keep, by the files that they can stand in. */
const CERTAIN: readonly (readonly [RegExp, RegExp])[] = [
  [SCRIPT, /^\s*debugger\s*;?\s*$/],
  [SCRIPT, cries(String.raw`console\.\w+`)],
  [PYTHON, /^\s*(?:breakpoint\(\)|(?:i?pdb|pudb)\.set_trace\(\)|import (?:i?pdb|pudb)\b)/],
  [PYTHON, cries("print")],
  [PYTHON, /^\s*print\(\s*f(["'])\{\w[\w.[\]]*=\}\1\s*\)/],
  [/\.(?:rb|erb|rake)$/i, /^\s*(?:binding\.(?:pry|irb)|byebug|debugger)\b\s*$/],
  [/\.(?:rb|erb|rake)$/i, cries("(?:puts|p|pp)")],
  [/\.rs$/i, /^\s*dbg!\s*\(/],
  [/\.rs$/i, cries("e?println!")],
  [/\.go$/i, cries(String.raw`(?:fmt\.Print(?:ln|f)?|log\.Print(?:ln|f)?|println)`)],
  [/\.go$/i, /^\s*spew\.Dump\(/],
  [/\.php$/i, /^\s*(?:var_dump|dd|dump)\s*\(/],
  [/\.(?:java|kts?|scala)$/i, cries(String.raw`(?:System\.(?:out|err)\.)?print(?:ln)?`)],
  [/\.(?:c|h|cc|cpp|hpp|m)$/i, cries("(?:printf|NSLog|puts)")],
];
const FOCUSED = /^\s*(?:(?:it|test|describe|suite|context)\.only|fit|fdescribe)\s*\(/;
const LOGGED = /^\s*console\.(?:log|debug|dir|table|trace)\s*\(/;
const ABOUT_OUTPUT = /\b(?:console|log|logs|logging|print|prints|printing|output|stdout|debug)\b/i;

/** A line that an edit added. `sure`: that edit is known to have succeeded. */
interface Left {
  readonly path: string;
  readonly line: string;
  readonly t: number;
  readonly sure: boolean;
}

export default class DebugCodeLeft extends ProgramFunction {
  override maxFires = 4;

  shouldActivate(ctx: CodingContext, actionType: ActionType, arg: string): boolean {
    const known = settled(leftIn(ctx), ctx);
    if (actionType !== "FINAL") {
      keep(ctx, afterChanges(known, ctx));
      return false;
    }
    keep(ctx, known);
    return !/\?\s*$/.test(arg) && untold(known, ctx).length > 0;
  }

  intervene(ctx: CodingContext): Intervention {
    const lines = untold(leftIn(ctx), ctx);
    const shown = lines.slice(0, NAMED_LINES).map(({ path, line }) => `${path}: \`${line}\``);
    ctx.memory["told"] = [...told(ctx), ...lines.map(keyOf)].slice(-KEPT_LINES);
    const more = lines.length > NAMED_LINES ? ` and ${lines.length - NAMED_LINES} more` : "";
    return injectContext(
      `Edits of this session added these lines, and nothing shows that they were taken out again: ${shown.join("; ")}${more}. They look like debugging code.`,
      "debugging code of this session is still there",
    );
  }
}

/** Lines whose edit is known to have succeeded, and those that may still be under way. */
function settled(left: readonly Left[], ctx: CodingContext): Left[] {
  const thrownAway = ctx.commands.findLast(({ command }) =>
    /\bgit\s+(?:checkout|restore|reset|stash)\b/.test(command),
  );
  return left.flatMap((one) => {
    const editedAt = ctx.files.find(({ path }) => path === one.path)?.editedAt;
    if ((thrownAway?.t ?? -1) > one.t) return [];
    if (editedAt === undefined) return one.sure || one.t < ctx.stepCount - 8 ? [] : [one];
    // A later change that is not one of the edits seen here is a command's: what it left is unknown.
    if (editedAt > one.t) return ctx.memory[`edit ${one.path}`] === editedAt ? [{ ...one, sure: true }] : [];
    return [{ ...one, sure: one.sure || editedAt === one.t }];
  });
}

/** What the proposed call would take out and put in. */
function afterChanges(left: readonly Left[], ctx: CodingContext): Left[] {
  const t = ctx.stepCount;
  let now = [...left];
  for (const change of ctx.changes) {
    if (left.some(({ path }) => path === change.path)) ctx.memory[`edit ${change.path}`] = t;
    now = now.filter((one) => one.path !== change.path || !takesOut(change, one.line));
    const added = addedLines(change, ctx).map((line) => ({ path: change.path, line, t, sure: false }));
    now.push(...added.filter((one) => !now.some((other) => keyOf(other) === keyOf(one))));
  }
  return now;
}

function takesOut({ kind, before, after }: FileChange, line: string): boolean {
  if (kind === "delete") return true;
  return (before === undefined || before.includes(line)) && !after.includes(line);
}

function addedLines(change: FileChange, ctx: CodingContext): string[] {
  const { path, before = "" } = change;
  if (change.kind === "delete" || !/\.\w+$/.test(path)) return [];
  const after = change.after.slice(0, LOOKED_AT);
  if (!HINT.test(after)) return [];
  const had = new Set(
    before
      .slice(0, LOOKED_AT)
      .split("\n")
      .map((line) => line.trim()),
  );
  const forms = formsFor({ path, before, after }, ctx);
  return after.split("\n").flatMap((line) => {
    const start = line.slice(0, LINE_CHARS);
    const isNew = HINT.test(start) && !had.has(line.trim());
    return isNew && forms.some((form) => form.test(start)) ? [start.trim()] : [];
  });
}

/** What counts as debugging in this file, as far as this change shows what the file is for. */
function formsFor(
  { path, before, after }: { readonly path: string; readonly before: string; readonly after: string },
  ctx: CodingContext,
): RegExp[] {
  const certain = CERTAIN.flatMap(([files, form]) => (files.test(path) ? [form] : []));
  if (!SCRIPT.test(path)) return certain;
  if (IS_TEST.test(path)) return [...certain, FOCUSED];
  const isOutput =
    PRINTS.test(path) ||
    after.startsWith("#!") ||
    /\bprocess\.argv\b/.test(after) ||
    /\bconsole\.(?:log|debug|dir|table|trace)\b/.test(before.slice(0, LOOKED_AT)) ||
    ctx.prompts.some((prompt) => ABOUT_OUTPUT.test(prompt));
  return isOutput ? certain : [...certain, LOGGED];
}

function leftIn({ memory }: CodingContext): Left[] {
  const kept = memory["left"];
  return Array.isArray(kept) ? kept.flatMap(readLeft) : [];
}

function readLeft(value: Json): Left[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const { path, line, t, sure } = value;
  if (typeof path !== "string" || typeof line !== "string" || typeof t !== "number") return [];
  return [{ path, line, t, sure: sure === true }];
}

function keep({ memory }: CodingContext, left: readonly Left[]): void {
  if (left.length === 0 && memory["left"] === undefined) return;
  memory["left"] = left.slice(-KEPT_LINES).map(({ path, line, t, sure }) => ({ path, line, t, sure }));
}

function untold(left: readonly Left[], ctx: CodingContext): Left[] {
  const known = told(ctx);
  return left.filter((one) => one.sure && !known.includes(keyOf(one)));
}

function told({ memory }: CodingContext): Json[] {
  const kept = memory["told"];
  return Array.isArray(kept) ? kept : [];
}

const keyOf = ({ path, line }: Pick<Left, "path" | "line">): string => `${path}\n${line}`;
