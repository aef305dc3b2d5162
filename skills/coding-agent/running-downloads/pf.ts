import {
  askedFor,
  changeCommand,
  gitCall,
  injectContext,
  ProgramFunction,
  refuse,
  type ActionType,
  type CodingContext,
  type Intervention,
  type ShellCall,
} from "hasp";

/** What a command does beyond the project. */
interface Reach {
  readonly kind: "download" | "hidden" | "setuid" | "root" | "publish";
  readonly call: ShellCall;
}

export default class RunningDownloads extends ProgramFunction {
  shouldActivate(ctx: CodingContext, _actionType: ActionType): boolean {
    return reachOf(ctx) !== undefined || openModes(ctx).length > 0;
  }

  intervene(ctx: CodingContext, _actionType: ActionType): Intervention {
    const reach = reachOf(ctx);
    if (reach !== undefined) {
      const line = [...reach.call.via.slice(0, 1), reach.call.name, ...reach.call.args]
        .join(" ")
        .slice(0, 120);
      return refuse(`\`${line}\` has not run. ${FACTS[reach.kind]}`, REASONS[reach.kind]);
    }
    const modes = openModes(ctx);
    const edits = modes.flatMap(({ call, from, to }) => milder(call, from, to, ctx.command?.source ?? ""));
    const reason = "a mode that lets every user of the machine write; the owner alone may now";
    if (edits.length === modes.length) return changeCommand(ctx, edits, reason);
    return injectContext(
      "A mode was set that lets every user of the machine write the file. `u=rwX,go=rX` leaves that to its owner.",
      reason,
    );
  }
}

const FACTS: Readonly<Record<Reach["kind"], string>> = {
  download:
    "It hands a text from the network to an interpreter before this session has shown that text. Saved to a file (`curl -fsSL … -o install.sh`) it can be read first and run in a call of its own; a package manager checks what it installs. HASP found no request for exactly this in the person's latest prompt; a prompt with the command alone, or one that says what to install from this very host, counts as one.",
  hidden:
    "It decodes or unpacks a text and hands it to a shell before this session has shown that text. Decoded into a file (`base64 -d … > script.sh`) it can be read first and run in a call of its own. HASP found no request for exactly this in the person's latest prompt; a prompt with the command alone counts as one.",
  setuid:
    "It makes a program that runs with the rights of its owner, whoever starts it (the setuid bit). `chmod 755` and `install -m 755` pass. HASP found no request for exactly this in the person's latest prompt; a prompt with the command alone counts as one.",
  root: "It runs with the rights of root, beyond this project. Much works without: a folder of one's own (`--user`, `--prefix`, a virtual environment). HASP found no request for exactly this in the person's latest prompt; a prompt with the command alone, sudo included, counts as one.",
  publish:
    "It makes a version public that can hardly be taken back. A dry run (`--dry-run`) or a package on this machine (`npm pack`, `cargo package`) passes. HASP found no request for exactly this in the person's latest prompt; a prompt with the command alone, or one that asks for the package to be published, counts as one.",
};

const REASONS: Readonly<Record<Reach["kind"], string>> = {
  download: "runs a text from the network that this session has not shown",
  hidden: "runs a text that is decoded on the way and that this session has not shown",
  setuid: "gives a program the rights of its owner",
  root: "runs as root, beyond this project",
  publish: "publishes, which can hardly be taken back",
};

function reachOf(ctx: CodingContext): Reach | undefined {
  const calls = ctx.command?.calls ?? [];
  const find = (kind: Reach["kind"], test: (call: ShellCall) => boolean): Reach | undefined => {
    const call = calls.find((one) => test(one) && !isAsked(ctx, kind, one));
    return call === undefined ? undefined : { kind, call };
  };
  const saved = downloadsIn(calls);
  const held = heldDownloads(ctx.command?.source ?? "", calls);
  return (
    find("download", (call) => runsDownload(call, saved) || runsHeld(call, held)) ??
    find("hidden", (call) => runsDecoded(call, calls)) ??
    find("setuid", setsOwner) ??
    find("publish", publishes) ??
    find("root", isRoot)
  );
}

/** The person asked for this very reach: wrote the command out, or named what is to be installed, run or published. */
function isAsked(ctx: CodingContext, kind: Reach["kind"], call: ShellCall): boolean {
  if (kind === "download") return isAskedDownload(ctx, call);
  if (askedFor(ctx, { call })) return true;
  if (kind === "publish") return isHere(ctx, call) && askedFor(ctx, publishWords(call));
  const { range } = call;
  const written = range === undefined ? "" : (ctx.command?.source ?? "").slice(range.start, range.end);
  // "Run apt-get update as root" is `sudo apt-get update` in other words.
  const command = /^sudo\s+(?!-)(?!\S*=)(.+)$/s.exec(written)?.[1];
  if (command === undefined || !isHere(ctx, call)) return false;
  const names = installed(call);
  if (names.length > 0 && askedFor(ctx, { words: INSTALLS, things: { name: names } })) return true;
  return askedFor(ctx, { commands: ROOT.map((how) => `${command} ${how}`) });
}

const INSTALLS = [
  "install {name} with|using|via sudo",
  "install {name} as root",
  "use sudo to install {name}",
];

/** The packages that a package manager of the system would install; nothing where a word of it could mean another thing. */
function installed({ name, args }: ShellCall): string[] {
  if (!/^(?:apt|apt-get|dnf|yum|apk|zypper|snap)$/.test(name)) return [];
  const [verb = "", ...names] = args.filter(
    (arg) => !/^(?:-y|--yes|-q|-qq|--no-install-recommends)$/.test(arg),
  );
  return /^(?:install|add)$/.test(verb) && names.every((word) => /^\w[\w.+-]*$/.test(word)) ? names : [];
}

const ROOT = ["with sudo", "as root", "using sudo", "as administrator"];

/** Nothing before it in the line goes to another folder. */
function isHere({ command }: CodingContext, call: ShellCall): boolean {
  const calls = command?.calls ?? [];
  return !calls.slice(0, calls.indexOf(call)).some(({ name }) => GOES.test(name));
}

const GOES = /^(?:cd|pushd|popd|chdir|set-location|push-location|sl)$/i;
const DOWNLOADS = [
  "install|set_up * from|with|via|using|through {url}",
  "run|execute installer|script|install_script|setup_script|installation_script|bootstrap_script * from|at|on {url}",
  "run|execute {url}",
  "$ curl|wget|irm|iwr {url} | sudo? sh|bash|zsh|dash|iex|python|python3|node|perl|ruby",
  "$ sh|bash|zsh < ( curl|wget {url} )",
];

/** The whole line, or a download from the host that they named: every address of the line must be of it. */
function isAskedDownload(ctx: CodingContext, { range: _, ...line }: ShellCall): boolean {
  if (askedFor(ctx, { call: line })) return true;
  const fetches = (ctx.command?.calls ?? []).filter(({ name }) => FETCHES.test(name));
  const addresses = fetches.map(addressOf);
  const known = addresses.filter((address) => address !== undefined);
  if (known.length === 0 || known.length < addresses.length) return false;
  return known.every((address) => askedFor(ctx, { words: DOWNLOADS, things: { url: [address] } }));
}

/** Switches of a download that change neither where it comes from nor what is trusted. */
const PLAIN_SWITCH =
  /^(?:-[fsSLqO]+-?|--(?:fail|silent|show-error|location|quiet|tlsv1\.[23])|-useb|-UseBasicParsing|-Uri|https-only|=https)$/i;
const NAMED_FILE = /^(?:-[fsSL]*o|-qO|-O|--output|--output-document|-OutFile|--proto)$/;

/** The one address of a download that does nothing out of the ordinary; undefined where it does, or has none. */
function addressOf({ args, env, literal }: ShellCall): string | undefined {
  if (!literal || Object.keys(env).length > 0) return undefined;
  const rest = args.filter(
    (arg, i) => !PLAIN_SWITCH.test(arg) && !NAMED_FILE.test(arg) && !NAMED_FILE.test(args[i - 1] ?? ""),
  );
  const [address] = rest.filter((arg) => arg !== "-");
  return rest.length === 1 && address?.startsWith("-") === false ? address : undefined;
}

/** How a person asks for a version to be made public; nothing where only the whole command will do. */
function publishWords(call: ShellCall): {
  words: readonly string[];
  things?: Record<string, readonly string[]>;
} {
  const { name, words } = packaged(call);
  const rest = words.filter((word, i) => !HARMLESS.test(word) && words[i - 1] !== "--access");
  const [verb = "", first, ...more] = rest;
  const isPlain = more.length === 0 && first?.startsWith("-") !== true;
  switch (name.toLowerCase()) {
    case "npm":
    case "pnpm":
    case "yarn":
    case "bun":
    case "jsr":
    case "deno":
      return {
        words:
          verb === "publish" && first === undefined
            ? publishing("package|module|library", "npm|npmjs|jsr")
            : [],
      };
    case "cargo":
      return { words: verb === "publish" && first === undefined ? publishing("crate", "crates.io") : [] };
    case "poetry":
    case "uv":
    case "flit":
    case "hatch":
      return { words: first === undefined ? publishing("distribution|wheel", "pypi") : [] };
    case "twine":
      return {
        words:
          isPlain && first?.startsWith("dist/") === true
            ? publishing("distribution|wheel|wheels", "pypi")
            : [],
      };
    case "gem":
      return { words: verb === "push" && isPlain ? publishing("gem", "rubygems|rubygems.org") : [] };
    case "vsce":
    case "ovsx":
      return { words: first === undefined ? publishing("extension", "marketplace|open_vsx") : [] };
    case "docker":
    case "podman": {
      const images = rest.filter((word) => word !== "image" && word !== "push");
      return { words: images.length === 1 ? ["push|publish image? {name}"] : [], things: { name: images } };
    }
    case "gh": {
      const tag = words[2] ?? "";
      const isOther = words.some((word) => /^(?:-R|--repo)/.test(word));
      return {
        words: isOther ? [] : ["create|make|publish|cut github? release {name}"],
        things: { name: [tag] },
      };
    }
    default:
      return { words: [] };
  }
}

const HARMLESS = /^(?:--access(?:=public)?|--provenance|--no-git-checks|-y|--yes)$/;

function publishing(what: string, where: string): string[] {
  const to = `to|on ${where}|registry`;
  return [
    `publish|release|upload new? ${what}`,
    `publish|release|upload new? ${what}|package|module|library ${to}`,
    `publish|release|upload it|this ${to}`,
    `publish|release|upload new? version|release * ${to}`,
    "bump|raise|increase|set version * and|then publish|release it",
  ];
}

const FETCHES = /^(?:curl|wget|fetch|aria2c|iwr|irm|invoke-webrequest|invoke-restmethod)$/i;
const SHELLS = /^(?:ba|z|da|k|a)?sh$/;
const INTERPRETERS = /^(?:python[\d.]*|node|deno|bun|perl|ruby|php|pwsh|powershell)$/;
const EVALUATES = /^(?:iex|invoke-expression)$/i;
const NET_TEXT = /\b(?:irm|iwr|curl|wget|Invoke-RestMethod|Invoke-WebRequest|DownloadString)\b/i;

/** A text from the network that goes straight into an interpreter. */
function runsDownload(call: ShellCall, saved: ReadonlySet<string>): boolean {
  const { name, args, from, operands } = call;
  const isCode = args.some((arg) => /^(?:<\(|\$\(|`)\s*(?:curl|wget)\b/.test(arg));
  if (!isCode && from.length === 0 && saved.size === 0 && !EVALUATES.test(name)) return false;
  const isFed = from.some((other) => FETCHES.test(other));
  if (EVALUATES.test(name)) return isFed || args.some((arg) => NET_TEXT.test(arg));
  if (name === "eval" || name === "source" || name === ".") return isCode;
  if (SHELLS.test(name)) {
    const isScript =
      operands.length > 0 &&
      !call.flags.includes("s") &&
      operands[0] !== "-" &&
      !operands[0]?.startsWith("<(");
    return isCode || (isFed && !isScript && !call.flags.includes("c")) || runsSaved(call, saved);
  }
  if (!INTERPRETERS.test(name)) return runsSaved(call, saved);
  const readsInput =
    args.length === 0 ||
    args[0] === "-" ||
    args[0] === "/dev/stdin" ||
    (/^-(?:c|Command)$/i.test(args[0] ?? "") && args[1] === "-");
  return (isFed && readsInput) || isCode || runsSaved(call, saved);
}

/** Variables that a download is kept in: `S=$(curl …); eval "$S"`. */
function heldDownloads(source: string, calls: readonly ShellCall[]): ReadonlySet<string> {
  if (!calls.some(({ name, place }) => place === "substitution" && FETCHES.test(name))) return new Set();
  const names = source.matchAll(/(?:^|[\s;&|({])([A-Za-z_]\w*)=["']?(?:\$\(|`)\s*(?:curl|wget)\b/g);
  return new Set([...names].map(([, name = ""]) => name));
}

function runsHeld({ name, args, redirects, from }: ShellCall, held: ReadonlySet<string>): boolean {
  const isRun = name === "eval" || SHELLS.test(name) || INTERPRETERS.test(name);
  if (!isRun) return false;
  const texts = [...args, ...redirects.flatMap(({ op, target }) => (op === "<<<" ? [target] : []))];
  const isFetched =
    redirects.some(({ op, target }) => op.startsWith("<<") && /(?:\$\(|`)\s*(?:curl|wget)\b/.test(target)) ||
    (INTERPRETERS.test(name) && args.some((arg) => EVALUATES_NET.test(arg)));
  if (isFetched) return true;
  if (held.size === 0 || (from.length === 0 && texts.length === 0)) return false;
  return texts.some((text) => held.has(/^\$\{?(\w+)\}?$/.exec(text.trim())?.[1] ?? ""));
}

/** One-liners that evaluate what they fetch. */
const EVALUATES_NET =
  /\b(?:exec|eval)\b[^\n]{0,200}\b(?:urlopen|requests\.get|httpx\.get|fetch|Net::HTTP|URI\.open|LWP::Simple|file_get_contents\(["']https?:)|\bfetch\([^\n]{0,200}\.then\(\s*eval\b/;

const DECODERS =
  /^(?:g?base64|base32|openssl|xxd|uudecode|gunzip|zcat|gzip|bunzip2|bzcat|xzcat|unxz|zstdcat|gpg|rev|tr)$/;
const DECODED =
  /(?:\$\(|`|<\()[^)`]*\b(?:base64\s+(?:-\w*[dD]|--decode)|base32\s+-d|openssl\s+(?:enc|base64)\b[^)`]*-d|xxd\s+-\w*r|gunzip|zcat)\b/;

/** A text that is decoded on the way into a shell. What is written out in the line has been read, and its programs are judged. */
function runsDecoded(call: ShellCall, calls: readonly ShellCall[]): boolean {
  const { name, args, from, flags, operands } = call;
  const isShell = SHELLS.test(name) || INTERPRETERS.test(name);
  const isCode = (isShell || /^(?:eval|source|\.)$/.test(name)) && args.some((arg) => DECODED.test(arg));
  const isScript =
    operands.length > 0 && !flags.includes("s") && operands[0] !== "-" && operands[0] !== "/dev/stdin";
  const isFed = isShell && !isScript && !flags.includes("c") && from.some((other) => DECODERS.test(other));
  if (!isCode && !(isFed && decodes(from, calls))) return false;
  return !calls
    .slice(calls.indexOf(call) + 1)
    .some(({ via }) => via.some((one) => one === name || one === `${name} -c`));
}

/** Whether one of these programs decodes here: `gzip -d` and `base64 -d` do, `tr` and `rev` hide nothing from a reader. */
function decodes(from: readonly string[], calls: readonly ShellCall[]): boolean {
  return calls.some(({ name, flags, args }) => {
    if (!from.includes(name) || !DECODERS.test(name)) return false;
    if (/^(?:g?base64|base32|gzip|openssl|gpg)$/.test(name))
      return (
        flags.some((flag) => /^(?:d|D|--decode|--decompress|--decrypt)$/.test(flag)) || args.includes("-d")
      );
    if (name === "xxd") return flags.includes("r");
    return name !== "tr" && name !== "rev";
  });
}

/** The setuid bit, by `chmod` or `install`. */
function setsOwner(call: ShellCall): boolean {
  const mode =
    call.name === "chmod" ? (call.args.find((arg) => !/^-[RvcfH-]/.test(arg)) ?? "") : modeOf(call);
  return (
    /^0?[4-7][0-7]{3}$/.test(mode) ||
    /^(?:[ugoa]*[ua][ugoa]*)?[+=][rwxXt]*s[rwxXts]*$/.test(mode) ||
    /(?:^|,)[ugoa]*[ua][ugoa]*[+=][rwxXt]*s/.test(mode)
  );
}

/** The mode that `install` or `mkdir` gives: `-m 755`, `-m755`, `--mode=755`. */
function modeOf({ name, args }: ShellCall): string {
  if (name !== "install" && name !== "mkdir") return "";
  const at = args.findIndex((arg) => /^(?:-[a-zA-Z]*m|--mode)$/.test(arg));
  if (at !== -1) return args[at + 1] ?? "";
  return args.map((arg) => /^(?:-m|--mode=)(.+)$/.exec(arg)?.[1] ?? "").find((mode) => mode !== "") ?? "";
}

/** `curl -o x.sh … && sh x.sh` in one line: nobody has looked at it in between. */
function runsSaved(call: ShellCall, saved: ReadonlySet<string>): boolean {
  const isRun = SHELLS.test(call.name) || INTERPRETERS.test(call.name) || /^(?:source|\.)$/.test(call.name);
  const target = isRun ? call.operands[0] : call.name;
  return target !== undefined && !FETCHES.test(call.name) && saved.has(fileName(target));
}

function fileName(path: string): string {
  return path.split("/").at(-1) ?? path;
}

/** Names of the files that the line downloads. */
function downloadsIn(calls: readonly ShellCall[]): ReadonlySet<string> {
  const files = calls.flatMap((call) => (FETCHES.test(call.name) ? savedTo(call) : []));
  return new Set(files.map(fileName).filter((name) => name !== ""));
}

function savedTo({ name, args, redirects }: ShellCall): string[] {
  const into = redirects.flatMap(({ op, target }) => (/^>/.test(op) ? [target] : []));
  const named = args.filter((_, i) =>
    /^(?:-[a-zA-Z]*o|-O|--output|--output-document|-OutFile)$/i.test(args[i - 1] ?? ""),
  );
  const stuck = args.flatMap((arg) => /^--output(?:-document)?=(.+)$/.exec(arg)?.[1] ?? []);
  const byAddress =
    name === "wget" || args.some((arg) => /^(?:-[a-zA-Z]*O[a-zA-Z]*|--remote-name(?:-all)?)$/.test(arg))
      ? args
          .filter((arg) => /^(?:https?:\/\/|[\w-]+\.[\w.-]+\/)/.test(arg))
          .map((arg) => arg.replace(/[?#].*$/, ""))
      : [];
  return [...into, ...named, ...stuck, ...byAddress].filter((file) => !/^(?:-|\/dev\/null)$/.test(file));
}

/** Through `sudo` and its like, on this machine. */
function isRoot({ name, via, args }: ShellCall): boolean {
  if (/^start-process$/i.test(name) && args.some((arg) => /^runas$/i.test(arg))) return true;
  return (
    via.some((wrapper) => /^(?:sudo|doas|su -c|runas)$/.test(wrapper)) ||
    (name === "sudo" && args.some((arg) => /^-[is]$/.test(arg)))
  );
}

/** Each program's word for making a version public. */
const PUBLISHES: Readonly<Record<string, RegExp>> = {
  npm: /^(?:publish|unpublish|deprecate)\b/,
  pnpm: /^publish\b/,
  yarn: /^(?:publish|npm publish)\b/,
  bun: /^publish\b/,
  jsr: /^publish\b/,
  deno: /^publish\b/,
  cargo: /^(?:publish|yank)\b/,
  twine: /^upload\b/,
  poetry: /^publish\b/,
  uv: /^publish\b/,
  flit: /^publish\b/,
  hatch: /^publish\b/,
  gem: /^(?:push|yank)\b/,
  mvn: /^(?:.* )?deploy\b/,
  docker: /^(?:image )?push\b/,
  podman: /^push\b/,
  helm: /^push\b/,
  dotnet: /^nuget push\b/,
  nuget: /^push\b/,
  vsce: /^publish\b/,
  ovsx: /^publish\b/,
  lerna: /^publish\b/,
  "semantic-release": /^/,
  gh: /^release create\b/,
  goreleaser: /^release\b/,
  "publish-module": /^/,
};

function publishes(call: ShellCall): boolean {
  const { name, words } = packaged(call);
  const isDry = call.args.some((arg) => /^(?:--dry-run|-n|-whatif|--snapshot|--help|-h|--draft)$/i.test(arg));
  return (
    !isDry &&
    PUBLISHES[name.toLowerCase()]?.test(words.filter((word) => !word.startsWith("-")).join(" ")) === true
  );
}

/** The program behind `npx`, `pnpm dlx` and `python -m`. */
function packaged({ name, args, operands }: ShellCall): {
  readonly name: string;
  readonly words: readonly string[];
} {
  const asked = /^(?:npx|bunx|pnpx)$/.test(name)
    ? operands
    : /^(?:pnpm|yarn)$/.test(name) && args[0] === "dlx"
      ? operands.slice(1)
      : undefined;
  if (asked !== undefined)
    return { name: (asked[0] ?? "").replace(/^@[\w-]+\//, "").replace(/@.*$/, ""), words: asked.slice(1) };
  if (/^python[\d.]*$/.test(name) && args[0] === "-m") return { name: args[1] ?? "", words: args.slice(2) };
  return { name, words: name === "mvn" ? operands : args };
}

interface OpenMode {
  readonly call: ShellCall;
  readonly from: string;
  readonly to: string;
}

/** Modes that let everybody write, and the same for the owner alone. */
function openModes(ctx: CodingContext): OpenMode[] {
  return (ctx.command?.calls ?? []).flatMap((call) => {
    const mode = call.name === "chmod" ? (call.operands[0] ?? "") : modeOf(call);
    if (mode === "" || gitCall(call) !== undefined) return [];
    const isDeep = call.flags.some((flag) => flag === "R" || flag === "--recursive");
    const to = narrower(mode, isDeep);
    return to === undefined || isAskedMode(ctx, call, mode) ? [] : [{ call, from: mode, to }];
  });
}

/** The person wrote out the command, or named each file and the mode. */
function isAskedMode(ctx: CodingContext, call: ShellCall, mode: string): boolean {
  if (askedFor(ctx, { call })) return true;
  const things = { path: call.operands.slice(1), name: [mode] };
  const words = [
    "make {path} world-writable|world_writable",
    "make {path} writable|writeable by|for|to everyone|everybody",
    "set|change mode|permissions|rights of|on|for {path} to {name}",
    "set|change {path} to {name}",
  ];
  return (
    !call.flags.some((flag) => /^(?:R|--recursive)$/.test(flag)) &&
    isHere(ctx, call) &&
    askedFor(ctx, { words, things })
  );
}

function narrower(mode: string, isDeep: boolean): string | undefined {
  if (/^0?777$/.test(mode)) return isDeep ? "u=rwX,go=rX" : "755";
  if (/^0?666$/.test(mode)) return isDeep ? "u=rwX,go=rX" : "644";
  if (/^(?:a|ugo|uog)[+=]rwx$/i.test(mode)) return isDeep ? "u=rwX,go=rX" : "755";
  if (/^(?:a|o|go|ugo)[+=]r?w$/.test(mode)) return isDeep ? "u+rwX,go+rX" : "u+rw,go+r";
  return undefined;
}

function milder(
  { range }: ShellCall,
  from: string,
  to: string,
  source: string,
): { readonly range: NonNullable<ShellCall["range"]>; readonly text: string }[] {
  if (range === undefined) return [];
  const written = source.slice(range.start, range.end);
  const text = written.replace(
    new RegExp(`(\\s["']?)${from.replace(/[+]/g, "\\+")}(?=["']?\\s)`),
    (_, before: string) => `${before}${to}`,
  );
  return text === written ? [] : [{ range, text }];
}
