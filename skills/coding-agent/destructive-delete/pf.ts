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
  /** The call in which that variable stands; the same call where it is left out. */
  readonly at?: ShellCall;
}

export default class DestructiveDelete extends ProgramFunction {
  shouldActivate(ctx: CodingContext, _actionType: ActionType): boolean {
    return ctx.command?.unread === true || dangersOf(ctx).length > 0;
  }

  intervene(ctx: CodingContext, _actionType: ActionType): Intervention {
    const dangers = dangersOf(ctx);
    const sure = dangers.find(({ variable }) => variable === undefined);
    if (sure !== undefined) {
      return refuse(
        `\`${shown(sure.call)}\` ${sure.what}, and there is no way back. It has not run, and nothing has changed. ` +
          "A command that names the one folder or file to remove passes. HASP found no request for exactly this in the person's latest prompt; a prompt with the command alone, or one that names exactly what to delete, counts as one.",
        sure.what,
      );
    }
    return ctx.command?.unread === true ? unreadable(ctx.command) : guarded(ctx, dangers);
  }
}

/** A command that is too long or too deep to be read may hold anything. */
function unreadable({ errors, source }: NonNullable<CodingContext["command"]>): Intervention {
  return refuse(
    `The command has ${source.length} characters and was not read whole (${errors[0] ?? "it copies too many values"}) It has not run: what nobody can read may delete anything. ` +
      "Split it into several calls, or write a long text into a file with the editing tool and run a short command.",
    "is too long or too deep to be checked",
  );
}

/** `"$DIR/"*` becomes `"${DIR:?}/"*`, which the shell refuses by itself when DIR is empty. */
function guarded(ctx: CodingContext, dangers: readonly Danger[]): Intervention {
  const [first] = dangers;
  const variable = first?.variable ?? "";
  const why = `if ${variable} is empty, \`${first === undefined ? "" : shown(first.call)}\` ${first?.what ?? ""}`;
  const seen = new Set<number>();
  const edits = dangers.flatMap(({ call: danger, at: call = danger, variable: name = "" }) => {
    if (call.range !== undefined && seen.size === seen.add(call.range.start).size) return [];
    const written =
      call.range === undefined ? "" : (ctx.command?.source ?? "").slice(call.range.start, call.range.end);
    const text = written.replace(
      new RegExp(`\\$(?:${name}(?!\\w)|\\{${name}\\})`, "g"),
      () => `\${${name}:?}`,
    );
    if (call.range === undefined) seen.add(-1 - seen.size);
    return call.range === undefined || text === written ? [] : [{ range: call.range, text }];
  });
  if (ctx.command?.dialect === "bash" && edits.length > 0 && edits.length === seen.size)
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
  const here: Places = {
    cwd: ctx.cwd?.replaceAll("\\", "/"),
    base: "",
    inner: "",
    made: madeIn(command.calls),
  };
  let there: Places = { ...REMOTE };
  const found = calls.flatMap((call) => {
    const text = wordsOf(call, set);
    // Each session on another machine begins in the home there.
    if (call.name === "ssh") there = { ...REMOTE };
    const places = call.via.includes("ssh") ? there : here;
    if (follow(text, places)) return [];
    const danger =
      ofDevice(text) ??
      ofBomb(text, command.source) ??
      ofContainer(text, places) ??
      ofOverwriting(text, places) ??
      ofFiles(call, text, set, places);
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
    "rm remove-item ri del erase rd rmdir unlink srm find gfind fd fdfind get-childitem gci dir ls chmod chown chgrp mv shred cmd dd cp tee " +
    "cd pushd chdir set-location push-location sl mke2fs mkswap wipefs blkdiscard sgdisk badblocks format format.com format-volume " +
    "clear-disk initialize-disk remove-partition ssh rsync tar docker podman truncate diskutil parted fdisk gdisk cfdisk cgdisk sfdisk " +
    "cryptsetup zpool zfs lvremove vgremove pvremove mdadm hdparm nvme nwipe scrub"
  ).split(" "),
);

function isRelevant({ name, place, into, redirects }: ShellCall): boolean {
  if (redirects.length > 0 || (place === "function" && into.length > 0)) return true;
  return LOOKED_AT.has(name.toLowerCase()) || /^(?:mkfs|newfs)/.test(name);
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
  /** A variable that the folder is named by, and the call that goes there: when it is empty, the shell stays where it is. */
  unsure?: { readonly call: ShellCall; readonly variable: string; readonly from: string } | undefined;
  /** Paths that the line itself makes. */
  readonly made: ReadonlySet<string>;
}

/** On another machine a session begins in the home; its folders are not the agent's. */
const REMOTE: Places = { cwd: undefined, base: "~", inner: "~", made: new Set() };
const MAKES =
  /^(?:mkdir|git|npx|npm|pnpm|yarn|unzip|virtualenv|python[\d.]*|uv|cargo|rails|django-admin|cp|tar|rsync)$/;

function madeIn(calls: readonly ShellCall[]): ReadonlySet<string> {
  return new Set(calls.flatMap(({ name, operands }) => (MAKES.test(name) ? operands : [])));
}

const GOES = /^(?:cd|pushd|chdir|set-location|push-location|sl)$/i;

/** Follows `cd`; true where the call was one. */
function follow(call: ShellCall, places: Places): boolean {
  const isTop = call.place === "top";
  if (isTop) places.inner = places.base;
  if (!GOES.test(call.name)) return false;
  const [target = "~"] = call.operands;
  const plain = placed(target);
  const variable = /^\$(?:\{(\w+)\}|(\w+))\/?$/.exec(plain);
  const name = variable?.[1] ?? variable?.[2];
  const next = /[$`]/.test(plain) ? "?" : resolved(plain, places.inner);
  places.unsure =
    name === undefined || HAS_VALUE.test(name) ? undefined : { call, variable: name, from: places.inner };
  places.inner = next;
  if (isTop) places.base = next;
  return true;
}

/** Variables that every shell has set. */
const HAS_VALUE = /^(?:HOME|PWD|OLDPWD|USER|LOGNAME|PATH|SHELL|USERPROFILE|UID|HOSTNAME|RANDOM)$/;

/** A path with the names of places in it: home is `~`, where the shell is `.`. */
function placed(target: string): string {
  return target
    .replaceAll("\\", "/")
    .replace(/^\$(?:HOME\b|\{HOME(?::?[-=?][^{}]*)?\}|env:(?:USERPROFILE|HOME)\b)/i, "~")
    .replace(/^(?:\$(?:env:SystemDrive|\{env:SystemDrive\})|%SystemDrive%)/i, "C:")
    .replace(/^(?:%USERPROFILE%|%HOMEPATH%|%HOMEDRIVE%%HOMEPATH%)/i, "~")
    .replace(/^(?:\$env:(?:SystemRoot|windir)|%(?:SystemRoot|windir)%)/i, "C:/Windows")
    .replace(
      /^(?:\$PWD\b|\$\{PWD(?::?[-=?][^{}]*)?\}|\$\((?:pwd(?: -[LP])?|git rev-parse --show-toplevel|realpath \.|readlink -f \.)\)|`(?:pwd|git rev-parse --show-toplevel)`)/,
      ".",
    )
    .replace(/^\$\(dirname "?(?:\$PWD|\$\{PWD\}|\$\(pwd\))"?\)/, "..")
    .replace(/^\$\(cd (?:-- )?"?([^\s"$()]+)"? && pwd(?: -[LP])?\)/, "$1")
    .replace(/\$(?:\{(?:USER|LOGNAME)\}|(?:USER|LOGNAME)\b)|\$\(whoami\)|`whoami`/g, "user");
}

/** A path without `.` and `..`, from the folder `base`; home is `~`, the agent's folder `""`. */
function resolved(path: string, base: string): string {
  const isRooted = /^(?:\/|~|[A-Za-z]:)/.test(path);
  const parts = (isRooted ? path : `${base}/${path}`).split("/");
  const isAbsolute = isRooted ? path.startsWith("/") : base.startsWith("/");
  const done: string[] = [];
  for (const part of parts) {
    if (part === "" || part === ".") continue;
    if (part === ".." && done.length === 1 && done[0] === "~") done.splice(0, 1, "/home");
    else if (part === ".." && done.length > 0 && done.at(-1) !== "..") done.pop();
    else if (part !== ".." || !isAbsolute) done.push(part);
  }
  return (isAbsolute ? "/" : "") + done.join("/");
}

const DISK = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|r?disk|mapper\/|dm-|md\d|root)|^\\\\\.\\PhysicalDrive/i;
const DISK_TOOLS = /^(?:mkfs(?:\.\w+)?|newfs(?:_\w+)?|mke2fs|mkswap|blkdiscard|shred|nwipe|scrub|truncate)$/;
const DISK_CMDLETS = /^(?:format-volume|clear-disk|initialize-disk|remove-partition)$/i;
const PARTITIONS = /^(?:s|g|f|c|cg)?fdisk$|^sgdisk$/;
/** Switches with which a tool for partitions only shows them, or writes them into a file. */
const SHOWS =
  /^(?:l|d|p|i|v|s|V|h|x|b|F|J|A|g|O|E|--(?:list|dump|print|info|verify|version|help|json|show-\w+|backup|test|no-act))$/;
/** Tools that can erase a disk, a volume or a pool, each with the arguments that do it. */
const ERASES: Readonly<Record<string, RegExp>> = {
  diskutil:
    /^(?:erase(?:disk|volume|optical)|partitiondisk|(?:zero|random|reformat)(?:disk)?|secureerase|splitpartition|mergepartitions|(?:apfs|ap) (?:delete|erase)\w*|(?:cs|corestorage|appleraid) delete\w*)\b/i,
  parted: /\b(?:mklabel|mktable|mkpart|rm|resizepart|mkfs|mkpartfs)\b/,
  cryptsetup: /\b(?:luksFormat|luksErase|erase|reencrypt)\b/,
  zpool: /^(?:destroy|labelclear)\b/,
  zfs: /^destroy (?!.*@)/,
  nvme: /^(?:format|sanitize)\b/,
  mdadm: /--zero-superblock/,
  hdparm: /--(?:security-erase|trim-sector-ranges|yes-i-know)/,
  lvremove: /./,
  vgremove: /./,
  pvremove: /./,
  wipefs: /(?:^|\s)(?:-\w*[ao]|--(?:all|offset))/,
  badblocks: /(?:^|\s)-\w*[wn].*\/dev\//,
};

/** Disks that are formatted, divided or written over. */
function ofDevice(call: ShellCall): Danger | undefined {
  const what = "would overwrite a disk";
  const into = call.redirects.some(({ op, target }) => /^&?>/.test(op) && DISK.test(target));
  const written = call.args.some((arg) => /^of=/.test(arg) && DISK.test(arg.slice(3)));
  // `-n` of shred is how often, of the others a dry run.
  const isDry =
    (!/^(?:shred|badblocks)$/.test(call.name) && call.flags.includes("n")) ||
    call.flags.some((flag) => /^(?:--no-act|--test|--dryrun|--help|--version|-whatif)$/i.test(flag));
  const hasDisk = call.operands.some((word) => DISK.test(word));
  const isTool = DISK_TOOLS.test(call.name) && !isDry && hasDisk;
  const isCopy = /^(?:cp|tee)$/.test(call.name) && DISK.test(call.operands.at(-1) ?? "");
  if (into || written || isTool || isCopy) return { call, what };
  if (DISK_CMDLETS.test(call.name) && !isDry) return { call, what: "would erase a disk" };
  const isDivided =
    PARTITIONS.test(call.name) && hasDisk && !isDry && !call.flags.some((flag) => SHOWS.test(flag));
  if (isDivided) return { call, what: "would change the partitions of a disk" };
  const rest =
    ERASES[call.name]?.test((call.name === "parted" ? call.operands : call.args).join(" ")) === true;
  if (rest && !isDry) return { call, what: "would erase a disk or a volume" };
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
const LISTS = /^(?:g?find|fd|fdfind|get-childitem|gci|dir|ls)$/i;
/** What makes `find` choose among what it finds. */
const CHOOSES =
  /^-(?:i?name|i?path|i?regex|mtime|mmin|atime|amin|ctime|cmin|newer\w*|size|empty|user|group|perm|links|inum|samefile|fstype|filter|include)$/i;

/** Files that are deleted, or made unreadable, below a folder that must not be. */
function ofFiles(call: ShellCall, text: ShellCall, set: Assigned, places: Places): Danger | undefined {
  const targets = targetsOf(text);
  // What stands in single quotes is a name, not a variable.
  const whole =
    targets !== undefined && text.literal && call.literal
      ? { ...targets, paths: targets.paths.filter((path) => !path.startsWith("$")) }
      : targets;
  if (whole === undefined) return undefined;
  const what = first(whole.paths, (path) => lossOf(path, places.inner, places, whole.only));
  if (what !== undefined)
    return { call, what: `${whole.verb} ${what}`, ...(whole.only === "all" ? { paths: whole.paths } : {}) };
  return ofEmpty(call, whole, set, places);
}

/** The loss if a variable is empty: `$DIR/*`, `/opt/$NAME`, `cd "$DIR" && rm -rf *`. */
function ofEmpty(
  call: ShellCall,
  { paths, verb, only }: Targets,
  set: Assigned,
  places: Places,
): Danger | undefined {
  if (only === "one") return undefined;
  const isOpen = (name: string): boolean => (!set.has(name) || set.get(name) === "") && !HAS_VALUE.test(name);
  const { unsure } = places;
  if (unsure !== undefined && isOpen(unsure.variable)) {
    const loss = first(paths, (path) => lossOf(path, unsure.from, places, only));
    if (loss !== undefined)
      return { call, what: `${verb} ${loss}`, variable: unsure.variable, at: unsure.call };
  }
  for (const written of call.literal ? [] : paths) {
    const path = placed(written);
    const [, name = "", rest = ""] =
      /^\$(?:env:)?(?:(?=\{\w+\})\{)?(\w+)\}?([/\\].*)$/.exec(path) ??
      /^[^$`]*[/\\]\$\{?(\w+)\}?()(?:[/\\]\*?)?$/.exec(path) ??
      [];
    if (name === "" || !isOpen(name)) continue;
    const emptied = rest === "" ? path.slice(0, path.indexOf("$")) : rest;
    const loss = lossOf(emptied.replace(/\$\{?\w+\}?(?=\/|$)/g, ""), "?", places, "empty");
    if (loss !== undefined) return { call, what: `${verb} ${loss}`, variable: name };
  }
  return undefined;
}

/** Files by which people get in, or their shell starts, are lost as much where something else is written into them. */
const KEPT_FILE =
  /^\/etc\/(?:passwd|shadow|group|gshadow|sudoers|fstab)$|^(?:~\w*|\/root|\/home\/[^/]+|\/Users\/[^/]+)\/(?:\.(?:bash|zsh)(?:rc|_history)|\.z?profile|\.bash_profile|\.zshenv|\.ssh\/(?:authorized_keys|id_\w+))$/;

function ofOverwriting(call: ShellCall, { inner }: Places): Danger | undefined {
  for (const { op, target } of call.redirects) {
    const place = /^&?>\|?$/.test(op) ? resolved(placed(target), inner) : "";
    if (KEPT_FILE.test(place)) return { call, what: `would overwrite ${place}` };
  }
  return undefined;
}

interface Targets {
  readonly paths: readonly string[];
  readonly verb: string;
  /** Which places count: all of them, those of the system, what an empty variable leaves, single files, or where a copy may go. */
  readonly only: "all" | "system" | "empty" | "one" | "copy";
}

/** What a command would delete or change with all that lies below. */
function targetsOf(call: ShellCall): Targets | undefined {
  const has = (pattern: RegExp): boolean => call.flags.some((flag) => pattern.test(flag));
  if (has(/^-what(?:if)?$/i)) return undefined;
  const removed: Omit<Targets, "paths"> = { verb: "would delete", only: "all" };
  if (REMOVES.test(call.name)) {
    const isDeep =
      has(/^(?:[rR]|--recursive|-r\w*|--no-preserve-root)$/i) ||
      (/^(?:rd|rmdir|del|erase)$/i.test(call.name) && call.operands.some((word) => /^\/s$/i.test(word))) ||
      call.from.some((name) => LISTS.test(name));
    // `rm -f /*` and `rm ~/.[!.]*` go no deeper, and yet leave little.
    const isAll = call.operands.some((word) => /[/\\]\*$/.test(word));
    // Switches of `rd` look like drives.
    const paths = /^(?:rd|rmdir|del|erase)$/i.test(call.name)
      ? call.operands.filter((word) => !/^\/[a-z]$/i.test(word))
      : call.operands;
    return { ...removed, only: isDeep || isAll ? "all" : "one", paths };
  }
  if (/^(?:chmod|chown|chgrp)$/.test(call.name) && has(/^(?:R|--recursive)$/))
    return { verb: "would change the owner or the mode of", only: "system", paths: call.operands };
  if (call.name === "mv" && call.operands.at(-1) === "/dev/null")
    return { ...removed, paths: call.operands.slice(0, -1) };
  if (call.name === "shred") return { ...removed, paths: call.operands };
  if (call.name === "tar" && has(/^--remove-files$/)) return { ...removed, paths: call.operands };
  if (call.name === "rsync" && has(/^--(?:delete(?:-\w+)*|del)$/) && !has(/^(?:n|--dry-run)$/))
    return { ...removed, only: "copy", paths: call.operands.slice(-1) };
  if (call.name.toLowerCase() === "cmd") return { ...removed, paths: ofCmd(call.args) };
  return LISTS.test(call.name) && isDeletion(call) ? { ...removed, paths: foundIn(call) } : undefined;
}

function ofCmd(args: readonly string[]): string[] {
  const line = args.join(" ");
  if (!/\b(?:rd|rmdir|del|erase)\b.*\/s\b/i.test(line)) return [];
  return line
    .replaceAll('"', "")
    .split(/\s+/)
    .filter((word) => /^(?:[A-Z]:|%\w+%)/i.test(word));
}

/** Whether all that is found is deleted. */
function isDeletion(call: ShellCall): boolean {
  const { name, args, into } = call;
  const isFd = /^fd(?:find)?$/.test(name);
  const isRun = args.some((arg) =>
    (isFd ? /^(?:-x|-X|--exec|--exec-batch)$/ : /^-(?:exec|ok)(?:dir)?$/).test(arg),
  );
  const removes =
    isRun && args.some((arg) => /^(?:\S*\/)?(?:rm|shred|unlink|srm)$|\b(?:rm|shred|unlink)\s/.test(arg));
  const chooses = isFd
    ? args.some((arg) =>
        /^(?:-[eEgtSd]|--(?:extension|exclude|glob|type|size|changed-\w+|max-depth))/.test(arg),
      )
    : args.some(
        (arg, i) =>
          CHOOSES.test(arg) && !/^(?:!|-not)$/.test(args[i - 1] ?? "") && !/^\.?\*$/.test(args[i + 1] ?? ""),
      ) ||
      (args.includes("-maxdepth") && !args.some((arg) => /^-\w*[rR]\w*$/.test(arg) && removes));
  return !chooses && (args.includes("-delete") || removes || into.some((other) => REMOVES.test(other)));
}

/** Where `find` looks: the words before its first switch. `fd` has a pattern before them. */
function foundIn({ name, args, operands }: ShellCall): readonly string[] {
  if (/^fd(?:find)?$/.test(name)) {
    const at = args.findIndex((arg) => /^(?:-x|-X|--exec|--exec-batch)$/.test(arg));
    const [pattern = ".", ...roots] = args
      .slice(0, at === -1 ? args.length : at)
      .filter((arg) => !arg.startsWith("-"));
    if (!/^(?:\.|\.\*|\^)?$/.test(pattern)) return [];
    return roots.length === 0 ? ["."] : roots;
  }
  if (!/^g?find$/.test(name)) return operands.length === 0 ? ["."] : operands;
  const end = args.findIndex((arg) => /^[-(!]/.test(arg));
  const roots = end === -1 ? args : args.slice(0, end);
  return roots.length === 0 ? ["."] : roots;
}

/** A container that has a folder of this machine, and deletes it there. */
function ofContainer(call: ShellCall, places: Places): Danger | undefined {
  if (!/^(?:docker|podman|nerdctl)$/.test(call.name) || !/^(?:run|create)$/.test(call.operands[0] ?? ""))
    return undefined;
  const line = call.args.join(" ");
  if (!/\b(?:rm\s+(?:-\w+\s+)*-\w*[rR]|rm\s+--recursive|find\b.*(?:-delete|\brm\b))/.test(line))
    return undefined;
  const mounts = call.args.flatMap((arg, i) => {
    const isValue = /^(?:-v|--volume|--mount)$/.test(call.args[i - 1] ?? "");
    const text = isValue ? arg : (/^(?:-v|--(?:volume|mount)=)(.+)$/.exec(arg)?.[1] ?? "");
    const [, source, target] =
      /(?:source|src)=([^,]+).*?(?:target|dst|destination)=([^,]+)/.exec(text) ??
      /^([^:]+):([^:]+)/.exec(text) ??
      [];
    return source === undefined || target === undefined
      ? []
      : [{ source, target: target.replace(/\/+$/, "") }];
  });
  for (const word of line.split(/[\s"';&|]+/)) {
    const mount = mounts.find(({ target }) => word === target || word.startsWith(`${target}/`));
    // The mount itself is named before the command.
    if (mount === undefined) continue;
    const path = `${mount.source.replace(/\/+$/, "")}${word.slice(mount.target.length)}`;
    const loss = lossOf(path === "" ? "/" : path, places.inner, places, "all");
    if (loss !== undefined) return { call, what: `would delete ${loss}` };
  }
  return undefined;
}

function first<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Folders that belong to the system, whoever owns them. */
const SYSTEM =
  /^\/(?:bin|boot|dev|etc|home|lib|lib32|lib64|media|mnt|nix|opt|proc|root|run|sbin|snap|srv|sys|usr|var|Users|System|Library|Applications|Volumes|private|usr\/(?:bin|include|lib|lib32|lib64|libexec|sbin|share|src|local)|usr\/local\/(?:bin|etc|include|lib|opt|sbin|share|var|Cellar|Homebrew)|var\/(?:backups|db|lib|log|mail|opt|snap|spool|www)|nix\/store|opt\/(?:homebrew|local))$/;
/** Direct children of these folders are programs, or hold the data of one. */
const SYSTEM_PART =
  /^\/(?:etc|boot|bin|sbin|lib|lib64|media|mnt|opt|srv|System|Library|Applications|Volumes|usr\/(?:bin|sbin|lib|lib64|libexec)|var\/(?:lib|db|mail|spool))\/[^/]+$|^\/(?:boot|System)\//;
/** Single files without which the system does not start, or lets nobody in. */
const SYSTEM_FILE = /^\/(?:etc|bin|sbin|lib|lib64|usr\/(?:bin|sbin|lib|lib64))\/[^/]+$|^\/boot\//;
const DRIVE = /^(?:[A-Za-z]:|\/mnt\/[a-z]|\/[a-z])$/;
/** How a drive of Windows is named in WSL and in Git Bash. */
const MOUNTED_DRIVE = /^\/(?:mnt\/)?([a-z])\//;
const WINDOWS =
  /^[A-Za-z]:\/(?:Windows(?:\/.*)?|Users|Users\/(?:Public|Default)|Program Files(?: \(x86\))?(?:\/[^/]+)?|ProgramData(?:\/[^/]+)?)$/i;
const HOME = /^(?:~\w*|\/root|\/home\/[^/]+|\/Users\/[^/]+|[A-Za-z]:\/Users\/[^/]+)$/i;
const IN_HOME = /^(?:~\w*|\/root|\/home\/[^/]+|\/Users\/[^/]+|[A-Za-z]:\/Users\/[^/]+)\/(.+)$/i;
/** Folders directly in a home that programs fill again, or that hold what was built or is meant to go. */
const FILLED_AGAIN =
  /^(?:\.cache|\.npm|\.yarn|\.pnpm-\w+|\.gradle|\.m2|\.ivy2|\.sbt|\.nuget|\.cocoapods|\.expo|\.node-gyp|\.electron|\.\w+[_-]cache|\.tox|\.bundle|\.composer|\.pub-cache|\.dartServer|\.deno|\.ccache|\.conan2?|\.hex|\.Trash|\.venv|\.nv|\.parallel|\.tmp|\.temp|tmp|temp|venv|env|build|dist|out|target|node_modules|scratch)$/i;
/** Folders deeper in a home that hold what is a person's own. */
const OWN_PART =
  /^(?:\.local\/(?:share|state|bin)|\.config\/(?:git|gh|gcloud)|Library\/(?!Caches$|Logs$|Developer$)[^/]+|AppData(?:\/(?:Local|LocalLow|Roaming))?|\.(?:ssh|gnupg|aws|kube|password-store)\/.+)$/i;
/** Single files in a home by which a person gets in, or their shell starts. */
const OWN_FILE =
  /^(?:\.(?:bash|zsh|z)(?:rc|env|profile|_profile|_login|_history|_aliases)|\.profile|\.gitconfig|\.netrc|\.pgpass|\.npmrc|\.pypirc|\.vimrc|\.tmux\.conf|\.ssh\/(?:id_\w+|authorized_keys|config|known_hosts|\*)|\.gnupg\/.+|\.aws\/(?:credentials|config)|\.kube\/config)$/;
const HISTORY = /^\.git(?:\/(?:objects|refs|logs))?$/;

const HERE_NAMED = /\$\(basename "?(?:\$PWD|\$\{PWD\}|\$\(pwd\))"?\)/;

/** What would be lost with a path; undefined where it is one of the many that may go. */
function lossOf(path: string, base: string, places: Places, only: Targets["only"]): string | undefined {
  const { cwd, made } = places;
  const everything = placed(path.replace(HERE_NAMED, cwd?.split("/").at(-1) ?? "$&")).replace(
    /(^|\/)(?:\*|\*\*|\.\*|\*\.\*|\.\?\*|\.\??\[!\.\]\*|\.\[\^\.\]\*|\.\?\?\*)\/?$/,
    "$1.",
  );
  if (/[$`]/.test(everything)) return undefined;
  const isRelative = !/^(?:\/|~|[A-Za-z]:)/.test(everything);
  if (isRelative && base === "?") return undefined;
  const remote = /^[\w.@-]+:(?=\/|~|$)/.exec(everything);
  const isCopyOut = only === "copy" && remote !== null && !/^[A-Za-z]:/.test(everything);
  const written = isCopyOut ? everything.slice(remote[0].length) : everything;
  const place = resolved(written, isCopyOut ? "~" : base).replace(/^\/private\/(?=etc|var|tmp)/, "/");
  if (only === "one") return lossOfFile(place);
  if (place === "/") return "everything on this machine";
  if (DRIVE.test(place) && !(only === "empty" && /^\/[a-z]$/.test(place)))
    return `everything on the drive ${place}`;
  // Copies of a home or of a site are kept there.
  if (only === "copy" && /^\/(?:mnt|media|Volumes|srv|opt|backup|var\/www)\b/.test(place)) return undefined;
  if (SYSTEM.test(place) || WINDOWS.test(place.replace(MOUNTED_DRIVE, "$1:/")))
    return `${place}, which belongs to the system`;
  if (only === "system") return undefined;
  if (HOME.test(place)) {
    const isHere = place === cwd;
    return isHere
      ? "the whole working folder, the repository with it"
      : "a home folder with all that is in it";
  }
  if (only === "empty") return undefined;
  const own = cwd !== undefined && place.startsWith(`${cwd}/`) ? place.slice(cwd.length + 1) : place;
  if (HISTORY.test(own)) return "the history of the repository (.git)";
  const isAbove =
    /^\.\.(?:\/\.\.)*$/.test(place) || (cwd !== undefined && place !== "" && cwd.startsWith(`${place}/`));
  const isWhole = place === "" || place === cwd || (isRelative && base === "" && isBack(place, cwd));
  if (isWhole) return "the whole working folder, the repository with it";
  if (isAbove) return "the folder above the repository";
  if (own !== place || made.has(path)) return undefined;
  if (SYSTEM_PART.test(place)) return `${place}, which belongs to the system`;
  // A session on another machine begins in a home folder whose name is not known here.
  const isHere = isRelative && (base === "" || cwd === undefined);
  return isHere ? undefined : lossInHome(place);
}

/** `../shop` from within `shop`. */
function isBack(place: string, cwd: string | undefined): boolean {
  const [, up = "", name = ""] = /^((?:\.\.\/)+)([^/.][^/]*)$/.exec(place) ?? [];
  return cwd !== undefined && up === "../" && cwd.split("/").at(-1) === name;
}

/** A folder of a home that is a person's own: all that lies directly in it and is not filled again by programs. */
function lossInHome(place: string): string | undefined {
  const [, within = ""] = IN_HOME.exec(place) ?? [];
  if (within === "") return undefined;
  const isOwn = within.includes("/") ? OWN_PART.test(within) : !FILLED_AGAIN.test(within);
  return isOwn ? `${place}, which is the person's own` : undefined;
}

function lossOfFile(place: string): string | undefined {
  if (SYSTEM_FILE.test(place)) return `${place}, which belongs to the system`;
  const [, within = ""] = IN_HOME.exec(place) ?? [];
  return OWN_FILE.test(within) ? `${place}, which is the person's own` : undefined;
}
