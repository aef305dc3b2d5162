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
  /** Says in the person's own words that they want it. */
  readonly wish: RegExp;
  /** The same command without the loss. */
  readonly milder?: string;
}

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
      `\`${worst === undefined ? "" : shown(worst.call)}\` has not run: it ${worst?.what ?? what}. ${worst?.instead ?? ""} If the person asks for it in so many words, it passes.`,
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
    const git = gitCall(call);
    if (git === undefined) return [];
    if (savesWork(git)) isSaved = true;
    if (isElsewhere || isScratch(git.folder ?? "")) return [];
    const loss = RULES[git.command]?.(git.args, { call, source, isSaved, ctx });
    return loss === undefined || askedFor(ctx, loss.wish) ? [] : [{ ...loss, call }];
  });
}

type Git = NonNullable<ReturnType<typeof gitCall>>;

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

const CHANGES = "(?:change|edit|work|modification|everything|file)";
const DISCARD = new RegExp(
  `\\b(?:discard|throw(?:ing)? away|drop|undo|revert|wipe|get rid of)\\b.*\\b${CHANGES}s?\\b`,
  "i",
);
const STASH_FIRST =
  "`git stash push --include-untracked` puts the changes aside, and after that it passes; `git diff` shows what they are.";

function wishOf(command: string): RegExp {
  return new RegExp(`${DISCARD.source}|${command}`, "i");
}

const RULES: Readonly<Record<string, Rule>> = {
  reset: (args, known) =>
    args.includes("--hard") && !isKept(known)
      ? {
          what: "throws away every change that is not committed",
          instead: `${STASH_FIRST} \`git reset --keep <commit>\` moves the branch and leaves changed files alone.`,
          wish: wishOf("\\breset --hard|\\bhard[- ]reset"),
        }
      : undefined,
  clean: ofClean,
  checkout: (args, known) => {
    const isForced = args.some((arg) => /^(?:-f|--force)$/.test(arg)) && !args.includes("-b");
    return (isForced || namesAll(args)) && !isKept(known) ? discardsTree("\\bgit checkout\\b") : undefined;
  },
  switch: (args, known) =>
    args.some((arg) => /^(?:-f|--force|--discard-changes)$/.test(arg)) && !isKept(known)
      ? discardsTree("\\bgit switch\\b")
      : undefined,
  restore: (args, known) => {
    const staysInIndex =
      args.some((arg) => /^(?:--staged|-S)$/.test(arg)) &&
      !args.some((arg) => /^(?:--worktree|-W|-SW|-WS)$/.test(arg));
    return !staysInIndex && namesAll(args) && !isKept(known) ? discardsTree("\\bgit restore\\b") : undefined;
  },
  stash: ofStash,
  branch: ofBranch,
  worktree: (args) =>
    args[0] === "remove" && args.some((arg) => /^(?:-f|-ff|--force)$/.test(arg))
      ? {
          what: "removes a worktree with the changes in it that are not committed",
          instead: "Without `--force` git itself stops where there are such changes.",
          wish: wishOf("\\bworktree\\b.*\\bforce|\\b(?:remove|delete)\\b.*\\bworktree"),
        }
      : undefined,
  reflog: (args) =>
    args[0] === "expire" && args.some((arg) => /^--expire(?:-unreachable)?=(?:now|all|0)/.test(arg))
      ? {
          what: "forgets where the branches stood before, the last way back to lost commits",
          instead: "Git forgets by itself after 90 days.",
          wish: wishOf("\\breflog\\b"),
        }
      : undefined,
};

function discardsTree(command: string): Omit<Loss, "call"> {
  return {
    what: "puts all files back as they were committed, and what was changed since is gone",
    instead: `${STASH_FIRST} With the names of single files it passes.`,
    wish: wishOf(command),
  };
}

/** The whole folder in place of names of files. */
function namesAll(args: readonly string[]): boolean {
  return args.some((arg) => /^(?:\.\/?|:\/|:\/\*?|\*|:\(top\)\.?)$/.test(arg));
}

function ofClean(args: readonly string[]): ReturnType<Rule> {
  const letters = args.flatMap((arg) => (/^-[a-zA-Z]+$/.test(arg) ? arg.slice(1).split("") : []));
  const isDone = letters.includes("f") || args.includes("--force");
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
    wish: wishOf("\\bgit clean\\b|\\b(?:remove|delete|clean)\\b.*\\buntracked\\b"),
  };
}

function ofStash(args: readonly string[], { ctx, source }: Known): ReturnType<Rule> {
  const [command = ""] = args;
  if (command !== "drop" && command !== "clear") return undefined;
  const made = /\bgit\s+stash(?:\s+(?:push|save|-)|\s*$|\s*(?:&&|;))/;
  // What the agent itself put aside it may drop.
  if (command === "drop" && (ctx.commands.some((ran) => made.test(ran.command)) || made.test(source)))
    return undefined;
  return {
    what:
      command === "clear"
        ? "deletes all that was put aside with git stash"
        : "deletes what somebody put aside with git stash",
    instead: "`git stash list` and `git stash show -p` show what is there; `git stash pop` brings it back.",
    wish: new RegExp(`\\b(?:drop|clear|delete|remove|empty)\\b.*\\bstash|\\bstash ${command}\\b`, "i"),
  };
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
    wish: /\bbranch -D\b|\b(?:delete|remove|drop)\b.*\bbranch/i,
    ...(written === "" || milder === written ? {} : { milder }),
  };
}

function madeBranch(command: string, name: string): boolean {
  const plain = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(
    `\\bgit\\s+(?:checkout\\s+-b|switch\\s+(?:-c|--create)|branch)\\s+["']?${plain}(?=["'\\s;&]|$)`,
  ).test(command);
}
