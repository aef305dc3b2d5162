import { firstCharacters } from "../model/characters.ts";
import type { Fix, TextEdit } from "../model/diagnostic.ts";
import type { Frontmatter } from "./frontmatter.ts";
import { HASP_KEYS } from "./skill-keys.ts";
import type { SourceText } from "./source-text.ts";
import { KEBAB_CASE, MAX_DESCRIPTION } from "./vocabulary.ts";
import { linesOf, plainOrQuoted, quoted, setValue } from "./yaml-edits.ts";
import type { YamlEntry, YamlMap } from "./yaml-tree.ts";

const INDENT = "    ";

/** Keys at top level that `metadata.hasp` does not have already. */
function strays(root: YamlMap, hasp: YamlMap | undefined): readonly YamlEntry[] {
  return HASP_KEYS.flatMap((key) => {
    const entry = root.entries.get(key);
    return entry === undefined || hasp?.entries.has(key) === true ? [] : [entry];
  });
}

function mapAt(map: YamlMap | undefined, key: string): YamlMap | undefined | "other" {
  const value = map?.entries.get(key)?.value;
  return value === undefined || value.kind === "map" ? value : "other";
}

/** The lines of entries at column 0, as they stand. */
function textOf(entries: readonly YamlEntry[], source: SourceText): string {
  return entries.map((entry) => source.slice(linesOf(entry, source)).trimEnd()).join("\n");
}

/** An entry whose lines begin at this column, put before the first entry of a mapping in lines. */
function before(map: YamlMap, lines: string): TextEdit | undefined {
  const [first] = map.entries.values();
  if (first === undefined || map.isFlow) return undefined;
  const at = { line: first.keyRange.start.line, character: 0 };
  const indent = " ".repeat(first.keyRange.start.character);
  const newText = lines.replaceAll(/^(?=.)/gm, indent);
  return { range: { start: at, end: at }, newText: `${newText}\n` };
}

/** Where the moved lines go: into `hasp`, `metadata`, or to the end of the frontmatter. */
function placed(root: YamlMap, lines: string): TextEdit | undefined {
  const metadata = mapAt(root, "metadata");
  const hasp = metadata === "other" ? "other" : mapAt(metadata, "hasp");
  if (metadata === "other" || hasp === "other") return undefined;
  if (hasp !== undefined) return before(hasp, lines);
  const under = `hasp:\n${lines.replaceAll(/^(?=.)/gm, "  ")}`;
  if (metadata !== undefined) return before(metadata, under);
  const at = root.range.start;
  return {
    range: { start: at, end: at },
    newText: `metadata:\n  hasp:\n${lines.replaceAll(/^(?=.)/gm, INDENT)}\n`,
  };
}

/**
 * Moves all of HASP's keys from top level (the paper's form) under `metadata: hasp:`. In the paper's form, `folder` is given: a
 * `name` that is a title becomes one, and the folder's name takes its place.
 */
export function movedToMetadata(
  root: YamlMap,
  folder: string | undefined,
  source: SourceText,
): readonly Fix[] {
  const metadata = mapAt(root, "metadata");
  const nested = metadata === undefined || metadata === "other" ? undefined : mapAt(metadata, "hasp");
  const moved = strays(root, nested === "other" ? undefined : nested);
  if (moved.length === 0 || root.isFlow) return [];
  const { titleLine, edits } = renamed(root, folder, source);
  const place = placed(root, [titleLine, textOf(moved, source)].filter((text) => text !== "").join("\n"));
  if (place === undefined) return [];
  const takenOut = moved.map((entry) => ({ range: linesOf(entry, source), newText: "" }));
  const title = "Move HASP's keys under `metadata: hasp:`";
  return [{ title, edits: joined([place, ...takenOut, ...edits]) }];
}

/** What is put in right before a line that goes, goes in with its replacement. */
function joined([place, ...others]: readonly [TextEdit, ...TextEdit[]]): readonly TextEdit[] {
  const at = others.find(
    ({ range: { start } }) =>
      start.line === place.range.start.line && start.character === place.range.start.character,
  );
  if (at === undefined) return [place, ...others];
  const both = { range: at.range, newText: place.newText + at.newText };
  return [both, ...others.filter((edit) => edit !== at)];
}

function renamed(
  root: YamlMap,
  folder: string | undefined,
  source: SourceText,
): { titleLine: string; edits: readonly TextEdit[] } {
  const name = root.entries.get("name");
  const written = name?.value.kind === "scalar" ? name.value.value : undefined;
  if (folder === undefined || name === undefined || typeof written !== "string" || KEBAB_CASE.test(written))
    return { titleLine: "", edits: [] };
  const titleLine = root.entries.has("title") ? "" : `title: ${plainOrQuoted(written)}`;
  return { titleLine, edits: [setValue(name, folder === "" ? "my-skill" : folder, source)] };
}

/** Adds a section at the end of the body. */
export function withSection(heading: string, text: string, front: Frontmatter, source: SourceText): Fix {
  const end = source.text.trimEnd().length;
  const start = Math.max(end, Math.min(front.bodyStart, source.text.length));
  const gap = source.text.slice(0, start).endsWith("\n") ? "\n" : "\n\n";
  const newText = `${gap}## ${heading}\n\n${text}\n`;
  return {
    title: `Add a section \`## ${heading}\``,
    edits: [{ range: source.range(start, source.text.length), newText }],
    byHand: true,
  };
}

/** The longest part of a description that may stand, cut after a sentence or a word; the rest begins the body. */
export function shorterDescription(front: Frontmatter, written: string, source: SourceText): readonly Fix[] {
  const entry = front.root.entries.get("description");
  if (entry === undefined) return [];
  const room = firstCharacters(written, MAX_DESCRIPTION);
  const sentence = /^[\s\S]*[.!?](?=\s)/.exec(room)?.[0];
  const kept = sentence ?? /^[\s\S]*(?=\s)/.exec(room)?.[0] ?? room;
  const rest = written.slice(kept.length).trim();
  const at = source.range(front.bodyStart, front.bodyStart);
  return [
    {
      title: "Move the rest of the description into the text",
      edits: [setValue(entry, quoted(kept.trim()), source), { range: at, newText: `\n${rest}\n` }],
      byHand: true,
    },
  ];
}
