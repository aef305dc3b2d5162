import type { Position, Range } from "../model/diagnostic.ts";
import { CONFIG_KEYS, keysOf, type ConfigKey, type ConfigShape } from "../evaluation/config-keys.ts";

/** Something that may be written at a place of `hasp.yaml`. */
export interface ConfigProposal {
  readonly kind: "key" | "value";
  readonly label: string;
  /** What is written. */
  readonly insert: string;
  /** Default and range, in few words. */
  readonly detail: string;
  readonly about: string;
}

const KEY_LINE = /^(\s*)(["']?)([\w.-]*)\2(\s*:)?/;

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Default and range of a key, for people. */
export function detailOf(shape: ConfigShape): string {
  switch (shape.kind) {
    case "flag":
      return `true or false; default ${shape.fallback}`;
    case "number":
      return `${shape.least} to ${shape.most}${shape.whole ? "" : ", fractions too"}; default ${shape.fallback}`;
    case "choice":
      return shape.values.map(({ text }) => text).join(", ");
    case "path":
      return "a path inside the workspace";
    case "text":
      return "a text";
    case "texts":
      return "a list";
    case "group":
      return "keys below it";
    case "named":
      return "names, and keys below each";
  }
}

/** The group that a line stands in: the last line above it at no indentation; undefined at the top of the file. */
function groupAbove(lines: readonly string[], at: number, indent: number): string | undefined {
  if (indent === 0) return undefined;
  const above = lines.slice(0, at).findLast((line) => /^[^\s#]/.test(line)) ?? "";
  return KEY_LINE.exec(above)?.[3];
}

/** The keys that may stand at this indentation; none below something that is no group. */
function keysAt(lines: readonly string[], at: number, indent: number): readonly ConfigKey[] {
  const group = groupAbove(lines, at, indent);
  if (group === undefined) return indent === 0 ? CONFIG_KEYS : [];
  return isNameLine(lines, at, indent, group) ? [] : keysOf(group);
}

/** Whether a line of a group with names holds one of them: no line above it in the group is indented less. */
function isNameLine(lines: readonly string[], at: number, indent: number, group: string): boolean {
  if (CONFIG_KEYS.find(({ name }) => name === group)?.shape.kind !== "named") return false;
  const start = lines.slice(0, at).findLastIndex((line) => /^[^\s#]/.test(line)) + 1;
  return !lines.slice(start, at).some((line) => line.trim() !== "" && indentOf(line) < indent);
}

/** Keys that stand beside the line already. */
function siblings(lines: readonly string[], at: number, indent: number): ReadonlySet<string> {
  const isBoundary = (line: string): boolean => line.trim() !== "" && indentOf(line) < indent;
  const start = lines.slice(0, at).findLastIndex(isBoundary) + 1;
  const after = lines.slice(at + 1).findIndex(isBoundary);
  const end = after === -1 ? lines.length : at + 1 + after;
  return new Set(
    lines
      .slice(start, end)
      .filter((line, i) => start + i !== at && indentOf(line) === indent)
      .flatMap((line) => KEY_LINE.exec(line)?.[3] ?? []),
  );
}

function valuesOf({ name, shape }: ConfigKey): readonly ConfigProposal[] {
  const value = (text: string, about: string, detail: string): ConfigProposal => ({
    kind: "value",
    label: text,
    insert: text,
    detail,
    about,
  });
  switch (shape.kind) {
    case "flag":
      return [true, false].map((one) => value(String(one), "", one === shape.fallback ? "default" : ""));
    case "number":
      return [value(String(shape.fallback), detailOf(shape), "default")];
    case "choice":
      return shape.values.map(({ text, about }) => value(text, about, name));
    default:
      return [];
  }
}

function insertOf({ name, shape }: ConfigKey): string {
  if (shape.kind === "group" || shape.kind === "named" || name === "libraries") return `${name}:\n  `;
  if (shape.kind === "texts") return `${name}: []`;
  return shape.kind === "flag" || shape.kind === "number" ? `${name}: ${shape.fallback}` : `${name}: `;
}

const linesOf = (text: string): readonly string[] => text.split(/\r?\n/);

/** What may be written at a position of `hasp.yaml` in block style: keys that are not there yet, or values of the line's key. */
export function proposalsAt(text: string, { line: at, character }: Position): readonly ConfigProposal[] {
  const lines = linesOf(text);
  const line = lines[at] ?? "";
  const before = line.slice(0, character);
  if (before.includes("#")) return [];
  const [, , , name = "", colon] = KEY_LINE.exec(before) ?? [];
  const indent = indentOf(before);
  const keys = keysAt(lines, at, indent);
  if (colon !== undefined) {
    const key = keys.find((one) => one.name === name);
    return key === undefined ? [] : valuesOf(key);
  }
  if (!/^\s*[\w.-]*$/.test(before)) return [];
  const there = siblings(lines, at, indent);
  return keys
    .filter((key) => !there.has(key.name))
    .map((key) => ({
      kind: "key",
      label: key.name,
      insert: insertOf(key),
      detail: detailOf(key.shape),
      about: key.about,
    }));
}

/** What the key under a position means; undefined where there is no key of ours. */
export function helpAt(
  text: string,
  { line: at, character }: Position,
): { readonly key: ConfigKey; readonly range: Range } | undefined {
  const lines = linesOf(text);
  const line = lines[at] ?? "";
  const [, , , name = "", colon] = KEY_LINE.exec(line) ?? [];
  const start = indentOf(line);
  if (colon === undefined || character < start || character > start + name.length) return undefined;
  const key = keysAt(lines, at, start).find((one) => one.name === name);
  const range = { start: { line: at, character: start }, end: { line: at, character: start + name.length } };
  return key === undefined ? undefined : { key, range };
}
