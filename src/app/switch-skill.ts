import type { Position, TextEdit } from "../model/diagnostic.ts";
import { applyEdits } from "../skill/fix-skill.ts";
import { sourceText, type SourceText } from "../skill/source-text.ts";
import { linesOf, removeItem } from "../skill/yaml-edits.ts";
import { readYaml, type YamlEntry, type YamlValue } from "../skill/yaml-tree.ts";
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

const listOf = (ids: readonly string[]): string => `[${ids.join(", ")}]`;

const insertion = (at: Position, newText: string): TextEdit => ({ range: { start: at, end: at }, newText });

function added(entry: YamlEntry | undefined, id: string, source: SourceText): TextEdit {
  if (entry === undefined) {
    const end = source.positionAt(source.text.length);
    return insertion(end, `${end.character === 0 ? "" : "\n"}${DISABLED}: ${listOf([id])}\n`);
  }
  const { value, keyRange } = entry;
  if (value.kind !== "list") {
    const { line, character } = keyRange.end;
    return insertion({ line, character: character + 1 }, ` ${listOf([id])}`);
  }
  const bottom = value.items.at(-1);
  if (bottom === undefined || value.isFlow)
    return { range: value.range, newText: listOf([...value.items.map(textOf), id]) };
  const { line } = bottom.range.end;
  const above = source.text.split(/\r\n|\n|\r/)[line] ?? "";
  const indent = /^\s*/.exec(above)?.[0] ?? "";
  return insertion({ line, character: above.length }, `\n${indent}- ${id}`);
}

function removed(entry: YamlEntry, id: string, source: SourceText): TextEdit {
  const { value } = entry;
  const items = value.kind === "list" ? value.items : [];
  const own = items.find((item) => textOf(item) === id);
  const kept = items.map(textOf).filter((one) => one !== id);
  if (value.kind !== "list" || own === undefined || kept.length === 0)
    return { range: linesOf(entry, source), newText: "" };
  if (value.isFlow) return { range: value.range, newText: listOf(kept) };
  return removeItem(value, own.range, source);
}

/** Enables or disables a skill in the text of a `hasp.yaml`, by one edit that leaves the rest as it was written, comments too. */
export function switchSkill(text: string, id: string, enable: boolean): SkillSwitch {
  const source = sourceText(text);
  const { root, problems } = readYaml(text, source, 0);
  if (problems.length > 0 || (root !== undefined && root.kind !== "map")) {
    const next = "Fix it first; the list of problems says where.";
    return { kind: "refused", message: "hasp.yaml cannot be read.", next };
  }
  const now = parseWorkspaceConfig(text, "hasp.yaml").value.disabledSkills;
  if (now.includes(id) !== enable) return { kind: "same" };
  const entry = root?.entries.get(DISABLED);
  const edit = enable && entry !== undefined ? removed(entry, id, source) : added(entry, id, source);
  const wanted = enable ? now.filter((one) => one !== id) : [...now, id];
  const then = parseWorkspaceConfig(applyEdits(text, [edit]), "hasp.yaml").value.disabledSkills;
  if (then.join() === wanted.join()) return { kind: "edit", edit };
  const message = `${DISABLED} of hasp.yaml is written in a form that cannot be edited.`;
  return { kind: "refused", message, next: NEXT };
}

/** A `hasp.yaml` with these libraries that switches one skill off. */
export function newConfig(libraries: readonly string[], disabled: string): string {
  return `libraries:\n${libraries.map((one) => `  - ${one}\n`).join("")}${DISABLED}: [${disabled}]\n`;
}
