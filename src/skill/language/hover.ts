import type { Position, Range } from "../../model/diagnostic.ts";
import { RULES } from "../rule-table.ts";
import { sourceText } from "../source-text.ts";
import { wordsOf, type LanguageFacts } from "./facts.ts";
import { CASES_SPECS } from "./cases-specs.ts";
import { specAt, type KeySpec } from "./key-spec.ts";
import { SKILL_SPECS } from "./skill-specs.ts";
import { frontmatterTree, wordAt, yamlTree, type YamlWord } from "./yaml-at.ts";

/** What a word means, in Markdown: one paragraph an item. */
export interface Help {
  readonly range: Range;
  readonly paragraphs: readonly string[];
}

const titleOf = (code: string): string => RULES.find((rule) => rule.code === code)?.title ?? "";

function keyHelp({ name, about, without, codes = [] }: KeySpec): readonly string[] {
  return [
    `**${name}** ${about}`,
    ...(without === undefined ? [] : [`Without it: ${without}.`]),
    ...(codes.length === 0
      ? []
      : [`Rules: ${codes.map((code) => `${code} (${titleOf(code)})`).join(", ")}.`]),
  ];
}

/** A text of somebody else's, which may not begin a link or a picture. */
const escaped = (text: string): string => text.replaceAll(/[\\`*_{}[\]()#+\-.!<>|~&]/g, "\\$&");

function valueHelp(spec: KeySpec, word: YamlWord, facts: LanguageFacts): readonly string[] {
  const { shape } = spec;
  if (shape.kind !== "word" && shape.kind !== "words") return [];
  const known = wordsOf(shape.words, facts);
  if (!Object.hasOwn(known, word.text)) return [];
  const other =
    shape.words === "skill ids" ? facts.others.find(({ skillId }) => skillId === word.text) : undefined;
  if (other !== undefined) return [`**${word.text}** ${escaped(other.title)}`, escaped(other.description)];
  const about = known[word.text] ?? "";
  return about === "" ? [] : [`**${word.text}** ${about}`];
}

function help(specs: readonly KeySpec[], word: YamlWord | undefined, facts: LanguageFacts): Help | undefined {
  const spec = word === undefined ? undefined : specAt(specs, word.path);
  if (word === undefined || spec === undefined) return undefined;
  const paragraphs = word.at === "key" ? keyHelp(spec) : valueHelp(spec, word, facts);
  return paragraphs.length === 0 ? undefined : { range: word.range, paragraphs };
}

function headingHelp(text: string, { line: at }: Position): Help | undefined {
  const line = text.split(/\r?\n/)[at] ?? "";
  const [, name = ""] = /^##\s+Phase:\s*(\S+)/i.exec(line) ?? [];
  const path = /^##\s+Handler\s*$/i.test(line) ? ["handler"] : ["phases", name];
  const spec = specAt(SKILL_SPECS, ["metadata", "hasp", ...path]);
  if (spec === undefined || !line.startsWith("##")) return undefined;
  const range = { start: { line: at, character: 0 }, end: { line: at, character: line.length } };
  return { range, paragraphs: keyHelp(spec) };
}

/** What stands under a position of a SKILL.md, where it is ours; also at top level, the form of the paper. Never throws. */
export function skillHelp(text: string, position: Position, facts: LanguageFacts): Help | undefined {
  const root = frontmatterTree(sourceText(text));
  const word = root === undefined ? undefined : wordAt(root, position);
  if (word === undefined) return headingHelp(text, position);
  const isNested = word.path[0] === "metadata";
  return help(SKILL_SPECS, isNested ? word : { ...word, path: ["metadata", "hasp", ...word.path] }, facts);
}

/** What stands under a position of a cases.yaml. Never throws. */
export function casesHelp(text: string, position: Position, facts: LanguageFacts): Help | undefined {
  const root = yamlTree(sourceText(text));
  return help(CASES_SPECS, root === undefined ? undefined : wordAt(root, position), facts);
}
