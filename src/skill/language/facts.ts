import { SEARCH } from "../../model/action-types.ts";
import { REFUSE } from "../../model/coding-tools.ts";
import { executableIn, modesOf, type DomainScope } from "../../model/domain-spec.ts";
import type { PhaseName } from "../../model/skill.ts";
import { actionsIn, conditionsIn, hasAction, phasesIn } from "../vocabulary.ts";
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
  readonly scope: DomainScope;
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

/** A file in no domain is completed as one of the default domain. */
function withDefault({ own, all }: DomainScope): DomainScope {
  return { own: own ?? all[0], all };
}

/** The words that may stand behind a key here, with their meaning. */
export function wordsOf(words: Words, facts: LanguageFacts): Readonly<Record<string, string>> {
  const scope = withDefault(facts.scope);
  switch (words) {
    case "skill ids":
      return Object.fromEntries(facts.others.map(({ skillId, title }) => [skillId, title]));
    case "executable actions":
      return named(executableIn(scope));
    case "actions":
    case "proposed actions":
      return { ...named(executableIn(scope).filter((type) => type !== REFUSE)), ...TYPES_OF_TEXT };
    case "conditions":
      return conditionsIn(scope);
    case "phase actions":
      return actionsIn(scope);
    case "modes":
      return modesOf(scope.all);
    default:
      return words;
  }
}

/** The phases that may be written here. */
export function phasesOf({ scope }: LanguageFacts): readonly PhaseName[] {
  return phasesIn(withDefault(scope));
}

/** Something is searched or read in the file's domain, so that contexts tell of it. */
export function isSearching({ scope }: LanguageFacts): boolean {
  return hasAction(withDefault(scope), SEARCH);
}

/** The calls of tools have inputs, files and prompts. */
export function isCoding({ scope }: LanguageFacts): boolean {
  return scope.own?.callsTools === true;
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
  const { own } = withDefault(facts.scope);
  return own?.actionTypes[0] ?? own?.finalAction ?? "";
}
