import type { Position, Range } from "../../model/diagnostic.ts";

/** Where somebody is typing in YAML that need not be whole: that is what half a line never is. */
export interface YamlCursor {
  /** Keys from the root; items of lists have no name. Of a value it ends with the value's own key. */
  readonly path: readonly string[];
  readonly at: "key" | "value";
  /** The word at the cursor, which a proposal takes the place of. */
  readonly range: Range;
  /** Keys of the same mapping, with the text of their values where those stand on the same line. */
  readonly siblings: ReadonlyMap<string, string>;
  /** The same of the mapping around this one. */
  readonly around: ReadonlyMap<string, string>;
  /** Words of the same list. */
  readonly items: readonly string[];
  /** In brackets or braces. */
  readonly isFlow: boolean;
  /** The cursor stands where an item of a list is written. */
  readonly isItem: boolean;
  /** Columns between the blanks that the line begins with and the mapping: those of `- `. */
  readonly hang: number;
}

interface Line {
  /** Column of the first dash, where there is one. */
  readonly dash: number | undefined;
  /** Column of what stands after blanks and dashes. */
  readonly column: number;
  readonly key: string | undefined;
  /** What follows the key; all of it where there is none. */
  readonly rest: string;
}

const HEAD = /^(\s*)((?:-\s+|-$)*)/;
const KEY = /^(["']?)([\w.-]+)\1\s*:(?=\s|$)\s*(.*)$/;
const NO_KEYS: ReadonlyMap<string, string> = new Map();

function readLine(text: string): Line | undefined {
  const [head = "", blanks = "", dashes = ""] = HEAD.exec(text) ?? [];
  const content = text.slice(head.length);
  if (content.startsWith("#") || (content.trim() === "" && dashes === "")) return undefined;
  const key = KEY.exec(content);
  return {
    dash: dashes === "" ? undefined : blanks.length,
    column: head.length,
    key: key?.[2],
    rest: (key === null ? content : (key[3] ?? "")).replace(/(?:^|\s)#.*$/, "").trim(),
  };
}

/** The keys above a column, outermost first, with their lines; undefined where something else than a mapping stands above. */
function parentsOf(
  lines: readonly string[],
  at: number,
  column: number,
): { key: string; line: number }[] | undefined {
  const found: { key: string; line: number }[] = [];
  let limit = column;
  for (let i = at - 1; i >= 0 && limit > 0; i--) {
    const line = readLine(lines[i] ?? "");
    if (line === undefined) continue;
    if (line.column < limit) {
      if (line.key === undefined || line.rest !== "") return undefined;
      found.unshift({ key: line.key, line: i });
      limit = line.column;
    }
    // The list's own key may stand in the same column as its dashes.
    if (line.dash !== undefined && line.dash < limit) limit = line.dash + 1;
  }
  return found;
}

/** The other keys of the mapping that has this column on this line. */
function siblingsOf(lines: readonly string[], at: number, column: number): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const take = (i: number): "go on" | "stop" => {
    const line = readLine(lines[i] ?? "");
    if (line === undefined) return "go on";
    if (line.column < column) return "stop";
    if (line.column === column && line.key !== undefined) found.set(line.key, line.rest);
    return "go on";
  };
  const startsItem = (i: number): boolean => (readLine(lines[i] ?? "")?.dash ?? column) < column;
  for (let i = at - 1; i >= 0 && !startsItem(i + 1); i--) if (take(i) === "stop") break;
  for (let i = at + 1; i < lines.length && !startsItem(i); i++) if (take(i) === "stop") break;
  return found;
}

interface Frame {
  readonly kind: "map" | "list";
  readonly keys: Map<string, string>;
  readonly items: string[];
  key: string | undefined;
  start: number;
}

/** What is open at the end of a text in brackets and braces; undefined where nothing is, or inside quotes. */
function openFrames(text: string): Frame[] | undefined {
  const frames: Frame[] = [];
  let quote = "";
  const close = (end: number): void => {
    const top = frames.at(-1);
    const word = text.slice(top?.start ?? 0, end).trim();
    if (top?.kind === "map" && top.key !== undefined) top.keys.set(top.key, word);
    if (top?.kind === "list" && word !== "") top.items.push(word);
  };
  for (let i = 0; i < text.length; i++) {
    const c = text[i] ?? "";
    const top = frames.at(-1);
    if (quote !== "") quote = c === quote ? "" : quote;
    else if (/["']/.test(c) && text.slice(top?.start ?? 0, i).trim() === "") quote = c;
    else if (c === "{" || c === "[")
      frames.push({
        kind: c === "{" ? "map" : "list",
        keys: new Map(),
        items: [],
        key: undefined,
        start: i + 1,
      });
    else if (c === "}" || c === "]") {
      close(i);
      frames.pop();
    } else if (c === "," && top !== undefined) {
      close(i);
      top.key = undefined;
      top.start = i + 1;
    } else if (c === ":" && top?.kind === "map" && /\s|^$/.test(text[i + 1] ?? "")) {
      top.key = text.slice(top.start, i).trim();
      top.start = i + 1;
    }
  }
  return quote === "" && frames.length > 0 ? frames : undefined;
}

/** What follows the cursor up to the bracket that closes: keys of the same mapping, or words of the same list. */
function takeRest(rest: string, frame: Frame): void {
  const inside = /^[^\]}[{]*/.exec(rest)?.[0] ?? "";
  for (const part of inside.split(",").slice(1)) {
    const [name = "", value] = part.split(/:(?:\s|$)/);
    if (frame.kind === "map" && value !== undefined) frame.keys.set(name.trim(), value.trim());
    if (frame.kind === "list" && name.trim() !== "") frame.items.push(name.trim());
  }
}

type Place = Pick<YamlCursor, "around" | "hang"> & { readonly range: Range };

function inFlow(
  flow: string,
  rest: string,
  path: readonly string[],
  siblings: ReadonlyMap<string, string>,
  place: Place,
): YamlCursor | undefined {
  const frames = openFrames(flow);
  const top = frames?.at(-1);
  if (frames === undefined || top === undefined) return undefined;
  takeRest(rest, top);
  const keys = frames.slice(0, -1).flatMap(({ key }) => key ?? []);
  const outer = frames.at(-2)?.keys ?? siblings;
  const isValue = top.kind === "list" || top.key !== undefined;
  const own = top.kind === "map" && top.key !== undefined ? [top.key] : [];
  return {
    ...place,
    path: [...path, ...keys, ...own],
    at: isValue ? "value" : "key",
    siblings: top.kind === "map" ? top.keys : outer,
    around: outer,
    items: top.items,
    isFlow: true,
    isItem: top.kind === "list",
  };
}

/** Words of the list of dashes around a line. */
function itemsAround(lines: readonly string[], at: number, dash: number): string[] {
  const wordAt = (i: number): string | undefined => {
    const line = readLine(lines[i] ?? "");
    return line?.dash === dash ? line.rest : undefined;
  };
  const found: string[] = [];
  for (let i = at - 1; wordAt(i) !== undefined; i--) found.push(wordAt(i) ?? "");
  for (let i = at + 1; wordAt(i) !== undefined; i++) found.push(wordAt(i) ?? "");
  return found;
}

function wordRange(line: string, { line: row, character }: Position): Range {
  const before = /[\w.-]*$/.exec(line.slice(0, character))?.[0].length ?? 0;
  const after = /^[\w.-]*/.exec(line.slice(character))?.[0].length ?? 0;
  return {
    start: { line: row, character: character - before },
    end: { line: row, character: character + after },
  };
}

/** The next line belongs to the one above the cursor: a key here would come between them. */
function separates(lines: readonly string[], at: number, column: number, hasDash: boolean): boolean {
  const next = lines.slice(at + 1).find((line) => readLine(line) !== undefined);
  const line = next === undefined ? undefined : readLine(next);
  if (line === undefined) return false;
  const isValue = line.key === undefined && line.dash === undefined && line.column > 0;
  return (
    isValue ||
    (line.dash ?? line.column) > column ||
    (line.key === undefined && line.dash === undefined && line.column === column) ||
    (!hasDash && line.dash === column && !/^\s*- name\s*:/.test(next ?? ""))
  );
}

/** The first key of a mapping stands right below the key that it belongs to; else something else stands there already. */
function isFirst(lines: readonly string[], at: number, parent: number | undefined): boolean {
  if (parent === undefined && lines.slice(at + 1).some((line) => readLine(line) !== undefined)) return false;
  const above = lines.slice(0, at).findLastIndex((line) => readLine(line) !== undefined);
  return above === (parent ?? -1);
}

/** Whether the dashes of a list above stand in this column: another item may begin here. */
function continuesList(lines: readonly string[], at: number, column: number, parent: number): boolean {
  return lines.slice(parent + 1, at).some((line) => readLine(line)?.dash === column);
}

const isComment = (before: string): boolean => /(?:^|\s)#/.test(before);

/**
 * Where a position stands in YAML of our files. Undefined inside comments, quotes and texts on several lines. Brackets are
 * read on one line only, as people write them here. Never throws.
 */
export function yamlCursor(lines: readonly string[], position: Position): YamlCursor | undefined {
  const line = lines[position.line] ?? "";
  const before = line.slice(0, position.character);
  const [head = "", blanks = "", dashes = ""] = HEAD.exec(before) ?? [];
  const column = head.length;
  const content = before.slice(column);
  if (isComment(before) || (dashes !== "" && !/\s$/.test(dashes))) return undefined;
  const dash = dashes === "" ? undefined : blanks.length;
  const parents = parentsOf(lines, position.line, dash === undefined ? column : dash + 1);
  if (parents === undefined) return undefined;
  const path = parents.map(({ key }) => key);
  const siblings = siblingsOf(lines, position.line, column);
  const parent = parents.at(-1);
  const parentColumn = parent === undefined ? 0 : (readLine(lines[parent.line] ?? "")?.column ?? 0);
  const around = parent === undefined ? NO_KEYS : siblingsOf(lines, parent.line, parentColumn);
  const place = { around, hang: column - blanks.length, range: wordRange(line, position) };
  const rest = line.slice(position.character);
  const key = KEY.exec(content);
  const value = key?.[3] ?? content;
  const here = key?.[2] === undefined ? path : [...path, key[2]];
  if (/^[{[]/.test(value)) return inFlow(value, rest, here, siblings, place);
  const common = { ...place, path: here, siblings, isFlow: false };
  if (key !== null) {
    const isWord = /^[\w.-]*$/.test(value) && /\s$|\s[\w.-]+$/.test(content);
    return isWord ? { ...common, at: "value", items: [], isItem: false } : undefined;
  }
  if (!/^[\w.-]*$/.test(content) || separates(lines, position.line, column, dash !== undefined))
    return undefined;
  const isOpen =
    siblings.size > 0 ||
    isFirst(lines, position.line, parent?.line) ||
    continuesList(lines, position.line, column, parent?.line ?? position.line);
  if (dash === undefined && !isOpen) return undefined;
  const items = dash === undefined ? [] : itemsAround(lines, position.line, dash);
  return { ...common, at: "key", items, isItem: dash !== undefined };
}
