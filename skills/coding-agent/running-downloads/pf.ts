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
  readonly kind: "download" | "root" | "publish";
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
    "It hands a text from the network to an interpreter, and nobody has seen that text. Saved to a file (`curl -fsSL … -o install.sh`) it can be read first and run in a call of its own; a package manager checks what it installs. If the person gives the address or the command, it passes.",
  root: "It runs with the rights of root, beyond this project, and the person has not spoken of that. Much works without: a folder of one's own (`--user`, `--prefix`, a virtual environment). If the person says sudo or root, it passes; they can also run it themselves.",
  publish:
    "It makes a version public that can hardly be taken back, and the person has not asked for a release. A dry run (`--dry-run`) or a package on this machine (`npm pack`, `cargo package`) passes. If the person asks for it to be published, so does this.",
};

const REASONS: Readonly<Record<Reach["kind"], string>> = {
  download: "runs a text from the network that nobody has seen",
  root: "runs as root, which nobody asked for",
  publish: "publishes, which nobody asked for",
};

function reachOf(ctx: CodingContext): Reach | undefined {
  const calls = ctx.command?.calls ?? [];
  const source = ctx.command?.source ?? "";
  const find = (kind: Reach["kind"], test: (call: ShellCall) => boolean): Reach | undefined => {
    const call = calls.find((one) => test(one));
    return call === undefined || isAsked(ctx, kind, source) ? undefined : { kind, call };
  };
  const saved = downloadsIn(calls);
  return (
    find("download", (call) => runsDownload(call, saved)) ??
    find("publish", publishes) ??
    find("root", isRoot)
  );
}

function isAsked(ctx: CodingContext, kind: Reach["kind"], source: string): boolean {
  if (kind === "root")
    return askedFor(
      ctx,
      /\bsudo\b|\b(?:as|with) (?:root|administrator)\b|\broot (?:rights|privileges|access)\b/i,
    );
  if (kind === "publish")
    return askedFor(
      ctx,
      /\b(?:publish|unpublish|release)\w*\b|\b(?:upload|push)\w*\b.*\b(?:pypi|npm|registry|crates|image|docker|gem)/i,
    );
  // An address that was only mentioned is no wish to run what it holds.
  const hosts = [...source.matchAll(/https?:\/\/([\w.-]{1,250})/gi)].map(([, host = ""]) =>
    host.replace(/\./g, "\\."),
  );
  const named = hosts.slice(0, 20).flatMap((host) => [`${RUN}.*${host}`, `${host}.*${RUN}`]);
  return askedFor(ctx, new RegExp([...named, "\\b(?:curl|wget)\\b.*\\|\\s*(?:ba|z)?sh\\b"].join("|"), "i"));
}

const RUN = "\\b(?:install|run|execute|set up|curl|wget)";
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
  const byAddress =
    name === "wget" || args.some((arg) => /^-[a-zA-Z]*O$/.test(arg))
      ? args.filter((arg) => /^https?:/.test(arg))
      : [];
  return [...into, ...named, ...byAddress].filter((file) => !/^(?:-|\/dev\/null)$/.test(file));
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
  if (
    askedFor(
      ctx,
      /\b(?:0?777|0?666)\b|\bworld[- ]writ|\bwrit\w+ (?:for|by|to) (?:everyone|everybody|all|others)\b/i,
    )
  )
    return [];
  return (ctx.command?.calls ?? []).flatMap((call) => {
    if (call.name !== "chmod" || gitCall(call) !== undefined) return [];
    const mode = call.operands[0] ?? "";
    const isDeep = call.flags.some((flag) => flag === "R" || flag === "--recursive");
    const to = narrower(mode, isDeep);
    return to === undefined ? [] : [{ call, from: mode, to }];
  });
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
