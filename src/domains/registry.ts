import type { Domain } from "./domain.ts";
import { webSearch } from "./web-search/web-search.ts";

const DOMAINS: ReadonlyMap<string, Domain> = new Map([webSearch].map((domain) => [domain.name, domain]));

/** Undefined for a name that no domain has. */
export function domainOf(name: string): Domain | undefined {
  return DOMAINS.get(name);
}

export function domainNames(): readonly string[] {
  return [...DOMAINS.keys()];
}
