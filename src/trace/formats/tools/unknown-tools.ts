import type { CodingTool } from "../../../model/coding-tools.ts";
import { isRecord, without } from "../records.ts";
import type { ToolInput } from "../../canonical-input.ts";
import { languageIn, lineOfCode } from "./code-calls.ts";
import { editList } from "./forms.ts";
import { COMMAND_NAMES, CONTENT_NAMES, NEW_NAMES, OLD_NAMES, PATH_NAMES } from "./other-hosts.ts";
import { quoted } from "./shell-words.ts";
import type { KeyShape, ToolShape } from "./tool-shape.ts";

// Tools that no table names: those of MCP servers above all. What such a call does is told by the keys of its input, and of files also by
// the words of its name. It is judged as the canonical tool that does the same; where a change cannot be said in its own keys, `write`
// answers undefined.

const list = (names: string): readonly string[] => names.split(" ");

const COMMANDS = [
  ...list(COMMAND_NAMES),
  ...list("command_line shell_command shellCommand bash_command bash"),
];
const COMMAND_LISTS = list("commands cmds command_list");
const ARGUMENTS = list("args arguments argv params parameters");
const TYPED = list("input chars text data keys stdin");
const CODE = list("code source_code sourceCode python javascript js");
const LANGUAGE = list("language lang interpreter kernel runtime shell shell_type");
const INNER = list("arguments args params parameters input tool_input toolArgs payload");
/** Keys that say what a tool of several is to do. */
const ACTION = list("action operation op method mode");
const INNER_NAME = list("tool tool_name toolName name");
const FROM = list("source source_path sourcePath src from old_path oldPath");
const TO = list(
  "destination destination_path destinationPath dest dst to target target_path new_path newPath",
);
const PATHS = [...list(PATH_NAMES), ...list("filepath file_name fileName")];
/** A file that lies at one of these is none of this machine's. */
const ELSEWHERE = list("owner repo repository project_id projectId bucket page_id");

const TERMINAL = new Set(list("terminal process stdin pty tty console shell keys bash powershell"));
const TYPES = new Set(list("write send type interact input feed paste"));
const FILES = new Set(list("file files"));
const DELETES = new Set(list("delete remove rm unlink trash erase"));
const MOVES = new Set(list("move rename mv"));
const COPIES = new Set(list("copy cp duplicate"));
const APPENDS = new Set(list("append add"));
const WRITES = new Set(list("write create save put overwrite"));
const EDITS = new Set(list("edit replace modify patch update insert change apply"));
const READS = new Set(list("read get view cat open show load"));
/** They speak of a file, and show nothing of it. */
const ABOUT = new Set(
  list("info stat stats status metadata exists size hash list search find tree history permissions"),
);

const MAX_PATH = 4_096;

const textAt = (input: ToolInput, names: readonly string[]): string | undefined =>
  names.find((name) => typeof input[name] === "string" && input[name].trim() !== "");

const stringIn = (input: ToolInput, key: string | undefined): string => {
  const value = key === undefined ? undefined : input[key];
  return typeof value === "string" ? value : "";
};

function pathAt(input: ToolInput, names: readonly string[]): string | undefined {
  const key = textAt(input, names);
  const path = stringIn(input, key);
  return path === "" || path.length > MAX_PATH || path.includes("\n") ? undefined : key;
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");

/** The words of a tool's own name: of `mcp__files__writeFile`, `write` and `file`. */
function wordsOf(name: string): readonly string[] {
  const own = name.slice(name.lastIndexOf("__") + 1).slice(0, 200);
  return own
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
}

/** A call whose canonical input is made of several of its keys, and cannot be said in them again. */
function madeOf(tool: CodingTool, made: ToolInput, used: readonly string[]): ToolShape {
  return {
    tool,
    keys: {},
    form: { read: (input) => ({ input: { ...made, ...without(input, used) } }), write: () => undefined },
  };
}

/** A call one of whose keys is the canonical one under another name. */
function renamedKeys(tool: CodingTool, keys: Readonly<Record<string, KeyShape | undefined>>): ToolShape {
  const own = Object.entries(keys).filter((entry): entry is [string, KeyShape] => entry[1] !== undefined);
  return { tool, keys: Object.fromEntries(own) };
}

const text = (as: string): KeyShape => ({ as, type: "string", required: true });

function shellOf(input: ToolInput, words: readonly string[]): "Bash" | "PowerShell" {
  const named = LANGUAGE.flatMap((key) => (typeof input[key] === "string" ? [input[key]] : []));
  return languageIn([...named, ...words]) === "powershell" ? "PowerShell" : "Bash";
}

/** Arguments beside a command, as words of a shell; a text is taken as it stands. */
function argumentsIn(value: unknown): string {
  if (typeof value === "string") return value;
  return isTexts(value) ? value.map(quoted).join(" ") : "";
}

function ofCommand(input: ToolInput, words: readonly string[]): ToolShape | undefined {
  const tool = shellOf(input, words);
  const key = textAt(input, COMMANDS);
  if (key !== undefined) {
    // An editor of several commands: `create`, with a path and a text.
    const verb = stringIn(input, key);
    const asEditor = /^\w{1,40}$/.test(verb) ? ofFile(input, wordsOf(verb)) : undefined;
    if (asEditor !== undefined) return asEditor;
    const beside = ARGUMENTS.find((name) => argumentsIn(input[name]) !== "");
    const language = languageIn(LANGUAGE.map((name) => stringIn(input, name)));
    if (key === "script" && language !== undefined) return ofCode(input, words, "script");
    if (beside !== undefined)
      return madeOf(tool, { command: `${verb} ${argumentsIn(input[beside])}` }, [key, beside]);
    const shape = renamedKeys(tool, { [key]: text("command") });
    return words.includes("bash") ? shape : { ...shape, powershellOnWindows: true };
  }
  const listed = COMMANDS.find((name) => isTexts(input[name]));
  if (listed !== undefined)
    return madeOf(tool, { command: (input[listed] as readonly string[]).map(quoted).join(" ") }, [listed]);
  const lines = COMMAND_LISTS.find((name) => isTexts(input[name]));
  if (lines === undefined) return undefined;
  return madeOf(tool, { command: (input[lines] as readonly string[]).join("\n") }, [lines]);
}

function ofCode(input: ToolInput, words: readonly string[], only?: string): ToolShape | undefined {
  const key = only ?? textAt(input, CODE);
  if (key === undefined) return undefined;
  const named = LANGUAGE.map((name) => stringIn(input, name));
  const { tool, line } = lineOfCode(stringIn(input, key), [...named, key, ...words]);
  if (line === input[key]) return renamedKeys(tool, { [key]: text("command") });
  return madeOf(tool, { command: line }, [key]);
}

/** What is typed into a terminal that runs already. */
function ofTyped(input: ToolInput, words: readonly string[]): ToolShape | undefined {
  const has = (verbs: ReadonlySet<string>): boolean => words.some((one) => verbs.has(one));
  if (!has(TERMINAL) || !has(TYPES)) return undefined;
  const key = textAt(input, TYPED);
  return key === undefined ? undefined : renamedKeys(shellOf(input, words), { [key]: text("command") });
}

/** A path as a word of a shell: a leading `~` stays the home, as file tools read it. */
function word(path: string): string {
  const home = /^~(?=\/|$)/.exec(path)?.[0] ?? "";
  return home + (path === home ? "" : quoted(path.slice(home.length)));
}

function ofPaths(input: ToolInput, has: (words: ReadonlySet<string>) => boolean): ToolShape | undefined {
  const from = pathAt(input, FROM);
  const to = pathAt(input, TO);
  if (from !== undefined && to !== undefined && (has(MOVES) || has(COPIES))) {
    const program = has(MOVES) ? "mv" : "cp -r";
    return madeOf(
      "Bash",
      { command: `${program} ${word(stringIn(input, from))} ${word(stringIn(input, to))}` },
      [from, to],
    );
  }
  if (!has(DELETES)) return undefined;
  const one = pathAt(input, [...PATHS, "directory", "folder"]);
  const many = isTexts(input["paths"]) ? "paths" : undefined;
  const key = one ?? many;
  if (key === undefined) return undefined;
  const paths = key === one ? [stringIn(input, key)] : (input[key] as readonly string[]);
  const program = has(FILES) ? "rm" : "rm -r";
  return madeOf("Bash", { command: `${program} ${paths.map(word).join(" ")}` }, [key]);
}

function ofFile(input: ToolInput, words: readonly string[]): ToolShape | undefined {
  if (ELSEWHERE.some((key) => typeof input[key] === "string")) return undefined;
  const has = (verbs: ReadonlySet<string>): boolean => words.some((one) => verbs.has(one));
  const paths = ofPaths(input, has);
  if (paths !== undefined) return paths;
  const path = pathAt(input, PATHS);
  if (path === undefined) return undefined;
  const keys = { [path]: { ...text("path"), path: true } as const };
  const old = list(OLD_NAMES).find((name) => name !== path && typeof input[name] === "string");
  const next = list(NEW_NAMES).find((name) => name !== path && typeof input[name] === "string");
  const content = list(CONTENT_NAMES).find((name) => name !== path && typeof input[name] === "string");
  if (Array.isArray(input["edits"]) && has(EDITS)) return ofEdits(path);
  if (old !== undefined && next !== undefined)
    return renamedKeys("Edit", { ...keys, [old]: text("oldText"), [next]: text("newText") });
  const written = next ?? content;
  if (written !== undefined && has(APPENDS)) return appended(input, path, written);
  // Without the text that is replaced, nothing says where the edit fits: it is judged by what it writes.
  if (written !== undefined && (has(WRITES) || has(EDITS)))
    return renamedKeys("Write", { ...keys, [written]: text("content") });
  return has(READS) && !has(ABOUT) ? renamedKeys("Read", keys) : undefined;
}

function appended(input: ToolInput, path: string, written: string): ToolShape {
  const line = `printf %s ${quoted(stringIn(input, written))} >> ${word(stringIn(input, path))}`;
  return madeOf("Bash", { command: line }, [path, written]);
}

const ofEdits = (path: string): ToolShape => ({
  tool: "MultiEdit",
  keys: { edits: { type: "objects", path: true } },
  sent: {},
  form: editList("edits", { oldText: "oldText", newText: "newText" }, path),
});

/** A tool that calls another one: `call_tool { name, arguments: { command } }`. */
function ofInner(input: ToolInput, words: readonly string[]): ToolShape | undefined {
  const key = INNER.find((one) => isRecord(input[one]));
  if (key === undefined) return undefined;
  const inner = input[key] as ToolInput;
  const named = textAt(input, INNER_NAME);
  const found = shapeOf(inner, named === undefined ? words : wordsOf(stringIn(input, named)));
  const read = found?.form === undefined ? { input: inner } : found.form.read(inner);
  if (found === undefined || read === undefined) return undefined;
  const made = Object.entries(read.input).map(([own, value]) => [found.keys[own]?.as ?? own, value] as const);
  return madeOf(found.tool, Object.fromEntries(made), [key]);
}

function shapeOf(input: ToolInput, words: readonly string[]): ToolShape | undefined {
  return ofCommand(input, words) ?? ofFile(input, words) ?? ofCode(input, words) ?? ofTyped(input, words);
}

/** The shape of a call of a tool that no table names; undefined where nothing says that it runs a command or touches a file. */
export function unknownTool(name: string, input: ToolInput): ToolShape | undefined {
  const words = [...wordsOf(name), ...ACTION.flatMap((key) => wordsOf(stringIn(input, key)))];
  return shapeOf(input, words) ?? ofInner(input, words);
}
