import type { Range } from "../model/diagnostic.ts";
import type { Skill } from "../model/skill.ts";
import { sourceText, type SourceText } from "./source-text.ts";

/** Where SKILL.md says what other skills depend on. */
export interface SkillPlaces {
  /** The line of `skill_id`, else of `name`; undefined where neither stands. */
  readonly skillId: Range | undefined;
  /** By superseded id. */
  readonly supersedes: ReadonlyMap<string, Range>;
}

export const NO_PLACES: SkillPlaces = { skillId: undefined, supersedes: new Map() };

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
  return { skillId: valueRange(front, "skill_id", source) ?? valueRange(front, "name", source), supersedes };
}
