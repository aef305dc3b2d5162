import {
  askedFor,
  changeCommand,
  gitCall,
  ProgramFunction,
  refuse,
  type ActionType,
  type CodingContext,
  type Intervention,
  type ShellCall,
} from "hasp";

/** A command of git that throws work away. */
interface Loss {
  readonly call: ShellCall;
  readonly what: string;
  /** What would do instead. */
  readonly instead: string;
  /** How a person asks for it in plain words. */
  readonly words: readonly string[];
  readonly things?: Readonly<Record<string, readonly string[]>>;
  /** The same command without the loss. */
  readonly milder?: string;
}

/** What HASP knows about the wish for it, and no more. */
const UNASKED =
  "HASP found no request for exactly this in the person's latest prompt; a prompt with the command alone counts as one.";

export default class DiscardingWork extends ProgramFunction {
  shouldActivate(ctx: CodingContext, _actionType: ActionType): boolean {
    return lossesOf(ctx).length > 0;
  }

  intervene(ctx: CodingContext, _actionType: ActionType): Intervention {
    const losses = lossesOf(ctx);
    const edits = losses.flatMap(({ call: { range }, milder }) =>
      range === undefined || milder === undefined ? [] : [{ range, text: milder }],
    );
    const [first] = losses;
    const what = first?.what ?? "discards work";
    if (edits.length === losses.length)
      return changeCommand(ctx, edits, `${what}; -d deletes only a branch whose commits are elsewhere too`);
    const worst = losses.find(({ milder }) => milder === undefined) ?? first;
    return refuse(
      `\`${worst === undefined ? "" : shown(worst.call)}\` has not run: it ${worst?.what ?? what}. ${worst?.instead ?? ""} ${UNASKED}`,
      worst?.what ?? what,
    );
  }
}

function shown({ name, args }: ShellCall): string {
  return [name, ...args].join(" ").slice(0, 120);
}

function lossesOf(ctx: CodingContext): Loss[] {
  const calls = ctx.command?.calls ?? [];
  const source = ctx.command?.source ?? "";
  let isElsewhere = false;
  let isSaved = false;
  return calls.flatMap((call) => {
    if (/^(?:cd|pushd|set-location)$/i.test(call.name)) isElsewhere = isScratch(call.operands[0] ?? "");
    const git = gitOf(call);
    if (git === undefined) return [];
    if (savesWork(git)) isSaved = true;
    if (isElsewhere || isScratch(git.folder ?? "") || git.args.includes("--help")) return [];
    const loss = RULES[git.command]?.(git.args.map(inFull), { call, source, isSaved, ctx });
    return loss === undefined || isAsked(ctx, call, loss) ? [] : [{ ...loss, call }];
  });
}

/** The person wrote out the command, or asked in plain words for a loss in their own folder. */
function isAsked(ctx: CodingContext, call: ShellCall, { words, things = {} }: Omit<Loss, "call">): boolean {
  if (askedFor(ctx, { call })) return true;
  const calls = ctx.command?.calls ?? [];
  const moves = calls
    .slice(0, calls.indexOf(call))
    .some(({ name, operands }) => GOES.test(name) && operands[0] !== ctx.cwd);
  const isHere = !moves && gitCall(call)?.folder === undefined && call.via.length === 0;
  return isHere && Object.keys(call.env).length === 0 && askedFor(ctx, { words, things });
}

const GOES = /^(?:cd|pushd|popd|chdir|set-location|push-location|sl)$/i;

type Git = NonNullable<ReturnType<typeof gitCall>>;

/** The command of git; that which `git submodule foreach` runs in each of them. */
function gitOf(call: ShellCall): Git | undefined {
  const git = gitCall(call);
  if (git?.command !== "submodule" || git.args[0] !== "foreach") return git;
  const words = git.args.slice(1).join(" ").split(/\s+/);
  const [name = "", ...args] = words.filter((word, i) => i > 0 || word !== "--recursive");
  return gitCall({ name, args });
}

const SWITCHES =
  "--force --hard --discard-changes --staged --worktree --dry-run --interactive --delete --reset".split(" ");

/** Git takes the beginning of a long switch for all of it. */
function inFull(arg: string): string {
  return /^--[a-z-]{2,}$/.test(arg) ? (SWITCHES.find((one) => one.startsWith(arg)) ?? arg) : arg;
}

function savesWork({ command, args }: Git): boolean {
  if (command === "commit") return !args.includes("--dry-run");
  return command === "stash" && (args.length === 0 || /^(?:push|save|-)/.test(args[0] ?? ""));
}

/** The agent saved everything after its last edit: nothing is left to lose. */
function isKept({ isSaved, ctx: { commands, lastEditAt = -1 } }: Known): boolean {
  return (
    isSaved ||
    commands.some(
      ({ t, command, ok }) =>
        t > lastEditAt &&
        ok !== false &&
        /\bgit\s+(?:commit\b|stash(?:\s+(?:push|save|-)|\s*$|\s*&&))/.test(command),
    )
  );
}

/** A clone in a folder for throwing away. */
function isScratch(folder: string): boolean {
  return /^(?:\/tmp|\/var\/tmp|\$TMPDIR|\$env:TEMP|\$\(mktemp)/i.test(folder);
}

interface Known {
  readonly call: ShellCall;
  readonly source: string;
  /** Something earlier in the line keeps the work. */
  readonly isSaved: boolean;
  readonly ctx: CodingContext;
}

type Rule = (args: readonly string[], known: Known) => Omit<Loss, "call"> | undefined;

const VERB = "discard|throw_away|throw_out|drop|undo|revert|wipe|get_rid_of|reset";
const KIND = "uncommitted|local|unstaged|unsaved|current|pending|tracked";
/** Ways to speak of everything that is not committed. */
const DISCARD: readonly string[] = [
  `${VERB} ${KIND}? ${KIND}? changes|edits|modifications`,
  `${VERB} uncommitted|unstaged work`,
  `${VERB} ${KIND}? changes|edits|modifications you|we|i made|did`,
  "throw uncommitted|local|unstaged? changes|edits|work away",
  "reset|clean|restore working_tree|worktree|working_copy|working_directory",
];
const STASH_FIRST =
  "`git stash push --include-untracked` puts the changes aside, and after that it passes; `git diff` shows what they are.";

const RULES: Readonly<Record<string, Rule>> = {
  reset: (args, known) =>
    args.some((arg) => arg === "--hard") && !isKept(known)
      ? {
          what: "throws away every change that is not committed",
          instead: `${STASH_FIRST} \`git reset --keep <commit>\` moves the branch and leaves changed files alone.`,
          ...resetWords(args.filter((arg) => !arg.startsWith("-"))),
        }
      : undefined,
  clean: ofClean,
  checkout: (args, known) => {
    const before = args.slice(0, args.indexOf("--") === -1 ? args.length : args.indexOf("--"));
    // In `-bname` the letters after `-b` are the name of a branch, and no switches.
    const isForced = hasLetter(
      before.filter((arg) => !/^-[bB]./.test(arg)),
      "f",
      "--force",
    );
    // In a merge they choose a side, of files in conflict alone.
    const isMerge = before.some((arg) => /^--(?:ours|theirs|merge|conflict=.*)$/.test(arg));
    const isAll = !isMerge && (namesAll(args) || namesFolders(pathsOf(args), known));
    return (isForced || isAll) && !isKept(known) ? discardsTree(args) : undefined;
  },
  switch: (args, known) =>
    hasLetter(args, "f", "--force", "--discard-changes") && !isKept(known) ? discardsTree(args) : undefined,
  restore: (args, known) => {
    const staysInIndex = hasLetter(args, "S", "--staged") && !hasLetter(args, "W", "--worktree");
    const isMerge = args.some((arg) => /^--(?:ours|theirs|merge)$/.test(arg));
    if (staysInIndex || isMerge || isKept(known)) return undefined;
    const paths = args.filter(
      (arg, i) => !arg.startsWith("-") && !/^(?:-s|--source)$/.test(args[i - 1] ?? ""),
    );
    return namesAll(args) || namesFolders(paths, known) ? discardsTree(args) : undefined;
  },
  "read-tree": (args, known) =>
    args.includes("--reset") && hasLetter(args, "u") && !isKept(known) ? discardsTree(args) : undefined,
  "checkout-index": (args, known) =>
    hasLetter(args, "f", "--force") && hasLetter(args, "a", "--all") && !isKept(known)
      ? discardsTree(args)
      : undefined,
  rm: (args, known) =>
    hasLetter(args, "f", "--force") && !args.includes("--cached") && namesAll(args) && !isKept(known)
      ? {
          what: "deletes all files, those with changes too",
          instead: STASH_FIRST,
          words: [],
        }
      : undefined,
  stash: ofStash,
  branch: ofBranch,
  worktree: (args) =>
    args[0] === "remove" && args.some((arg) => /^(?:-f|-ff|--force)$/.test(arg))
      ? {
          what: "removes a worktree with the changes in it that are not committed",
          instead: "Without `--force` git itself stops where there are such changes.",
          words: ["remove|delete|drop {path}"],
          things: { path: args.slice(1).filter((arg) => !arg.startsWith("-")) },
        }
      : undefined,
  reflog: (args) =>
    args[0] === "expire" && args.some((arg) => /^--expire(?:-unreachable)?=(?:now|all|0)/.test(arg))
      ? forgets()
      : undefined,
  gc: (args) => (args.some((arg) => /^--prune=(?:now|all|0)/.test(arg)) ? forgets() : undefined),
  prune: (args) => (args.some((arg) => /^(?:-n|--dry-run)$/.test(arg)) ? undefined : forgets()),
  "filter-branch": () => ({
    what: "writes every commit of the branch anew",
    instead: "In a clone below /tmp it can be tried; `git revert` takes a single commit back.",
    words: [],
  }),
  "update-ref": (args, { ctx }) => {
    const [ref = ""] = args.filter((arg) => !arg.startsWith("-"));
    const name = ref.replace(/^refs\/heads\//, "");
    const isBranch = ref === "HEAD" || ref.startsWith("refs/heads/") || ref.startsWith("refs/stash");
    const isOwn = ctx.commands.some(({ command }) => madeBranch(command, name));
    return args.includes("-d") && isBranch && !isOwn
      ? { what: `deletes ${ref} even where its commits are nowhere else`, instead: BRANCH_D, words: [] }
      : undefined;
  },
};

const forgets = (): Omit<Loss, "call"> => ({
  what: "takes away the last way back to commits and stashes that no branch has",
  instead: "Git does so by itself after some weeks.",
  words: [],
});
const BRANCH_D = "`git branch -d` deletes a branch whose commits are elsewhere too.";

/** Whether one of these letters stands in a cluster of switches, or one of the long switches among the words. */
function hasLetter(args: readonly string[], letters: string, ...long: readonly string[]): boolean {
  return args.some(
    (arg) =>
      long.includes(arg) || (/^-[a-zA-Z]+$/.test(arg) && [...letters].some((letter) => arg.includes(letter))),
  );
}

/** The paths of a checkout: behind `--`, behind a commit, or what no branch can be named. */
function pathsOf(args: readonly string[]): readonly string[] {
  const end = args.indexOf("--");
  if (end !== -1) return args.slice(end + 1);
  const words = args.filter((arg) => !arg.startsWith("-"));
  if (hasLetter(args, "bBt", "--orphan", "--track", "--detach")) return [];
  return words.length > 1 ? words.slice(1) : words.filter((word) => /\/$|[*?[]/.test(word));
}

/** Folders whose files a build makes anew. */
const BUILT =
  /(?:^|\/)(?:dist|build|out|target|coverage|node_modules|vendor|\.next|\.nuxt|__pycache__|\.cache|generated)\/?$/;
const NO_FOLDER =
  /\.[^/.]+$|^(?:.*\/)?(?:\.[^/]+|[A-Z][A-Z0-9_-]*|(?:Make|Docker|Gem|Pip|Rake|Proc|Just|Vagrant|Jenkins)file|go|gradlew|mvnw|CODEOWNERS)$/;

/** Whole folders and patterns among paths, and what `xargs` brings: nobody has named the files. */
function namesFolders(paths: readonly string[], { call, ctx }: Known): boolean {
  if (call.via.includes("xargs") && paths.length === 0) return true;
  return paths.some(
    (path) =>
      !BUILT.test(path) &&
      !path.includes("$") &&
      (/\/$|[*?[]/.test(path) ||
        !NO_FOLDER.test(path) ||
        ctx.files.some((file) => file.path.startsWith(`${path}/`))),
  );
}

/** `git reset --hard` drops the changes; with a commit it moves the branch as well, and then they have to name that commit. */
function resetWords(refs: readonly string[]): Pick<Loss, "words" | "things"> {
  const [ref = "HEAD"] = refs;
  if (ref === "HEAD") return { words: DISCARD };
  return {
    words: [
      "reset|hard-reset|hard_reset branch|it|everything|repo|repository? hard? to {name}",
      "do a? hard reset to {name}",
      "discard|throw_away|drop local|uncommitted? changes|commits and reset|go hard? back? to {name}",
    ],
    things: { name: [ref] },
  };
}

/** With a commit or a branch among its words the files change to that one, which is another wish. */
function discardsTree(args: readonly string[]): Omit<Loss, "call"> {
  const others = args.filter((arg) => !arg.startsWith("-") && !namesAll([arg]) && arg !== "HEAD");
  return {
    what: "puts all files back as they were committed, and what was changed since is gone",
    instead: `${STASH_FIRST} With the names of single files it passes.`,
    words: others.length === 0 ? DISCARD : [],
  };
}

/** The whole folder in place of names of files. */
function namesAll(args: readonly string[]): boolean {
  return args.some((arg) =>
    /^(?:\.\/?|:\/|:\/\*?|\*|:\(top\)\.?|\$\(git rev-parse --show-toplevel\))$/.test(arg),
  );
}

function ofClean(all: readonly string[], { call }: Known): ReturnType<Rule> {
  const args = all.filter((_, i) => !/^(?:-[a-zA-Z]*e|--exclude)$/.test(all[i - 1] ?? ""));
  const letters = args.flatMap((arg) => (/^-[a-zA-Z]+$/.test(arg) ? arg.slice(1).split("") : []));
  const isDone =
    letters.includes("f") ||
    args.includes("--force") ||
    call.args.some((arg) => /^clean\.requireForce=(?:false|no|off|0)$/i.test(arg));
  const isAsked =
    letters.some((letter) => letter === "n" || letter === "i") ||
    args.some((arg) => /^--(?:dry-run|interactive)$/.test(arg));
  const isLimited = args.some((arg) => !arg.startsWith("-") && !namesAll([arg]));
  // -X alone removes what is ignored: what a build makes anew.
  if (!isDone || isAsked || isLimited || letters.includes("X")) return undefined;
  return {
    what: "deletes files that git does not know, of which it keeps no copy",
    instead:
      "`git clean -nd` lists them; with the folder named (`git clean -fd build/`) it passes; `git stash push --include-untracked` keeps them.",
    words: letters.includes("x")
      ? [
          "remove|delete|clean|clean_up untracked and ignored files|folders?",
          "remove|delete|clean|clean_up ignored and untracked files|folders?",
        ]
      : [
          "remove|delete|clean|clean_up|discard|throw_away|get_rid_of untracked files|folders? and? folders|directories?",
        ],
  };
}

function ofStash(args: readonly string[], { ctx, source }: Known): ReturnType<Rule> {
  const [command = ""] = args;
  if (command !== "drop" && command !== "clear") return undefined;
  // The agent made this stash itself and has applied it since: its changes are in the working folder.
  if (command === "drop" && isBack(ctx, source)) return undefined;
  return {
    what:
      command === "clear"
        ? "deletes all that was put aside with git stash"
        : "deletes what somebody put aside with git stash",
    instead: "`git stash list` and `git stash show -p` show what is there; `git stash pop` brings it back.",
    words:
      command === "clear"
        ? ["clear|empty stash|stashes", "drop|delete|remove all stashes|stash_entries"]
        : args.length === 1 || args[1] === "stash@{0}"
          ? ["drop|delete|remove|discard latest|last|top? stash|stash_entry"]
          : [],
  };
}

const MADE = /\bgit\s+stash(?:\s+(?:push|save|-)|\s*$|\s*(?:&&|;))/;
const APPLIED = /\bgit\s+stash\s+(?:apply|branch)\b/;

/** Whether a stash was applied since the agent made its latest one, so that its changes are in the files. */
function isBack({ commands }: CodingContext, source: string): boolean {
  const lines = [...commands.flatMap(({ command, ok }) => (ok === false ? [] : [command])), source];
  const made = lines.findLastIndex((line) => MADE.test(line));
  return lines.slice(Math.max(made, 0)).some((line) => APPLIED.test(line));
}

function ofBranch(args: readonly string[], { ctx, call, source }: Known): ReturnType<Rule> {
  const cluster = args.find((arg) => /^-[a-zA-Z]*D[a-zA-Z]*$/.test(arg));
  const isLong =
    args.some((arg) => /^(?:-d|--delete)$/.test(arg)) && args.some((arg) => /^(?:-f|--force)$/.test(arg));
  const names = args.filter((arg) => !arg.startsWith("-"));
  if ((cluster === undefined && !isLong) || args.includes("-r") || names.length === 0) return undefined;
  const isOwn = (name: string): boolean =>
    ctx.commands.some(({ command }) => madeBranch(command, name)) ||
    (call.range !== undefined && madeBranch(source.slice(0, call.range.start), name));
  if (names.every(isOwn)) return undefined;
  const written = call.range === undefined ? "" : source.slice(call.range.start, call.range.end);
  const milder = written.replace(/(\s-[a-zA-Z]*)D/, "$1d").replace(/\s(?:-f|--force)(?=\s|$)/, "");
  return {
    what: "deletes a branch even where its commits are nowhere else",
    instead: "`git branch -d` deletes it where they are.",
    words: ["delete|remove|drop local? {branch} locally?"],
    things: { branch: names },
    ...(written === "" || milder === written ? {} : { milder }),
  };
}

function madeBranch(command: string, name: string): boolean {
  const plain = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(
    `\\bgit\\s+(?:checkout\\s+-b|switch\\s+(?:-c|--create)|branch)\\s+["']?${plain}(?=["'\\s;&]|$)`,
  ).test(command);
}
