import { canonicalJson } from "../../canonical-json.ts";
import { CANONICAL_KEYS, type CodingTool } from "../../../model/coding-tools.ts";
import { parseJson } from "../../../model/read-json.ts";
import { isRecord } from "../records.ts";
import { ownTool, toolsNamed } from "./any-tool.ts";
import type { InputForm, KeyShape, ToolShape, ToolTable } from "./tool-shape.ts";
import { unknownTool } from "./unknown-tools.ts";
import { orderedInput, type ToolInput } from "../../canonical-input.ts";
import { absolutePath, isAbsolutePath, isWindowsPath, pathInFolder } from "../../tool-path.ts";

/** A call in canonical words: the type and, as an object, the argument of an action. */
export interface CanonicalCall {
  readonly type: string;
  readonly input: ToolInput;
}

/** A host's tool, and its input as its keys read it. */
interface FoundTool {
  readonly shape: ToolShape;
  /** As it was given, an object. */
  readonly given: ToolInput;
  /** In the form after `form.read`; undefined where this call is not that tool after all. */
  readonly read: { readonly input: ToolInput; readonly tool: CodingTool } | undefined;
}

/**
 * The tool that a call means; undefined where HASP has no canonical tool for it. Of several that have the name, in any spelling, the first
 * whose keys the input has; where none fits, the host's own. Importers and hooks resolve a tool's name here alone.
 */
export function toolOf(table: ToolTable, name: string, input: unknown, cwd?: string): FoundTool | undefined {
  let own: FoundTool | undefined;
  for (const shape of toolsNamed(table, name)) {
    const given = asInput(input, shape.bare);
    const found = { shape, given, read: readForm(shape, given, cwd) };
    if (fits(found)) return found;
    if (shape === ownTool(table, name)) own = found;
  }
  return own ?? unknownIn(name, input, cwd);
}

/** A tool of an MCP server, or another that no table names, by what its input says. */
function unknownIn(name: string, input: unknown, cwd: string | undefined): FoundTool | undefined {
  const given = asInput(input, undefined);
  const shape = unknownTool(name, given);
  return shape && { shape, given, read: readForm(shape, given, cwd) };
}

/** Each canonical key that the tool requires comes from one of its own keys. A form that turned the call into another tool knows it. */
function fits({ shape, read }: FoundTool): boolean {
  if (read === undefined) return false;
  if (shape.form !== undefined && read.tool !== shape.tool) return true;
  const sources = sourcesOf(shape, read.input);
  return Object.entries(shape.keys).every(
    ([key, { as = key, required }]) => required !== true || Object.hasOwn(shape.keys, sources.get(as) ?? ""),
  );
}

/**
 * A host's call in canonical words. Keys that the table does not know stay as they are, and so does a tool it does not know, under its
 * own name. An input that is the text of a JSON object is read as that object; any other text is `{ input }`.
 */
export function canonicalCall(table: ToolTable, name: string, input: unknown, cwd?: string): CanonicalCall {
  const { shape, read } = toolOf(table, name, input, cwd) ?? {};
  if (shape === undefined || read === undefined)
    return { type: name === "" ? "other" : name, input: asInput(input, shape?.bare) };
  return { type: read.tool, input: orderedInput(read.tool, renamed(shape, read.input, cwd)) };
}

/**
 * The host's input for a canonical one that stands in for `original`: what did not change stays to the letter, and so do keys that the
 * table does not know. Text stays text. Undefined where this tool of the host cannot say it.
 */
export function hostInput(
  table: ToolTable,
  name: string,
  input: ToolInput,
  original: unknown,
  cwd?: string,
): unknown {
  const before = canonicalCall(table, name, original, cwd).input;
  if (canonicalJson(before) === canonicalJson(input)) return original;
  const { shape, given = {}, read } = toolOf(table, name, original, cwd) ?? {};
  if (shape === undefined || read === undefined) return asSent(input, original, undefined);
  const flat = unrenamed({ table, shape, tool: read.tool, given: read.input, cwd }, input);
  const written = flat === undefined || shape.form === undefined ? flat : shape.form.write(flat, given);
  if (written === undefined) return undefined;
  const again = canonicalCall(table, name, written, cwd);
  const said = again.type === read.tool && meaning(again.input, cwd) === meaning(input, cwd);
  return said ? asSent(written, original, shape.bare) : undefined;
}

/** The input as text to compare: switches that are off are as good as absent, and paths have one form. */
function meaning(input: ToolInput, cwd: string | undefined): string {
  const normal = Object.entries(input).flatMap(([key, value]): [string, unknown][] => {
    if (value === undefined || value === false) return [];
    const path = key === "path" || key === "files" || key === "edits";
    const clean = key === "edits" && Array.isArray(value) ? value.map(withoutOff) : value;
    return [
      [key, path ? withPaths({ type: "string", path }, clean, (one) => pathInFolder(one, cwd)) : clean],
    ];
  });
  return canonicalJson(Object.fromEntries(normal));
}

function withoutOff(edit: unknown): unknown {
  return isRecord(edit)
    ? Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== false))
    : edit;
}

function readForm(
  shape: ToolShape,
  given: ToolInput,
  cwd: string | undefined,
): { readonly input: ToolInput; readonly tool: CodingTool } | undefined {
  const onWindows = shape.powershellOnWindows === true && cwd !== undefined && isWindowsPath(cwd);
  const tool = onWindows ? "PowerShell" : shape.tool;
  return shape.form === undefined ? { input: given, tool } : withTool(shape.form.read(given), tool);
}

function withTool(
  read: ReturnType<InputForm["read"]>,
  tool: CodingTool,
): { readonly input: ToolInput; readonly tool: CodingTool } | undefined {
  return read === undefined ? undefined : { tool, ...read };
}

function asInput(input: unknown, bare: string | undefined): ToolInput {
  if (isRecord(input)) return input;
  if (typeof input !== "string") return input === undefined || input === null ? {} : { input };
  return recordIn(input) ?? { [bare ?? "input"]: input };
}

function recordIn(text: string): ToolInput | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  const value = parseJson(text);
  return isRecord(value) ? value : undefined;
}

/** In the form in which the original came: an object, JSON as text, or bare text. */
function asSent(input: ToolInput, original: unknown, bare: string | undefined): unknown {
  if (typeof original !== "string") return input;
  if (recordIn(original) !== undefined) return JSON.stringify(input);
  const only = input[bare ?? "input"];
  return typeof only === "string" && Object.keys(input).length === 1 ? only : input;
}

/** Which of the host's keys gives each canonical key: the first that is there. Others of the same meaning keep their names. */
function sourcesOf(shape: ToolShape, given: ToolInput): Map<string, string> {
  const sources = new Map<string, string>();
  for (const key of Object.keys(shape.keys)) {
    const canonical = shape.keys[key]?.as ?? key;
    if (Object.hasOwn(given, key) && !sources.has(canonical)) sources.set(canonical, key);
  }
  const used = new Set(sources.values());
  for (const key of Object.keys(given)) if (!used.has(key) && !sources.has(key)) sources.set(key, key);
  return sources;
}

function renamed(shape: ToolShape, given: ToolInput, cwd: string | undefined): ToolInput {
  const pairs = [...sourcesOf(shape, given)].map(([canonical, key]): [string, unknown] => {
    const value = given[key];
    return [canonical, withPaths(shape.keys[key], value, (path) => pathInFolder(path, cwd))];
  });
  return Object.fromEntries(pairs);
}

/** The value with its paths changed: itself, its texts, or the `path` of each of its objects. */
function withPaths(shape: KeyShape | undefined, value: unknown, change: (path: string) => string): unknown {
  if (shape?.path !== true) return value;
  if (typeof value === "string") return change(value);
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown) => {
    if (typeof item === "string") return change(item);
    return isRecord(item) && typeof item["path"] === "string"
      ? { ...item, path: change(item["path"]) }
      : item;
  });
}

interface Back {
  readonly table: ToolTable;
  readonly shape: ToolShape;
  readonly tool: CodingTool;
  /** The original in the form after `form.read`. */
  readonly given: ToolInput;
  readonly cwd: string | undefined;
}

function unrenamed(back: Back, input: ToolInput): ToolInput | undefined {
  const { shape, given, cwd } = back;
  const before = renamed(shape, given, cwd);
  const sources = sourcesOf(shape, given);
  const result = new Map(Object.entries(given));
  for (const canonical of new Set([...Object.keys(before), ...Object.keys(input)])) {
    const value = ownValue(input, canonical);
    if (canonicalJson(ownValue(before, canonical)) === canonicalJson(value)) continue;
    const key = sources.get(canonical) ?? newKey(back, canonical);
    if (value === undefined) result.delete(key ?? canonical);
    else if (key !== undefined) result.set(key, hostValue(back, key, value));
    else if (value !== false) return undefined;
  }
  return Object.fromEntries(result);
}

function ownValue(input: ToolInput, key: string): unknown {
  return Object.hasOwn(input, key) ? input[key] : undefined;
}

/** The host's key for a canonical one that its input did not have; undefined where it has none, or where the name means another key. */
function newKey({ shape, tool }: Back, canonical: string): string | undefined {
  const known = Object.entries(shape.keys).find(([key, { as }]) => (as ?? key) === canonical)?.[0];
  if (known !== undefined) return known;
  return CANONICAL_KEYS[tool].includes(canonical) || Object.hasOwn(shape.keys, canonical)
    ? undefined
    : canonical;
}

function hostValue({ table, shape, given, cwd }: Back, key: string, value: unknown): unknown {
  const old = given[key];
  const absolute = typeof old === "string" ? isAbsolutePath(old) : table.absolutePaths;
  return withPaths(shape.keys[key], value, (path) => (absolute ? absolutePath(path, cwd) : path));
}
