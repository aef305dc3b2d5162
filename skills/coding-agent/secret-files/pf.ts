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

/** A secret file that the call would show, send away, overwrite or remove. */
interface Touch {
  readonly path: string;
  readonly how: "shows" | "sends" | "writes" | "removes";
  /** The program that does it. */
  readonly call?: ShellCall;
}

export default class SecretFiles extends ProgramFunction {
  shouldActivate(ctx: CodingContext, _actionType: ActionType): boolean {
    return touched(ctx) !== undefined;
  }

  intervene(ctx: CodingContext, _actionType: ActionType): Intervention {
    const { path, how } = touched(ctx) ?? { path: "", how: "shows" };
    return refuse(`${FACTS[how](path)} ${UNASKED}`, `${how} ${path}, which holds secrets`);
  }
}

/** What HASP knows about the wish for it, and no more. */
const UNASKED =
  "HASP found no request for exactly this in the person's latest prompt; a prompt that asks for this very file to be read, sent, changed or removed, whichever the call does, counts as one.";

const FACTS: Readonly<Record<Touch["how"], (path: string) => string>> = {
  shows: (path) =>
    `${path} holds secrets. Reading it would put their values into this conversation, and so at the provider of the model; it was not read. ` +
    "A program can use the file without showing it (`node --env-file=…`, `source …`); `cut -d= -f1 …` prints the names alone; an example file (`.env.example`) shows the form.",
  sends: (path) =>
    `${path} holds secrets, and this command would copy them to another place. It has not run.`,
  writes: (path) =>
    `${path} holds secrets that are nowhere else, and this would overwrite or change some of them. It has not run. A line can be added with \`>>\`; an example file (\`.env.example\`) can be written freely.`,
  removes: (path) =>
    `${path} holds secrets that are nowhere else, and this would remove it or take it from its place. It has not run.`,
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
  removes: ["delete|remove|drop|rm|unlink|move|rename|mv {path}", "move|rename|mv {path} to|into|as *"],
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
  /(?:^|[/\\])(?:\.aws[/\\]credentials|\.docker[/\\]config\.json|\.kube[/\\]config|\.ssh[/\\](?!known_hosts|config|authorized_keys)[^/\\]+|\.gnupg[/\\].+|\.config[/\\]gh[/\\]hosts\.yml|proc[/\\]\w+[/\\]environ|etc[/\\]g?shadow)$|^(?:~|\$HOME|\$\{HOME\})[/\\]\.npmrc$/i;
/** Certificates are for everybody; so is what is called a key but is program text. */
const OPEN = /^(?:.*(?:cert|chain|^ca|[-_.]ca)[^/]*\.pem|.*\.pub)$/i;

function isSecret(path: string): boolean {
  const name = nameOf(path);
  if (EXAMPLE.test(name.replace(/^\.env/, "")) || OPEN.test(name) || MADE_UP.test(path)) return false;
  return SECRET_NAME.test(name) || SECRET_PLACE.test(path) || (/[?*[]/.test(name) && finds(name));
}

const FOUND = [".env", ".env.local", ".env.production", ".netrc", ".pgpass", "id_rsa", "id_ed25519"];

/** Whether a pattern with some letters of a name finds a file of secrets: `.en?`, `.e*v`, `.[e]nv`. */
function finds(name: string): boolean {
  const pattern = name.replace(/\[([^\]!^])\]/g, "$1");
  if (name.length > 30 || !/^(?:\.\w|id_)[\w.?*]*$/.test(pattern) || /\*.*\*.*\*/.test(pattern)) return false;
  const found = new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("?", ".").replace(/\*+/g, ".*")}$`);
  return FOUND.some((one) => found.test(one));
}

const SHOWS = new Set(
  "cat head tail less more bat batcat nl tac xxd hexdump od strings base64 grep egrep fgrep rg ag ack sed awk gawk sort uniq diff vimdiff comm cut pr iconv jq yq get-content gc type select-string sls paste fold column rev openssl".split(
    " ",
  ),
);
const COPIES = new Set("cp scp rsync sftp nc ncat tar zip gpg aws gsutil gcloud rclone copy-item".split(" "));
const SENDS = new Set("curl wget http https iwr irm invoke-webrequest invoke-restmethod httpie".split(" "));
/** Programs that take what they are given to another place. */
const TAKES = /^(?:curl|wget|https?|httpie|nc|ncat|socat|telnet|ssh|pbcopy|xclip|xsel|wl-copy|tee)$/;
const REMOVES = /^(?:rm|unlink|shred|srm|remove-item|del|erase)$/;
const INTERPRETER = /^(?:python[\d.]*|node|deno|bun|ruby|perl|php)$/;
/** Programs that print no values of what they are given. */
const COUNTS = new Set("wc sha256sum sha1sum md5sum shasum cksum".split(" "));
const KEEPS_QUIET: Readonly<Record<string, RegExp>> = {
  grep: /^(?:-[a-zA-Z]*[qclL]|--(?:quiet|silent|count|files-with-matches))/,
  egrep: /^-[a-zA-Z]*[qcl]/,
  rg: /^(?:-[a-zA-Z]*[qcl]|--(?:quiet|count|files-with-matches|files))/,
  diff: /^(?:-q|--brief)$/,
  sed: /^s\/=\.\*/,
  awk: /^\{\s*print \$1\s*\}$/,
  cut: /^(?:-f1|1|--fields=1)$/,
  "select-string": /^-quiet$/i,
  openssl: /^-(?:noout|check|pubout|out)$/,
};

function ofCall(call: ShellCall, ctx: CodingContext): Touch[] {
  const name = call.name.toLowerCase();
  const as = (how: Touch["how"], paths: readonly string[]): Touch[] => paths.map((path) => ({ path, how }));
  const git = gitCall(call);
  if (git !== undefined) return ofGit(git);
  const into = overwritten(call, ctx).filter(isSecret);
  const written = as("writes", into.length > 0 && isGuarded(ctx) ? [] : into);
  if (REMOVES.test(name)) return as("removes", given(call, ctx).filter(isNoCopy));
  if (name === "mv" || name === "move-item")
    return [...as("removes", call.operands.slice(0, -1).filter(isNoCopy)), ...written];
  if (name === "find") return as("removes", call.args.includes("-delete") ? searched(call) : []);
  if (SENDS.has(name)) return [...as("sends", [...uploadsOf(call), ...inputs(call)]), ...written];
  if (COPIES.has(name)) return [...as("sends", [...copied(call), ...inputs(call)]), ...written];
  if (TAKES.test(name)) return [...as("sends", inputs(call)), ...written];
  if (name === "dd")
    return [
      ...as(/\bof=(?!\/dev\/)/.test(call.args.join(" ")) ? "sends" : "shows", ofDd(call, "if=")),
      ...written,
    ];
  if (name === "gh") return as("sends", call.args[0] === "gist" ? call.operands : []);
  if (INTERPRETER.test(name)) return [...ofCode(call), ...written];
  if (/^(?:printenv|env|set|export|declare)$/.test(name)) return as("shows", listed(call, ctx));
  if (!SHOWS.has(name)) return [...as("shows", loopInput(call, ctx)), ...written];
  if (editsInPlace(call)) return written;
  const secrets = [...given(call, ctx), ...inputs(call)].filter(isSecret);
  return [...(isQuiet(call, secrets, ctx) ? [] : as(leaves(call) ? "sends" : "shows", secrets)), ...written];
}

function ofGit({ command, args }: NonNullable<ReturnType<typeof gitCall>>): Touch[] {
  const paths = args.filter((arg) => !arg.startsWith("-"));
  if (command === "mv" || (command === "rm" && !args.includes("--cached")))
    return (command === "mv" ? paths.slice(0, -1) : paths).map((path) => ({ path, how: "removes" }));
  const shows =
    /^(?:show|diff|blame)$/.test(command) ||
    (command === "log" && args.some((arg) => /^(?:-p|-u|--patch)$/.test(arg)));
  return shows ? paths.map((path) => ({ path: path.replace(/^[\w^~/-]*:/, ""), how: "shows" })) : [];
}

/** Neither a copy that somebody kept beside the file nor one in a folder for throwing away. */
const isNoCopy = (path: string): boolean =>
  !/(?:[._-](?:bak|backup|orig|old|save|tmp)|~)$|^\/tmp\//i.test(path);

const inputs = ({ redirects }: ShellCall): string[] =>
  redirects.flatMap(({ op, target }) => (op === "<" ? [target] : []));

/** The output of the call goes into a file, or into a program that sends or stores it. */
function leaves({ into, redirects }: ShellCall): boolean {
  return (
    into.some((name) => TAKES.test(name)) ||
    redirects.some(({ op, target }) => /^&?>{1,2}\|?$/.test(op) && !target.startsWith("/dev/"))
  );
}

/** `[ -f .env ] || …`, `test ! -e .env && …`: it writes where there is none. */
function isGuarded({ command }: CodingContext): boolean {
  return /(?:\[|\btest)\s+(?:-[efs]\s+\S+\s*\]{0,2}\s*\|\||!\s+-[efs]\s+\S+\s*\]{0,2}\s*(?:&&|;\s*then))/.test(
    command?.source ?? "",
  );
}

function editsInPlace({ name, args }: ShellCall): boolean {
  if (/^g?sed$/.test(name)) return args.some((arg) => /^(?:-[a-zA-Z]*i|--in-place)/.test(arg));
  if (name === "perl") return args.some((arg) => /^-[a-z0-9]*i/.test(arg));
  return /^g?awk$/.test(name) && args.includes("inplace");
}

/** The files of secrets that a call overwrites or changes, as far as nobody knows that they are new. */
function overwritten(call: ShellCall, ctx: CodingContext): string[] {
  const { name, args, operands, redirects } = call;
  const into = redirects.flatMap(({ op, target }) => (/^&?>\|?$/.test(op) ? [target] : []));
  if (editsInPlace(call)) return [...into, ...filesIn(call)];
  if (name === "tee" && !args.some((arg) => /^(?:-[a-z]*a|--append)$/.test(arg))) into.push(...operands);
  if (name === "truncate") into.push(...operands);
  if (name === "dd") into.push(...ofDd(call, "of="));
  const isLinked = name === "ln" && args.some((arg) => /^(?:-[a-zA-Z]*f[a-zA-Z]*|--force)$/.test(arg));
  if ((isLinked || /^(?:cp|mv|install|copy-item|move-item)$/i.test(name)) && !isFill(call))
    into.push(operands.at(-1) ?? "");
  if (/^(?:set-content|out-file|clear-content)$/i.test(name)) into.push(...operands.slice(0, 1));
  const isNew = (path: string): boolean =>
    ctx.world.files?.some((file) => file.path === path && !file.exists) === true;
  return into.filter((path) => path !== "" && !isNew(path));
}

const ofDd = ({ args }: ShellCall, key: string): string[] =>
  args.flatMap((arg) => (arg.startsWith(key) ? [arg.slice(key.length)] : []));

/** `cp .env.example .env` makes the file from its form; a copy of another file of secrets is one of the same kind. */
function isFill({ args, operands }: ShellCall): boolean {
  const source = nameOf(operands.at(-2) ?? "");
  return (
    EXAMPLE.test(source.replace(/^\.env/, "")) ||
    // One of the same kind beside it: `.env.local`.
    /^\.env/.test(source) ||
    args.some((arg) => /^(?:-[a-zA-Z]*n|--no-clobber|--update=none)$/.test(arg))
  );
}

/** Names and patterns that a `find` looks for. */
function searched({ args }: ShellCall): string[] {
  return args.filter((_, i) => /^-i?(?:name|path|wholename)$/.test(args[i - 1] ?? ""));
}

/** The files that a call is given: its operands, and where `find` or `xargs` runs it what the line looks for. */
function given(call: ShellCall, { command }: CodingContext): readonly string[] {
  const own = REMOVES.test(call.name.toLowerCase()) ? call.operands : filesIn(call);
  if (!call.via.some((name) => name.startsWith("find") || name === "xargs")) return own;
  const found = (command?.calls ?? []).filter(({ name }) => name === "find").flatMap(searched);
  return [...call.operands, ...found];
}

/** `while read … done < .env`, `mapfile < .env` and `$(<.env)`, where the line also prints. */
function loopInput(call: ShellCall, { command }: CodingContext): string[] {
  if (call.redirects.length === 0) return [];
  const isRead =
    /^(?:read|mapfile|readarray)$/.test(call.name) || (call.name === "" && call.place === "substitution");
  const prints = (command?.calls ?? []).some(
    ({ name, into }) => /^(?:echo|printf)$/.test(name) && into.length === 0,
  );
  return isRead && prints ? inputs(call) : [];
}

/** Variables that a list of all shows: those of the files of secrets that the line has read before. */
function listed(call: ShellCall, { command }: CodingContext): string[] {
  const { name, args, operands, into } = call;
  const isList =
    name === "printenv" || name === "env" || name === "set"
      ? args.length === 0
      : operands.length === 0 && args.some((arg) => /^-[px]+$/.test(arg));
  const isHidden = into.some((one) => /^(?:grep|cut|wc|sed|awk)$/.test(one));
  if (!isList || isHidden) return [];
  const calls = command?.calls ?? [];
  const before = calls.slice(0, calls.indexOf(call));
  return before.flatMap((one) => (/^(?:source|\.)$/.test(one.name) ? one.operands.slice(0, 1) : []));
}

const READS_FILE =
  /\bopen\s*\(|readFile|read_text|read_bytes|File\.(?:read|open|readlines)|IO\.read|file_get_contents|readTextFile|Bun\.file|createReadStream|\bslurp\b/;
const PRINTS_TEXT =
  /\bprint(?:f|ln)?\b|console\.\w+|std(?:out|err)|\bp(?:uts|p)?\b|\becho\b|\bsay\b|\bdump\b/;
const SENDS_TEXT = /requests\.\w+\(|\bfetch\(|urlopen|http\.client|Net::HTTP|axios|socket/;
const WRITES_FILE =
  /open\s*\([^)]*,\s*['"][wx]|write_text|write_bytes|writeFile|File\.write|file_put_contents|truncate/;
const REMOVES_FILE =
  /os\.(?:remove|unlink|rename)|\.unlink\(|unlinkSync|rmSync|renameSync|File\.(?:delete|unlink|rename)|\bunlink\b/;

/** A text of code on the command line or in a here-document, by the names of files in it. */
function ofCode({ args, operands, redirects, flags }: ShellCall): Touch[] {
  const isFilter = args.some((arg) => /^-[a-z]*[np][a-z]*$/.test(arg)) && flags.includes("e");
  const texts = args.filter((_, i) => /^(?:-[a-zA-Z]*[cepr]|--eval|--print)$/.test(args[i - 1] ?? ""));
  const docs = redirects.flatMap(({ op, target }) => (op.startsWith("<<") ? [target] : []));
  const code = [...texts, ...docs].join("\n").slice(0, CODE);
  const names = code.match(/(["'`])[^"'`\n]{1,200}\1/g) ?? [];
  const paths = names.map((name) => name.slice(1, -1)).filter(isSecret);
  if (isFilter) return operands.map((path) => ({ path, how: "shows" }));
  const how =
    paths.length === 0
      ? undefined
      : deedOf(
          code,
          args.some((arg) => /^(?:-pe?|--print)$/.test(arg)),
        );
  return how === undefined ? [] : paths.map((path) => ({ path, how }));
}
/** Characters of code that are looked at. */
const CODE = 20_000;

function deedOf(code: string, isShown: boolean): Touch["how"] | undefined {
  if (REMOVES_FILE.test(code)) return "removes";
  if (WRITES_FILE.test(code)) return "writes";
  if (!READS_FILE.test(code)) return undefined;
  if (SENDS_TEXT.test(code)) return "sends";
  return isShown || PRINTS_TEXT.test(code) ? "shows" : undefined;
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

const LEAVES_OUT = /^(?:--(?:exclude|include)(?:-\w+)?|-g|--i?glob|--ignore-file)$/;
/** The operands without what is left out, and without the key by which `scp` goes to the other machine. */
function withoutValues({ name, args, operands }: ShellCall): readonly string[] {
  const left = name === "zip" ? args.slice(args.findIndex((arg) => /^(?:-x|--exclude)$/.test(arg)) + 1) : [];
  const values = new Set(
    args.filter((_, i) => {
      const before = args[i - 1] ?? "";
      return LEAVES_OUT.test(before) || (/^(?:scp|rsync|sftp)$/.test(name) && /^-[ieF]$/.test(before));
    }),
  );
  const out = left.length === args.length ? values : new Set([...values, ...left]);
  return operands.filter((word) => !out.has(word));
}

/** What is copied: all but the last word, and nothing where a copy beside it is only another name of the same kind. */
function copied(call: ShellCall): readonly string[] {
  const { name } = call;
  if (/^(?:gpg|nc|ncat)$/.test(name)) return [];
  const operands = withoutValues(call);
  if (/^(?:tar|zip)$/.test(name)) return operands.slice(1);
  const sources = operands.slice(0, -1);
  const target = operands.at(-1) ?? "";
  return isSecret(target) && !/:/.test(target) ? [] : sources;
}

/** The operands; of a program that takes a pattern first, those after it. */
function filesIn(call: ShellCall): readonly string[] {
  const { name, args } = call;
  // Others of its words are keys that it uses or makes.
  if (name === "openssl") return args.filter((_, i) => args[i - 1] === "-in");
  const hasPattern = /^(?:grep|egrep|fgrep|rg|ag|ack|g?sed|awk|gawk|jq|yq|select-string|sls)$/i.test(name);
  const isNamed =
    args.some((arg) => /^(?:-e|-f|--regexp)$/.test(arg)) ||
    args.some((arg) => /^-(?:Path|LiteralPath)$/i.test(arg));
  const operands = withoutValues(call);
  return hasPattern && !isNamed ? operands.slice(1) : operands;
}

/** What prints nothing of the values; looked into only where there is a secret file. */
function isQuiet(call: ShellCall, secrets: readonly string[], { command }: CodingContext): boolean {
  if (secrets.length === 0) return true;
  const quiet = KEEPS_QUIET[call.name.toLowerCase()];
  if (quiet !== undefined && call.args.some((arg) => quiet.test(arg))) return true;
  if (call.into.some((name) => COUNTS.has(name))) return true;
  const cuts = (command?.calls ?? []).filter(({ name, from }) => name === "cut" && from.includes(call.name));
  if (cuts.length > 0 && cuts.every(({ args }) => args.some((arg) => KEEPS_QUIET["cut"]?.test(arg))))
    return true;
  if (call.redirects.some(({ op, target }) => /^&?>/.test(op) && target === "/dev/null")) return true;
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
