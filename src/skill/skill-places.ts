import type { Range, TextEdit } from "../model/diagnostic.ts";
import type { Skill } from "../model/skill.ts";
import { readFrontmatter } from "./frontmatter.ts";
import { reportOn } from "./report.ts";
import { sourceText, type SourceText } from "./source-text.ts";
import { addEntry, removeItem, setValue } from "./yaml-edits.ts";
import type { YamlMap } from "./yaml-tree.ts";

/** Where SKILL.md says what other skills depend on. */
export interface SkillPlaces {
  /** The line of `skill_id`, else of `name`; undefined where neither stands. */
  readonly skillId: Range | undefined;
  /** By superseded id. */
  readonly supersedes: ReadonlyMap<string, Range>;
  /** Takes one of them out, by superseded id. */
  readonly withoutSuperseded?: ReadonlyMap<string, TextEdit>;
  /** Writes the next version. */
  readonly raisedVersion?: TextEdit;
}

export const NO_PLACES: SkillPlaces = { skillId: undefined, supersedes: new Map() };

/** The mapping that holds a key of ours: `metadata.hasp`, else the top level. */
function sheetWith(key: string, root: YamlMap): YamlMap {
  const metadata = root.entries.get("metadata")?.value;
  const hasp = metadata?.kind === "map" ? metadata.entries.get("hasp")?.value : undefined;
  return hasp?.kind === "map" && (hasp.entries.has(key) || !root.entries.has(key)) ? hasp : root;
}

function editsIn(
  root: YamlMap,
  version: number,
  source: SourceText,
): Pick<SkillPlaces, "withoutSuperseded" | "raisedVersion"> {
  const list = sheetWith("supersedes", root).entries.get("supersedes")?.value;
  const items = list?.kind === "list" ? list.items : [];
  const withoutSuperseded = new Map<string, TextEdit>();
  for (const item of items) {
    if (list?.kind === "list" && item.kind === "scalar")
      withoutSuperseded.set(String(item.value), removeItem(list, item.range, source));
  }
  const sheet = sheetWith("version", root);
  const entry = sheet.entries.get("version");
  const raisedVersion =
    entry === undefined
      ? addEntry(sheet, `version: ${version + 1}`)
      : setValue(entry, `${version + 1}`, source);
  return { withoutSuperseded, raisedVersion };
}

/** The frontmatter with its fences; all of the text where it is not closed. */
function frontmatterOf(text: string): string {
  const end = /\r?\n---\s*(?:\r?\n|$)/g;
  end.lastIndex = 3;
  const close = end.exec(text);
  return close === null ? text : text.slice(0, close.index);
}

/** The value behind a key of this name, at any depth. */
function valueRange(front: string, key: string, source: SourceText): Range | undefined {
  const match = new RegExp(String.raw`^[^\S\r\n]*["']?${key}["']?[^\S\r\n]*:[^\S\r\n]*`, "m").exec(front);
  if (match === null) return undefined;
  const start = match.index + match[0].length;
  const rest = /^[^\r\n#]*/.exec(front.slice(start))?.[0].trimEnd() ?? "";
  return source.range(start, start + rest.length);
}

/** Finds the places in the text of a SKILL.md that was read as this skill. */
export function placesIn(text: string, skill: Skill): SkillPlaces {
  const source = sourceText(text);
  const front = frontmatterOf(text);
  const from = front.search(/^[^\S\r\n]*["']?supersedes["']?[^\S\r\n]*:/m);
  const supersedes = new Map<string, Range>();
  for (const id of from === -1 ? [] : skill.supersedes) {
    // Ids are snake_case, so they need no escaping; a longer id that begins alike is another.
    const at = front.slice(from).search(new RegExp(String.raw`(?<!\w)${id}(?!\w)`));
    if (at !== -1) supersedes.set(id, source.range(from + at, from + at + id.length));
  }
  const root = readFrontmatter(source, reportOn("SKILL.md", source))?.root;
  return {
    skillId: valueRange(front, "skill_id", source) ?? valueRange(front, "name", source),
    supersedes,
    ...(root !== undefined && editsIn(root, skill.version, source)),
  };
}
