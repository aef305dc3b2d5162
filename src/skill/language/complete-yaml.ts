import { CANONICAL_KEYS, isCodingTool } from "../../model/coding-tools.ts";
import type { Range, TextEdit } from "../../model/diagnostic.ts";
import { phaseNameSchema } from "../../model/skill.ts";
import { FIELDS_OF_SEARCHES } from "../../model/search-context-fields.ts";
import {
  inputSample,
  isCoding,
  isSearching,
  phasesOf,
  sampleAction,
  wordsOf,
  type LanguageFacts,
} from "./facts.ts";
import { keysBelow, specAt, type KeySpec } from "./key-spec.ts";
import type { YamlCursor } from "./yaml-cursor.ts";

/** Something that may be written at a place of SKILL.md, cases.yaml or pf.ts. */
export interface Proposal {
  readonly kind: "key" | "value" | "snippet" | "heading";
  readonly label: string;
  /** In the notation of snippets: `${1:text}`, `${1|one,two|}`. Further lines are indented as the line is. */
  readonly insert: string;
  /** What the insertion takes the place of. */
  readonly range: Range;
  readonly detail: string;
  readonly about: string;
  /** Appended to the file besides: what the word does not make sense without. */
  readonly append?: string;
  /** Written elsewhere besides, such as into an import. */
  readonly also?: TextEdit;
}

const words = (text: string): string => text.replaceAll(/["']/g, "");

/** A word of these, or the first of them where the domain does not have it. */
const orFirst = (words: readonly string[]) => (_: string, name: string) =>
  words.includes(name) ? name : (words[0] ?? "");

/** Snippet text of a spec, with what depends on the file filled in. */
function filled(template: string, facts: LanguageFacts): string {
  const proposed = isCoding(facts)
    ? 'type: ${2:Bash}, input: { command: "${3:npm test}" }'
    : `type: \${2:${sampleAction(facts)}}, arg: "\${3:some words}"`;
  const conditions = Object.keys(wordsOf("conditions", facts));
  const actions = Object.keys(wordsOf("phase actions", facts));
  const phases = phasesOf(facts);
  const id = facts.folder.replaceAll("-", "_");
  return template
    .replaceAll("{proposed}", proposed)
    .replaceAll("{conditions}", conditions.join(","))
    .replaceAll(/\{condition (\w+)\}/g, orFirst(conditions))
    .replaceAll("{phase actions}", actions.join(","))
    .replaceAll(/\{phase action (\w+)\}/g, orFirst(actions))
    .replaceAll(/\{phase (\w+)\}/g, orFirst(phases))
    .replaceAll("{action}", sampleAction(facts))
    .replaceAll("{id}", /^[a-z][a-z0-9_]*$/.test(id) ? id : "my_skill");
}

/** A template as it stands at this cursor; undefined where its lines do not fit into braces. */
export function writtenAt(
  template: string,
  cursor: Pick<YamlCursor, "hang" | "isFlow">,
  facts: LanguageFacts,
): string | undefined {
  if (cursor.isFlow && template.includes("\n")) return undefined;
  return filled(template, facts).replaceAll("\n", `\n${" ".repeat(cursor.hang)}`);
}

const OF_SEARCHES: ReadonlySet<string> = new Set(FIELDS_OF_SEARCHES);
const PHASE_NAMES: ReadonlySet<string> = new Set(phaseNameSchema.options);

/** What is known to be refused beside the keys that are there (HASP306), or of no use in this domain. */
function fits({ name }: KeySpec, { path, siblings }: YamlCursor, facts: LanguageFacts): boolean {
  const group = path.at(-1);
  if (group === "expect") {
    if (siblings.get("fires") === "false" && name !== "fires") return false;
    const type = words(siblings.get("type") ?? "");
    if (name === "contextContains" && type !== "" && type !== "INJECT_CONTEXT") return false;
    if (name.startsWith("new") && type !== "" && type !== "MODIFY_ACTION") return false;
    if (name === "type" && siblings.has("contextContains"))
      return !["newActionType", "newActionArg"].some((key) => siblings.has(key));
    return name !== "newInput" || isCoding(facts);
  }
  if (group === "context" && OF_SEARCHES.has(name)) return isSearching(facts);
  if (group === "phases" && PHASE_NAMES.has(name)) return phasesOf(facts).some((phase) => phase === name);
  const isSession = ["steps", "prompts", "world", "project", "cwd"].includes(name);
  if (isSession && group === "cases") return isCoding(facts);
  if (name === "arg" && siblings.has("input")) return false;
  if (name === "input") return isCoding(facts) && !siblings.has("arg");
  return name !== "raw" || ["other", "invalid"].includes(words(siblings.get("type") ?? ""));
}

const detailOf = ({ without, codes = [] }: KeySpec): string =>
  [...(without === undefined ? [] : [`without it: ${without.replaceAll("`", "")}`]), ...codes].join(" · ");

function toKey(spec: KeySpec, cursor: YamlCursor, facts: LanguageFacts): Proposal[] {
  const template = cursor.isFlow ? (spec.flow ?? spec.write) : spec.write;
  const value = writtenAt(template, cursor, facts);
  if (value === undefined) return [];
  // A second key of a list that needs words of the library has nothing to offer where there are none.
  if (spec.shape.kind === "words" && Object.keys(wordsOf(spec.shape.words, facts)).length === 0) return [];
  const insert = `${spec.name}:${value.startsWith("\n") ? "" : " "}${value}`;
  return [
    { kind: "key", label: spec.name, insert, range: cursor.range, detail: detailOf(spec), about: spec.about },
  ];
}

/** Keys of a tool's input, by the type of the call that it belongs to. */
function inputKeys({ around, siblings, range }: YamlCursor): Proposal[] {
  const tool = words(around.get("type") ?? "");
  const keys = isCodingTool(tool) ? CANONICAL_KEYS[tool] : [];
  return keys
    .filter((key) => !siblings.has(key))
    .map((key) => ({
      kind: "key",
      label: key,
      insert: `${key}: ${inputSample(key)}`,
      range,
      detail: tool,
      about: "",
    }));
}

function valueFits(word: string, { path, siblings }: YamlCursor): boolean {
  const [group, key] = path.slice(-2);
  if (group !== "expect" || key === undefined) return true;
  const others = (names: readonly string[]): boolean => names.some((name) => siblings.has(name));
  if (key === "fires")
    return (
      word !== "false" || !others(["type", "newActionType", "newActionArg", "newInput", "contextContains"])
    );
  if (key !== "type") return true;
  if (word !== "MODIFY_ACTION" && others(["newActionType", "newActionArg", "newInput"])) return false;
  return word === "INJECT_CONTEXT" || !others(["contextContains"]);
}

/** Words for the value of a key, or for an item of its list. */
function values(spec: KeySpec, cursor: YamlCursor, facts: LanguageFacts): Proposal[] {
  const { shape } = spec;
  if (shape.kind !== "word" && shape.kind !== "words") return [];
  if (shape.kind === "word" && cursor.isItem) return [];
  const taken = new Set(cursor.items.map(words));
  const isBare = shape.kind === "words" && !cursor.isItem;
  return Object.entries(wordsOf(shape.words, facts))
    .filter(([word]) => !taken.has(word) && valueFits(word, cursor))
    .map(([word, about]) => ({
      kind: "value",
      label: word,
      insert: isBare ? `[${word}]` : word,
      range: cursor.range,
      detail: spec.name,
      about,
    }));
}

/** Keys or values at a cursor, by the table of keys. */
export function proposalsIn(specs: readonly KeySpec[], cursor: YamlCursor, facts: LanguageFacts): Proposal[] {
  const { path, at, isItem, siblings } = cursor;
  const spec = specAt(specs, path);
  if (at === "key" && path.at(-1) === "input") return inputKeys(cursor);
  if (at === "value" || (isItem && spec?.shape.kind === "words"))
    return spec === undefined ? [] : values(spec, cursor, facts);
  if (path.length > 0 && spec === undefined) return [];
  // Below a key that takes a list, only an item may be written.
  if (spec?.shape.kind === "list" && !isItem && siblings.size === 0 && !cursor.isFlow) return [];
  return (spec === undefined ? specs : keysBelow(spec))
    .filter(({ name }) => !siblings.has(name))
    .filter((key) => fits(key, cursor, facts))
    .flatMap((key) => toKey(key, cursor, facts));
}
