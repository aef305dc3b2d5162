import type { Position, Range, TextEdit } from "../model/diagnostic.ts";
import { sourceText } from "../skill/source-text.ts";
import { readYaml, type YamlEntry, type YamlList, type YamlValue } from "../skill/yaml-tree.ts";
import { DISABLED } from "../evaluation/config-keys.ts";
import { parseWorkspaceConfig } from "../evaluation/workspace-config.ts";

/** What becomes of `hasp.yaml` when a skill is enabled or disabled. */
export type SkillSwitch =
  | { readonly kind: "edit"; readonly edit: TextEdit }
  /** It is so already. */
  | { readonly kind: "same" }
  /** The file cannot be edited; says why, and what to do. */
  | { readonly kind: "refused"; readonly message: string; readonly next: string };

const NEXT = `Write \`${DISABLED}: [the_skill_id]\` at the top of hasp.yaml by hand.`;

const textOf = (value: YamlValue): string => (value.kind === "scalar" ? String(value.value) : "");

const lineRange = (first: number, last: number): Range => ({
  start: { line: first, character: 0 },
  end: { line: last + 1, character: 0 },
});

const point = (position: Position): Range => ({ start: position, end: position });

function flowOf(ids: readonly string[]): string {
  return `[${ids.join(", ")}]`;
}

/** A list on lines of its own, `- a` below `- b`. */
function isBlock(list: YamlList, lines: readonly string[]): boolean {
  const { line, character } = list.range.start;
  return lines[line]?.[character] === "-";
}

function added(entry: YamlEntry | undefined, id: string, lines: readonly string[]): TextEdit {
  const last = lines.length - 1;
  if (entry === undefined) {
    const isOpen = lines[last] !== "";
    const end = { line: last, character: lines[last]?.length ?? 0 };
    return { range: point(end), newText: `${isOpen ? "\n" : ""}${DISABLED}: ${flowOf([id])}\n` };
  }
  const { value, keyRange } = entry;
  if (value.kind !== "list") {
    const afterColon = { line: keyRange.end.line, character: keyRange.end.character + 1 };
    return { range: point(afterColon), newText: ` ${flowOf([id])}` };
  }
  const bottom = value.items.at(-1);
  if (bottom === undefined || !isBlock(value, lines))
    return { range: value.range, newText: flowOf([...value.items.map(textOf), id]) };
  const line = bottom.range.end.line;
  const indent = /^\s*/.exec(lines[line] ?? "")?.[0] ?? "";
  const item = `${indent}- ${id}`;
  // The last line of the file may have no end.
  if (line === last)
    return { range: point({ line, character: lines[line]?.length ?? 0 }), newText: `\n${item}` };
  return { range: point({ line: line + 1, character: 0 }), newText: `${item}\n` };
}

function removed({ keyRange, value }: YamlEntry, id: string, lines: readonly string[]): TextEdit {
  const items = value.kind === "list" ? value.items : [];
  const kept = items.filter((item) => textOf(item) !== id);
  if (kept.length === 0) {
    const end = items.at(-1)?.range.end.line ?? keyRange.end.line;
    const closing = value.kind === "list" && !isBlock(value, lines) ? value.range.end.line : end;
    return { range: lineRange(keyRange.start.line, closing), newText: "" };
  }
  const gone = items.find((item) => textOf(item) === id);
  if (value.kind !== "list" || gone === undefined || !isBlock(value, lines))
    return { range: value.range, newText: flowOf(kept.map(textOf)) };
  return { range: lineRange(gone.range.start.line, gone.range.end.line), newText: "" };
}

/** The text with one edit made; lines and characters as editors count them. */
export function withTextEdit(text: string, { range, newText }: TextEdit): string {
  const starts = [0, ...[...text.matchAll(/\r\n|\n|\r/g)].map((end) => end.index + end[0].length)];
  const offset = ({ line, character }: Position): number => (starts[line] ?? text.length) + character;
  return text.slice(0, offset(range.start)) + newText + text.slice(offset(range.end));
}

/** Enables or disables a skill in the text of a `hasp.yaml`, by one edit that leaves the rest as it was written, comments too. */
export function switchSkill(text: string, id: string, enable: boolean): SkillSwitch {
  const { root, problems } = readYaml(text, sourceText(text), 0);
  if (problems.length > 0 || (root !== undefined && root.kind !== "map"))
    return {
      kind: "refused",
      message: "hasp.yaml cannot be read.",
      next: "Fix it first; the list of problems says where.",
    };
  const now = parseWorkspaceConfig(text, "hasp.yaml").value.disabledSkills;
  if (now.includes(id) !== enable) return { kind: "same" };
  const entry = root?.entries.get(DISABLED);
  const lines = text.split(/\r\n|\n|\r/);
  const written = enable && entry !== undefined ? removed(entry, id, lines) : added(entry, id, lines);
  const edit = text.includes("\r\n")
    ? { ...written, newText: written.newText.replaceAll("\n", "\r\n") }
    : written;
  const wanted = enable ? now.filter((one) => one !== id) : [...now, id];
  const then = parseWorkspaceConfig(withTextEdit(text, edit), "hasp.yaml");
  const worked = then.value.disabledSkills.join() === wanted.join();
  return worked
    ? { kind: "edit", edit }
    : {
        kind: "refused",
        message: `${DISABLED} of hasp.yaml is written in a form that cannot be edited.`,
        next: NEXT,
      };
}

/** A `hasp.yaml` with these libraries that switches one skill off. */
export function newConfig(libraries: readonly string[], disabled: string): string {
  return `libraries:\n${libraries.map((one) => `  - ${one}\n`).join("")}${DISABLED}: [${disabled}]\n`;
}
