import type { Position, Range, TextEdit } from "../../model/diagnostic.ts";
import { sourceText } from "../source-text.ts";
import { KEBAB_CASE, MAX_NAME } from "../vocabulary.ts";
import { contains, frontmatterTree, wordsIn, yamlTree } from "./yaml-at.ts";

/** The files that can name a skill. */
export type NamingFile = "SKILL.md" | "pf.ts" | "cases.yaml" | "hasp.yaml";

/** A place where a file names a skill. */
export interface SkillPlace {
  /**
   * `id`: its own skill_id; `name`: its own name; `names`: another file's mention by id; `class`: its class in pf.ts; `folder`: the end of a
   * path in hasp.yaml.
   */
  readonly role: "id" | "name" | "names" | "class" | "folder";
  /** The skill_id, the name or the class. */
  readonly text: string;
  readonly range: Range;
}

const unquoted = (range: Range, source: { slice(range: Range): string }): Range => {
  if (!/^["']/.test(source.slice(range))) return range;
  const { start, end } = range;
  return {
    start: { ...start, character: start.character + 1 },
    end: { ...end, character: end.character - 1 },
  };
};

function inSkillMd(text: string): SkillPlace[] {
  const source = sourceText(text);
  const root = frontmatterTree(source);
  if (root === undefined) return [];
  return [...wordsIn(root)].flatMap(({ path, at, text: word, range }): SkillPlace[] => {
    const key = path.join(".").replace(/^metadata\.hasp\./, "");
    if (at !== "value") return [];
    const place = { text: word, range: unquoted(range, source) };
    if (key === "skill_id") return [{ ...place, role: "id" }];
    if (key === "name") return [{ ...place, role: "name" }];
    return key === "supersedes" ? [{ ...place, role: "names" }] : [];
  });
}

const CLASS = /^export\s+default\s+class\s+([A-Za-z_$][\w$]*)/m;

function inPf(text: string): SkillPlace[] {
  const match = CLASS.exec(text);
  const name = match?.[1];
  if (match === null || name === undefined) return [];
  const start = match.index + match[0].length - name.length;
  return [{ role: "class", text: name, range: sourceText(text).range(start, start + name.length) }];
}

/** Lists of ids: `disabled_skills`, `pinned_skills`, `mandatory_skills` and their like. */
const ID_LIST = /_skills$/;

function inConfig(text: string): SkillPlace[] {
  const source = sourceText(text);
  const root = yamlTree(source);
  if (root === undefined) return [];
  return [...wordsIn(root)].flatMap(({ path, at, text: word, range }): SkillPlace[] => {
    const inner = unquoted(range, source);
    if (at !== "value") return [];
    if (ID_LIST.test(path.at(-1) ?? "")) return [{ role: "names", text: word, range: inner }];
    const [, folder] = /\/([^/]+)\/?$/.exec(word) ?? [];
    if (path[0] !== "libraries" || folder === undefined) return [];
    const from = source.offsetAt(inner.start) + word.lastIndexOf(folder);
    return [{ role: "folder", text: folder, range: source.range(from, from + folder.length) }];
  });
}

/** Where a file of this kind names skills by what it is for, not in passing. None where it cannot be read. */
export function placesOf(file: NamingFile, text: string): readonly SkillPlace[] {
  if (file === "SKILL.md") return inSkillMd(text);
  if (file === "pf.ts") return inPf(text);
  return file === "hasp.yaml" ? inConfig(text) : [];
}

export function placeAt(file: NamingFile, text: string, position: Position): SkillPlace | undefined {
  return placesOf(file, text).find(({ range }) => contains(range, position));
}

/** Where an id of several words stands in passing: in comments and names of cases. */
function mentions(text: string, word: string): Range[] {
  if (!/[_-]/.test(word)) return [];
  const source = sourceText(text);
  const found = text.matchAll(new RegExp(String.raw`(?<![\w-])${word}(?![\w-])`, "g"));
  return [...found].map(({ index }) => source.range(index, index + word.length));
}

/** The names that one skill goes by. */
export interface SkillNames {
  readonly name: string;
  readonly skillId: string;
  readonly className: string;
}

/** `late-read` → its id and class. */
export function namesOf(name: string): SkillNames {
  const words = name.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return { name, skillId: name.replaceAll("-", "_"), className: words.join("") };
}

/** The kebab-case name that a person meant, typed as name, id or class; undefined where it can be none. */
export function nameFrom(typed: string): string | undefined {
  const name = typed
    .trim()
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll(/[_\s-]+/g, "-")
    .toLowerCase();
  return KEBAB_CASE.test(name) && name.length <= MAX_NAME ? name : undefined;
}

/** Every use of the class's name in a pf.ts, outside texts and comments as far as one line tells. */
function classUses(text: string, className: string): Range[] {
  const source = sourceText(text);
  return [...text.matchAll(new RegExp(String.raw`(?<![\w$.])${className}(?![\w$])`, "g"))]
    .filter(({ index }) => {
      const before = text.slice(text.lastIndexOf("\n", index) + 1, index);
      return !/["'`]/.test(before) && !/^\s*(?:\*|\/[/*])|\/\//.test(before);
    })
    .map(({ index }) => source.range(index, index + className.length));
}

/**
 * What changes in a file when a skill takes another name. `isOwn`: it is a file of the skill itself. Its title and its texts stay: they are a
 * person's. The class follows only where it bore the old name.
 */
export function renameEdits(
  file: NamingFile,
  text: string,
  from: SkillNames,
  to: SkillNames,
  isOwn: boolean,
): readonly TextEdit[] {
  const edit = (range: Range, newText: string): TextEdit => ({ range, newText });
  if (file === "cases.yaml") {
    if (!isOwn) return [];
    const ids = mentions(text, from.skillId).map((range) => edit(range, to.skillId));
    const names =
      from.name === from.skillId ? [] : mentions(text, from.name).map((range) => edit(range, to.name));
    return [...ids, ...names];
  }
  return placesOf(file, text).flatMap(({ role, text: word, range }) => {
    if (role === "names") return word === from.skillId ? [edit(range, to.skillId)] : [];
    if (role === "folder") return word === from.name ? [edit(range, to.name)] : [];
    if (!isOwn) return [];
    if (role === "id") return [edit(range, to.skillId)];
    if (role === "name") return [edit(range, to.name)];
    return word === from.className ? classUses(text, word).map((use) => edit(use, to.className)) : [];
  });
}

/** A part of pf.ts that something in cases.yaml is about: a method, or the fields of `ctx` that it names. */
export function pfPart(
  path: readonly string[],
): { readonly method: string } | { readonly field: string } | undefined {
  const [cases, key, field] = path;
  if (cases !== "cases") return undefined;
  if (key === "context" && field !== undefined) return { field };
  if (key === "proposed" || key === "context") return { method: "shouldActivate" };
  return key === "expect" ? { method: path[2] === "fires" ? "shouldActivate" : "intervene" } : undefined;
}

/** Where pf.ts declares a method, or uses a field of the context. */
export function partRanges(
  pf: string,
  part: { readonly method: string } | { readonly field: string },
): readonly Range[] {
  const source = sourceText(pf);
  const [word, pattern] =
    "method" in part
      ? [part.method, String.raw`(?<=^\s*(?:override\s+)?(?:async\s+)?)${part.method}(?=\s*\()`]
      : [part.field, String.raw`(?<=\.)${part.field}\b`];
  return [...pf.matchAll(new RegExp(pattern, "gm"))].map(({ index }) =>
    source.range(index, index + word.length),
  );
}
