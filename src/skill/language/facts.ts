import { REFUSE } from "../../model/coding-tools.ts";
import { EXECUTABLE_ACTIONS, executableIn } from "../vocabulary.ts";
import type { Words } from "./key-spec.ts";

/** A skill that other files may name. */
export interface KnownSkill {
  readonly skillId: string;
  readonly title: string;
  readonly description: string;
}

/** What surrounds the file in which somebody types. */
export interface LanguageFacts {
  /** Name of the skill's folder; empty where it is not known. */
  readonly folder: string;
  /** Of the skill's folder; undefined where it names none that is known. */
  readonly domain: string | undefined;
  /** The library without the skill itself. */
  readonly others: readonly KnownSkill[];
}

const TYPES_OF_TEXT: Readonly<Record<string, string>> = {
  other: "A real action that the domain has no name for.",
  invalid: "Text of the policy that was no action at all.",
};

function named(types: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(types.map((type) => [type, ""]));
}

/** The words that may stand behind a key here, with their meaning. */
export function wordsOf(words: Words, facts: LanguageFacts): Readonly<Record<string, string>> {
  const domain = facts.domain ?? "web-search";
  switch (words) {
    case "skill ids":
      return Object.fromEntries(facts.others.map(({ skillId, title }) => [skillId, title]));
    case "executable actions":
      return named(executableIn(domain));
    case "actions":
    case "proposed actions":
      return { ...named(executableIn(domain).filter((type) => type !== REFUSE)), ...TYPES_OF_TEXT };
    default:
      return words;
  }
}

export function isCoding({ domain }: LanguageFacts): boolean {
  return domain === "coding-agent";
}

/** How an input is begun, as a snippet: YAML of the type that the tool takes. */
export function inputSample(key: string): string {
  if (key === "edits") return '[{ path: "${1:src/a.ts}", oldText: "${2:before}", newText: "${3:after}" }]';
  if (key === "files") return '["${1:test/a.test.ts}"]';
  if (key === "timeout") return "${1:60000}";
  if (key === "offset" || key === "limit") return "${1:100}";
  if (key === "all" || key === "background") return "${1|true,false|}";
  return '"$1"';
}

/** The domain's first action, as a proposed one is begun. */
export function sampleAction(facts: LanguageFacts): string {
  const [first = "SEARCH"] = EXECUTABLE_ACTIONS[facts.domain ?? "web-search"] ?? [];
  return first;
}
