import type { Position, Range } from "../../model/diagnostic.ts";
import type { SourceText } from "../source-text.ts";
import { readYaml, type YamlMap, type YamlValue } from "../yaml-tree.ts";
import { fenceOf } from "./complete-skill.ts";

/** A word of YAML with the keys that lead to it. */
export interface YamlWord {
  /** Ends with the key itself, or with the key of the value. */
  readonly path: readonly string[];
  readonly at: "key" | "value";
  readonly text: string;
  readonly range: Range;
}

/** The frontmatter of a SKILL.md as a tree; undefined where it cannot be read. */
export function frontmatterTree(source: SourceText): YamlMap | undefined {
  const lines = source.text.split("\n");
  const end = fenceOf(lines.map((line) => line.replace(/\r$/, "")));
  if (end === undefined) return undefined;
  const from = (lines[0] ?? "").length + 1;
  const to = source.offsetAt({ line: end, character: 0 });
  const { root } = readYaml(source.text.slice(from, to), source, from);
  return root?.kind === "map" ? root : undefined;
}

/** A cases.yaml or hasp.yaml as a tree. */
export function yamlTree(source: SourceText): YamlMap | undefined {
  const from = source.text.startsWith("\uFEFF") ? 1 : 0;
  const { root } = readYaml(source.text.slice(from), source, from);
  return root?.kind === "map" ? root : undefined;
}

/** Every key and every plain value, in the order of the text. */
export function* wordsIn(value: YamlValue, path: readonly string[] = []): Generator<YamlWord> {
  if (value.kind === "scalar") {
    if (value.value !== null) yield { path, at: "value", text: String(value.value), range: value.range };
  } else if (value.kind === "list") {
    for (const item of value.items) yield* wordsIn(item, path);
  } else {
    for (const { key, keyRange, value: below } of value.entries.values()) {
      yield { path: [...path, key], at: "key", text: key, range: keyRange };
      yield* wordsIn(below, [...path, key]);
    }
  }
}

export function contains({ start, end }: Range, { line, character }: Position): boolean {
  const after = line > start.line || (line === start.line && character >= start.character);
  return after && (line < end.line || (line === end.line && character <= end.character));
}

/** The key or value at a position. */
export function wordAt(root: YamlMap, position: Position): YamlWord | undefined {
  for (const word of wordsIn(root)) if (contains(word.range, position)) return word;
  return undefined;
}
