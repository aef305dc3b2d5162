import { isAlias, isMap, isScalar, isSeq, parseDocument, type Node, type Pair } from "yaml";
import { MAX_DEPTH } from "../model/read-json.ts";
import type { Range } from "../model/diagnostic.ts";
import type { SourceText } from "./source-text.ts";

/** YAML with the place of every key and value. Anchors, tags and merge keys have no place in our files. */
export type YamlValue = YamlScalar | YamlList | YamlMap;

interface YamlScalar {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
  readonly range: Range;
}

export interface YamlList {
  readonly kind: "list";
  readonly items: readonly YamlValue[];
  /** Written in brackets. */
  readonly isFlow: boolean;
  readonly range: Range;
}

export interface YamlEntry {
  readonly key: string;
  readonly keyRange: Range;
  readonly value: YamlValue;
}

export interface YamlMap {
  readonly kind: "map";
  readonly entries: ReadonlyMap<string, YamlEntry>;
  /** Written in braces. */
  readonly isFlow: boolean;
  readonly range: Range;
}

interface YamlProblem {
  readonly message: string;
  readonly range: Range;
  /** Of what is well-formed YAML, and not read here. */
  readonly next?: string;
}

interface YamlTree {
  /** Undefined when the text is empty or broken. */
  readonly root: YamlValue | undefined;
  readonly problems: readonly YamlProblem[];
}

/** What the walk over yaml's nodes needs to know. */
interface Walk {
  readonly source: SourceText;
  readonly base: number;
  readonly problems: YamlProblem[];
  /** Problems after which nothing of the text is read. */
  readonly fatal: YamlProblem[];
  readonly firstOfDuplicates: boolean;
}

interface YamlOptions {
  /** A key that stands twice is a problem and the text is read all the same, with the first of them. */
  readonly firstOfDuplicates?: boolean;
}

/**
 * Reads `yaml`, which stands in `source` at offset `base`. Never throws: a broken text gives problems and no root.
 */
export function readYaml(
  yaml: string,
  source: SourceText,
  base: number,
  { firstOfDuplicates = false }: YamlOptions = {},
): YamlTree {
  const walk: Walk = { source, base, problems: [], fatal: [], firstOfDuplicates };
  try {
    const document = parseDocument(yaml, {
      prettyErrors: false,
      merge: false,
      logLevel: "silent",
      // The package compares each key with each: 200,000 keys in a megabyte would take minutes. `entriesOf` looks for them.
      uniqueKeys: false,
    });
    for (const error of document.errors) {
      walk.problems.push({ message: plainMessage(error.message), range: at(walk, error.pos) });
    }
    if (walk.problems.length > 0) return { root: undefined, problems: walk.problems };
    const root = document.contents === null ? undefined : valueOf(document.contents, walk, 1);
    if (walk.fatal.length > 0) return { root: undefined, problems: walk.fatal };
    return { root, problems: walk.problems };
  } catch (error) {
    // The parser recurses: a few thousand nested brackets exhaust the stack.
    if (!(error instanceof RangeError)) throw error;
    return {
      root: undefined,
      problems: [{ message: TOO_DEEP, range: source.firstLine() }],
    };
  }
}

const TOO_DEEP = `it is nested more than ${MAX_DEPTH} levels deep`;

function plainMessage(message: string): string {
  return message.replace(/\s+/g, " ").replace(/[.:]$/, "");
}

function at(walk: Walk, [start, end]: readonly [number, number, ...number[]]): Range {
  return walk.source.range(walk.base + start, walk.base + Math.max(end, start));
}

function rangeOf(node: Node, walk: Walk): Range {
  return at(walk, node.range ?? [0, 0]);
}

/** `depth`: 1 at the root. */
function valueOf(node: Node, walk: Walk, depth: number): YamlValue {
  const range = rangeOf(node, walk);
  if (depth > MAX_DEPTH && (isMap(node) || isSeq(node))) {
    if (walk.fatal.length === 0) walk.fatal.push({ message: TOO_DEEP, range });
    return nothing(range);
  }
  if (isMap(node))
    return {
      kind: "map",
      entries: entriesOf(node.items as Pair<Node, Node | null>[], range, walk, depth),
      isFlow: node.flow === true,
      range,
    };
  if (isSeq(node)) {
    const items = (node.items as (Node | null)[]).map((item) =>
      item === null ? nothing(range) : valueOf(item, walk, depth + 1),
    );
    return { kind: "list", items, isFlow: node.flow === true, range };
  }
  if (isAlias(node)) {
    const message = `the alias *${node.source} is not read here`;
    walk.problems.push({ message, range, next: "Write the value out." });
    return nothing(range);
  }
  return { kind: "scalar", value: isScalar(node) ? plainScalar(node.value) : null, range };
}

function repeatedKey(key: string, range: Range, walk: Walk): void {
  const message = `the key "${key}" stands twice`;
  const next = "Delete one of the two.";
  if (walk.firstOfDuplicates)
    walk.problems.push({ message: `${message}, and only the first is read`, range, next });
  else walk.fatal.push({ message, range, next });
}

function nothing(range: Range): YamlScalar {
  return { kind: "scalar", value: null, range };
}

function plainScalar(value: unknown): YamlScalar["value"] {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === null)
    return value;
  return typeof value === "bigint" ? Number(value) : null;
}

function entriesOf(
  pairs: readonly Pair<Node, Node | null>[],
  whole: Range,
  walk: Walk,
  depth: number,
): Map<string, YamlEntry> {
  const entries = new Map<string, YamlEntry>();
  for (const pair of pairs) {
    const keyRange = pair.key === null ? whole : rangeOf(pair.key, walk);
    if (!isScalar(pair.key)) {
      walk.problems.push({ message: "a key must be a plain word", range: keyRange });
      continue;
    }
    const key = String(pair.key.value);
    const value = pair.value === null ? nothing(keyRange) : valueOf(pair.value, walk, depth + 1);
    if (entries.has(key)) repeatedKey(key, keyRange, walk);
    else entries.set(key, { key, keyRange, value });
  }
  return entries;
}
