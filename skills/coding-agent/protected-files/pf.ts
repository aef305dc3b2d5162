import {
  askedFor,
  gitCall,
  injectContext,
  noop,
  ProgramFunction,
  refuse,
  type CodingContext,
  type FileChange,
  type Intervention,
  type ShellCall,
} from "hasp";

/** Who writes a lock file, by its name. */
const WRITTEN_BY: ReadonlyMap<string, string> = new Map([
  ["package-lock.json", "npm install"],
  ["npm-shrinkwrap.json", "npm shrinkwrap"],
  ["yarn.lock", "yarn install"],
  ["pnpm-lock.yaml", "pnpm install"],
  ["bun.lock", "bun install"],
  ["deno.lock", "deno install"],
  ["Cargo.lock", "cargo update"],
  ["poetry.lock", "poetry lock"],
  ["uv.lock", "uv lock"],
  ["pdm.lock", "pdm lock"],
  ["Pipfile.lock", "pipenv lock"],
  ["go.sum", "go mod tidy"],
  ["composer.lock", "composer update"],
  ["Gemfile.lock", "bundle lock"],
  ["Podfile.lock", "pod install"],
  ["pubspec.lock", "dart pub get"],
  ["mix.lock", "mix deps.get"],
  ["flake.lock", "nix flake lock"],
  ["packages.lock.json", "dotnet restore"],
  ["gradle.lockfile", "gradle dependencies --write-locks"],
]);
const DATA = /(?:^|\/)(?:fixtures?|__fixtures__|testdata|test-data|snapshots?|mocks?|examples?)\//i;
const GENERATED =
  /(?:^|\/)(?:node_modules|site-packages|\.next|\.nuxt|\.svelte-kit)\/|\.pb\.(?:go|cc|h)$|_pb2(?:_grpc)?\.pyi?$|\.(?:g|freezed)\.dart$|\.min\.(?:js|css)$|\.generated\.\w+$|\.Designer\.cs$/;
const MARKED =
  /^\W*(?:code generated\b.{0,80}\bdo not edit|@generated\b|(?:this|the) file (?:is|was) (?:auto-?)?generated\b|do not edit (?:this file|by hand|manually))/im;

const TEST_FILE =
  /(?:^|\/)(?:tests?|specs?|__tests__|e2e)\/.*\.(?:[cm]?[jt]sx?|py|rb|php|java|kts?|cs|go|rs|swift|exs?|dart)$|[._-](?:test|spec)s?\.\w+$|_test\.(?:go|py|dart|exs?)$|(?:^|\/)test_[^/]+\.py$|(?:Test|Tests|Spec|IT)\.(?:java|kts?|cs|php|swift|scala|groovy)$/;
const TEST_FOLDER = /(?:^|\/)(?:tests?|specs?|__tests__|e2e)(?:\/(?:\*{1,2}|unit|integration|e2e))?\/?$/;
const SKIPS =
  /\b(?:it|test|describe|suite|context)\.(?:skip|todo|fails|failing)\b|^\s*(?:xit|xtest|xdescribe|xcontext|pending)\b|@(?:pytest\.mark\.(?:skip|skipif|xfail)|unittest\.(?:skip\w*|expectedFailure)|Disabled|Ignore)\b|\bpytest\.(?:skip|xfail)\(|\bself\.skipTest\(|\bt\.Skip(?:f|Now)?\(|#\[ignore\b|\[(?:Ignore|Fact\(Skip)\b|\$this->markTest(?:Skipped|Incomplete)\(/m;
const EMPTY =
  /\bassert\s+True\b(?!\s*(?:==|is|and|or|,))|\bassertTrue\(\s*[Tt]rue\s*[,)]|\bexpect\(\s*(?:true|1)\s*\)\.(?:toBe|toEqual|to\.be|to\.equal)\(\s*(?:true|1)?\s*\)|\bassert!\(\s*true\s*\)|\bassert\.ok\(\s*true\s*\)/;
const ASSERTION =
  /\bassert\w*[\s(!.]|\bexpect\s*\(|\.should[.(\s]|\bt\.(?:Error|Fatal|Fail)|\brequire\.(?:Equal|NoError|True|False|Nil)|\bself\.assert/;

/** How a person asks for tests to be skipped: those that fail, or those of a file. */
const SKIP = "skip|disable|ignore|xfail|quarantine|mute|comment_out";
const TESTS = "test|tests|spec|specs|test_case|test_cases";
const SKIPPING = [
  `${SKIP}|remove|delete|drop failing|flaky|broken|red ${TESTS}`,
  `${SKIP}|remove|delete|drop failing|flaky|broken|red? ${TESTS} in {path}`,
  `${SKIP}|remove|delete|drop failing|flaky|broken|red? ${TESTS} in {name}`,
  `${SKIP} {path}`,
  `${SKIP} {name}`,
];
/** How they ask for tests to be changed; a remark less is no harm. */
const CHANGING = [
  `${SKIP}|update|change|adapt|adjust|rewrite|rename|replace|edit|correct|migrate|refactor|clean_up|regenerate|remove|delete|drop ` +
    `* ${TESTS}|assertion|assertions|expectation|expectations|expected|snapshot|snapshots|suite *`,
];

/** Characters of a change that are looked at. */
const LOOKED_AT = 24_000;

/** What speaks against the call. */
interface Objection {
  readonly refuses: boolean;
  readonly text: string;
  readonly reason: string;
}

export default class ProtectedFiles extends ProgramFunction {
  shouldActivate(ctx: CodingContext): boolean {
    return objectionTo(ctx) !== undefined;
  }

  intervene(ctx: CodingContext): Intervention {
    const objection = objectionTo(ctx);
    if (objection === undefined) return noop("nothing that is protected is touched");
    const { refuses, text, reason } = objection;
    if (refuses) return refuse(text, reason);
    ctx.memory[text] = true;
    return injectContext(text, reason);
  }
}

/** Refusals first; a remark only where it has not been made before. */
function objectionTo(ctx: CodingContext): Objection | undefined {
  if (ctx.changes.length === 0 && ctx.command === undefined) return undefined;
  const all = [...lockFiles(ctx), ...tests(ctx), ...generated(ctx)];
  const hard = all.find(({ refuses }) => refuses);
  return hard ?? all.find(({ text }) => ctx.memory[text] !== true);
}

function lockFiles(ctx: CodingContext): Objection[] {
  const edited = ctx.changes.filter(
    ({ kind, before = "" }) => kind !== "delete" && !/^<{7} /m.test(before.slice(0, LOOKED_AT)),
  );
  const isLock = (path: string): boolean => WRITTEN_BY.has(baseName(path));
  const paths = [...edited.map(({ path }) => path), ...touched(ctx, writtenBy, isLock)];
  return paths.flatMap((path) => {
    const name = baseName(path);
    const tool = WRITTEN_BY.get(name);
    if (tool === undefined || DATA.test(path) || asksToEdit(path, ctx)) return [];
    const text = `Not changed: ${path} is a lock file, which \`${tool}\` writes from what the project declares. Written by hand, its checksums and versions would no longer be what gets installed. A change of the declared dependencies and then \`${tool}\` brings the same. ${UNASKED}, if it names the file to be edited.`;
    return [{ refuses: true, text, reason: `${name} is written by a tool` }];
  });
}

/** The files of a kind that programs touch, but for those of a command that the person wrote out. */
function touched(
  ctx: CodingContext,
  pathsOf: (call: ShellCall) => readonly string[],
  isMeant: (path: string) => boolean,
): string[] {
  return (ctx.command?.calls ?? []).flatMap((call) => {
    const paths = pathsOf(call).filter(isMeant);
    return paths.length > 0 && askedFor(ctx, { call }) ? [] : paths;
  });
}

/** Files that a command line edits in place or writes by a redirection. */
function writtenBy(call: ShellCall): string[] {
  const isInPlace =
    /^(?:g?sed|perl)$/.test(call.name) && call.args.some((arg) => /^(?:-\w*i|--in-place)/.test(arg));
  const isCopy = call.name === "tee" || call.name === "sponge";
  const into = call.redirects.flatMap(({ op, target }) => (/^&?>{1,2}\|?$/.test(op) ? [target] : []));
  // A file of git's own, or one that another folder's tool wrote, is the tool's text.
  const [source = ""] = call.operands;
  const target = call.operands.at(-1) ?? "";
  const isPut = /^(?:cp|mv)$/.test(call.name) && baseName(source) !== baseName(target);
  const isBack = gitCall(call)?.command === "show" || gitCall(call)?.command === "cat-file";
  return [...(isInPlace || isCopy ? call.operands : []), ...(isPut ? [target] : []), ...(isBack ? [] : into)];
}

/** The person asked for this very file to be changed. */
function asksToEdit(path: string, ctx: CodingContext): boolean {
  return askedFor(ctx, { words: EDITS, things: { path: [path] } });
}

const EDIT = "edit|change|update|modify|fix|patch|write|rewrite|overwrite|resolve|replace|correct";
const EDITS = [
  `${EDIT} {path}`,
  `${EDIT} {path} by_hand|manually|directly|yourself|with|to|so|and *`,
  `${EDIT}|remove|delete|add|set|put * in|from|of|to {path}`,
  `${EDIT}|remove|delete|add|set|put * in|from|of|to {path} by_hand|manually|directly *`,
  `${EDIT} lockfile|lock_file by_hand|manually|directly`,
];

function generated(ctx: CodingContext): Objection[] {
  return ctx.changes.flatMap(({ path, kind, before = "" }) => {
    if (kind !== "replace" || DATA.test(path) || asksToEdit(path, ctx)) return [];
    if (!GENERATED.test(path) && !MARKED.test(before.slice(0, 4_000))) return [];
    const text = `${path} looks like a file that a tool writes; a change by hand is gone when it is written again. Its source, or a patch that the project keeps, would last.`;
    return [{ refuses: false, text, reason: "a generated file is changed by hand" }];
  });
}

/** The last test run failed: from then on a test is evidence. */
function testsFail({ checks }: CodingContext): boolean {
  return checks.findLast(({ kind, passed }) => kind === "test" && passed !== undefined)?.passed === false;
}

function tests(ctx: CodingContext): Objection[] {
  if (!testsFail(ctx)) return [];
  const made = ctx.files.flatMap(({ path, createdAt }) => (createdAt === undefined ? [] : [path]));
  const own = [...made, ...(ctx.gone ?? [])];
  const isForeign = (path: string): boolean =>
    isTest(placeOf(path, ctx)) && !DATA.test(path) && !isMade(placeOf(path, ctx), own, ctx);
  const deleted = [
    ...ctx.changes.flatMap(({ path, kind }) => (kind === "delete" && isForeign(path) ? [path] : [])),
    ...touched(ctx, deletedBy, isForeign),
  ];
  const unasked = deleted.filter((path) => !asksToDelete(path, ctx));
  if (unasked.length > 0) return [deletion(unasked.join(", "))];
  const weakened = touched(ctx, (call) => (weakens(call) ? call.operands : []), isForeign).find(
    (path) => !asksToSkip(path, ctx),
  );
  if (weakened !== undefined) return [skipping(weakened, "skip a test or take assertions out")];
  const changed = ctx.changes.filter(({ path, kind }) => kind === "replace" && isForeign(path));
  return changed.flatMap((change) => weaker(change, ctx));
}

const isTest = (path: string): boolean => TEST_FILE.test(path) || TEST_FOLDER.test(path);

/** A path that a command deletes, from the agent's own folder: the command may have gone to another one before. */
function placeOf(path: string, { deletes = [] }: CodingContext): string {
  const written = plain(path);
  return deletes.find((place) => place === written || place.endsWith(`/${written}`)) ?? written;
}

/** The session made this file; of a pattern: all the files that it knows and that the pattern names, one at least. */
function isMade(path: string, own: readonly string[], { files }: CodingContext): boolean {
  const wanted = plain(path);
  if (!wanted.includes("*")) return own.includes(wanted);
  const [before = "", ...rest] = wanted.split("*");
  const after = rest.at(-1) ?? "";
  const named = files.filter((file) => file.path.startsWith(before) && file.path.endsWith(after));
  return named.length > 0 && named.every((file) => own.includes(file.path));
}

/** Files that a program deletes, empties, or moves to where no test runner looks. */
function deletedBy(call: ShellCall): readonly string[] {
  const { name, args, operands, redirects } = call;
  if (/^(?:rm|unlink|shred|truncate|Remove-Item)$/.test(name)) return operands;
  if (name === "cp" && operands[0] === "/dev/null") return operands.slice(1);
  if (name === "mv" || name === "Move-Item") return movedAway(operands);
  if (name === "find" && args.includes("-delete"))
    return args.filter((_, i) => /^-i?(?:name|path)$/.test(args[i - 1] ?? ""));
  const git = gitCall(call);
  const paths = git?.args.filter((arg) => !arg.startsWith("-")) ?? [];
  if (git?.command === "rm") return git.args.includes("--cached") ? [] : paths;
  if (git?.command === "mv") return movedAway(paths);
  const isNothing = /^(?:|:|true)$/.test(name) || (/^(?:echo|printf)$/.test(name) && args.join("") === "");
  return isNothing ? redirects.flatMap(({ op, target }) => (/^&?>\|?$/.test(op) ? [target] : [])) : [];
}

function movedAway(paths: readonly string[]): string[] {
  const target = paths.at(-1) ?? "";
  const isFile = /\.\w+$/.test(target);
  return paths.slice(0, -1).filter((path) => {
    if (TEST_FOLDER.test(path)) return !TEST_FOLDER.test(target);
    const to = isFile ? target : `${target.replace(/\/$/, "")}/${baseName(path)}`;
    return !TEST_FILE.test(to) || /^(?:\/(?:var\/)?tmp|\/dev|~|\.\.|\$)/.test(to);
  });
}

/** Whether `sed -i` puts a skip into a file, or takes lines with assertions out of it. */
function weakens({ name, args }: ShellCall): boolean {
  if (!/^(?:g?sed|perl)$/.test(name) || !args.some((arg) => /^(?:-\w*i|--in-place)/.test(arg))) return false;
  return args.some((arg) => {
    const [, , from = "", to = ""] = /^(?:\d+,?\d*)?s([/|#,@!])(.{0,300}?)\1(.{0,300}?)\1/s.exec(arg) ?? [];
    const skips = (SKIPS.test(to) && !SKIPS.test(from)) || (EMPTY.test(to) && !EMPTY.test(from));
    return skips || /^\/[^/]{0,100}(?:assert|expect)[^/]{0,100}\/d$/.test(arg);
  });
}

function asksToDelete(path: string, ctx: CodingContext): boolean {
  const words = [
    "delete|remove|drop|rm test|tests|spec? {path}",
    "delete|remove|drop|rm test|tests|spec? {name}",
  ];
  return askedFor(ctx, { words, things: { path: [path], name: [baseName(path)] } });
}

function asksToSkip(path: string, ctx: CodingContext): boolean {
  return askedFor(ctx, { words: SKIPPING, things: { path: [path], name: [baseName(path)] } });
}

/** What HASP knows about the wish for it, and no more. */
const UNASKED =
  "HASP found no request for exactly this in the person's latest prompt; a prompt that asks for it counts as one";
const FAILING = "The last test run of this session failed";

function deletion(paths: string): Objection {
  const text = `Not deleted: ${paths}. ${FAILING}, and a deleted test no longer tells why. ${UNASKED}, if it names what is to be deleted.`;
  return { refuses: true, text, reason: "deletes a test while tests fail" };
}

function skipping(path: string, what: string): Objection {
  const text = `Not changed: this edit of ${path} would ${what}. ${FAILING}; the failure would stay and no longer show. The cause in the code, or the mistake in the test, is worth telling the person. ${UNASKED}, if it names the failing test or this file.`;
  return { refuses: true, text, reason: `would ${what} while tests fail` };
}

function weaker(change: FileChange, ctx: CodingContext): Objection[] {
  const { path } = change;
  if (change.before === undefined || change.before.length + change.after.length > LOOKED_AT) return [];
  const { before, after } = change;
  const skips = count(after, SKIPS) > count(before, SKIPS);
  const empties = count(after, EMPTY) > count(before, EMPTY);
  if ((skips || empties) && !asksToSkip(path, ctx)) {
    const what = skips ? "skip a test" : "put an assertion that always holds";
    return [skipping(path, what)];
  }
  if (askedFor(ctx, { words: CHANGING })) return [];
  const fewer = assertions(before).length - assertions(after).length;
  if (fewer > 0)
    return [remark(path, `${fewer} ${fewer === 1 ? "assertion" : "assertions"} fewer`, "removes assertions")];
  return changesExpectation(before, after)
    ? [remark(path, "another expected value", "changes what a test expects")]
    : [];
}

function remark(path: string, what: string, reason: string): Objection {
  const text = `${FAILING}, and this edit leaves ${path} with ${what}. Where the old expectation was right, the code is what is wrong; where it was not, why it changed is worth telling the person.`;
  return { refuses: false, text, reason: `${reason} while tests fail` };
}

function count(text: string, pattern: RegExp): number {
  return text.split("\n").filter((line) => pattern.test(line)).length;
}

function assertions(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => ASSERTION.test(line) && !/^\s*(?:\/\/|#(?!\[)|\*|import\b|from\b)/.test(line));
}

/** The same assertion with another literal in it. */
function changesExpectation(before: string, after: string): boolean {
  const old = new Set(assertions(before).map((line) => line.trim()));
  const now = new Set(assertions(after).map((line) => line.trim()));
  const gone = new Set([...old].flatMap((line) => (now.has(line) ? [] : [withoutLiterals(line)])));
  return [...now].some((line) => !old.has(line) && gone.has(withoutLiterals(line)));
}

function withoutLiterals(line: string): string {
  return line.replace(
    /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|-?\b\d[\d_.]*\b|\b(?:true|false|null|None|True|False|undefined|nil)\b/g,
    "…",
  );
}

const plain = (path: string): string => path.replace(/^\.\//, "");
const baseName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;
