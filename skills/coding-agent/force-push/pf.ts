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

/** Branches that others build on. */
const SHARED = /^(?:main|master|trunk|develop|production)$/;

/** A push that no prompt was read as asking for. */
interface Push {
  readonly call: ShellCall;
  /** The shared branch that it changes, if it does. */
  readonly branch?: string;
  readonly how: "force" | "delete" | "mirror" | "prune" | "all" | "plain";
}

/** What HASP knows about the wish for it, and no more. */
const UNASKED =
  "HASP found no request for exactly this in the person's latest prompt; a prompt with the command alone counts as one";

export default class ForcePush extends ProgramFunction {
  shouldActivate(ctx: CodingContext, _actionType: ActionType): boolean {
    return pushesOf(ctx).length > 0;
  }

  intervene(ctx: CodingContext, _actionType: ActionType): Intervention {
    const pushes = pushesOf(ctx);
    const shared = pushes.find(({ branch, how }) => branch !== undefined || how !== "force");
    if (shared !== undefined) return refuse(factsOf(shared), reasonOf(shared));
    const edits = pushes.flatMap(({ call }) => withLease(call, ctx.command?.source ?? ""));
    const reason =
      "--force would overwrite commits of others unseen; --force-with-lease stops when there are any";
    if (edits.length === pushes.length) return changeCommand(ctx, edits, reason);
    return refuse(
      "This command force-pushes from within a quoted script. It has not run: `--force` overwrites whatever others have pushed in the meantime. " +
        "The same command with `--force-with-lease` passes, and stops by itself when the remote branch has moved.",
      reason,
    );
  }
}

function shown({ name, args }: ShellCall): string {
  return [name, ...args].join(" ").slice(0, 120);
}

function reasonOf({ branch, how }: Push): string {
  if (how === "mirror") return "a mirror push overwrites and deletes every branch of the remote";
  if (how === "prune") return "deletes every branch of the remote that this clone does not have";
  if (how === "all") return "rewrites many branches of the remote at once, shared ones among them";
  const verb = { force: "rewrites", delete: "deletes", plain: "pushes straight to" }[how];
  return `${verb} ${branch ?? "a branch"} of the remote`;
}

function factsOf(push: Push): string {
  const { branch = "the branch", how, call } = push;
  const head = `\`${shown(call)}\` has not run.`;
  if (how === "mirror")
    return `${head} \`--mirror\` makes the remote equal to this clone: branches and tags that are missing here are deleted there. A push that names one branch passes.`;
  if (how === "prune")
    return `${head} \`--prune\` deletes every branch of the remote that is missing in this clone, those of others too. \`git push origin --delete <name>\` deletes one. ${UNASKED}.`;
  if (how === "all")
    return `${head} It would force many branches at once, and main or another shared one may be among them. A push that names one branch passes, with \`--force-with-lease\` where it was rebased. ${UNASKED}.`;
  if (how === "delete")
    return `${head} It would delete ${branch} on the remote. ${UNASKED}, and so does one that names the deletion and ${branch}.`;
  if (how === "force")
    return `${head} It would rewrite the history of ${branch}, which others build on. A new commit (\`git revert\`) or a push to another branch (\`git push origin HEAD:refs/heads/<name>\`) keeps what is there. ${UNASKED}, and so does one that names both: a force push, and ${branch}.`;
  return `${head} It would put commits straight on ${branch}. A branch of its own passes: \`git push origin HEAD:refs/heads/<name>\`, from which a pull request can be made. ${UNASKED}, and so does one that says to push to ${branch}.`;
}

function pushesOf(ctx: CodingContext): Push[] {
  return (ctx.command?.calls ?? []).flatMap((call) => {
    const git = gitCall(call);
    if (git?.command !== "push" && git?.command !== "send-pack") return [];
    const push = readPush(git.args);
    if (push.isDry) return [];
    const found = judge(ctx, call, push);
    return found === undefined ? [] : [found];
  });
}

/** The harm of a push, unless a prompt was read as asking for it. */
function judge(ctx: CodingContext, call: ShellCall, push: ReadPush): Push | undefined {
  const { isForced, isLeased, isMirror, refs } = push;
  if (askedFor(ctx, { call })) return undefined;
  if (isMirror) return { call, how: "mirror" };
  if (push.isPruning) return { call, how: "prune" };
  const current = branchNow(ctx, call);
  const targets =
    refs.length === 0
      ? [{ from: current, to: current, forced: false, gone: false }]
      : refs.map((ref) => readRef(ref, push.isDelete, current));
  const shared = targets.find(({ to }) => to !== undefined && SHARED.test(to));
  const branch = shared?.to;
  if (branch !== undefined && shared?.gone === true)
    return asks(ctx, call, DELETES, [branch]) ? undefined : { call, how: "delete", branch };
  const forces = isForced || targets.some(({ forced }) => forced);
  const isMany = push.isAll || targets.some(({ to }) => to?.includes("*") === true);
  if (isMany && (forces || isLeased)) return { call, how: "all" };
  if (branch !== undefined && (forces || isLeased))
    return asks(ctx, call, FORCE_NAMED, [branch]) ? undefined : { call, how: "force", branch };
  if (forces) {
    const names = targets.map(({ to }) => to ?? "");
    const isCurrent = current !== undefined && names.every((name) => name === current);
    const words = isCurrent ? [...FORCE_NAMED, ...FORCE_CURRENT] : FORCE_NAMED;
    return asks(ctx, call, words, names) ? undefined : { call, how: "force" };
  }
  if (branch === undefined) return undefined;
  const isOther = shared?.from !== undefined && shared.from !== branch;
  const asked = asks(ctx, call, isOther ? PUSH_NAMED : [...PUSH_NAMED, ...PUSH_CURRENT], [branch]);
  return asked ? undefined : { call, how: "plain", branch };
}

const FORCE = "force-push|force_push";
const REMOTE = "to|on? remote|origin|upstream|github|gitlab?";
const DELETES = [`delete|remove|drop remote? {branch} ${REMOTE}`];
const FORCE_NAMED = [
  `${FORCE} to? origin|upstream? {branch} ${REMOTE}`,
  `${FORCE} it|this|commits|commit|changes|branch|history|result to|onto origin|upstream? {branch}`,
  `push {branch} with force ${REMOTE}`,
  "push with force to {branch}",
  `rebase|amend|squash|clean_up|rewrite {branch} and|then ${FORCE} it`,
  `rebase|amend|squash|rewrite {branch} onto|on|with|to * and|then ${FORCE} it`,
];
/** Only where the branch that is checked out is known. */
const FORCE_CURRENT = [
  `${FORCE} it|this|branch|this_branch|my_branch|commit|commits|changes|result? ${REMOTE}`,
  `push it|this|this_branch|branch with force ${REMOTE}`,
];
const PUSH_NAMED = [
  "push it|this|everything|all|commit|commits|change|changes|fix|branch|code|work|result? straight|directly? to|into|onto origin|upstream? {branch}",
  `push origin|upstream? {branch} ${REMOTE}`,
];
const PUSH_CURRENT = [
  `push it|this|that|them|everything|all|commit|commits|change|changes|fix|branch|code|work|result|up? up? ${REMOTE}`,
];

/** In plain words, the push must be of the folder that the agent works in. */
function asks(
  ctx: CodingContext,
  call: ShellCall,
  words: readonly string[],
  branches: readonly string[],
): boolean {
  const isHere = gitCall(call)?.folder === undefined && call.via.length === 0 && call.range !== undefined;
  return isHere && askedFor(ctx, { words, things: { branch: branches } });
}

/** The branch that is checked out when the push runs: a checkout before it in the same line counts. */
function branchNow(ctx: CodingContext, push: ShellCall): string | undefined {
  const calls = ctx.command?.calls ?? [];
  let branch = ctx.world.branch;
  for (const call of calls.slice(0, calls.indexOf(push))) {
    const git = gitCall(call);
    if (git?.command !== "checkout" && git?.command !== "switch") continue;
    const names = git.args.filter((arg) => !arg.startsWith("-"));
    if (names.length > 0 && !git.args.includes("--")) branch = names[0];
  }
  // `git -C elsewhere` is on a branch that nobody has looked at.
  return gitCall(push)?.folder === undefined ? branch : undefined;
}

interface ReadPush {
  readonly isForced: boolean;
  readonly isLeased: boolean;
  readonly isMirror: boolean;
  readonly isDelete: boolean;
  readonly isPruning: boolean;
  /** Every branch of this clone. */
  readonly isAll: boolean;
  readonly isDry: boolean;
  /** Without the remote. */
  readonly refs: readonly string[];
}

const VALUED = new Set(["-o", "--push-option", "--repo", "--receive-pack", "--exec"]);

function readPush(args: readonly string[]): ReadPush {
  const words: string[] = [];
  const switches = new Set<string>();
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    if (VALUED.has(arg)) i++;
    else if (arg.startsWith("--")) switches.add(arg.split("=", 1)[0] ?? arg);
    else if (arg.startsWith("-")) for (const letter of arg.slice(1)) switches.add(letter);
    else words.push(arg);
  }
  // Git takes the beginning of a long switch for all of it.
  const has = (long: string): boolean =>
    [...switches].some((one) => one.length > 3 && one.startsWith("--") && long.startsWith(one));
  return {
    isForced: switches.has("--force") || switches.has("f"),
    isLeased: switches.has("--force-with-lease") || switches.has("--force-if-includes"),
    isMirror: has("--mirror"),
    isDelete: has("--delete") || switches.has("d"),
    isPruning: has("--prune"),
    isAll: has("--all") || has("--branches"),
    isDry: switches.has("--dry-run") || switches.has("n"),
    refs: words.slice(1),
  };
}

interface Ref {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly forced: boolean;
  readonly gone: boolean;
}

/** `+src:dst`; an empty `src` deletes. */
function readRef(ref: string, isDelete: boolean, current: string | undefined): Ref {
  const forced = ref.startsWith("+");
  const [src = "", dst = src] = ref.replace(/^\+/, "").split(":");
  const name = (text: string): string | undefined =>
    text === "HEAD" || text === "@" ? current : text.replace(/^(?:refs\/)?heads\//, "");
  return { from: name(src), to: name(dst), forced, gone: isDelete || (src === "" && dst !== "") };
}

type Edit = { readonly range: { readonly start: number; readonly end: number }; readonly text: string };

/** The same push with a lease, word by word as it was written; nothing where it stands within a quoted script. */
function withLease({ range }: ShellCall, source: string): Edit[] {
  if (range === undefined) return [];
  const words = source.slice(range.start, range.end).match(/\s+|(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  const hasLease = words.some((word) => word.startsWith("--force-with-lease"));
  let isLeased = hasLease;
  let isPush = false;
  const text = words.map((word) => {
    const lease = (): string => {
      const said = isLeased ? "" : "--force-with-lease";
      isLeased = true;
      return said;
    };
    if (word === "push" || word === "send-pack") isPush = true;
    if (word === "--force") return lease();
    if (isPush && /^-[a-zA-Z]*f[a-zA-Z]*$/.test(word)) {
      const others = word.slice(1).replaceAll("f", "");
      return [others === "" ? "" : `-${others}`, lease()].filter(Boolean).join(" ");
    }
    if (isPush && /^["']?\+/.test(word)) return [lease(), word.replace("+", "")].filter(Boolean).join(" ");
    return word;
  });
  return [{ range, text: text.join("").replace(/ {2,}/g, " ").trim() }];
}
