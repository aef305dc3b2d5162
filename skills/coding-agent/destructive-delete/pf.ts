import {
  askedFor,
  changeCommand,
  injectContext,
  ProgramFunction,
  refuse,
  type ActionType,
  type CodingContext,
  type Intervention,
  type ShellCall,
} from "hasp";

/** A command that would destroy something nobody can bring back. */
interface Danger {
  readonly call: ShellCall;
  readonly what: string;
  /** All that it would delete. */
  readonly paths?: readonly string[];
  /** The variable that makes it dangerous when it is empty. */
  readonly variable?: string;
}

export default class DestructiveDelete extends ProgramFunction {
  shouldActivate(ctx: CodingContext, _actionType: ActionType): boolean {
    return dangersOf(ctx).length > 0;
  }

  intervene(ctx: CodingContext, _actionType: ActionType): Intervention {
    const dangers = dangersOf(ctx);
    const sure = dangers.find(({ variable }) => variable === undefined);
    if (sure !== undefined) {
      return refuse(
        `\`${shown(sure.call)}\` ${sure.what}, and there is no way back. It has not run, and nothing has changed. ` +
          "A command that names the one folder or file to remove passes. Only a person can have this one run, by writing it out or by naming exactly what to delete.",
        sure.what,
      );
    }
    return guarded(ctx, dangers);
  }
}

/** `"$DIR/"*` becomes `"${DIR:?}/"*`, which the shell refuses by itself when DIR is empty. */
function guarded(ctx: CodingContext, dangers: readonly Danger[]): Intervention {
  const [first] = dangers;
  const variable = first?.variable ?? "";
  const why = `if ${variable} is empty, \`${first === undefined ? "" : shown(first.call)}\` ${first?.what ?? ""}`;
  const edits = dangers.flatMap(({ call, variable: name = "" }) => {
    const written =
      call.range === undefined ? "" : (ctx.command?.source ?? "").slice(call.range.start, call.range.end);
    const text = written.replace(
      new RegExp(`\\$(?:${name}(?!\\w)|\\{${name}\\})`, "g"),
      () => `\${${name}:?}`,
    );
    return call.range === undefined || text === written ? [] : [{ range: call.range, text }];
  });
  if (ctx.command?.dialect === "bash" && edits.length === dangers.length)
    return changeCommand(ctx, edits, `${why}; \${${variable}:?} makes the shell stop there`);
  return injectContext(
    `Of the command that ran: ${why}. Nothing in it made sure that ${variable} has a value.`,
    why,
  );
}

function dangersOf(ctx: CodingContext): Danger[] {
  const { command } = ctx;
  if (command === undefined) return [];
  const calls = command.calls.filter(isRelevant);
  if (calls.length === 0) return [];
  const set = assigned(command.source);
  const places: Places = { cwd: ctx.cwd?.replaceAll("\\", "/"), base: "", inner: "" };
  const found = calls.flatMap((call) => {
    const text = wordsOf(call, set);
    if (follow(text, places)) return [];
    const danger = ofDevice(text) ?? ofBomb(text, command.source) ?? ofFiles(call, text, set, places);
    return danger === undefined ? [] : [danger];
  });
  return found.length > MAX_ASKED ? found : found.filter((danger) => !isAsked(ctx, danger));
}

/** The person wrote out the command, or named each thing that it would delete. */
function isAsked(ctx: CodingContext, { call, paths = [], variable }: Danger): boolean {
  if (askedFor(ctx, { call })) return true;
  const isHere = variable === undefined && call.literal && call.via.length === 0 && !moves(ctx, call);
  return isHere && askedFor(ctx, { words: [DELETES], things: { path: paths } });
}

/** More deletions than anybody asks for in one line. */
const MAX_ASKED = 30;
const DELETES = "delete|remove|erase|wipe|rm|get_rid_of {path}";

/** Something before it in the line goes to another folder. */
function moves({ command }: CodingContext, call: ShellCall): boolean {
  const calls = command?.calls ?? [];
  return calls.slice(0, calls.indexOf(call)).some(({ name }) => GOES.test(name));
}

/** Programs that are looked at; a look at every one of a long script would take too long. */
const LOOKED_AT = new Set(
  (
    "rm remove-item ri del erase rd rmdir unlink srm find gfind get-childitem gci dir ls chmod chown chgrp mv shred cmd dd cp tee " +
    "cd pushd chdir set-location push-location sl mke2fs mkswap wipefs blkdiscard sgdisk badblocks format format.com format-volume " +
    "clear-disk initialize-disk remove-partition"
  ).split(" "),
);

function isRelevant({ name, place, into, redirects }: ShellCall): boolean {
  if (redirects.length > 0 || (place === "function" && into.length > 0)) return true;
  return LOOKED_AT.has(name.toLowerCase()) || name.startsWith("mkfs");
}

function shown({ name, args, redirects }: ShellCall): string {
  const into = redirects.filter(({ op }) => /^&?>/.test(op)).map(({ op, target }) => `${op} ${target}`);
  return [name, ...args, ...into].join(" ").trim().slice(0, 120);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** What the command line itself gives to its variables; null where only the shell knows it. */
type Assigned = ReadonlyMap<string, string | null>;

function assigned(source: string): Assigned {
  const plain = /(?:^|[\s;&|({])\$?(?:env:)?([A-Za-z_]\w*)\s?=\s?("[^"]*"|'[^']*'|[^\s;&|)]*)/g;
  const loops = /\b(?:for|foreach|read(?:\s+-\w+)*)\s*\(?\s*\$?([A-Za-z_]\w*)/g;
  return new Map<string, string | null>([
    ...[...source.matchAll(plain)].map(([, name = "", value = ""]): [string, string | null] => {
      const text = value.replace(/^(["'])(.*)\1$/, "$2");
      return [name, text === "" ? "" : /[$`(]/.test(text) ? null : text];
    }),
    ...[...source.matchAll(loops)].map(([, name = ""]): [string, string | null] => [name, null]),
  ]);
}

/** The call with the variables whose value is written in the same line. */
function wordsOf(call: ShellCall, set: Assigned): ShellCall {
  if (call.literal) return call;
  const fill = (word: string): string =>
    word.replace(
      /\$(?:\{(\w+)\}|(\w+))/g,
      (whole, braced?: string, bare?: string) => set.get(braced ?? bare ?? "") ?? whole,
    );
  return { ...call, args: call.args.map(fill), operands: call.operands.map(fill) };
}

/** Where the shell is: `base` at the top, `inner` in a subshell; `""` is the agent's own folder, `?` somewhere unknown. */
interface Places {
  readonly cwd: string | undefined;
  base: string;
  inner: string;
}

const GOES = /^(?:cd|pushd|chdir|set-location|push-location|sl)$/i;

/** Follows `cd`; true where the call was one. */
function follow(call: ShellCall, places: Places): boolean {
  const isTop = call.place === "top";
  if (isTop) places.inner = places.base;
  if (!GOES.test(call.name)) return false;
  const [target = "~"] = call.operands;
  const next = /[$`]/.test(target) && !isHome(target) ? "?" : resolved(target, places.inner);
  places.inner = next;
  if (isTop) places.base = next;
  return true;
}

function isHome(text: string): boolean {
  return /^(?:~|\$HOME|\$\{HOME\}|\$env:(?:USERPROFILE|HOME))$/i.test(text);
}

/** A path without `.` and `..`, from the folder `base`; home is `~`, the agent's folder `""`. */
function resolved(target: string, base: string): string {
  const path = target
    .replaceAll("\\", "/")
    .replace(/^\$(?:HOME\b|\{HOME\}|env:(?:USERPROFILE|HOME)\b)/i, "~")
    .replace(/^\$(?:env:SystemDrive|\{env:SystemDrive\})/i, "C:")
    .replace(/^(?:\$PWD\b|\$\{PWD\}|\$\(pwd\)|`pwd`|\$\(git rev-parse --show-toplevel\))/, ".");
  const isRooted = /^(?:\/|~|[A-Za-z]:)/.test(path);
  const parts = (isRooted ? path : `${base}/${path}`).split("/");
  const isAbsolute = isRooted ? path.startsWith("/") : base.startsWith("/");
  const done: string[] = [];
  for (const part of parts) {
    if (part === "" || part === ".") continue;
    if (part === ".." && done.length > 0 && done.at(-1) !== "..") done.pop();
    else if (part !== ".." || !isAbsolute) done.push(part);
  }
  return (isAbsolute ? "/" : "") + done.join("/");
}

const DISK = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|r?disk|mapper\/|dm-|md\d|root)|^\\\\\.\\PhysicalDrive/i;
const DISK_TOOLS = /^(?:mkfs(?:\.\w+)?|mke2fs|mkswap|wipefs|blkdiscard|shred|sgdisk|badblocks)$/;
const DISK_CMDLETS = /^(?:format-volume|clear-disk|initialize-disk|remove-partition)$/i;

/** Disks that are formatted or written over. */
function ofDevice(call: ShellCall): Danger | undefined {
  const what = "would overwrite a disk";
  const into = call.redirects.some(({ op, target }) => /^&?>/.test(op) && DISK.test(target));
  const written = call.args.some((arg) => /^of=/.test(arg) && DISK.test(arg.slice(3)));
  // `-n` of shred is how often, of the others a dry run.
  const isDry =
    (call.name !== "shred" && call.flags.includes("n")) ||
    call.flags.some((flag) => /^(?:--no-act|-whatif)$/i.test(flag));
  const isTool = DISK_TOOLS.test(call.name) && !isDry && call.operands.some((word) => DISK.test(word));
  const isCopy = /^(?:cp|tee)$/.test(call.name) && DISK.test(call.operands.at(-1) ?? "");
  if (into || written || isTool || isCopy) return { call, what };
  if (DISK_CMDLETS.test(call.name) && !isDry) return { call, what: "would erase a disk" };
  const isFormat =
    /^format(?:\.com)?$/i.test(call.name) && call.operands.some((word) => /^[A-Z]:$/i.test(word));
  return isFormat ? { call, what: "would erase a disk" } : undefined;
}

/** A function that pipes itself into itself in the background. */
function ofBomb(call: ShellCall, source: string): Danger | undefined {
  const isLoop = call.place === "function" && call.into.includes(call.name) && call.name !== "";
  if (!isLoop || !new RegExp(`(?:^|[\\s;])(?:function\\s+)?${escaped(call.name)}\\s*\\(\\s*\\)`).test(source))
    return undefined;
  return { call, what: "would start copies of itself until the machine stops answering" };
}

const REMOVES = /^(?:rm|remove-item|ri|del|erase|rd|rmdir|unlink|srm)$/i;
const LISTS = /^(?:find|gfind|get-childitem|gci|dir|ls)$/i;
/** What makes `find` choose among what it finds. */
const CHOOSES =
  /^-(?:i?name|i?path|i?regex|mtime|mmin|atime|ctime|newer\w*|size|empty|maxdepth|user|perm|filter|include)$/i;

/** Files that are deleted, or made unreadable, below a folder that must not be. */
function ofFiles(call: ShellCall, text: ShellCall, set: Assigned, places: Places): Danger | undefined {
  const base = call.via.includes("ssh") ? "?" : places.inner;
  const targets = targetsOf(text);
  // What stands in single quotes is a name, not a variable.
  const whole =
    targets !== undefined && text.literal && call.literal
      ? { ...targets, paths: targets.paths.filter((path) => !path.startsWith("$")) }
      : targets;
  const what =
    whole === undefined ? undefined : first(whole.paths, (path) => lossOf(path, base, places, whole.only));
  if (what !== undefined && whole !== undefined)
    return { call, what: `${whole.verb} ${what}`, ...(whole.only === "all" ? { paths: whole.paths } : {}) };
  if (whole === undefined || text.literal) return undefined;
  const names = whole.paths.map((path) => /^\$(?:\{(\w+)\}|(?:env:)?(\w+))(?=[/\\])/.exec(path));
  for (const match of names) {
    const name = match?.[1] ?? match?.[2];
    if (
      name === undefined ||
      (set.has(name) && set.get(name) !== "") ||
      /^(?:HOME|PWD|USERPROFILE)$/.test(name)
    )
      continue;
    const rest = match === null ? "" : match.input.slice(match[0].length);
    const loss = lossOf(rest, "?", places, "system");
    if (loss !== undefined) return { call, what: `${whole.verb} ${loss}`, variable: name };
  }
  return undefined;
}

interface Targets {
  readonly paths: readonly string[];
  readonly verb: string;
  /** Which places count. */
  readonly only: "all" | "system";
}

/** What a command would delete or change with all that lies below. */
function targetsOf(call: ShellCall): Targets | undefined {
  const has = (pattern: RegExp): boolean => call.flags.some((flag) => pattern.test(flag));
  if (has(/^-what(?:if)?$/i)) return undefined;
  const removed: Omit<Targets, "paths"> = { verb: "would delete", only: "all" };
  if (REMOVES.test(call.name)) {
    const isDeep = has(/^(?:[rR]|--recursive|-r\w*)$/i) || call.from.some((name) => LISTS.test(name));
    return isDeep ? { ...removed, paths: call.operands } : undefined;
  }
  if (/^(?:chmod|chown|chgrp)$/.test(call.name) && has(/^(?:R|--recursive)$/))
    return { verb: "would change the owner or the mode of", only: "system", paths: call.operands };
  if (call.name === "mv" && call.operands.at(-1) === "/dev/null")
    return { ...removed, paths: call.operands.slice(0, -1) };
  if (call.name === "shred") return { ...removed, paths: call.operands };
  if (call.name.toLowerCase() === "cmd") return { ...removed, paths: ofCmd(call.args) };
  return LISTS.test(call.name) && isDeletion(call) ? { ...removed, paths: foundIn(call) } : undefined;
}

function ofCmd(args: readonly string[]): string[] {
  const line = args.join(" ");
  if (!/\b(?:rd|rmdir|del|erase)\b.*\/s\b/i.test(line)) return [];
  return line.split(/\s+/).filter((word) => /^[A-Z]:/i.test(word));
}

function isDeletion(call: ShellCall): boolean {
  if (call.args.some((arg) => CHOOSES.test(arg))) return false;
  return (
    call.args.includes("-delete") || call.args.includes("rm") || call.into.some((name) => REMOVES.test(name))
  );
}

/** Where `find` looks: the words before its first switch. */
function foundIn({ name, args, operands }: ShellCall): readonly string[] {
  if (!/^g?find$/.test(name)) return operands.length === 0 ? ["."] : operands;
  const end = args.findIndex((arg) => /^[-(!]/.test(arg));
  const roots = end === -1 ? args : args.slice(0, end);
  return roots.length === 0 ? ["."] : roots;
}

function first<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

const SYSTEM =
  /^\/(?:bin|boot|dev|etc|home|lib|lib64|proc|sbin|sys|usr|var|Users|System|Library|Applications|Volumes|usr\/(?:bin|lib|lib64|sbin|share)|var\/lib)$/;
const DRIVE = /^(?:[A-Za-z]:|\/mnt\/[a-z]|\/[a-z])$/;
const WINDOWS =
  /^[A-Za-z]:\/(?:Windows|Windows\/System32|Users|Users\/[^/]+|Program Files(?: \(x86\))?|ProgramData)$/i;
const HOME = /^(?:~\w*|\/root|\/home\/[^/]+|\/Users\/[^/]+)$/;
const PERSONAL =
  /^(?:~|\/root|\/home\/[^/]+|\/Users\/[^/]+)\/(?:\.ssh|\.gnupg|\.aws|\.config|Documents|Desktop|Pictures|Downloads)$/;
const HISTORY = /^\.git(?:\/(?:objects|refs|logs))?$/;

/** What would be lost with a path; undefined where it is one of the many that may go. */
function lossOf(path: string, base: string, { cwd }: Places, only: Targets["only"]): string | undefined {
  const everything = path
    .replaceAll("\\", "/")
    .replace(/(^|\/)(?:\*|\*\*|\.\*|\*\.\*|\.\[!\.\]\*)\/?$/, "$1.");
  if (
    /[$`]/.test(
      everything.replace(
        /^\$(?:HOME|\{HOME\}|PWD|\{PWD\}|env:\w+|\(pwd\)|\(git rev-parse --show-toplevel\))/,
        "",
      ),
    )
  )
    return undefined;
  const isRelative = !/^(?:\/|~|[A-Za-z]:|\$)/.test(everything);
  if (isRelative && base === "?") return undefined;
  const place = resolved(everything, base);
  if (place === "/") return "everything on this machine";
  if (DRIVE.test(place)) return `everything on the drive ${place}`;
  if (SYSTEM.test(place) || WINDOWS.test(place)) return `${place}, which belongs to the system`;
  if (only === "system") return undefined;
  if (HOME.test(place)) return "a home folder with all that is in it";
  if (PERSONAL.test(place)) return `${place}, which is the person's own`;
  const own = cwd !== undefined && place.startsWith(`${cwd}/`) ? place.slice(cwd.length + 1) : place;
  if (HISTORY.test(own)) return "the history of the repository (.git)";
  const isAbove =
    /^\.\.(?:\/\.\.)*$/.test(place) || (cwd !== undefined && place !== "" && cwd.startsWith(`${place}/`));
  if (place === "" || place === cwd) return "the whole working folder, the repository with it";
  return isAbove ? "the folder above the repository" : undefined;
}
