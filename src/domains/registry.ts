import type { ContextRules } from "../trace/context-at.ts";
import type { Domain } from "./domain.ts";
import { codingAgent } from "./coding-agent/coding-agent.ts";
import { webSearch } from "./web-search/web-search.ts";

const DOMAINS: ReadonlyMap<string, Domain> = new Map(
  [webSearch, codingAgent].map((domain) => [domain.name, domain]),
);

/** Undefined for a name that no domain has. */
export function domainOf(name: string): Domain | undefined {
  return DOMAINS.get(name);
}

export function domainNames(): readonly string[] {
  return [...DOMAINS.keys()];
}

/** For agents whose tools no domain knows: nothing is read into their texts. */
const NEUTRAL_RULES: ContextRules = {
  isEmptySearch: (observation) => observation.trim() === "",
  contradicts: () => false,
};

/** How the step contexts of an episode of this domain are computed; also of a domain that nobody here knows. */
export function contextRulesOf(name: string): ContextRules {
  return domainOf(name)?.contextRules ?? NEUTRAL_RULES;
}
