import { closest } from "../skill/suggest.ts";
import { finalActionOf } from "../model/action-types.ts";
import { foreignNotice } from "../model/domain-spec.ts";
import type { DomainFacts } from "../model/episode.ts";
import type { ContextRules } from "../trace/context-at.ts";
import { agent } from "./agent/agent.ts";
import type { DatasetEntry } from "./dataset-entry.ts";
import type { Domain, DomainKeys, RunnableDomain } from "./domain.ts";
import { REGISTERED } from "./registered.ts";

const DOMAINS: ReadonlyMap<string, Domain> = new Map(REGISTERED.map((domain) => [domain.name, domain]));

/** Every domain, the default one first; as `DomainSpec`s for readers of skills. */
export function allDomains(): readonly Domain[] {
  return REGISTERED;
}

/** The domain where nothing names one. */
export function defaultDomain(): Domain {
  return REGISTERED[0] ?? agent;
}

/** Undefined for a name that is not registered. */
export function domainOf(name: string): Domain | undefined {
  return DOMAINS.get(name);
}

export function domainNames(): readonly string[] {
  return [...DOMAINS.keys()];
}

/** The domains whose judge says which accepted answers it can read, and needs nothing else: it can judge any run. */
export function domainsThatReadGold(): readonly Domain[] {
  return REGISTERED.filter(({ judge }) => judge.readsGold !== undefined && judge.needsMaterial !== true);
}

/** The domains whose texts hold formulas. */
export function formulaDomains(): readonly string[] {
  return REGISTERED.flatMap(({ name, formulas }) => (formulas === true ? [name] : []));
}

/** The domains whose answers are Python programs. */
export function programDomains(): readonly string[] {
  return REGISTERED.flatMap(({ name, answersIn }) => (answersIn === "python" ? [name] : []));
}

/** The data sets of all domains. */
export function allDatasets(): readonly DatasetEntry[] {
  return REGISTERED.flatMap(({ datasets = [] }) => datasets);
}

/** The data sets of the domain of this name; those of all domains where none of that name is registered. */
export function datasetsOf(name: string | undefined): readonly DatasetEntry[] {
  const domain = name === undefined ? undefined : domainOf(name);
  return domain === undefined ? allDatasets() : (domain.datasets ?? []);
}

export function datasetNames(): readonly string[] {
  return allDatasets().map(({ name }) => name);
}

/** Undefined for a name that no domain has among its data sets. */
export function datasetOf(name: string): DatasetEntry | undefined {
  return allDatasets().find((entry) => entry.name === name);
}

/** The domain that has a data set of this name. */
export function domainOfDataset(name: string): Domain | undefined {
  return REGISTERED.find(({ datasets = [] }) => datasets.some((entry) => entry.name === name));
}

function isRunnable(domain: Domain): domain is RunnableDomain {
  return domain.prompt !== undefined && domain.openEnvironment !== undefined;
}

/** The domains whose questions HASP can run, the default one first. */
export function runnableDomains(): readonly RunnableDomain[] {
  return REGISTERED.filter(isRunnable);
}

/** The domain of this name where HASP can run its questions; else why it cannot, for people. */
export function runnableDomain(
  name: string,
): { readonly domain: RunnableDomain } | { readonly message: string; readonly next: string } {
  const domain = domainOf(name);
  if (domain === undefined) return unknownDomain(name);
  if (isRunnable(domain)) return { domain };
  const able = runnableDomains().map((one) => one.name);
  return {
    message: `HASP has no environment for the domain "${name}", so it cannot run its questions.`,
    next: `Domains with an environment: ${able.join(", ")}. An agent of your own can be served with \`hasp serve\`.`,
  };
}

/** A name that is not registered, as an error for people. */
export function unknownDomain(name: string): { readonly message: string; readonly next: string } {
  const meant = closest(name, domainNames());
  const known = `Registered domains: ${domainNames().join(", ")}.`;
  const next = meant === undefined ? known : `Did you mean "${meant}"? ${known}`;
  return {
    message: `No domain is called "${name}".`,
    next: `${next} Skills for a domain of your own belong under ${agent.name}.`,
  };
}

/** The notice of a record whose domain is not registered; undefined for the others. */
export function foreignDomain(name: string): string | undefined {
  return foreignNotice(name, domainNames());
}

/**
 * The domain that an episode's record is read with: `agent` where the record names one that is not registered
 * (`foreignDomain` gives the notice). Where a domain has no action types of its own, they are the record's.
 */
export function domainOfRecord(facts: Pick<DomainFacts, "domain" | "actionTypes" | "finalAction">): Domain {
  const domain = domainOf(facts.domain) ?? agent;
  if (domain.actionTypes.length > 0) return domain;
  return { ...domain, actionTypes: facts.actionTypes, finalAction: finalActionOf(facts) };
}

/** The keys of a domain's answers and questions; also of a domain that nobody here knows. */
export function domainKeys(name: string): DomainKeys {
  return (domainOf(name) ?? agent).keys;
}

/** How the step contexts of an episode of this domain are computed; also of a domain that nobody here knows. */
export function contextRulesOf(name: string): ContextRules {
  return (domainOf(name) ?? agent).contextRules;
}
