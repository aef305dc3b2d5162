import {
  askedFor,
  gitCall,
  ProgramFunction,
  refuse,
  type ActionType,
  type CodingContext,
  type Intervention,
  type ShellCall,
} from "hasp";

/** A secret file that the call would show, send away or overwrite. */
interface Touch {
  readonly path: string;
  readonly how: "shows" | "sends" | "writes";
  /** The program that does it. */
  readonly call?: ShellCall;
}

export default class SecretFiles extends ProgramFunction {
  shouldActivate(ctx: CodingContext, _actionType: ActionType): boolean {
    return touched(ctx) !== undefined;
  }

  intervene(ctx: CodingContext, _actionType: ActionType): Intervention {
    const { path, how } = touched(ctx) ?? { path: "", how: "shows" };
    return refuse(
      `${FACTS[how](path)} If the person asks for exactly that, naming ${path}, the call passes.`,
      `${how} ${path}, which holds secrets`,
    );
  }
}

const FACTS: Readonly<Record<Touch["how"], (path: string) => string>> = {
  shows: (path) =>
    `${path} holds secrets. Reading it would put their values into this conversation, and so at the provider of the model; it was not read. ` +
    "A program can use the file without showing it (`node --env-file=…`, `source …`); `cut -d= -f1 …` prints the names alone; an example file (`.env.example`) shows the form.",
  sends: (path) =>
    `${path} holds secrets, and this command would copy them to another place. It has not run.`,
  writes: (path) =>
    `${path} holds secrets that are nowhere else, and this would overwrite or change some of them. It has not run. A line can be added with \`>>\`; an example file (\`.env.example\`) can be written freely.`,
};

function touched(ctx: CodingContext): Touch | undefined {
  const touches =
    ctx.command === undefined
      ? ofTool(ctx)
      : ctx.command.calls.flatMap((call) => ofCall(call, ctx).map((touch) => ({ ...touch, call })));
  return touches.find((touch) => isSecret(touch.path) && !isAsked(ctx, touch) && !isOwn(ctx, touch.path));
}

function nameOf(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}

/** The person asked for this very file to be shown, sent or changed. */
function isAsked(ctx: CodingContext, { path, how, call }: Touch): boolean {
  return askedFor(ctx, {
    words: WORDS[how],
    things: { path: [path] },
    ...(call === undefined ? {} : { call }),
  });
}

const SHOW =
  "read|open|show|print|cat|view|display|check|inspect|review|look_at|look_into|look_in|have_a_look_at|take_a_look_at";
const CHANGE = "edit|change|update|modify|overwrite|rewrite|replace|fix|fill_in|extend";
const WORDS: Readonly<Record<Touch["how"], readonly string[]>> = {
  shows: [
    `${SHOW} me? contents|content|values? of|in? {path}`,
    `read|print|show|get|take|find|look_up * from|in {path}`,
    `${CHANGE} {path}`,
    `${CHANGE} {path} with|to|so *`,
    "compare|diff {path}",
  ],
  sends: [
    "copy|send|upload|move|back_up|archive|share {path}",
    "copy|send|upload|move|back_up {path} to|into|as *",
  ],
  writes: [
    `${CHANGE} {path}`,
    `${CHANGE} {path} with|to|so *`,
    "add|set|put|append|write|store|save|remove|delete|replace|change|update|rename * to|in|into|from {path}",
    "create|write|generate|make|regenerate {path}",
  ],
};

/** The agent made the file itself in this session: it knows what is in it. */
function isOwn({ files }: CodingContext, path: string): boolean {
  return files.some((file) => file.path === path.replace(/^\.\//, "") && file.createdAt !== undefined);
}

function ofTool(ctx: CodingContext): Touch[] {
  const { call, changes, world } = ctx;
  const shows = (path: string | undefined): Touch[] => (path === undefined ? [] : [{ path, how: "shows" }]);
  if (call.tool === "Read") return shows(call.input.path);
  if (call.tool === "Grep") return [...shows(call.input.path), ...shows(call.input.glob)];
  const isNew = (path: string): boolean =>
    world.files?.some((file) => file.path === path && !file.exists) === true;
  return changes.flatMap(({ path }): Touch[] => (isNew(path) ? [] : [{ path, how: "writes" }]));
}

const EXAMPLE =
  /(?:^|[._-])(?:example|sample|template|dist|defaults?|schema|tpl|pub|public|test|spec|mock|fake|dummy)(?:[._-]|$)/i;
/** Folders of made-up data. */
const MADE_UP =
  /(?:^|[/\\])(?:tests?|__tests__|fixtures?|__fixtures__|testdata|mocks?|__mocks__|examples?|samples?|node_modules)[/\\]/i;
const SECRET_NAME =
  /^(?:\.env(?:rc|\..+|\*)?|.+\.env|id_(?:rsa|dsa|ecdsa|ed25519)|.+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk)|\.netrc|_netrc|\.pgpass|\.pypirc|\.git-credentials|\.htpasswd|credentials\.json|service[-_]?account.*\.json|secrets?\.(?:ya?ml|json|toml|ini)|master\.key|\.vault-token|application_default_credentials\.json)$/i;
const SECRET_PLACE =
  /(?:^|[/\\])(?:\.aws[/\\]credentials|\.docker[/\\]config\.json|\.kube[/\\]config|\.ssh[/\\](?!known_hosts|config|authorized_keys)[^/\\]+|\.gnupg[/\\].+|etc[/\\]g?shadow)$|^(?:~|\$HOME|\$\{HOME\})[/\\]\.npmrc$/i;
/** Certificates are for everybody; so is what is called a key but is program text. */
const OPEN = /^(?:.*(?:cert|chain|^ca|[-_.]ca)[^/]*\.pem|.*\.pub)$/i;

function isSecret(path: string): boolean {
  const name = nameOf(path);
  if (EXAMPLE.test(name.replace(/^\.env/, "")) || OPEN.test(name) || MADE_UP.test(path)) return false;
  return SECRET_NAME.test(name) || SECRET_PLACE.test(path);
}

const SHOWS = new Set(
  "cat head tail less more bat batcat nl tac xxd hexdump od strings base64 grep egrep fgrep rg ag ack sed awk gawk sort uniq diff vimdiff jq yq get-content gc type select-string sls paste fold column rev openssl".split(
    " ",
  ),
);
const COPIES = new Set("cp scp rsync sftp nc ncat tar zip gpg aws gsutil gcloud rclone copy-item".split(" "));
const SENDS = new Set("curl wget http https iwr irm invoke-webrequest invoke-restmethod httpie".split(" "));
/** Programs that print no values of what they are given. */
const COUNTS = new Set("wc cut sha256sum sha1sum md5sum shasum cksum".split(" "));
const KEEPS_QUIET: Readonly<Record<string, RegExp>> = {
  grep: /^(?:-[a-zA-Z]*[qclL]|--(?:quiet|silent|count|files-with-matches))/,
  egrep: /^-[a-zA-Z]*[qcl]/,
  rg: /^(?:-[a-zA-Z]*[qcl]|--(?:quiet|count|files-with-matches|files))/,
  diff: /^(?:-q|--brief)$/,
  sed: /^(?:-[a-zA-Z]*i|--in-place|s\/=\.\*)/,
  awk: /^\{\s*print \$1\s*\}$/,
  "select-string": /^-quiet$/i,
  openssl: /^-(?:noout|check)$/,
};

function ofCall(call: ShellCall, ctx: CodingContext): Touch[] {
  const name = call.name.toLowerCase();
  const as = (how: Touch["how"], paths: readonly string[]): Touch[] => paths.map((path) => ({ path, how }));
  const git = gitCall(call);
  if (git !== undefined)
    return as(
      "shows",
      /^(?:show|diff|blame)$/.test(git.command) ? git.args.map((arg) => arg.replace(/^[\w^~/-]*:/, "")) : [],
    );
  const exists = (path: string): boolean =>
    ctx.files.some((file) => file.path === path) ||
    ctx.world.files?.some((file) => file.path === path && file.exists) === true;
  const written = call.redirects.flatMap(({ op, target }) =>
    /^&?>\|?$/.test(op) && exists(target) ? [target] : [],
  );
  if (SENDS.has(name)) return [...as("sends", uploadsOf(call)), ...as("writes", written)];
  if (COPIES.has(name)) return as("sends", copied(call));
  if (!SHOWS.has(name)) return as("writes", written);
  const from = call.redirects.flatMap(({ op, target }) => (op === "<" ? [target] : []));
  const secrets = [...filesIn(call), ...from].filter(isSecret);
  return [...(isQuiet(call, secrets, ctx) ? [] : as("shows", secrets)), ...as("writes", written)];
}

/** `-d @file`, `-F key=@file`, `-T file`, `--post-file=file`, `-InFile file`. */
function uploadsOf({ args }: ShellCall): string[] {
  return args.flatMap((arg, i) => {
    const [, named] =
      /(?:^|=)[@<]([^@].*)$/.exec(arg) ?? /^--(?:post-file|body-file|upload-file)=(.+)$/.exec(arg) ?? [];
    if (named !== undefined) return [named.replace(/;.*$/, "")];
    return /^(?:-T|--upload-file|-InFile|--post-file)$/i.test(args[i - 1] ?? "") ? [arg] : [];
  });
}

/** What is copied: all but the last word, and nothing where a copy beside it is only another name of the same kind. */
function copied({ name, operands }: ShellCall): readonly string[] {
  if (/^(?:gpg|nc|ncat)$/.test(name)) return [];
  const sources = /^(?:tar|zip)$/.test(name) ? operands.slice(1) : operands.slice(0, -1);
  const target = operands.at(-1) ?? "";
  return isSecret(target) && !/:/.test(target) ? [] : sources;
}

/** The operands; of a program that takes a pattern first, those after it. */
function filesIn({ name, args, operands }: ShellCall): readonly string[] {
  const hasPattern = /^(?:grep|egrep|fgrep|rg|ag|ack|sed|awk|gawk|jq|yq|select-string|sls)$/i.test(name);
  const isNamed =
    args.some((arg) => /^(?:-e|-f|--regexp)$/.test(arg)) ||
    args.some((arg) => /^-(?:Path|LiteralPath)$/i.test(arg));
  return hasPattern && !isNamed ? operands.slice(1) : operands;
}

/** What prints nothing of the values; looked into only where there is a secret file. */
function isQuiet(call: ShellCall, secrets: readonly string[], { command }: CodingContext): boolean {
  if (secrets.length === 0) return true;
  const quiet = KEEPS_QUIET[call.name.toLowerCase()];
  if (quiet !== undefined && call.args.some((arg) => quiet.test(arg))) return true;
  if (call.into.some((name) => COUNTS.has(name))) return true;
  if (
    call.into.some((name) => /^(?:grep|rg)$/.test(name)) &&
    /\|\s*(?:grep|rg)\s+-[a-z]*[qcl]/.test(command?.source ?? "")
  )
    return true;
  // `export $(cat .env | xargs)` and `KEY=$(grep … .env)` fill variables and print nothing.
  const isKept =
    /(?:\bexport|\benv|[A-Za-z_]\w*=["']?)\s*["']?\$\(\s*(?:cat|grep|sed|awk)\b|\b(?:docker|kubectl|gh|vault|heroku|fly)\b[^|;&]*\$\(/.test(
      command?.source ?? "",
    );
  if (call.place === "substitution" && isKept) return true;
  return call.into.some((name) => /^(?:docker|kubectl|gh|vault|heroku|fly|vercel|wrangler)$/.test(name));
}
