import { firstCharacters } from "../model/characters.ts";
import type { Fix, Range } from "../model/diagnostic.ts";
import type { SourceText } from "./source-text.ts";
import { quoted } from "./yaml-edits.ts";

/** A file with more of them is binary, and deleting them would not make a text of it. */
const MOST_NULS = 200;
const MAX_TEXT = 200;

/** The first line of prose, as the text that says when to use the skill. */
function firstProse(text: string): string {
  const line = text.split(/\r?\n|\r/).find((one) => /\p{L}{2}/u.test(one) && !one.startsWith("---")) ?? "";
  const words = line.replaceAll(/^[\s#>*-]+|[*_`]/g, "").trim();
  return words === "" ? "Use when …" : firstCharacters(words, MAX_TEXT);
}

/** The beginning of a message that ends with the words of the YAML parser. */
export const NOT_YAML = "The frontmatter is not valid YAML";

const nameFor = (folder: string): string => (folder === "" ? "my-skill" : folder);

/** A file without frontmatter gets one: the name of its folder, and what its first line says. */
export function withFrontmatter(source: SourceText, folder: string): readonly Fix[] {
  const from = source.text.startsWith("\uFEFF") ? 1 : 0;
  const isEmpty = source.text.slice(from).trim() === "";
  const keys = `name: ${nameFor(folder)}\ndescription: ${quoted(firstProse(source.text.slice(from)))}\n`;
  const range = isEmpty ? source.range(from, source.text.length) : source.range(from, from);
  return [
    { title: "Add frontmatter", edits: [{ range, newText: `---\n${keys}---\n${isEmpty ? "" : "\n"}` }] },
  ];
}

/** `name` and `description` below an opening fence. */
export function withKeys(source: SourceText, fenceEnd: number, folder: string): readonly Fix[] {
  const rest = source.text.slice(fenceEnd);
  const close = /\r?\n---/.exec(rest)?.index ?? 0;
  const keys = `\nname: ${nameFor(folder)}\ndescription: ${quoted(firstProse(rest.slice(close + 4)))}`;
  return [
    {
      title: "Add `name` and `description`",
      edits: [{ range: source.range(fenceEnd, fenceEnd + close), newText: keys }],
      ...(rest.slice(0, close).trim() !== "" && { byHand: true as const }),
    },
  ];
}

/** A line that belongs to YAML: a key, an item, something indented, a comment. */
const YAML_LINE = /^(?:\s+\S|-\s|["']?[\w.-]+["']?\s*:(?:\s|$)|#)/;

/** The closing fence below the last line of the keys that begin after the opening one. */
export function withClosingFence(source: SourceText, fenceEnd: number): readonly Fix[] {
  const { line } = source.positionAt(fenceEnd);
  const lines = source.text.split(/\r\n|\n|\r/);
  let at = line + 1;
  while (at < lines.length && YAML_LINE.test(lines[at] ?? "")) at++;
  const isLast = at >= lines.length;
  const end = isLast ? source.text.length : source.offsetAt({ line: at, character: 0 });
  const newText = isLast ? "\n---\n" : "---\n";
  return [{ title: "Close the frontmatter", edits: [{ range: source.range(end, end), newText }] }];
}

export function withoutNuls(source: SourceText): readonly Fix[] {
  const places = [...source.text.matchAll(/\0+/g)];
  if (places.length > MOST_NULS) return [];
  const edits = places.map(({ index, 0: run }) => ({
    range: source.range(index, index + run.length),
    newText: "",
  }));
  return [{ title: "Delete the NUL characters", edits }];
}

/** `key: value` whose value YAML does not take as it stands, most often because of a `: ` in it. */
const VALUE = /^(\s*(?:- )?["']?[\w.-]+["']?:[ \t]+)(\S.*?)\s*$/;

/** Fixes of what commonly breaks YAML on the line of a problem: tabs before a key, and texts that want quotes. */
export function fixesOfLine(source: SourceText, problem: Range): readonly Fix[] {
  const { line } = problem.start;
  const text = source.text.split(/\r\n|\n|\r/)[line] ?? "";
  const at = (from: number, to: number): Range => ({
    start: { line, character: from },
    end: { line, character: to },
  });
  const indent = /^[ \t]*/.exec(text)?.[0] ?? "";
  if (indent.includes("\t"))
    return [
      {
        title: "Indent with blanks",
        edits: [{ range: at(0, indent.length), newText: indent.replaceAll("\t", "  ") }],
      },
    ];
  const [, before, value] = VALUE.exec(text) ?? [];
  if (before === undefined || value === undefined || /^(?:["'|>]|\{.*\}$|\[.*\]$)/.test(value)) return [];
  if (!/: |:$|^[&*!%@`[\]{}#,]| #/.test(value)) return [];
  const range = at(before.length, before.length + value.length);
  return [{ title: "Put the text in quotes", edits: [{ range, newText: quoted(value) }] }];
}
