import { READ, SEARCH } from "./action-types.ts";
import { domainFolderOf } from "./domain-folder.ts";
import { AGENT } from "./domain-names.ts";

/**
 * A domain as plain data: the part that readers of skills and records need. The objects themselves are in `src/domains/`; whoever
 * reads skills is given the specs of all registered domains.
 */
export interface DomainSpec {
  /** Kebab-case: the folder of its skills, `facts.domain` of its episodes. */
  readonly name: string;
  /** For people who choose a domain: one sentence. */
  readonly about: string;
  /** Action types, in the order in which people read them. Empty: each record names its own. */
  readonly actionTypes: readonly string[];
  /** The action type that gives the answer and ends the episode. */
  readonly finalAction: string;
  /** Further action types that an environment may have begin with this; empty: any type. Undefined: there are none. */
  readonly furtherTypes?: string;
  /** Its actions are calls of tools: the argument is the input as JSON, and the host keeps files, prompts and checks. */
  readonly callsTools?: boolean;
  /** Its texts hold formulas in LaTeX, which views draw. Absent: a dollar is money. */
  readonly formulas?: true;
  /** Its answers are programs in this language, which views show as such. Absent: they are text. */
  readonly answersIn?: "python";
  /** Conditions of phase instructions that it has, beside those on the question and the draft (`skill/vocabulary.ts`). */
  readonly conditions?: readonly string[];
  /** Skills for it come with HASP Studio, in `skills/<name>/`; without a `hasp.yaml`, a workspace uses them. */
  readonly shipsSkills?: boolean;
  /**
   * Declarations that its Program Functions find in "hasp" besides the common ones, as TypeScript: the type of its contexts, and what that
   * needs. The names are its own.
   */
  readonly pfTypes?: string;
  /** No skill changes an action in it (SPEC §3, code): a Program Function that does is an error (HASP214). */
  readonly neverModifies?: true;
  /** Its Program Functions are guards, which may change any number of steps: HASP216 does not apply. */
  readonly hasGuards?: boolean;
}

/** The libraries that come with HASP Studio, as `hasp.yaml` names them: `builtin:web-search`. */
export function shippedLibraries(domains: readonly DomainSpec[]): readonly string[] {
  return domains.filter(({ shipsSkills }) => shipsSkills).map(({ name }) => `builtin:${name}`);
}

/** The spec of a registered domain. */
export function specOf(domains: readonly DomainSpec[], name: string): DomainSpec | undefined {
  return domains.find((domain) => domain.name === name);
}

/** Says that records of an unregistered domain are read as those of `agent`; undefined for a registered one. */
export function foreignNotice(domain: string, registered: readonly string[]): string | undefined {
  if (registered.includes(domain)) return undefined;
  return `The domain ${JSON.stringify(domain.slice(0, 60))} is not registered: its episodes are read as those of ${AGENT}.`;
}

/** Whether an action of this type may be put in place of another. */
export function isActionOf(
  { actionTypes, furtherTypes }: Pick<DomainSpec, "actionTypes" | "furtherTypes">,
  type: string,
): boolean {
  return actionTypes.includes(type) || (furtherTypes !== undefined && type.startsWith(furtherTypes));
}

/** Whether agents of the domain can search or read. */
export function canRead(domain: Pick<DomainSpec, "actionTypes" | "furtherTypes">): boolean {
  return [SEARCH, READ].some((type) => isActionOf(domain, type));
}

/** The domains that a file of a skill may mean. */
export interface DomainScope {
  /** The domain of the file's folder; undefined where its path names none that is registered. */
  readonly own: DomainSpec | undefined;
  /** All that are registered, the default one first. */
  readonly all: readonly DomainSpec[];
}

/** The scope of a file of a skill, `skills/<domain>/<name>/pf.ts`. */
export function scopeOf(file: string, all: readonly DomainSpec[]): DomainScope {
  const { domain } = domainFolderOf(file.replace(/[/\\][^/\\]*$/, ""));
  return { own: domain === undefined ? undefined : specOf(all, domain), all };
}

/** Whether a Program Function may put an action of this type in place of another; in any domain where the file is in none. */
export function isExecutable(type: string, { own, all }: DomainScope): boolean {
  if (own !== undefined) return isActionOf(own, type);
  return all.some((domain) => domain.furtherTypes !== "" && isActionOf(domain, type));
}

/** Action types for a person to choose from. */
export function executableIn({ own, all }: DomainScope): readonly string[] {
  return own?.actionTypes ?? [...new Set(all.flatMap(({ actionTypes }) => actionTypes))];
}

/** Kinds of episodes that a skill may be for (`applicable_modes`), with their meaning: `all`, or the name of a domain. */
export function modesOf(all: readonly DomainSpec[]): Readonly<Record<string, string>> {
  return { all: "Every domain.", ...Object.fromEntries(all.map(({ name, about }) => [name, about])) };
}
