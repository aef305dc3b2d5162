import type { ShellCall } from "../../model/coding-context.ts";
import { gitCall } from "../../skill/git-call.ts";
import { baseName } from "./check-runners.ts";
import { languageOf } from "./code-deeds.ts";
import { patchChanges } from "./patch.ts";
import { writesInProgram } from "./program-writes.ts";

/**
 * What a call does to a file, or to all below a folder. `undo`: as it was before the session; `stash` and `unstash`: for a
 * while; `clean`: all that the session made is gone.
 */
export type EffectKind = "create" | "replace" | "delete" | "undo" | "stash" | "unstash" | "clean";

/** `path` as the call has it; `text`: all that is written, where it is known; `from`: the file that is moved. */
export interface Effect {
  readonly kind: EffectKind;
  readonly path: string;
  readonly text?: string;
  readonly from?: string;
}

/** Programs whose output is text of the agent's own: into a file, that is an edit. What others print is a log. */
const WRITES_TEXT = new Set(["cat", "echo", "printf", ""]);
/** Into such a file even the output of another program is no log. */
const CODE =
  /\.(?:[cm]?[jt]sx?|vue|svelte|pyi?|pyx|rs|go|java|kts?|scala|swift|cs|rb|php|exs?|dart|c|h|cc|cpp|cxx|hpp|lua|sql)$/i;
const INTO_FILE = /^(?:>{1,2}\|?|&>{1,2})$/;

const inputOf = ({ redirects }: ShellCall): string | undefined =>
  redirects.findLast(({ op }) => op.startsWith("<<"))?.target;

/** The words after the switches; `valued` names the switches that take one. */
export function operandsOf(args: readonly string[], valued?: RegExp): string[] {
  const operands: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    if (valued?.test(arg) === true) i++;
    else if (arg === "--") return [...operands, ...args.slice(i + 1)];
    else if (!arg.startsWith("-") || arg === "-") operands.push(arg);
  }
  return operands;
}

const IN_PLACE: readonly (readonly [name: RegExp, inPlace: RegExp, script: RegExp])[] = [
  [/^g?sed$/, /^(?:-[a-zA-Z]*i|--in-place)/, /^(?:-[a-zA-Z]*[ef]|--expression|--file)$/],
  [/^(?:perl|ruby)$/, /^-[a-zA-Z0]*i/, /^-[a-zA-Z0]*[eE]$/],
];

/** Whether sed, perl, ruby or awk changes its files, and which they are. */
export function editedInPlace({ name, args }: ShellCall): readonly string[] | undefined {
  if (/^g?awk$/.test(name)) {
    const at = args.findIndex((arg, i) => arg === "inplace" && /^-i$/.test(args[i - 1] ?? ""));
    return at === -1 ? undefined : operandsOf(args.slice(at + 1), /^-[vf]$/).slice(1);
  }
  const [, inPlace, script] = IN_PLACE.find(([pattern]) => pattern.test(name)) ?? [];
  if (inPlace === undefined || script === undefined || !args.some((arg) => inPlace.test(arg)))
    return undefined;
  const operands = operandsOf(args, script).filter((operand) => operand !== "");
  return args.some((arg) => script.test(arg) || arg.startsWith("--expression="))
    ? operands
    : operands.slice(1);
}

const put = (kind: EffectKind, paths: readonly string[], text?: string): Effect[] =>
  paths.map((path) => ({ kind, path, ...(text === undefined ? {} : { text }) }));

function redirected(call: ShellCall): Effect[] {
  const text = call.name === "cat" && call.args.length === 0 ? inputOf(call) : undefined;
  return call.redirects.flatMap(({ op, target }) => {
    if (!INTO_FILE.test(op) || !(WRITES_TEXT.has(call.name) || CODE.test(target))) return [];
    return op.includes(">>") ? put("replace", [target]) : put("create", [target], text);
  });
}

/** Of `mv`, `cp` and `install`: where each source goes. */
function moved({ name, args }: ShellCall): Effect[] {
  const at = args.findIndex((arg) => /^(?:-t|--target-directory)$/.test(arg));
  const operands = operandsOf(args, /^(?:-t|--target-directory|-S|--suffix|-m|-o|-g)$/);
  const into = at === -1 ? operands.at(-1) : args[at + 1];
  const sources = at === -1 ? operands.slice(0, -1) : operands;
  if (into === undefined) return [];
  return sources.flatMap((from) => {
    const isFolder =
      at !== -1 ||
      sources.length > 1 ||
      /\/$|^\.{1,2}$/.test(into) ||
      (/\.\w+$/.test(from) && !/\.[\w~]+$|[^/]~$/.test(into));
    const path = isFolder ? `${into.replace(/\/$/, "")}/${baseName(from)}` : into;
    const gone: Effect[] = name === "mv" ? [{ kind: "delete", path: from }] : [];
    // A copy is new; what is moved is what it was.
    return [{ kind: "create" as const, path, ...(name === "mv" ? { from } : {}) }, ...gone];
  });
}

const ofPatch = (text: string): Effect[] => patchChanges(text).map(({ path, kind }) => ({ kind, path }));

/** A patch from a here-document, or from a file that the session made. */
function applied(
  call: ShellCall,
  args: readonly string[],
  writesOf: (path: string) => readonly string[],
): Effect[] {
  if (args.some((arg) => /^--(?:check|stat|numstat|summary|dry-run|cached)$/.test(arg))) return [];
  const text = inputOf(call);
  if (text !== undefined) return ofPatch(text);
  const from = call.redirects.flatMap(({ op, target }) => (op === "<" ? [target] : []));
  const at = args.findIndex((arg) => /^(?:-i|--input)$/.test(arg));
  const named = [
    ...from,
    ...(at === -1 ? operandsOf(args, /^(?:-[pdi]|--directory|--input)$/) : args.slice(at + 1, at + 2)),
  ];
  return put("replace", named.flatMap(writesOf));
}

function ofGit(call: ShellCall, writesOf: (path: string) => readonly string[]): Effect[] {
  const git = gitCall(call);
  if (git === undefined) return [];
  const { command, args } = git;
  const operands = operandsOf(args, /^(?:-s|--source|-m|-b|-B)$/);
  const dashes = args.indexOf("--");
  switch (command) {
    case "checkout":
      if (args.some((arg) => /^-[bB]$/.test(arg))) return [];
      return put("undo", dashes === -1 ? operands : args.slice(dashes + 1));
    case "restore":
      return args.includes("--staged") && !args.includes("--worktree") ? [] : put("undo", operands);
    case "reset":
      return args.includes("--hard") ? put("undo", ["."]) : [];
    case "stash":
      return stashed(operands);
    case "clean":
      return args.some((arg) => /^-\w*n|^--dry-run/.test(arg)) ? [] : [{ kind: "clean", path: "." }];
    case "rm":
      return args.includes("--cached") ? [] : put("delete", operands);
    case "mv":
      return moved({ ...call, name: "mv", args: [...args] });
    case "apply":
    case "am":
      return applied(call, args, writesOf);
    default:
      return [];
  }
}

function stashed([sub = "push"]: readonly string[]): Effect[] {
  if (sub === "pop" || sub === "apply") return [{ kind: "unstash", path: "." }];
  return sub === "push" || sub === "save" ? [{ kind: "stash", path: "." }] : [];
}

const INTERPRETER = /^(?:python[\d.]*|pypy[\d.]*|node|ruby|perl|tsx|ts-node|bash|sh)$/;
const CODE_SWITCH = /^-\w*[ceE]$/;

/** What a program writes whose text stands in the command line, or in a script that the session made. */
function ofPrograms(call: ShellCall, writesOf: (path: string) => readonly string[]): Effect[] {
  const { name, args } = call;
  if (!INTERPRETER.test(name)) return put("replace", writesOf(name));
  const at = args.findIndex((arg) => CODE_SWITCH.test(arg));
  const code = at === -1 ? inputOf(call) : args[at + 1];
  if (code !== undefined && !/^(?:bash|sh)$/.test(name)) return put("replace", writesInProgram(code));
  const [script] = operandsOf(args, /^-[WX]$/);
  return script === undefined ? [] : put("replace", writesOf(script));
}

/**
 * What a call does to files, as far as its words tell, in its order. `writesOf` knows what a file that the session made would write if it
 * were run, or applied as a patch.
 */
export function effectsOf(call: ShellCall, writesOf: (path: string) => readonly string[]): readonly Effect[] {
  const inPlace = editedInPlace(call);
  if (inPlace !== undefined) return put("replace", inPlace);
  const into = redirected(call);
  switch (call.name) {
    case "tee":
    case "sponge": {
      // What the text of a program writes has been taken from the program's own call.
      if (call.args[0] === "--" && languageOf(call.via.at(-1) ?? "") !== undefined) return into;
      const isOwn = call.name === "sponge" || call.from.every((name) => WRITES_TEXT.has(name));
      const kind = call.args.includes("-a") ? "replace" : "create";
      return [...into, ...(isOwn ? put(kind, operandsOf(call.args), inputOf(call)) : [])];
    }
    case "touch":
      return [...into, ...put("create", operandsOf(call.args, /^-[rdt]$/))];
    case "rm":
    case "unlink":
    case "Remove-Item":
      return [...into, ...put("delete", call.operands)];
    case "mv":
    case "cp":
    case "install":
      return [...into, ...moved(call)];
    case "patch":
      return [...into, ...applied(call, call.args, writesOf)];
    case "git":
      return [...into, ...ofGit(call, writesOf)];
    default:
      return [...into, ...ofPrograms(call, writesOf)];
  }
}
