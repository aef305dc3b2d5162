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

/** Characters of a text that are looked at. */
const LOOKED_AT = 200_000;

export default class CommittingSecrets extends ProgramFunction {
  shouldActivate(ctx: CodingContext, _actionType: ActionType): boolean {
    return addedFile(ctx) !== undefined || writtenKey(ctx) !== undefined || sweeps(ctx).length > 0;
  }

  intervene(ctx: CodingContext, _actionType: ActionType): Intervention {
    const file = addedFile(ctx);
    if (file !== undefined)
      return refuse(
        `${file} holds secrets. Once committed they stay in the history, and everybody who gets the repository can read them; nothing was added. ` +
          `A line for it in .gitignore keeps it out, and an example file without values can be committed. HASP found no request for exactly this in the person's latest prompt; a prompt that asks for ${file} to be committed counts as one.`,
        `would put ${file} under version control`,
      );
    const key = writtenKey(ctx);
    if (key !== undefined)
      return refuse(
        `The text has what looks like ${key.kind} (${key.text.slice(0, 4)}…) for ${key.where}. Nothing was written. ` +
          "A program can read it from an environment variable or from a file that git ignores (`.env`), and a made-up one can say EXAMPLE in it.",
        `${key.kind} in ${key.where}`,
      );
    const made = secretsMade(ctx);
    return changeCommand(
      ctx,
      sweeps(ctx).map(({ end }) => ({
        range: { start: end, end },
        text: made.map((path) => ` ':!${path}'`).join(""),
      })),
      `leaves out ${made.join(", ")}, which was made in this session and holds secrets`,
    );
  }
}

const EXAMPLE =
  /(?:^|[._-])(?:example|sample|template|dist|defaults?|schema|tpl|pub|public|test|spec|mock|fake|dummy)(?:[._-]|$)/i;
const MADE_UP =
  /(?:^|[/\\])(?:tests?|__tests__|fixtures?|__fixtures__|testdata|mocks?|__mocks__|examples?|samples?|node_modules)[/\\]/i;
const SECRET_NAME =
  /^(?:\.env(?:rc|\..+|\*)?|.+\.env|id_(?:rsa|dsa|ecdsa|ed25519)|.+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk)|\.netrc|_netrc|\.pgpass|\.pypirc|\.git-credentials|\.htpasswd|credentials\.json|service[-_]?account.*\.json|secrets?\.(?:ya?ml|json|toml|ini)|master\.key|\.vault-token|application_default_credentials\.json)$/i;
const OPEN = /^(?:.*(?:cert|chain|^ca|[-_.]ca)[^/]*\.pem|.*\.pub)$/i;

function isSecret(path: string): boolean {
  const name = path.split(/[/\\]/).at(-1) ?? path;
  if (EXAMPLE.test(name.replace(/^\.env/, "")) || OPEN.test(name) || MADE_UP.test(path)) return false;
  return SECRET_NAME.test(name) || /(?:^|[/\\])\.aws[/\\]credentials$/.test(path);
}

type Git = NonNullable<ReturnType<typeof gitCall>>;

function gitOf(call: ShellCall): Git | undefined {
  const git = gitCall(call);
  const isDry = git?.args.some((arg) => /^(?:-n|--dry-run)$/.test(arg)) === true && git.command !== "commit";
  return git === undefined || isDry || !/^(?:add|stage|commit)$/.test(git.command) ? undefined : git;
}

/** A secret file that is named to be added. */
function addedFile(ctx: CodingContext): string | undefined {
  const named = (ctx.command?.calls ?? []).flatMap((call) => {
    const git = gitOf(call);
    if (git === undefined) return [];
    if (askedFor(ctx, { call })) return [];
    const paths = git.command === "commit" ? withoutMessage(git.args) : git.args;
    return paths.filter((arg) => !arg.startsWith("-") && !arg.startsWith(":!") && isSecret(arg));
  });
  return named.find((path) => !isAsked(ctx, path));
}

const COMMITS = [
  "commit|add|stage|check_in|track {path}",
  "add|stage|include {path} to|in git|commit|repo|repository|index",
];

/** The person asked for this very file to be committed. */
function isAsked(ctx: CodingContext, path: string): boolean {
  return askedFor(ctx, { words: COMMITS, things: { path: [path] } });
}

/** The words of a commit that are no message. */
function withoutMessage(args: readonly string[]): string[] {
  return args.filter(
    (_, i) => !/^(?:-[a-zA-Z]*m|--message|-F|--file|-C|--author|--date)$/.test(args[i - 1] ?? ""),
  );
}

/** Secret files that the agent has made in this session. */
function secretsMade({ files }: CodingContext): string[] {
  return files.flatMap(({ path, createdAt }) =>
    createdAt !== undefined && isSecret(path) && !/['"]/.test(path) ? [path] : [],
  );
}

/** Where a `git add` of everything ends in the command line. */
function sweeps(ctx: CodingContext): { readonly end: number }[] {
  const made = secretsMade(ctx);
  if (made.length === 0 || made.every((path) => isAsked(ctx, path))) return [];
  return (ctx.command?.calls ?? []).flatMap((call) => {
    const git = gitOf(call);
    if (git === undefined || git.command === "commit" || call.range === undefined || git.folder !== undefined)
      return [];
    const isAll = git.args.some((arg) => /^(?:\.\/?|\*|:\/|-A|--all|--no-ignore-removal)$/.test(arg));
    const isLeftOut = made.every((path) =>
      git.args.some((arg) => arg.startsWith(":!") && arg.endsWith(path)),
    );
    return isAll && !isLeftOut ? [{ end: call.range.end }] : [];
  });
}

const KEYS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ["a key of Amazon Web Services", /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g],
  ["a token of GitHub", /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,})\b/g],
  ["a token of GitLab", /\bglpat-[\w-]{20,}/g],
  ["a token of Slack", /\bxox[abeprs]-[0-9A-Za-z-]{20,}/g],
  ["a key of Stripe", /\b[rs]k_live_[0-9a-zA-Z]{20,}/g],
  ["a key of a model provider", /\bsk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{32,}/g],
  ["a key of Google", /\bAIza[0-9A-Za-z_-]{35}\b/g],
  ["a token of npm", /\bnpm_[A-Za-z0-9]{36}\b/g],
  ["a token of PyPI", /\bpypi-[A-Za-z0-9_-]{50,}/g],
  ["a token of Hugging Face", /\bhf_[A-Za-z0-9]{34}\b/g],
  ["a key of SendGrid", /\bSG\.[\w-]{22}\.[\w-]{43}/g],
  [
    "a private key",
    /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\\n|\s)+[A-Za-z0-9+/=:, \\\n\r-]{40,}/g,
  ],
];

/** The person gave this very key, and said where it goes. */
const WRITES = [
  "put|write|add|set|insert|paste|store|save|use|hardcode|hard-code key|token? {name} in|into|to|for {path}",
  "put|write|add|set|insert|paste|store|save|hardcode|hard-code * {name} in|into|to {path}",
];

interface FoundKey {
  readonly kind: string;
  readonly text: string;
  readonly where: string;
}

interface Written {
  readonly text: string;
  readonly where: string;
  /** What stood there before: a key in it is not new. */
  readonly before?: string;
}

function writtenKey(ctx: CodingContext): FoundKey | undefined {
  for (const { text, where, before = "" } of writtenTexts(ctx)) {
    for (const [kind, pattern] of KEYS) {
      const found = (text.slice(0, LOOKED_AT).match(pattern) ?? []).find(
        (key) =>
          !isMadeUp(key) &&
          !before.includes(key) &&
          !askedFor(ctx, { words: WRITES, things: { name: [key], path: [where] } }),
      );
      if (found !== undefined) return { kind, text: found, where };
    }
  }
  return undefined;
}

/** Made up for a page or a test: says so, or has hardly any different characters. */
function isMadeUp(key: string): boolean {
  const body = key.replace(/^-----[^-]+-----/, "").slice(key.startsWith("-----") ? 0 : 4);
  return (
    /example|xxxx|your|dummy|fake|placeholder|redacted|1234567890|abcdefgh|\.\.\./i.test(body) ||
    new Set(body).size < 8
  );
}

/** Texts that would end up in a file that may be committed, and messages of commits. */
function writtenTexts(ctx: CodingContext): Written[] {
  const changes = ctx.changes.map(({ path, after, before }) => ({
    text: after,
    where: path,
    ...(before === undefined ? {} : { before }),
  }));
  const calls = ctx.command?.calls ?? [];
  const messages = calls.flatMap((call) =>
    gitOf(call)?.command === "commit" ? [{ text: call.args.join("\n"), where: "a commit message" }] : [],
  );
  return [...changes, ...calls.flatMap((call) => printed(call, calls)), ...messages].filter(
    ({ where }) => !isSecret(where),
  );
}

/** What `echo … > file`, `cat > file <<EOF` and `printf … | tee file` write. */
function printed(call: ShellCall, calls: readonly ShellCall[]): Written[] {
  const { name, args, from, redirects } = call;
  const into = redirects.flatMap(({ op, target }) =>
    /^&?>{1,2}\|?$/.test(op) && !target.startsWith("/dev/") ? [target] : [],
  );
  const isSink = /^(?:tee|set-content|add-content|out-file)$/i.test(name);
  const [named] = isSink ? args.filter((arg) => !arg.startsWith("-")) : [];
  const targets = named === undefined ? into : [...into, named];
  if (targets.length === 0) return [];
  const piped = calls.filter((other) => from.includes(other.name) && other.into.includes(name));
  const text = [call, ...piped].flatMap(saidBy).join("\n");
  return targets.map((where) => ({ text, where }));
}

function saidBy({ name, args, redirects }: ShellCall): string[] {
  const texts = redirects.flatMap(({ op, target }) => (op.startsWith("<<") ? [target] : []));
  return /^(?:echo|printf|write-output|(?:set|add)-content)$/i.test(name) ? [...texts, ...args] : texts;
}
